#include <algorithm>

#include "harness/follow/sought.hpp"

namespace muster {
namespace {

constexpr unsigned most_times = 4;  // that a place is come to, beyond those in the run

class Manners {
 public:
  void add(SeekManner manner) {
    if (std::ranges::find(list, manner) == list.end()) list.push_back(manner);
  }
  /// The how-manieth time in the run, then the first few.
  void add_times(SeekManner manner, unsigned in_run) {
    manner.first = in_run;
    add(manner);
    for (manner.first = 1; manner.first <= most_times; ++manner.first) add(manner);
  }
  /// In either order with threads that are not concerned.
  void add_both(SeekManner manner) {
    for (const bool others_first : {false, true}) {
      manner.others_first = others_first;
      add(manner);
    }
  }

  std::vector<SeekManner> list;
};

void add_for_accesses(Manners& manners, const Plan& plan) {
  const unsigned first = plan.accesses[0].nth, before = plan.accesses[1].nth - 1;
  manners.add_times({.along_plan = true}, first);
  manners.add_both({.first = first, .before = before});
  for (unsigned all = 0; all <= most_times; ++all) {
    for (unsigned earlier = 0; earlier <= all; ++earlier)
      manners.add_both({.first = all - earlier + 1, .before = earlier});
  }
}

void add_for_circle(Manners& manners, const Plan& plan) {
  const auto threads = static_cast<unsigned>(plan.waits.size());
  manners.add_times({.along_plan = true}, plan.waits[0].nth);
  for (unsigned time = 1; time <= most_times; ++time) {
    for (unsigned rotation = 0; rotation < threads; ++rotation) manners.add_both({.first = time, .rotation = rotation});
  }
}

}  // namespace

std::vector<SeekManner> manners_of_seeking(const Plan& plan) {
  Manners manners;
  const bool accesses = plan.accesses.size() == 3;
  if (accesses) add_for_accesses(manners, plan);
  if (plan.waits.size() >= 2) add_for_circle(manners, plan);
  if (plan.only || manners.list.empty()) return manners.list;
  if (accesses) manners.add_times({.any_memory = true}, plan.accesses[0].nth);
  for (const bool along_plan : {true, false})
    manners.add_times({.along_plan = along_plan, .any_memory = true, .any_thread = true}, 1);
  return manners.list;
}

}  // namespace muster
