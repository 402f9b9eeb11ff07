#pragma once
// A synchronous channel that can be closed: from then on nothing is transferred, and who waits is told.
#include <condition_variable>
#include <mutex>
#include <optional>

namespace subjects::synchronisation {

enum class CloseableChannelFault {
  kNone,
  kSaysClosed,  ///< A sender whose value was taken says "closed" if the channel was closed before it woke.
  kWakesOne,    ///< Progress: closing wakes one of those who wait.
};

template <CloseableChannelFault fault = CloseableChannelFault::kNone>
class CloseableChannel {
 public:
  /// False if the channel is closed and the value was not received.
  bool send(int value) {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return closed_ || stage_ == Stage::kFree; });
    if (closed_) return false;
    value_ = value;
    stage_ = Stage::kOffered;
    changed_.notify_all();
    changed_.wait(lock, [this] { return closed_ || stage_ == Stage::kTaken; });
    const bool taken = stage_ == Stage::kTaken;
    stage_ = Stage::kFree;
    changed_.notify_all();
    return fault == CloseableChannelFault::kSaysClosed ? !closed_ : taken;
  }

  /// Nothing if the channel is closed.
  std::optional<int> receive() {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return closed_ || stage_ == Stage::kOffered; });
    if (closed_) return std::nullopt;
    stage_ = Stage::kTaken;
    changed_.notify_all();
    return value_;
  }

  void close() {
    const std::lock_guard lock{mutex_};
    closed_ = true;
    if constexpr (fault == CloseableChannelFault::kWakesOne) {
      changed_.notify_one();
    } else {
      changed_.notify_all();
    }
  }

 private:
  enum class Stage { kFree, kOffered, kTaken };

  std::mutex mutex_;
  std::condition_variable changed_;
  Stage stage_ = Stage::kFree;
  int value_ = 0;
  bool closed_ = false;
};

}  // namespace subjects::synchronisation
