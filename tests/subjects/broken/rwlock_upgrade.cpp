// After exchanging the shared lock for the exclusive one the cache does not look again: both readers compute.
#include <muster/scenario.hpp>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <thread>

namespace {

class Cache {
 public:
  int get() {
    {
      const std::shared_lock lock{mutex_};
      if (value_) return *value_;
    }
    const std::unique_lock lock{mutex_};
    value_ = ++computed_;
    return *value_;
  }

  int computed() const { return computed_; }

 private:
  std::shared_mutex mutex_;
  std::optional<int> value_;
  int computed_ = 0;
};

}  // namespace

MUSTER_SCENARIO(rwlock_upgrade) {
  Cache cache;
  std::thread a{[&] { cache.get(); }};
  cache.get();
  a.join();
  MUSTER_REQUIRE(cache.computed() == 1);
}
