// `std::call_once` whose function throws at the first attempt: the other caller tries again.
#include <muster/scenario.hpp>
#include <mutex>
#include <stdexcept>
#include <thread>

MUSTER_SCENARIO(call_once_exception) {
  std::once_flag once;
  int attempts = 0;
  const auto initialise = [&] {
    if (++attempts == 1) throw std::runtime_error("the first attempt fails");
  };
  const auto use = [&] {
    try {
      std::call_once(once, initialise);
    } catch (const std::runtime_error&) {
    }
  };
  std::thread a{use};
  use();
  a.join();
  MUSTER_REQUIRE(attempts == 2);
}
