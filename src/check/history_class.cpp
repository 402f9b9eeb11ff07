#include "check/history_class.hpp"

#include <bit>

namespace muster {
namespace {

class Orders {
 public:
  Orders(const HistoryClass& classed, const std::function<bool(const Recorded&)>& tell) : class_(classed), tell_(tell) {
    history_.begin(classed.size);
    history_.stuck = classed.stuck;
    history_.spinning = classed.spinning;
  }

  void run() { extend(-1); }

 private:
  /// Returns all that can return; whether something did.
  bool return_all() {
    bool some = false;
    for (std::uint64_t mask = history_.waiting() & class_.returned; mask; mask &= mask - 1) {
      const auto a = static_cast<unsigned>(std::countr_zero(mask));
      if (class_.begun_before_end[a] & ~history_.called) continue;
      history_.ret(a, class_.response[a]);
      some = true;
    }
    return some;
  }

  /// `last` is the operation called last, if nothing returned since: calls among themselves are taken in one order
  /// only.
  bool extend(int last) {
    if (history_.called == class_.called) return tell_(history_);
    for (std::uint64_t mask = class_.called & ~history_.called; mask; mask &= mask - 1) {
      const auto b = static_cast<unsigned>(std::countr_zero(mask));
      if (static_cast<int>(b) < last || (class_.always_before[b] & ~history_.returned)) continue;
      const std::uint64_t returned = history_.returned;
      const unsigned marks = history_.mark_count;
      history_.call(b);
      const bool go_on = extend(return_all() ? -1 : static_cast<int>(b));
      history_.take_back(b, returned, marks);
      if (!go_on) return false;
    }
    return true;
  }

  const HistoryClass& class_;
  const std::function<bool(const Recorded&)>& tell_;
  Recorded history_;
};

/// The same orders, as far as their keys need them.
class Keys {
 public:
  Keys(const HistoryClass& classed, const Responses& responses, absl::FunctionRef<void(std::uint64_t)> tell)
      : class_(classed), tell_(tell) {
    RecordedState whole;
    whole.called = classed.called;
    whole.returned = classed.returned;
    whole.stuck = classed.stuck;
    whole.spinning = classed.spinning;
    start_ = start_of_key(whole);
    for (std::uint64_t mask = classed.called; mask; mask &= mask - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(mask));
      response_[i] = responses.lasting(classed.response[i]);
    }
  }

  void run() {
    if (class_.called == 0) return tell_(mix(start_, 0));
    extend(0, 0, 0, -1);
  }

 private:
  std::uint64_t with_returns(std::uint64_t called, std::uint64_t returned) const {
    for (std::uint64_t mask = called & ~returned & class_.returned; mask; mask &= mask - 1) {
      const auto a = static_cast<unsigned>(std::countr_zero(mask));
      if (!(class_.begun_before_end[a] & ~called)) returned |= bit_of(a);
    }
    return returned;
  }

  void extend(std::uint64_t called, std::uint64_t returned, std::uint64_t parts, int last) {
    for (std::uint64_t mask = class_.called & ~called; mask; mask &= mask - 1) {
      const auto b = static_cast<unsigned>(std::countr_zero(mask));
      if (static_cast<int>(b) < last || (class_.always_before[b] & ~returned)) continue;
      const std::uint64_t with_b = called | bit_of(b), parts_with_b = parts + part_of_key(b, returned, response_[b]);
      if (with_b == class_.called) {
        tell_(mix(start_, parts_with_b));
      } else {
        const std::uint64_t then = with_returns(with_b, returned);
        extend(with_b, then, parts_with_b, then == returned ? static_cast<int>(b) : -1);
      }
    }
  }

  const HistoryClass& class_;
  absl::FunctionRef<void(std::uint64_t)> tell_;
  std::uint64_t start_;
  std::array<std::uint64_t, max_operations> response_;  // what stays of it
};

}  // namespace

Recorded HistoryClass::strictest() const {
  Recorded made;
  made.begin(size);
  made.called = called;
  made.returned = returned;
  made.stuck = stuck;
  made.spinning = spinning;
  made.response = response;
  for (std::uint64_t mask = called; mask; mask &= mask - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(mask));
    made.before[i] = 0;
    for (std::uint64_t others = returned & ~bit_of(i); others; others &= others - 1) {
      const auto j = static_cast<unsigned>(std::countr_zero(others));
      if (!(begun_before_end[j] & bit_of(i))) made.before[i] |= bit_of(j);
    }
  }
  return made;
}

std::uint64_t HistoryClass::key(const Responses& responses) const {
  std::uint64_t hash = mix(called, returned ^ (std::uint64_t{stuck} << 63) ^ (std::uint64_t{spinning} << 62));
  hash = mix(hash, 1);  // it is never that of a history
  for (std::uint64_t mask = called; mask; mask &= mask - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(mask));
    hash = mix(hash ^ begun_before_end[i], responses.lasting(response[i]) + (std::uint64_t{i} << 40));
  }
  return hash;
}

void each_history(const HistoryClass& classed, const std::function<bool(const Recorded&)>& tell) {
  Orders(classed, tell).run();
}

void each_key(const HistoryClass& classed, const Responses& responses, absl::FunctionRef<void(std::uint64_t)> tell) {
  Keys(classed, responses, tell).run();
}

}  // namespace muster
