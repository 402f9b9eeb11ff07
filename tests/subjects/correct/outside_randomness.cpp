// What is random, or differs from run to run, is the same in every execution: here nothing may come of it but what
// comes of it always.
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>
#include <muster/scenario.hpp>

#include <atomic>
#include <cstdint>
#include <random>
#include <thread>

namespace {

/// What a thread draws is the same whatever the other one did before.
template <class Draw>
void draw_in_two_threads(Draw draw) {
  std::atomic<int> drawn{0};
  std::uint32_t first = 0, second = 0;
  std::thread one([&] {
    first = draw();
    ++drawn;
  });
  second = draw();
  ++drawn;
  one.join();
  MUSTER_REQUIRE(first != second);
  MUSTER_REQUIRE(drawn == 2);
  // A branch on what was drawn is the same in every execution, or this is told to be not reproducible.
  if (first % 2) drawn.store(3);
  if (second % 2) drawn.load();
}

}  // namespace

MUSTER_SCENARIO(random_device) {
  draw_in_two_threads([] { return std::random_device()(); });
}
MUSTER_SCENARIO(random_bytes) {
  draw_in_two_threads([] {
    std::uint32_t number = 0;
    MUSTER_REQUIRE(getrandom(&number, sizeof number, 0) == sizeof number);
    return number;
  });
}
MUSTER_SCENARIO(entropy) {
  draw_in_two_threads([] {
    std::uint32_t number = 0;
    MUSTER_REQUIRE(getentropy(&number, sizeof number) == 0);
    return number;
  });
}
MUSTER_SCENARIO(arc4) {
  draw_in_two_threads([] { return arc4random_uniform(1'000'000'000); });
}
MUSTER_SCENARIO(names_of_threads) {
  draw_in_two_threads([] { return static_cast<std::uint32_t>(gettid()); });
  MUSTER_REQUIRE(getpid() == gettid());
}
