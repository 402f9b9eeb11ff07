#pragma once
// Meetings of which the object remembers who met whom (Lowe, section 7): each pair meets at most once. In TwoFamilies a
// member of one family meets one of the other, in OneFamily any two meet. Members are numbered from 0; each learns whom
// it met.
#include <condition_variable>
#include <list>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

namespace subjects::synchronisation {

enum class FamilyFault {
  kNone,
  kAsksFirstOnly,    ///< Progress: who comes asks the one who has waited longest, and nobody else.
  kForgetsMeetings,  ///< OneFamily: a meeting is remembered by the order of arrival only; TwoFamilies: not at all.
};

/// Somebody who waits to be met.
struct Guest {
  int id;
  std::optional<int> partner = std::nullopt;
};

template <FamilyFault fault = FamilyFault::kNone>
class TwoFamilies {
 public:
  /// Returns the member of the other family.
  int meet_as_a(int me) {
    return meet(waiting_b_, waiting_a_, me, [me](int other) { return std::pair{me, other}; });
  }
  int meet_as_b(int me) {
    return meet(waiting_a_, waiting_b_, me, [me](int other) { return std::pair{other, me}; });
  }

 private:
  template <class Meeting>
  int meet(std::list<Guest*>& others, std::list<Guest*>& own, int me, Meeting meeting) {
    std::unique_lock lock{mutex_};
    for (Guest* const guest : others) {
      if (!met_.contains(meeting(guest->id))) {
        if constexpr (fault != FamilyFault::kForgetsMeetings) met_.insert(meeting(guest->id));
        others.remove(guest);
        guest->partner = me;
        const int partner = guest->id;
        changed_.notify_all();
        return partner;
      }
      if constexpr (fault == FamilyFault::kAsksFirstOnly) break;
    }
    Guest myself{me};
    own.push_back(&myself);
    changed_.wait(lock, [&] { return myself.partner.has_value(); });
    return *myself.partner;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Guest*> waiting_a_;  // on the stacks of waiting threads
  std::list<Guest*> waiting_b_;
  std::set<std::pair<int, int>> met_;
};

template <FamilyFault fault = FamilyFault::kNone>
class OneFamily {
 public:
  /// Returns the other one. A member does not meet itself.
  int meet(int me) {
    std::unique_lock lock{mutex_};
    for (Guest* const guest : waiting_) {
      if (may_meet(guest->id, me)) {
        remember(guest->id, me);
        waiting_.remove(guest);
        guest->partner = me;
        const int partner = guest->id;
        changed_.notify_all();
        return partner;
      }
      if constexpr (fault == FamilyFault::kAsksFirstOnly) break;
    }
    Guest myself{me};
    waiting_.push_back(&myself);
    changed_.wait(lock, [&] { return myself.partner.has_value(); });
    return *myself.partner;
  }

 private:
  bool may_meet(int first, int second) const { return first != second && !met_.contains({first, second}); }

  void remember(int first, int second) {
    met_.insert({first, second});
    if constexpr (fault != FamilyFault::kForgetsMeetings) met_.insert({second, first});
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Guest*> waiting_;  // on the stacks of waiting threads
  std::set<std::pair<int, int>> met_;
};

}  // namespace subjects::synchronisation
