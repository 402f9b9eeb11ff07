// The log is made before the buffer, so it is destroyed after it, and its last message goes into a buffer that has
// been flushed for good.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

std::atomic<int> flushed{0};

struct Buffer {
  std::atomic<int> messages{0};
  ~Buffer() { flushed += messages.exchange(0); }
};

Buffer& buffer() {
  thread_local Buffer instance;
  return instance;
}

struct Log {
  Log() {}
  ~Log() { ++buffer().messages; }
  void write() { ++buffer().messages; }
};

Log& log() {
  thread_local Log instance;
  return instance;
}

}  // namespace

MUSTER_SCENARIO(thread_local_order) {
  flushed = 0;
  const auto work = [] { log().write(); };
  std::thread a{work}, b{work};
  a.join();
  b.join();
  MUSTER_REQUIRE(flushed == 4);
}
