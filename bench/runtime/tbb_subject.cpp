// What bench_runtime runs on oneTBB: in a program of its own, since code of a library that is not watched makes going
// back dearer.
#include <tbb/concurrent_queue.h>

#include <muster/check.hpp>
#include <optional>

namespace {

MUSTER_CHECK(tbb) {
  using Queue = tbb::concurrent_queue<int>;
  auto queue = check.object<Queue>();
  queue.operation("push", [](Queue& q, int value) { q.push(value); }).with(1).with(2).with(3).with(4);
  queue.operation("pop", [](Queue& q) {
    int value = 0;
    return q.try_pop(value) ? std::optional(value) : std::nullopt;
  });
}

}  // namespace
