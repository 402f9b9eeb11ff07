// A small buffer that grows: what is replaced is freed if it came from the heap.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

class SmallBuffer {
 public:
  ~SmallBuffer() { release(data_.load()); }

  void grow() {
    int* const old = data_.exchange(new int[8]);
    release(old);
  }

 private:
  void release(int* block) {
    if (block != built_in_) delete[] block;
  }

  int built_in_[2] = {};
  std::atomic<int*> data_{built_in_};
};

}  // namespace

MUSTER_SCENARIO(invalid_free) {
  SmallBuffer buffer;
  std::thread a{[&] { buffer.grow(); }};
  buffer.grow();
  a.join();
}
