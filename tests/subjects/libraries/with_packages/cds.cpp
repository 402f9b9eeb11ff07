// libcds, linked as a shared library: hazard pointers are set in its headers, which are watched, and looked at in its
// code, which is not. What that code frees was let go of before; nothing that is watched says so.
#include <cds/container/treiber_stack.h>
#include <cds/gc/hp.h>
#include <cds/init.h>

#include <optional>
#include <thread>

#include "muster/scenario.hpp"

namespace {

using Stack = cds::container::TreiberStack<cds::gc::HP, int>;

/// The library lives as long as the scenario.
class Library {
 public:
  Library() {
    cds::Initialize();
    collector_.emplace(1, 3, 4);
    cds::threading::Manager::attachThread();
  }
  ~Library() {
    cds::threading::Manager::detachThread();
    collector_.reset();
    cds::Terminate();
  }

 private:
  std::optional<cds::gc::HP> collector_;
};

void with_library(Stack& stack, void (*use)(Stack&)) {
  cds::threading::Manager::attachThread();
  use(stack);
  cds::threading::Manager::detachThread();
}

}  // namespace

MUSTER_SCENARIO(cds_stack) {
  const Library library;
  Stack stack;
  stack.push(1);
  stack.push(2);
  const auto pop = [&] {
    with_library(stack, [](Stack& from) {
      int value = 0;
      MUSTER_REQUIRE(from.pop(value) && (value == 1 || value == 2));
    });
  };
  std::thread a(pop), b(pop);
  a.join();
  b.join();
}
