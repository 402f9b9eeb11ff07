// Stateless specs of larger arity: the problem is NP-complete (section 6.5), so this is a search. It takes the
// operation with the fewest synchronisations left that could explain it, and tries them.

#include <algorithm>
#include <numeric>

#include "judge/core/configurations.hpp"
#include "judge/core/limits.hpp"
#include "judge/synchronisation/meetings.hpp"

namespace muster {
namespace {

class Cover {
 public:
  Cover(const Meeters& meeters, bool progress, const SyncOptions& options)
      : meeters_(meeters), progress_(progress), limits_(options.limits), outcomes_(meeters), of_(meeters.size()) {}

  SyncVerdict run() {
    if (!find_meetings()) return Undecided{limits_.reason(), 0};
    covered_.assign(meeters_.size(), 0);
    choices_.assign(meeters_.size(), 0);
    for (Meeter m = 0; m < meeters_.size(); ++m) choices_[m] = static_cast<std::uint32_t>(of_[m].size());
    for (const auto& component : components()) {
      if (!explain(component)) {
        if (!limits_.reason().empty()) return Undecided{limits_.reason(), 0};
        return unexplained(meeters_, misfit_);
      }
    }
    if (progress_) {
      std::vector<Meeter> waiting;
      for (Meeter m = 0; m < meeters_.size(); ++m) {
        if (meeters_.is_pending(m)) waiting.push_back(m);
      }
      auto able = could_synchronise(meeters_, outcomes_, outcomes_.initial(), waiting);
      if (!able.empty()) return waiting_for_ever(meeters_, std::move(able));
    }
    return witness();
  }

 private:
  struct Meet {
    unsigned mode;
    std::vector<Meeter> participants;
    unsigned blocked = 0;  // participants that are covered already
  };

  /// All synchronisations among operations that overlap, each found at the call of its last participant.
  bool find_meetings() {
    std::vector<std::pair<Position, Meeter>> events;
    for (Meeter m = 0; m < meeters_.size(); ++m) {
      if (progress_ && meeters_.is_pending(m)) continue;
      events.push_back({meeters_.call(m), m});
      if (!meeters_.is_pending(m)) events.push_back({meeters_.ret(m), m});
    }
    std::ranges::sort(events);
    std::vector<Meeter> open;
    Fillings fillings(meeters_);
    const auto modes = meeters_.spec().modes();
    const StateId state = outcomes_.initial();
    for (const auto& [position, m] : events) {
      if (position != meeters_.call(m)) {
        open.erase(std::ranges::find(open, m));
        continue;
      }
      open.push_back(m);
      for (unsigned mode = 0; mode < modes.size(); ++mode) {
        const bool finished = fillings.of(modes[mode], open, m, [&](std::span<const Meeter> participants) {
          if (limits_.hit([&] { return meetings_.size() * 128; })) return false;
          if (!outcomes_.after(state, mode, participants).empty()) add(mode, participants);
          return true;
        });
        if (!finished) return false;
      }
    }
    return true;
  }

  void add(unsigned mode, std::span<const Meeter> participants) {
    // Where nobody needs it, it explains nothing.
    if (std::ranges::all_of(participants, [this](Meeter m) { return meeters_.is_pending(m); })) return;
    for (const Meeter m : participants) of_[m].push_back(static_cast<std::uint32_t>(meetings_.size()));
    meetings_.push_back({mode, {participants.begin(), participants.end()}});
  }

  std::vector<std::vector<Meeter>> components() {
    std::vector<Meeter> parent(meeters_.size());
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](Meeter m) {
      while (parent[m] != m) m = parent[m] = parent[parent[m]];
      return m;
    };
    for (const Meet& meet : meetings_) {
      for (const Meeter m : meet.participants) parent[root(m)] = root(meet.participants[0]);
    }
    std::vector<std::vector<Meeter>> members(meeters_.size());
    for (Meeter m = 0; m < meeters_.size(); ++m) {
      if (!(progress_ && meeters_.is_pending(m))) members[root(m)].push_back(m);
    }
    std::erase_if(members, [](const auto& list) { return list.empty(); });
    return members;
  }

  void cover(std::uint32_t meeting) {
    for (const Meeter m : meetings_[meeting].participants) {
      covered_[m] = 1;
      for (const std::uint32_t other : of_[m]) {
        if (meetings_[other].blocked++ == 0) {
          for (const Meeter affected : meetings_[other].participants) --choices_[affected];
        }
      }
    }
    chosen_.push_back(meeting);
  }
  void uncover() {
    for (const Meeter m : meetings_[chosen_.back()].participants) {
      covered_[m] = 0;
      for (const std::uint32_t other : of_[m]) {
        if (--meetings_[other].blocked == 0) {
          for (const Meeter affected : meetings_[other].participants) ++choices_[affected];
        }
      }
    }
    chosen_.pop_back();
  }

  /// Depth first, without recursion; sets of covered operations that failed are remembered.
  bool explain(const std::vector<Meeter>& component) {
    struct Frame {
      Meeter picked;
      std::uint32_t next = 0;
      bool took = false;
    };
    Configurations seen((component.size() + 63) / 64);
    std::vector<std::uint64_t> configuration;
    std::vector<Frame> frames;
    const auto pick = [&] {
      Meeter best = 0;
      bool found = false;
      for (const Meeter m : component) {
        if (covered_[m] || meeters_.is_pending(m)) continue;
        if (!found || choices_[m] < choices_[best]) best = m;
        found = true;
      }
      if (!found) return false;
      if (choices_[best] == 0) misfit_ = best;
      frames.push_back({best});
      return true;
    };
    if (!pick()) return true;
    while (!frames.empty()) {
      if (limits_.hit([&] { return seen.bytes(); })) return false;
      Frame& frame = frames.back();
      if (frame.took) uncover();
      frame.took = false;
      const auto& choices = of_[frame.picked];
      while (frame.next < choices.size() && meetings_[choices[frame.next]].blocked > 0) ++frame.next;
      if (frame.next == choices.size()) {
        frames.pop_back();
        continue;
      }
      cover(choices[frame.next++]);
      frame.took = true;
      configuration.assign((component.size() + 63) / 64, 0);
      for (std::size_t i = 0; i < component.size(); ++i)
        configuration[i / 64] |= std::uint64_t{covered_[component[i]] != 0} << i % 64;
      if (seen.add(configuration).second && !pick()) return true;
    }
    return false;
  }

  SyncVerdict witness() const {
    std::vector<Synchronisation> meetings;
    for (const std::uint32_t meeting : chosen_) {
      meetings.push_back({meetings_[meeting].mode, {}});
      for (const Meeter m : meetings_[meeting].participants) meetings.back().participants.push_back(meeters_.id(m));
    }
    return in_order(meeters_, std::move(meetings));
  }

  const Meeters& meeters_;
  bool progress_;
  Limits limits_;
  Outcomes outcomes_;
  std::vector<Meet> meetings_;
  std::vector<std::vector<std::uint32_t>> of_;  // by operation: meetings it may take part in
  std::vector<char> covered_;
  std::vector<std::uint32_t> choices_;  // by operation: meetings left
  std::vector<std::uint32_t> chosen_;
  Meeter misfit_ = 0;
};

}  // namespace

SyncVerdict cover_synchronisations(const Meeters& meeters, bool progress, const SyncOptions& options) {
  return Cover(meeters, progress, options).run();
}

}  // namespace muster
