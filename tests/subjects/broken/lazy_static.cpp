// A hand-made lazy static: the second caller sees that initialisation has begun and uses what is not there yet.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

struct Table {
  std::atomic<int> size{0};
};

Table& table() {
  static Table instance;
  static std::atomic<bool> initialised{false};
  if (!initialised.exchange(true)) instance.size = 16;
  return instance;
}

}  // namespace

MUSTER_SCENARIO(lazy_static) {
  const auto use = [] { MUSTER_REQUIRE(table().size == 16); };
  std::thread a{use};
  use();
  a.join();
}
