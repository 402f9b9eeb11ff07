// The taker believes the timeout although the item arrived in the meantime: an accepted offer is lost.
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
    const bool expired = offered_.wait_for(lock, patience) == std::cv_status::timeout;
    waiting_ = false;
    if (expired) return std::nullopt;
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
