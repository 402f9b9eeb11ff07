// A rendezvous with a timeout: what counts is whether the item is there, not how the wait ended.
#include <chrono>
#include <condition_variable>
#include <muster/scenario.hpp>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace {

class Rendezvous {
 public:
  /// Gives the item to a waiting taker; false if there is none.
  bool offer(int item) {
    const std::lock_guard lock{mutex_};
    if (!waiting_ || item_) return false;
    item_ = item;
    offered_.notify_one();
    return true;
  }

  std::optional<int> take(std::chrono::milliseconds patience) {
    std::unique_lock lock{mutex_};
    waiting_ = true;
    offered_.wait_for(lock, patience, [this] { return item_.has_value(); });
    waiting_ = false;
    return std::exchange(item_, std::nullopt);
  }

 private:
  std::mutex mutex_;
  std::condition_variable offered_;
  bool waiting_ = false;
  std::optional<int> item_;
};

}  // namespace

MUSTER_SCENARIO(timed_wait) {
  Rendezvous rendezvous;
  std::optional<int> taken;
  std::thread taker{[&] { taken = rendezvous.take(std::chrono::milliseconds{1}); }};
  const bool accepted = rendezvous.offer(5);
  taker.join();
  MUSTER_REQUIRE(accepted == taken.has_value());
}
