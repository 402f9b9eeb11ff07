// A buffer of one cell: producers and consumers wait on condition variables of their own.
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
    emptied_.wait(lock, [this] { return !value_; });
    value_ = value;
    filled_.notify_one();
  }

  int take() {
    std::unique_lock lock{mutex_};
    filled_.wait(lock, [this] { return value_.has_value(); });
    const int value = *value_;
    value_.reset();
    emptied_.notify_one();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable emptied_;
  std::condition_variable filled_;
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
