// Who waits frees the completion as soon as it sees it done, while who finishes still counts the wake-up.
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
  auto completion = std::make_unique<Completion>();
  std::thread worker{[completion = completion.get()] { completion->finish(); }};
  completion->wait();
  completion.reset();
  worker.join();
}
