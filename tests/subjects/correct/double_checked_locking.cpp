// Double-checked locking with an acquire load outside the lock and a release store inside it.
#include <atomic>
#include <memory>
#include <muster/scenario.hpp>
#include <mutex>
#include <thread>

namespace {

struct Config {
  int limit = 7;
};

class LazyConfig {
 public:
  ~LazyConfig() { delete instance_; }

  const Config& get() {
    // (1) acquire: sees what was constructed before the release at (2).
    Config* found = instance_.load(std::memory_order_acquire);
    if (found == nullptr) {
      const std::lock_guard lock{mutex_};
      found = instance_.load(std::memory_order_relaxed);
      if (found == nullptr) {
        found = new Config;
        // (2) release: publishes the configuration to (1).
        instance_.store(found, std::memory_order_release);
      }
    }
    return *found;
  }

 private:
  std::mutex mutex_;
  std::atomic<Config*> instance_{nullptr};
};

}  // namespace

MUSTER_SCENARIO(double_checked_locking) {
  LazyConfig config;
  const auto use = [&] { MUSTER_REQUIRE(config.get().limit == 7); };
  std::thread a{use};
  use();
  a.join();
}
