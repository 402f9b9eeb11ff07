// The search through configurations of section 6.1: how far the log was read, who of those open has synchronised, the
// state of the spec. As soon as possible (Lemma 13): a synchronisation follows the call of one of its participants, or
// another synchronisation.

#include <algorithm>

#include "judge/core/configurations.hpp"
#include "judge/core/limits.hpp"
#include "judge/synchronisation/meetings.hpp"

namespace muster {
namespace {

constexpr Meeter no_meeter = ~Meeter{0};

class SyncSearch {
 public:
  SyncSearch(const Meeters& meeters, bool progress, const SyncOptions& options)
      : meeters_(meeters),
        progress_(progress),
        eager_(options.as_soon_as_possible),
        stateless_(meeters.spec().is_stateless()),
        limits_(options.limits),
        outcomes_(meeters),
        fillings_(meeters),
        slot_(meeters.size()),
        seen_(0) {
    order_events();
    words_ = (open_.size() + 63) / 64;
    met_.resize(words_);
    configuration_.resize(1 + words_);
    seen_ = Configurations(1 + words_);
  }

  SyncVerdict run() {
    state_ = outcomes_.initial();
    enter(0, Allowed::nothing, no_meeter);
    while (!frames_.empty()) {
      if (limits_.hit([&] { return bytes(); })) return Undecided{limits_.reason(), 0};
      Frame& frame = frames_.back();
      undo_to(frame);
      if (frame.next < candidates_.size()) {
        const Candidate candidate = candidates_[frame.next++];
        synchronise(candidate);
        enter(frame.event, stateless_ && eager_ ? Allowed::nothing : Allowed::anything, no_meeter);
      } else if (!frame.advanced) {
        frame.advanced = true;
        if (advance(frame.event)) return witness();
      } else {
        leave();
      }
    }
    if (!able_.empty()) return waiting_for_ever(meeters_, able_);
    return unexplained(meeters_, misfit_);
  }

 private:
  enum class Allowed : std::uint8_t { nothing, with_the_caller, anything };
  struct Event {
    Meeter meeter;
    bool is_return;
  };
  struct Candidate {
    std::uint32_t first;  // participant, in pool_
    unsigned mode;
    StateId next;
  };
  struct Frame {
    std::uint32_t event;
    std::uint32_t trail;
    std::uint32_t first, next;  // candidates
    std::uint32_t pool;
    StateId state;
    bool advanced = false;
  };
  struct Change {
    enum Kind : std::uint8_t { met, called, returned } kind;
    Meeter meeter;
    bool last_of_meeting = false;
    unsigned mode = 0;
  };

  void order_events() {
    std::vector<std::pair<Position, Event>> order;
    for (Meeter m = 0; m < meeters_.size(); ++m) {
      order.push_back({meeters_.call(m), {m, false}});
      if (!meeters_.is_pending(m)) order.push_back({meeters_.ret(m), {m, true}});
    }
    std::ranges::sort(order, {}, &std::pair<Position, Event>::first);
    std::vector<std::uint32_t> free;
    std::uint32_t slots = 0;
    for (const auto& [position, event] : order) {
      events_.push_back(event);
      if (event.is_return) {
        free.push_back(slot_[event.meeter]);
      } else if (free.empty()) {
        slot_[event.meeter] = slots++;
      } else {
        slot_[event.meeter] = free.back();
        free.pop_back();
      }
    }
    open_.assign(slots, no_meeter);
  }

  bool has_met(Meeter m) const { return met_[slot_[m] / 64] >> (slot_[m] % 64) & 1; }
  void set_met(Meeter m, bool value) {
    const std::uint64_t bit = std::uint64_t{1} << (slot_[m] % 64);
    value ? met_[slot_[m] / 64] |= bit : met_[slot_[m] / 64] &= ~bit;
  }

  /// Goes on in a configuration that was not seen before.
  void enter(std::uint32_t event, Allowed allowed, Meeter caller) {
    if (!eager_) allowed = Allowed::anything;
    configuration_[0] = std::uint64_t{event} << 34 | static_cast<std::uint64_t>(allowed) << 32 | state_;
    std::ranges::copy(met_, configuration_.begin() + 1);
    if (!seen_.add(configuration_).second) return;
    const auto first = static_cast<std::uint32_t>(candidates_.size());
    frames_.push_back({event, static_cast<std::uint32_t>(trail_.size()), first, first,
                       static_cast<std::uint32_t>(pool_.size()), state_});
    if (allowed == Allowed::nothing) return;
    available_.clear();
    for (const Meeter m : open_) {
      if (m != no_meeter && !has_met(m) && !(progress_ && meeters_.is_pending(m))) available_.push_back(m);
    }
    if (allowed == Allowed::with_the_caller && progress_ && meeters_.is_pending(caller)) return;
    const auto modes = meeters_.spec().modes();
    for (unsigned mode = 0; mode < modes.size(); ++mode) {
      fillings_.of(modes[mode], available_, allowed == Allowed::anything ? -1 : std::int64_t{caller},
                   [&](std::span<const Meeter> participants) {
                     for (const StateId next : outcomes_.after(state_, mode, participants)) {
                       candidates_.push_back({static_cast<std::uint32_t>(pool_.size()), mode, next});
                       pool_.insert(pool_.end(), participants.begin(), participants.end());
                     }
                     return true;
                   });
    }
  }

