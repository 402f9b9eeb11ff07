#include "rule/history_class.hpp"

#include <bit>
#include <span>

namespace muster {
namespace {

using Operations = std::span<const std::uint8_t>;

/// The orders in which the operations of a class may be called, with a return as early as it can come. `tell` gets the
/// operations in the order of their calls and the sum of their parts of the key; false ends it.
template <class Tell>
class Orders {
 public:
  Orders(const HistoryClass& classed, Tell tell) : class_(classed), tell_(tell) {}

  void run(const Responses& responses) {
    for (std::uint64_t mask = class_.called; mask; mask &= mask - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(mask));
      response_[i] = class_.handles.lasting(i, responses.lasting(class_.response[i]));
    }
    if (class_.called == 0)
      tell_({}, 0);
    else
      extend(0, 0, 0, 0, -1);
  }

 private:
  /// `last` is the operation called last, if nothing returned since: calls among themselves are taken in one order
  /// only, by number.
  bool extend(unsigned depth, std::uint64_t called, std::uint64_t returned, std::uint64_t parts, int last) {
    for (std::uint64_t mask = class_.called & ~called; mask; mask &= mask - 1) {
      const auto b = static_cast<unsigned>(std::countr_zero(mask));
      if (static_cast<int>(b) < last || (class_.always_before[b] & ~returned)) continue;
      calls_[depth] = static_cast<std::uint8_t>(b);
      if (!called_too(depth + 1, called | bit_of(b), returned, parts + part_of_key(b, returned, response_[b])))
        return false;
    }
    return true;
  }

  bool called_too(unsigned depth, std::uint64_t called, std::uint64_t returned, std::uint64_t parts) {
    if (called == class_.called) return tell_({calls_.data(), depth}, parts);
    const std::uint64_t now = class_.with_returns(called, returned);
    if (now != returned) return extend(depth, called, now, parts, -1);
    const unsigned last = calls_[depth - 1];
    return !leads_on(called, returned, last) || extend(depth, called, returned, parts, static_cast<int>(last));
  }

  /// Operations with smaller numbers than the last one are called after something returned: whether anything can that
  /// waits for larger ones alone.
  bool leads_on(std::uint64_t called, std::uint64_t returned, unsigned last) const {
    const std::uint64_t left = class_.called & ~called, smaller = left & (bit_of(last) - 1);
    return smaller == 0 || class_.with_returns(called | (left & ~smaller), returned) != returned;
  }

  const HistoryClass& class_;
  Tell tell_;
  std::array<std::uint8_t, max_operations> calls_;
  std::array<std::uint64_t, max_operations> response_;  // the same in every process
};

RecordedState state_of(const HistoryClass& classed) {
  RecordedState state;
  state.called = classed.called;
  state.returned = classed.returned;
  state.stuck = classed.stuck;
  state.spinning = classed.spinning;
  return state;
}

void call(Recorded& history, const HistoryClass& classed, unsigned operation) {
  history.call(operation);
  const std::uint64_t now = classed.with_returns(history.called, history.returned);
  for (std::uint64_t mask = now & ~history.returned; mask; mask &= mask - 1) {
    const auto a = static_cast<unsigned>(std::countr_zero(mask));
    history.ret(a, classed.response[a]);
  }
}

/// The history of these calls.
void fill(Recorded& history, const HistoryClass& classed, Operations calls) {
  history.begin(classed.size);
  if (classed.handles.given != 0) [[unlikely]]
    history.handles = classed.handles;
  history.stuck = classed.stuck;
  history.spinning = classed.spinning;
  for (const unsigned b : calls) call(history, classed, b);
}

}  // namespace

std::uint64_t HistoryClass::with_returns(std::uint64_t now_called, std::uint64_t now_returned) const {
  for (std::uint64_t mask = now_called & ~now_returned & returned; mask; mask &= mask - 1) {
    const auto a = static_cast<unsigned>(std::countr_zero(mask));
    if (!(begun_before_end[a] & ~now_called)) now_returned |= bit_of(a);
  }
  return now_returned;
}

Recorded HistoryClass::strictest() const {
  Recorded made;
  made.begin(size);
  made.called = called;
  made.returned = returned;
  made.stuck = stuck;
  made.spinning = spinning;
  made.response = response;
  made.handles = handles;
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
    const std::uint64_t answer = handles.lasting(i, responses.lasting(response[i]));
    hash = mix(hash ^ begun_before_end[i], answer + (std::uint64_t{i} << 40));
  }
  return hash;
}

void each_history(const HistoryClass& classed, const Responses& responses,
                  absl::FunctionRef<bool(const Recorded&)> tell) {
  Recorded history;
  const auto tell_history = [&](Operations calls, std::uint64_t) {
    fill(history, classed, calls);
    return tell(history);
  };
  Orders(classed, tell_history).run(responses);
}

bool add_keys(const HistoryClass& classed, const Responses& responses, std::size_t most,
              std::vector<std::uint64_t>& keys) {
  const std::uint64_t start = start_of_key(state_of(classed));
  bool all = true;
  const auto add = [&](Operations, std::uint64_t parts) {
    if (keys.size() == most) return all = false;
    keys.push_back(mix(start, parts));
    return true;
  };
  Orders(classed, add).run(responses);
  return all;
}

Recorded history_of(const HistoryClass& classed, std::span<const std::uint8_t> calls) {
  Recorded history;
  fill(history, classed, calls);
  while (history.called != classed.called) {
    for (std::uint64_t mask = classed.called & ~history.called; mask; mask &= mask - 1) {
      const auto b = static_cast<unsigned>(std::countr_zero(mask));
      if (!(classed.always_before[b] & ~history.returned)) call(history, classed, b);
    }
  }
  return history;
}

}  // namespace muster
