// A channel of one slot. Receiving blocks while it is empty, and that is fine: serially it would block there, too. What
// is not fine is a receiver that sleeps on although something was sent. The broken one wakes up only one of those who
// wait, and it may be the wrong one.
#include <muster/check.hpp>

#include <condition_variable>
#include <mutex>
#include <optional>

class Channel {
 public:
  explicit Channel(bool wake_all) : wake_all_(wake_all) {}

  void send(int value) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !slot_.has_value(); });
    slot_ = value;
    tell();
  }

  int receive() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return slot_.has_value(); });
    const int value = *slot_;
    slot_.reset();
    tell();
    return value;
  }

 private:
  void tell() {
    if (wake_all_)
      changed_.notify_all();
    else
      changed_.notify_one();
  }

  bool wake_all_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<int> slot_;
};

MUSTER_CHECK(channel) {
  auto channel = check.object<Channel>(false);
  channel.operation("send", &Channel::send).with(1);
  channel.operation("receive", &Channel::receive);
  check.test("receive | receive | send(1), send(1)");
}

MUSTER_CHECK(channel_fixed) {
  auto channel = check.object<Channel>(true);
  channel.operation("send", &Channel::send).with(1);
  channel.operation("receive", &Channel::receive);
  check.test("receive | receive | send(1), send(1)");
}
