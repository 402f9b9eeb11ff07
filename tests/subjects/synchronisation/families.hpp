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

/// Brings those who come together with those who wait.
template <FamilyFault fault>
class Meetings {
 public:
  struct Guest {
    int id;
    std::optional<int> partner = std::nullopt;
  };
  using Guests = std::list<Guest*>;  // on the stacks of waiting threads

  /// Meets the first of `others` that `try_to_meet` accepts, or waits among `own`; returns the partner.
  template <class TryToMeet>
  int meet(Guests& others, Guests& own, int me, TryToMeet try_to_meet) {
    std::unique_lock lock{mutex_};
    for (Guest* const guest : others) {
      if (try_to_meet(guest->id)) {
        const int partner = guest->id;
        others.remove(guest);
        guest->partner = me;
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

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
};

template <FamilyFault fault = FamilyFault::kNone>
class TwoFamilies {
 public:
  /// Returns the member of the other family.
  int meet_as_a(int me) {
    return meetings_.meet(waiting_b_, waiting_a_, me, [&](int other) { return try_to_meet(me, other); });
  }
  int meet_as_b(int me) {
    return meetings_.meet(waiting_a_, waiting_b_, me, [&](int other) { return try_to_meet(other, me); });
  }

 private:
  bool try_to_meet(int a, int b) { return fault == FamilyFault::kForgetsMeetings || met_.insert({a, b}).second; }

  Meetings<fault> meetings_;
  typename Meetings<fault>::Guests waiting_a_;
  typename Meetings<fault>::Guests waiting_b_;
  std::set<std::pair<int, int>> met_;
};

template <FamilyFault fault = FamilyFault::kNone>
class OneFamily {
 public:
  /// Returns the other one. A member does not meet itself.
  int meet(int me) {
    return meetings_.meet(waiting_, waiting_, me, [&](int other) { return try_to_meet(other, me); });
  }

 private:
  bool try_to_meet(int first, int second) {
    if (first == second || met_.contains({first, second})) return false;
    met_.insert({first, second});
    if constexpr (fault != FamilyFault::kForgetsMeetings) met_.insert({second, first});
    return true;
  }

  Meetings<fault> meetings_;
  typename Meetings<fault>::Guests waiting_;
  std::set<std::pair<int, int>> met_;
};

}  // namespace subjects::synchronisation
