// The first check reads a plain pointer: nothing orders the construction before its use.
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
    Config* found = instance_;
    if (found == nullptr) {
      const std::lock_guard lock{mutex_};
      found = instance_;
      if (found == nullptr) {
        found = new Config;
        instance_ = found;
      }
    }
    return *found;
  }

 private:
  std::mutex mutex_;
  Config* instance_ = nullptr;
};

}  // namespace

MUSTER_SCENARIO(double_checked_locking) {
  LazyConfig config;
  const auto use = [&] { MUSTER_REQUIRE(config.get().limit == 7); };
  std::thread a{use};
  use();
  a.join();
}
