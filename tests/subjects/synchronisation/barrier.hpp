#pragma once
// A barrier for n threads that can be used again and counts its rounds (Lowe, section 7); the plain barrier ignores the
// count.
#include <condition_variable>
#include <mutex>

namespace subjects::synchronisation {

enum class BarrierFault {
  kNone,
  kReleasesEarly,  ///< Lets the first n - 1 go.
  kNoGeneration,   ///< Progress: who waits waits for an empty barrier, which a quick thread has already entered again.
  kReadLate,       ///< Who waited reads the number of the round when it leaves, which may be the next one.
};

template <BarrierFault fault = BarrierFault::kNone>
class CountingBarrier {
 public:
  explicit CountingBarrier(int threads) : threads_{threads} {}

  /// Waits for all; returns the number of the round, from 1.
  int sync() {
    std::unique_lock lock{mutex_};
    const int mine = round_;
    if (++arrived_ == (fault == BarrierFault::kReleasesEarly ? threads_ - 1 : threads_)) {
      arrived_ = 0;
      ++round_;
      released_.notify_all();
      return mine;
    }
    if constexpr (fault == BarrierFault::kNoGeneration) {
      released_.wait(lock, [this] { return arrived_ == 0; });
    } else {
      released_.wait(lock, [&] { return round_ != mine; });
    }
    return fault == BarrierFault::kReadLate ? round_ - 1 : mine;
  }

 private:
  const int threads_;
  std::mutex mutex_;
  std::condition_variable released_;
  int arrived_ = 0;
  int round_ = 1;
};

template <BarrierFault fault = BarrierFault::kNone>
class Barrier {
 public:
  explicit Barrier(int threads) : barrier_{threads} {}
  void sync() { barrier_.sync(); }

 private:
  CountingBarrier<fault> barrier_;
};

}  // namespace subjects::synchronisation
