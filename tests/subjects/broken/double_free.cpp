// Each closer looks whether the buffer is still there, frees it, and only then says so: both free it.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

class Handle {
 public:
  void close() {
    int* const buffer = buffer_.load();
    if (buffer == nullptr) return;
    delete[] buffer;
    buffer_.store(nullptr);
  }

 private:
  std::atomic<int*> buffer_{new int[4]};
};

}  // namespace

MUSTER_SCENARIO(double_free) {
  Handle handle;
  std::thread a{[&] { handle.close(); }};
  handle.close();
  a.join();
}
