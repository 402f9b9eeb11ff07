// Two thread-locals with destructors: the log touches the buffer when it is made, so the buffer is destroyed last.
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
  Log() { buffer(); }
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
