#include "predict/make_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace muster::predict {

using trace::Kind;
using trace::NameClass;

namespace {

class PlanMaker {
 public:
  PlanMaker(const SyncIndex& index, const trace::TraceReader& names) : index_(index), names_(names) {
    for (std::uint32_t parent = 0; parent < index.thread_count(); ++parent)
      for (const SyncEvent& event : index.events(parent))
        if (event.kind == Kind::fork)
          plan.forks.push_back({thread(event.object), thread(parent), event.index, site(event.site)});
  }

  std::string thread(std::uint32_t id) const { return names_.name(NameClass::thread, id); }
  std::string site(std::uint32_t id) const { return names_.name(NameClass::site, id); }

  void add_access(std::uint32_t id, const AccessRef& access, bool write, std::uint32_t nth) {
    plan.accesses.push_back({thread(id), access.index, write, site(access.site), std::max(nth, 1u)});
  }
  void add_wait(const Dependency& wait) {
    const std::uint32_t position = index_.position(wait.thread, wait.index);
    const auto is_same = [&](const SyncEvent& event) { return event.site == wait.site && is_acquire(event.kind); };
    const auto before = std::ranges::count_if(index_.events(wait.thread).first(position), is_same);
    plan.waits.push_back({thread(wait.thread), wait.index, site(wait.site), static_cast<std::uint32_t>(before) + 1});
  }

  /// Where the turn ends with one of the plan's accesses its place is known from there, otherwise from the index.
  void add_turn(const Turn& turn) {
    PlanTurn& added = plan.turns.emplace_back(PlanTurn{thread(turn.thread), turn.events, {}});
    for (const PlanAccess& access : plan.accesses) {
      if (access.thread != added.thread || access.event + 1 != turn.events) continue;
      added.location = access.location;
      return;
    }
    const auto before = index_.events(turn.thread).first(index_.position(turn.thread, turn.events));
    if (before.empty() || before.back().index + 1 != turn.events) return;
    added.location = site(before.back().site);
    added.nth = static_cast<std::uint32_t>(std::ranges::count(before, before.back().site, &SyncEvent::site));
  }

  Plan plan;

 private:
  const SyncIndex& index_;
  const trace::TraceReader& names_;
};

}  // namespace

Plan make_plan(const std::vector<Turn>& turns, const Prediction& prediction, const std::array<std::uint32_t, 3>& nth,
               const SyncIndex& index, const trace::TraceReader& names) {
  PlanMaker maker(index, names);
  maker.plan.about =
      fmt::format("{} on {}", name(prediction.pattern), names.describe(NameClass::variable, prediction.variable));
  maker.plan.memory = names.offset(NameClass::variable, prediction.variable);
  maker.add_access(prediction.thread, prediction.first, writes(prediction.pattern, 0), nth[0]);
  maker.add_access(prediction.other, prediction.between, writes(prediction.pattern, 1), nth[1]);
  maker.add_access(prediction.thread, prediction.last, writes(prediction.pattern, 2), nth[2]);
  for (const Turn& turn : turns) maker.add_turn(turn);
  return std::move(maker.plan);
}

Plan make_plan(const std::vector<Turn>& turns, const Cycle& cycle, const SyncIndex& index,
               const trace::TraceReader& names) {
  PlanMaker maker(index, names);
  maker.plan.about = "deadlock";
  const char* separator = ": ";
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const Dependency& wait = cycle[i];
    maker.plan.about += fmt::format("{}{} waits for {}, held by {}", separator, maker.thread(wait.thread),
                                    names.describe(NameClass::lock, wait.lock.lock),
                                    maker.thread(cycle[(i + 1) % cycle.size()].thread));
    separator = "; ";
    maker.add_wait(wait);
  }
  for (const Turn& turn : turns) maker.add_turn(turn);
  return std::move(maker.plan);
}

}  // namespace muster::predict
