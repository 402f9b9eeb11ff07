#include "search/sampling.hpp"

#include <algorithm>

namespace muster {

Sampling::Sampling(const Place& place, std::uint64_t& drawn, std::uint64_t& searched)
    : place_(place), drawn_(drawn), searched_(searched) {
  if (!is_asked_for()) return;
  strategy_ = make_random_strategy(place.strategy, [this]() -> std::optional<std::uint64_t> {
    return drawn_ < limit_ ? std::optional(drawn_++) : std::nullopt;
  });
}

std::uint64_t Sampling::wanted() const {
  constexpr std::uint64_t later = 16;  // one for so many of the search
  const PortfolioShares& shares = place_.strategy.shares;
  const std::uint64_t even = std::min(searched_, shares.even);
  return std::max(shares.first, even) + (searched_ - even) / later;
}

/// Going from the search to drawing and back costs a little: not for each execution.
std::uint64_t Sampling::step() const {
  constexpr std::uint64_t least = 8, most = 256;
  return drawn_ < place_.strategy.shares.first ? 1 : std::clamp(drawn_ / 4, least, most);
}

Sampling::Drew Sampling::draw() {
  WorkerSlot& slot = place_.slot;
  slot.aside.assign(slot.journal.schedule.decisions());
  slot.draws = true;
  const Drew drew = draw_due();
  slot.draws = false;
  if (drew != Drew::finding) slot.journal.schedule.assign(slot.aside.decisions());
  return drew;
}

Sampling::Drew Sampling::draw_between() {
  between_ = true;
  const Drew drew = draw();
  between_ = false;
  return drew;
}

Sampling::Drew Sampling::draw_due() {
  class Watched final : public Interruption {
   public:
    explicit Watched(Interruption& other) : other_(other) {}
    bool go_on(Strategy& strategy, Schedule& schedule) override {
      stopped = !other_.go_on(strategy, schedule);
      return !stopped;
    }
    bool stopped = false;

   private:
    Interruption& other_;
  };
  Watched watched(place_.interruption);
  bool learned = false;
  for (limit_ = wanted(); drawn_ < limit_ && has_choices_;) {
    Counters counters;
    place_.task.begin_aside();
    const SearchEnd end = search(place_.engine, place_.slot.journal, place_.program, *strategy_, place_.task, counters,
                                 {place_.deadline}, watched);
    const bool found = place_.task.end_aside();
    has_choices_ = counters.decisions > 0 || counters.executions == 0;
    count(counters);
    learned |= end == SearchEnd::learned;
    if (found) return Drew::finding;
    if (end == SearchEnd::out_of_time) return Drew::out_of_time;
    if (watched.stopped) return Drew::stopped;
  }
  return learned ? Drew::learned : Drew::all;
}

/// What they leave out or hold back says nothing about the search.
void Sampling::count(Counters counters) {
  Counters& made = place_.slot.progress.made;
  counters.drawn = counters.executions;
  counters.share_done = made.share_done;
  counters.cut_by_preemptions = counters.cut_by_late_yields = false;
  counters.held_back = counters.cut = counters.abandoned = 0;
  if (between_) counters.steps = 0, counters.cpu_seconds = 0;
  made.add(counters);
}

}  // namespace muster
