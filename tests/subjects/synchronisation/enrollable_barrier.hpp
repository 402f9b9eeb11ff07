#pragma once
// A barrier whose members come and go: a round ends when all who are enrolled have arrived, or the last one missing
// resigns.
#include <condition_variable>
#include <mutex>

namespace subjects::synchronisation {

enum class EnrollableBarrierFault {
  kNone,
  kResignsSilently,  ///< Progress: the last one missing resigns, and those who wait are not released.
  kIgnoresNewcomer,  ///< A member that enrols while others wait counts from the next round on only.
};

template <EnrollableBarrierFault fault = EnrollableBarrierFault::kNone>
class EnrollableBarrier {
 public:
  explicit EnrollableBarrier(int members = 0) : members_{members}, expected_{members} {}

  /// From now on a round needs this member too. Returns the number of members.
  int enrol() {
    const std::lock_guard lock{mutex_};
    ++members_;
    if (fault != EnrollableBarrierFault::kIgnoresNewcomer || arrived_ == 0) expected_ = members_;
    return members_;
  }

  /// By a member that is not waiting. Returns the number of members left.
  int resign() {
    const std::lock_guard lock{mutex_};
    --members_;
    expected_ = members_;
    if (fault != EnrollableBarrierFault::kResignsSilently && arrived_ > 0 && arrived_ == expected_) end_round();
    return members_;
  }

  /// By a member: waits for the others; returns the number of the round, from 1.
  int sync() {
    std::unique_lock lock{mutex_};
    const int mine = round_;
    if (++arrived_ == expected_) {
      end_round();
    } else {
      released_.wait(lock, [&] { return round_ != mine; });
    }
    return mine;
  }

 private:
  void end_round() {
    arrived_ = 0;
    expected_ = members_;
    ++round_;
    released_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable released_;
  int members_;
  int expected_;  // in this round
  int arrived_ = 0;
  int round_ = 1;
};

}  // namespace subjects::synchronisation
