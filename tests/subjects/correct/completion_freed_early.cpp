// A completion on the heap is shared by who finishes and who waits; the last of the two frees it.
#include <atomic>
#include <memory>
#include <muster/scenario.hpp>
#include <thread>

namespace {

struct Completion {
  std::atomic<bool> done{false};
  std::atomic<int> finished{0};

  void finish() {
    done.store(true);
    finished.fetch_add(1);
  }

  void wait() const {
    while (!done.load()) std::this_thread::yield();
  }
};

}  // namespace

MUSTER_SCENARIO(completion_freed_early) {
  auto completion = std::make_shared<Completion>();
  std::thread worker{[completion] { completion->finish(); }};
  completion->wait();
  completion.reset();
  worker.join();
}
