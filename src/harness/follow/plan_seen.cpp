#include "harness/follow/plan_seen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/steps/steps.hpp"

namespace muster {
namespace {

/// Whether two accesses of a transaction with one of another thread in between are no serial order's, whatever was
/// expected of them.
bool is_violation(const Sighting& sighting) {
  const auto& [first, between, last] = sighting.accesses;
  return between.write || (first.write && last.write);
}

struct Range {
  std::uint64_t begin = 0, end = ~std::uint64_t{0};
  bool contains(std::uint64_t address) const { return begin <= address && address < end; }
};

/// The memory that all of the accesses touch.
Range shared_memory(const Sighting& sighting) {
  Range range;
  for (const Sighting::Access& access : sighting.accesses) {
    range.begin = std::max(range.begin, access.address);
    range.end = std::min(range.end, access.address + access.size);
  }
  return range;
}

std::string pattern_of(const Sighting& sighting) {
  std::string pattern;
  for (const Sighting::Access& access : sighting.accesses)
    pattern += std::string(pattern.empty() ? "" : "-") + (access.write ? "write" : "read");
  return pattern;
}

std::string difference_of_accesses(const Plan& plan, const Sighting& sighting, PlanPlaces& places,
                                   std::uint64_t memory) {
  for (std::size_t i = 0; i < sighting.accesses.size(); ++i) {
    const PlanAccess& wanted = plan.accesses[i];
    const Sighting::Access& seen = sighting.accesses[i];
    if (seen.order == 0)
      return fmt::format("{} did not come to its event {} at {} by an access", wanted.thread, wanted.event,
                         wanted.location);
    const std::string& place = places.name(seen.place);
    if (!wanted.location.empty() && place != wanted.location)
      return fmt::format("event {} of {} was at {}, not at {}", wanted.event, wanted.thread, place, wanted.location);
    if (seen.order != i + 1)
      return fmt::format("the accesses came in another order: {} at {} was number {}", wanted.thread, place,
                         seen.order);
  }
  const auto& [first, between, last] = sighting.accesses;
  const Range range = shared_memory(sighting);
  if (range.begin >= range.end || (plan.only && memory != 0 && !range.contains(memory)))
    return "the accesses were not about the same memory";
  if (first.thread != last.thread || first.transaction != last.transaction || first.transaction == 0)
    return fmt::format("the two accesses of {} were not in one transaction", plan.accesses[0].thread);
  if (between.thread == first.thread) return fmt::format("{} made all of the accesses", plan.accesses[0].thread);
  return is_violation(sighting) ? "" : fmt::format("the accesses were only {}", pattern_of(sighting));
}

}  // namespace

std::string difference(const Plan& plan, const Sighting& sighting, PlanPlaces& places, std::uint64_t memory) {
  if (plan.accesses.size() == sighting.accesses.size()) return difference_of_accesses(plan, sighting, places, memory);
  const bool waited = !plan.waits.empty() && sighting.waiting == plan.waits.size();
  return waited ? "" : "no threads came to wait for each other there";
}

namespace {

/// "read-write-write on balance", in the words of the plan where it is what that says.
std::string violation_seen(const Plan& plan, const Sighting& sighting, Symbolizer& symbolizer, std::uint64_t memory) {
  const std::string pattern = pattern_of(sighting);
  const Range range = shared_memory(sighting);
  const bool other_memory = memory != 0 && !range.contains(memory);
  if (!other_memory && plan.about.starts_with(pattern)) return plan.about;
  const auto object = plan.about.find(" on ");
  if (!other_memory) return pattern + (object == std::string::npos ? "" : plan.about.substr(object));
  const std::string variable = symbolizer.variable(range.begin);
  return pattern + (variable.empty() ? " on other memory" : " on " + variable);
}

}  // namespace

Plan as_seen(Plan plan, const Sighting& sighting, Symbolizer& symbolizer, std::uint64_t memory) {
  if (!plan.accesses.empty()) plan.about = violation_seen(plan, sighting, symbolizer, memory);
  for (std::size_t i = 0; i < plan.accesses.size(); ++i) {
    plan.accesses[i].write = sighting.accesses[i].write;
    plan.accesses[i].thread = thread_name(sighting.accesses[i].thread);
  }
  if (!plan.waits.empty()) plan.about = "deadlock";
  for (std::size_t i = 0; i < plan.waits.size(); ++i) {
    const Sighting::Wait& seen = sighting.waits[i];
    plan.waits[i].thread = thread_name(seen.thread);
    const std::string lock = symbolizer.variable(seen.lock);
    plan.about +=
        fmt::format("{} {} waits for {}, held by {}", i == 0 ? ":" : ";", plan.waits[i].thread,
                    lock.empty() ? "a lock" : lock, thread_name(sighting.waits[(i + 1) % plan.waits.size()].thread));
  }
  return plan;
}

}  // namespace muster
