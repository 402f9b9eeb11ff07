// Whether the replaced block came from the heap is told by a flag, which another thread sets too early: the built-in
// block is freed.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

class SmallBuffer {
 public:
  ~SmallBuffer() {
    if (on_heap_) delete[] data_.load();
  }

  void grow() {
    const bool was_on_heap = on_heap_.exchange(true);
    int* const old = data_.exchange(new int[8]);
    if (was_on_heap) delete[] old;
  }

 private:
  int built_in_[2] = {};
  std::atomic<int*> data_{built_in_};
  std::atomic<bool> on_heap_{false};
};

}  // namespace

MUSTER_SCENARIO(invalid_free) {
  SmallBuffer buffer;
  std::thread a{[&] { buffer.grow(); }};
  buffer.grow();
  a.join();
}
