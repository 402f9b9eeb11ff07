// Producers and consumers wait on the same condition variable and wake one waiter: it may be one of the wrong kind.
#include <condition_variable>
#include <muster/scenario.hpp>
#include <mutex>
#include <optional>
#include <thread>

namespace {

class Cell {
 public:
  void put(int value) {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return !value_; });
    value_ = value;
    changed_.notify_one();
  }

  int take() {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return value_.has_value(); });
    const int value = *value_;
    value_.reset();
    changed_.notify_one();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<int> value_;
};

}  // namespace

MUSTER_SCENARIO(producer_consumer) {
  Cell cell;
  std::thread first{[&] { cell.take(); }};
  std::thread second{[&] { cell.take(); }};
  std::thread producer{[&] { cell.put(1); }};
  cell.put(2);
  first.join();
  second.join();
  producer.join();
}
