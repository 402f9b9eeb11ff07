// Two threads close one handle; an exchange decides which of them frees the buffer.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

class Handle {
 public:
  void close() {
    int* const buffer = buffer_.exchange(nullptr);
    delete[] buffer;
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
