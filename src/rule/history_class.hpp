#pragma once
// A class of executions that differ only in the order of steps that commute: all give the same answers, and differ only
// in which operation returned before which was called. The real-time orders that the class allows are enumerated on the
// operations alone.

#include <absl/functional/function_ref.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "rule/recorded.hpp"

namespace muster {

struct HistoryClass {
  unsigned size = 0;
  std::uint64_t called = 0, returned = 0;
  bool stuck = false;     // what is pending never returns
  bool spinning = false;  // it is not asleep
  std::array<ResponseId, max_operations> response{};
  GivenHandles handles;
  /// By operation: those whose beginning happened before its end. They are called before it returns, whatever the order
  /// of the rest.
  std::array<std::uint64_t, max_operations> begun_before_end{};
  /// By operation: those that return before it is called, in every execution: its column's, and the initial sequence.
  std::array<std::uint64_t, max_operations> always_before{};

  /// Those that have returned where these are called, and these had returned before.
  std::uint64_t with_returns(std::uint64_t now_called, std::uint64_t now_returned) const;

  /// Its answers with the order of all its histories together. Where they contradict each other, no serial order keeps
  /// it.
  Recorded strictest() const;

  /// Two classes with the same key allow the same histories. Every process gives them the same one.
  std::uint64_t key(const Responses& responses) const;
};

/// Tells every history that executions of the class can have, up to those that order less than another one, until
/// `tell` returns false. A return comes as early as it can: that only adds order.
void each_history(const HistoryClass& classed, const Responses& responses,
                  absl::FunctionRef<bool(const Recorded&)> tell);

/// The keys of the same histories, up to so many. False if there are more.
bool add_keys(const HistoryClass& classed, const Responses& responses, std::size_t most,
              std::vector<std::uint64_t>& keys);

/// The history in which these are called first, in this order, and the others whenever they can be.
Recorded history_of(const HistoryClass& classed, std::span<const std::uint8_t> calls);

}  // namespace muster
