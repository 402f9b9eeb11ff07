#pragma once
// Which access happens before which, followed as knowledge: an access is known to its thread, what releases passes on
// all that its thread knows, and who acquires knows it, too. Two accesses race if the thread of the later one does not
// know of the earlier one.

#include <algorithm>
#include <span>
#include <tuple>

#include "base/error.hpp"
#include "search/program_state.hpp"

namespace muster::test {

/// Only what somebody may still not know of is kept, in an order of its own.
class Knowledge {
 public:
  Knowledge(ProgramState& state, unsigned thread) : state_(state), thread_(thread) {}

  void acquire(unsigned from) { pass(from, knower::thread(thread_)); }
  void release(unsigned to) { pass(knower::thread(thread_), to); }
  void forget(unsigned knower) {
    for (Seen& seen : all()) seen.knowers &= ~(std::uint64_t{1} << knower);
  }

  bool knows(const Seen& seen) const { return seen.knowers >> thread_ & 1; }
  std::span<Seen> all() { return {state_.seen, state_.seen_count}; }

  void add(Location location, SiteId site, bool writes, bool atomic) {
    const Seen fresh{std::uint64_t{1} << thread_,
                     static_cast<std::uint16_t>(site),
                     static_cast<std::uint8_t>(thread_),
                     location,
                     writes,
                     atomic,
                     0};
    if (state_.seen_count == std::size(state_.seen)) fail("too many accesses in a small program");
    state_.seen[state_.seen_count++] = fresh;
  }
  /// What is like that concerns nobody any more.
  template <class Like>
  void drop_if(Like like) {
    const auto rest = std::remove_if(all().begin(), all().end(), like);
    state_.seen_count = static_cast<std::uint8_t>(rest - all().begin());
  }
  /// What everybody knows of races with nothing.
  void tidy(std::uint64_t unfinished) {
    drop_if([=](const Seen& seen) { return (seen.knowers & unfinished) == unfinished; });
    const auto order = [](const Seen& seen) {
      return std::tuple(seen.location, seen.site, seen.thread, seen.writes, seen.atomic, seen.knowers);
    };
    std::ranges::sort(all(), {}, order);
    std::memset(all().data() + all().size(), 0, (std::size(state_.seen) - all().size()) * sizeof(Seen));
  }

 private:
  void pass(unsigned from, unsigned to) {
    for (Seen& seen : all()) seen.knowers |= (seen.knowers >> from & 1) << to;
  }

  ProgramState& state_;
  unsigned thread_;
};

}  // namespace muster::test
