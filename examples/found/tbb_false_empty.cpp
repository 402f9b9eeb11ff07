// Library: oneTBB 2021.8 (libtbb-dev)
// Place: oneapi/tbb/concurrent_queue.h:185, concurrent_queue::internal_try_pop
// Known: not to us
//
// `try_pop` says that a queue is empty which never is: it holds one item, another thread pushes a second one and then
// takes the first. `try_pop` reads how many were taken after that, and then how many were pushed before it: both reads
// are relaxed, so the second may find an older value. It shows with older values alone (`--memory-model c11`).
#include <oneapi/tbb/concurrent_queue.h>

#include <muster/check.hpp>
#include <optional>

namespace {

class Queue {
 public:
  void push(int value) { queue_.push(value); }
  std::optional<int> try_pop() {
    int value = 0;
    return queue_.try_pop(value) ? std::optional(value) : std::nullopt;
  }

 private:
  tbb::concurrent_queue<int> queue_;
};

}  // namespace

MUSTER_CHECK(tbb_false_empty) {
  auto queue = check.object<Queue>();
  queue.operation("push", &Queue::push).with(1).with(2);
  queue.operation("try_pop", &Queue::try_pop);
}
