#pragma once
// A synchronous channel whose operations give up after a while (Lowe, section 1): a send says whether it was received.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>

namespace subjects::synchronisation {

enum class TimeoutChannelFault {
  kNone,
  kBelievesTimeout,  ///< A sender whose patience ends says "not received", even if its value was taken meanwhile.
  kLeavesOffer,      ///< A sender that gives up leaves its value in the slot.
};

template <TimeoutChannelFault fault = TimeoutChannelFault::kNone>
class TimeoutChannel {
 public:
  explicit TimeoutChannel(std::chrono::milliseconds patience = std::chrono::milliseconds{1}) : patience_{patience} {}

  bool send(int value) {
    std::unique_lock lock{mutex_};
    if (!changed_.wait_for(lock, patience_, [this] { return stage_ == Stage::kFree; })) return false;
    value_ = value;
    stage_ = Stage::kOffered;
    changed_.notify_all();
    const bool expired = !wait_until_taken(lock);
    if (expired && stage_ == Stage::kOffered) {
      if constexpr (fault != TimeoutChannelFault::kLeavesOffer) free();
      return false;
    }
    free();
    return fault == TimeoutChannelFault::kBelievesTimeout ? !expired : true;
  }

  std::optional<int> receive() {
    std::unique_lock lock{mutex_};
    if (!changed_.wait_for(lock, patience_, [this] { return stage_ == Stage::kOffered; })) return std::nullopt;
    stage_ = Stage::kTaken;
    changed_.notify_all();
    return value_;
  }

 private:
  enum class Stage { kFree, kOffered, kTaken };

  // False if the patience ended first; the value may have been taken all the same.
  bool wait_until_taken(std::unique_lock<std::mutex>& lock) {
    const auto deadline = std::chrono::steady_clock::now() + patience_;
    while (stage_ != Stage::kTaken) {
      if (changed_.wait_until(lock, deadline) == std::cv_status::timeout) return false;
    }
    return true;
  }

  void free() {
    stage_ = Stage::kFree;
    changed_.notify_all();
  }

  const std::chrono::milliseconds patience_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Stage stage_ = Stage::kFree;
  int value_ = 0;
};

}  // namespace subjects::synchronisation
