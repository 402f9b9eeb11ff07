#pragma once
// A scenario: a function that starts threads and states what must hold. Muster runs it under every schedule that
// matters.
//
//   MUSTER_SCENARIO(message_passing) {
//     std::atomic<int> flag{0};
//     int data = 0;
//     std::thread a([&] { data = 1; flag = 1; });
//     if (flag == 1) MUSTER_REQUIRE(data == 1);
//     a.join();
//   }
//
// Deadlock, livelock, races, crashes, uncaught exceptions and heap errors are found without being asked for.

#include "muster/name.hpp"
#include "muster/requirement.hpp"

namespace muster {

/// A number in [0, n), every one of which is tried.
unsigned choose(unsigned n);

/// While one lives, what this thread does is no scheduling point and is not watched: for assertions and printing inside
/// a scenario.
class Uncontrolled {
 public:
  Uncontrolled() noexcept;
  ~Uncontrolled();
  Uncontrolled(const Uncontrolled&) = delete;
  Uncontrolled& operator=(const Uncontrolled&) = delete;
};

namespace detail {

struct ScenarioRegistration {
  ScenarioRegistration(const char* name, void (*body)(), const char* file, int line) noexcept;
};

}  // namespace detail
}  // namespace muster

#define MUSTER_SCENARIO(name)                                                                           \
  static_assert(::muster::detail::is_name(#name), "a scenario is called by a word, such as hand_over"); \
  static void name##_muster_scenario();                                                                 \
  static const ::muster::detail::ScenarioRegistration name##_muster_scenario_registration{              \
      #name, name##_muster_scenario, __FILE__, __LINE__};                                               \
  static void name##_muster_scenario()
