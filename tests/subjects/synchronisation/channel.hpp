#pragma once
// A synchronous channel as a monitor: a sender leaves its value and waits until a receiver has taken it. It counts its
// transfers (the channel with counter of Lowe, section 7); the plain channel ignores the count.
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

namespace subjects::synchronisation {

enum class ChannelFault {
  kNone,
  kWakesOne,         ///< Progress: wakes one waiter, which may be one for whom nothing has changed.
  kCountedLate,      ///< The sender reads the count when it leaves: another transfer may have come in between.
  kSlotFreedBySelf,  ///< Progress: the receiver frees the slot; a sender that finds it filled again waits once more.
};

template <ChannelFault fault = ChannelFault::kNone>
class CountingChannel {
 public:
  /// The number of this transfer, from 1.
  int send(int value) {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return !value_ && !taken_; });
    value_ = value;
    const int mine = count_;
    wake();
    if constexpr (fault == ChannelFault::kSlotFreedBySelf) {
      changed_.wait(lock, [this] { return !value_; });
      return mine;
    }
    changed_.wait(lock, [this] { return taken_; });
    taken_ = false;
    wake();
    if constexpr (fault == ChannelFault::kCountedLate) {
      lock.unlock();
      lock.lock();
      return count_ - 1;
    }
    return mine;
  }

  /// The value and the number of this transfer.
  std::pair<int, int> receive() {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return value_.has_value() && !taken_; });
    const std::pair received{*value_, count_};
    ++count_;
    value_.reset();
    taken_ = fault != ChannelFault::kSlotFreedBySelf;
    wake();
    return received;
  }

 private:
  void wake() {
    if constexpr (fault == ChannelFault::kWakesOne) {
      changed_.notify_one();
    } else {
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<int> value_;
  bool taken_ = false;  // the receiver was here, the sender has not left yet
  int count_ = 1;
};

template <ChannelFault fault = ChannelFault::kNone>
class Channel {
 public:
  void send(int value) { channel_.send(value); }
  int receive() { return channel_.receive().first; }

 private:
  CountingChannel<fault> channel_;
};

}  // namespace subjects::synchronisation