  void leave() {
    candidates_.resize(frames_.back().first);
    pool_.resize(frames_.back().pool);
    frames_.pop_back();
  }

  void synchronise(const Candidate& candidate) {
    const std::size_t arity = meeters_.spec().modes()[candidate.mode].arity();
    for (std::size_t i = 0; i < arity; ++i) {
      const Meeter m = pool_[candidate.first + i];
      set_met(m, true);
      trail_.push_back({Change::met, m, i + 1 == arity, candidate.mode});
    }
    state_ = candidate.next;
  }

  /// Reads on to the next call; true at the end of the log, if it may end so.
  bool advance(std::uint32_t event) {
    for (; event < events_.size(); ++event) {
      const auto [meeter, is_return] = events_[event];
      if (!is_return) {
        open_[slot_[meeter]] = meeter;
        trail_.push_back({Change::called, meeter});
        enter(event + 1, Allowed::with_the_caller, meeter);
        return false;
      }
      if (!has_met(meeter)) {
        if (event >= furthest_) misfit_ = meeter;
        furthest_ = std::max(furthest_, event);
        return false;
      }
      set_met(meeter, false);
      open_[slot_[meeter]] = no_meeter;
      trail_.push_back({Change::returned, meeter});
      if (!eager_) {
        enter(event + 1, Allowed::anything, no_meeter);
        return false;
      }
    }
    return may_end();
  }

  bool may_end() {
    if (!progress_) return true;
    std::vector<Meeter> waiting;
    for (const Meeter m : open_) {
      if (m != no_meeter && !has_met(m)) waiting.push_back(m);
    }
    auto able = could_synchronise(meeters_, outcomes_, state_, waiting);
    if (able.empty()) return true;
    able_ = std::move(able);
    return false;
  }

  void undo_to(const Frame& frame) {
    for (; trail_.size() > frame.trail; trail_.pop_back()) {
      const Change& change = trail_.back();
      if (change.kind == Change::met) {
        set_met(change.meeter, false);
      } else if (change.kind == Change::called) {
        open_[slot_[change.meeter]] = no_meeter;
      } else {
        open_[slot_[change.meeter]] = change.meeter;
        set_met(change.meeter, true);
      }
    }
    state_ = frame.state;
  }

  SyncVerdict witness() const {
    SyncWitness witness;
    Synchronisation meeting;
    for (const Change& change : trail_) {
      if (change.kind != Change::met) continue;
      meeting.participants.push_back(meeters_.id(change.meeter));
      if (!change.last_of_meeting) continue;
      meeting.mode = change.mode;
      witness.synchronisations.push_back(std::exchange(meeting, {}));
    }
    return witness;
  }

  std::size_t bytes() const {
    return seen_.bytes() + outcomes_.bytes() + frames_.capacity() * sizeof(Frame) +
           candidates_.capacity() * sizeof(Candidate) + pool_.capacity() * sizeof(Meeter);
  }

  const Meeters& meeters_;
  bool progress_, eager_, stateless_;
  Limits limits_;
  Outcomes outcomes_;
  Fillings fillings_;
  std::vector<Event> events_;
  std::vector<std::uint32_t> slot_;
  std::vector<Meeter> open_;  // by slot
  std::vector<std::uint64_t> met_;
  std::size_t words_ = 0;
  StateId state_ = 0;
  Configurations seen_;
  std::vector<std::uint64_t> configuration_;
  std::vector<Meeter> available_;
  std::vector<Frame> frames_;
  std::vector<Candidate> candidates_;
  std::vector<Meeter> pool_;
  std::vector<Change> trail_;
  std::uint32_t furthest_ = 0;
  Meeter misfit_ = 0;
  std::vector<OperationId> able_;
};

}  // namespace

SyncVerdict search_synchronisations(const Meeters& meeters, bool progress, const SyncOptions& options) {
  return SyncSearch(meeters, progress, options).run();
}

}  // namespace muster
