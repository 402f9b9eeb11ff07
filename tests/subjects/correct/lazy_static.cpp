// A function-local static: the language lets the second caller wait for the first one's initialisation.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

struct Table {
  std::atomic<int> size{0};
  Table() { size = 16; }
};

Table& table() {
  static Table instance;
  return instance;
}

}  // namespace

MUSTER_SCENARIO(lazy_static) {
  const auto use = [] { MUSTER_REQUIRE(table().size == 16); };
  std::thread a{use};
  use();
  a.join();
}
