#pragma once
// Three threads in the roles A, B and C meet, and each gets what the two others brought (Lowe, section 7). Meetings are
// counted (ABC with counter); plain ABC ignores the count.
#include <algorithm>
#include <array>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace subjects::synchronisation {

enum class AbcFault {
  kNone,
  kFreesOwnPlace,  ///< Who leaves frees its own place: a newcomer mixes with those who have not left yet.
  kCountsLeaving,  ///< The first who leaves counts the meeting, and the others read the next number.
  kWakesOne,       ///< Progress: who completes the meeting wakes one of those who wait.
};

struct AbcResult {
  std::pair<int, int> others;  ///< in the order A, B, C
  int meeting;                 ///< its number, from 1

  bool operator==(const AbcResult&) const = default;
};

template <AbcFault fault = AbcFault::kNone>
class CountingAbc {
 public:
  AbcResult sync_a(int value) { return sync(0, value); }
  AbcResult sync_b(int value) { return sync(1, value); }
  AbcResult sync_c(int value) { return sync(2, value); }

 private:
  AbcResult sync(unsigned role, int value) {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return !here_[role]; });
    here_[role] = true;
    values_[role] = value;
    if (std::find(here_.begin(), here_.end(), false) == here_.end()) {
      leaving_ = 3;
      if constexpr (fault == AbcFault::kWakesOne) {
        changed_.notify_one();
      } else {
        changed_.notify_all();
      }
    } else {
      changed_.wait(lock, [this] { return leaving_ > 0; });
    }
    const AbcResult result{{values_[role == 0 ? 1 : 0], values_[role == 2 ? 1 : 2]}, meeting_};
    leave(role);
    return result;
  }

  // The places are kept until all three have read them.
  void leave(unsigned role) {
    if (fault == AbcFault::kCountsLeaving && leaving_ == 3) ++meeting_;
    if constexpr (fault == AbcFault::kFreesOwnPlace) here_[role] = false;
    if (--leaving_ == 0) {
      if constexpr (fault != AbcFault::kFreesOwnPlace) here_ = {};
      if constexpr (fault != AbcFault::kCountsLeaving) ++meeting_;
    }
    if (leaving_ == 0 || fault == AbcFault::kFreesOwnPlace) changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::array<bool, 3> here_{};
  std::array<int, 3> values_{};
  int leaving_ = 0;
  int meeting_ = 1;
};

template <AbcFault fault = AbcFault::kNone>
class Abc {
 public:
  std::pair<int, int> sync_a(int value) { return meeting_.sync_a(value).others; }
  std::pair<int, int> sync_b(int value) { return meeting_.sync_b(value).others; }
  std::pair<int, int> sync_c(int value) { return meeting_.sync_c(value).others; }

 private:
  CountingAbc<fault> meeting_;
};

}  // namespace subjects::synchronisation
