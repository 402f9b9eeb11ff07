#pragma once
// Two threads exchange values (Lowe, section 1). The first leaves its value and waits for the second; a third waits
// until the first has left.
#include <condition_variable>
#include <mutex>

namespace subjects::synchronisation {

enum class ExchangerFault {
  kNone,
  kThirdEnters,  ///< A third thread that comes before the first has left takes part in the same exchange.
  kWakesOne,     ///< Progress: who leaves wakes one of those who wait outside, where two could exchange.
};

template <ExchangerFault fault = ExchangerFault::kNone>
class Exchanger {
 public:
  int exchange(int value) {
    std::unique_lock lock{mutex_};
    if constexpr (fault != ExchangerFault::kThirdEnters) {
      changed_.wait(lock, [this] { return stage_ != Stage::kBothHere; });
    }
    return stage_ == Stage::kNobody ? be_first(lock, value) : be_second(value);
  }

 private:
  enum class Stage { kNobody, kOneHere, kBothHere };

  int be_first(std::unique_lock<std::mutex>& lock, int value) {
    first_ = value;
    stage_ = Stage::kOneHere;
    changed_.wait(lock, [this] { return stage_ == Stage::kBothHere; });
    stage_ = Stage::kNobody;
    if constexpr (fault == ExchangerFault::kWakesOne) {
      changed_.notify_one();
    } else {
      changed_.notify_all();
    }
    return second_;
  }

  int be_second(int value) {
    second_ = value;
    stage_ = Stage::kBothHere;
    changed_.notify_all();
    return first_;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  Stage stage_ = Stage::kNobody;
  int first_ = 0;
  int second_ = 0;
};

}  // namespace subjects::synchronisation
