#pragma once
// An exchanger that gives up after a while (Lowe, section 7).
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>

namespace subjects::synchronisation {

enum class TimeoutExchangerFault {
  kNone,
  kLeavesOffer,      ///< Who gives up leaves its value: the next one exchanges with somebody who is gone.
  kBelievesTimeout,  ///< Who waits and runs out of patience gives up even if its partner has come meanwhile.
};

template <TimeoutExchangerFault fault = TimeoutExchangerFault::kNone>
class TimeoutExchanger {
 public:
  explicit TimeoutExchanger(std::chrono::milliseconds patience = std::chrono::milliseconds{1}) : patience_{patience} {}

  std::optional<int> exchange(int value) {
    std::unique_lock lock{mutex_};
    if (!changed_.wait_for(lock, patience_, [this] { return stage_ != Stage::kBothHere; })) return std::nullopt;
    if (stage_ == Stage::kOneHere) {
      second_ = value;
      go_to(Stage::kBothHere);
      return first_;
    }
    first_ = value;
    go_to(Stage::kOneHere);
    const bool expired = !wait_for_partner(lock);
    if (expired && stage_ == Stage::kOneHere) {
      if constexpr (fault != TimeoutExchangerFault::kLeavesOffer) go_to(Stage::kNobody);
      return std::nullopt;
    }
    go_to(Stage::kNobody);
    if (expired && fault == TimeoutExchangerFault::kBelievesTimeout) return std::nullopt;
    return second_;
  }

 private:
  enum class Stage { kNobody, kOneHere, kBothHere };

  void go_to(Stage stage) {
    stage_ = stage;
    changed_.notify_all();
  }

  // False if the patience ended first; the partner may have come all the same.
  bool wait_for_partner(std::unique_lock<std::mutex>& lock) {
    const auto deadline = std::chrono::steady_clock::now() + patience_;
    while (stage_ != Stage::kBothHere) {
      if (changed_.wait_until(lock, deadline) == std::cv_status::timeout) return false;
    }
    return true;
  }

  const std::chrono::milliseconds patience_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Stage stage_ = Stage::kNobody;
  int first_ = 0;
  int second_ = 0;
};

}  // namespace subjects::synchronisation
