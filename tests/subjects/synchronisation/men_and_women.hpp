#pragma once
// Men and women pair off (Lowe, section 7): each learns who the other is.
#include <condition_variable>
#include <mutex>
#include <optional>

namespace subjects::synchronisation {

enum class PairingFault {
  kNone,
  kManReleasedEarly,  ///< The woman clears the man's place: a second man finds it free and reads the first one's
                      ///< answer.
  kWakesOne,          ///< Progress: the woman wakes one waiter, which may be a man who waits for his turn.
};

template <PairingFault fault = PairingFault::kNone>
class MenAndWomen {
 public:
  /// Returns the woman he met.
  int man(int me) {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return !man_; });
    man_ = me;
    changed_.notify_all();
    changed_.wait(lock, [this] { return woman_.has_value(); });
    const int partner = *woman_;
    if constexpr (fault != PairingFault::kManReleasedEarly) man_.reset();
    woman_.reset();
    changed_.notify_all();
    return partner;
  }

  /// Returns the man she met.
  int woman(int me) {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return man_.has_value() && !woman_; });
    const int partner = *man_;
    woman_ = me;
    if constexpr (fault == PairingFault::kManReleasedEarly) man_.reset();
    if constexpr (fault == PairingFault::kWakesOne) {
      changed_.notify_one();
    } else {
      changed_.notify_all();
    }
    return partner;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<int> man_;
  std::optional<int> woman_;
};

}  // namespace subjects::synchronisation
