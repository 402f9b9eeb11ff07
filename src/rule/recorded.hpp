#pragma once
// The history of one execution of a test, as bit masks: which operations had returned when each was called, and what
// they answered.

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "base/tape.hpp"
#include "rule/test.hpp"

namespace muster {

/// An operation of the test, or a thread of it, in a mask.
constexpr std::uint64_t bit_of(unsigned number) { return std::uint64_t{1} << number; }

/// What an operation answered: the number of a text, or one of two that are none.
using ResponseId = std::uint32_t;
constexpr ResponseId absent = 0;   // not called
constexpr ResponseId pending = 1;  // called, not returned

/// Numbers for the texts that operations answered.
class Responses {
 public:
  ResponseId number(std::string_view text);
  const std::string& text(ResponseId id) const { return texts_[id - 2]; }
  /// A number for the same answer that every process gives it, today and on another day.
  std::uint64_t lasting(ResponseId id) const { return lasting_[id]; }

  /// A number of its own for "one of these answers": what an operation may give without running.
  ResponseId any_of(const std::vector<std::string>& answers);
  /// Whether an operation that was seen to answer `seen` did as `told`: the same, or one of those.
  bool fits(ResponseId seen, ResponseId told) const;

 private:
  std::deque<std::string> texts_;
  std::vector<std::uint64_t> lasting_{absent, pending};  // by id
  std::vector<std::uint32_t> table_;                     // open addressing: 0 is free, else an id
  std::map<ResponseId, std::vector<ResponseId>>
      alternatives_;  // of those that stand for several; they are not in the table
  void grow();
};

/// The handles that operations gave, told apart by their values.
struct GivenHandles {
  std::uint64_t given = 0;  // by these operations
  std::array<ResponseId, max_operations> values;

  void add(unsigned operation, ResponseId value) {
    given |= bit_of(operation);
    values[operation] = value;
  }
  bool has(unsigned operation) const { return given >> operation & 1; }
  bool same(unsigned a, unsigned b) const { return values[a] == values[b]; }
  /// Of what an operation answered, so that all that is the same gets the same: numbers of values differ from process
  /// to process.
  std::uint64_t lasting(unsigned operation, std::uint64_t response) const {
    return has(operation) ? mix(response, 1 + least_same(operation)) : response;
  }

 private:
  unsigned least_same(unsigned operation) const {
    for (std::uint64_t mask = given;; mask &= mask - 1) {
      const auto first = static_cast<unsigned>(__builtin_ctzll(mask));
      if (same(first, operation)) return first;
    }
  }
};

struct RecordedState {
  std::uint64_t called = 0;
  std::uint64_t returned = 0;
  std::uint64_t excused = 0;  // serial histories: answered without running, as declared
  bool stuck = false;
  bool spinning = false;  // stuck, but not asleep
  bool partial = false;   // `before` is all that is known of their order, and `marks` are only how it came about
  std::uint16_t mark_count = 0;
  std::uint32_t size = 0;  // operations of the test
};

// The key of a history is `mix(start_of_key, sum of part_of_key)`: the same in whatever order operations were called.
inline std::uint64_t start_of_key(const RecordedState& state) {
  return mix(state.called, state.returned ^ (std::uint64_t{state.stuck} << 63) ^ (std::uint64_t{state.spinning} << 62));
}
inline std::uint64_t part_of_key(unsigned operation, std::uint64_t before, std::uint64_t lasting_response) {
  return mix(before, lasting_response + (std::uint64_t{operation} << 40));
}

struct Recorded : RecordedState {
  std::array<std::uint64_t, max_operations> before;  // operations that had returned when this one was called
  std::array<ResponseId, max_operations> response;

  struct MarkEntry {
    std::uint8_t operation;
    bool is_return;
  };
  std::array<MarkEntry, 2 * max_operations> marks;  // in the order in which they came
  GivenHandles handles;                             // their answers are their names by place

  /// A signal point that an operation passed: the role it plays in a synchronisation, from 1.
  struct Signal {
    std::uint8_t operation;
    std::uint8_t role;
    bool back;  // the role is told that the synchronisation has happened
  };
  std::vector<Signal> signals;

  void begin(unsigned operations) {
    called = returned = excused = 0;
    stuck = spinning = partial = false;
    mark_count = 0;
    handles.given = 0;
    signals.clear();
    size = operations;
  }
  void call(unsigned operation) {
    before[operation] = returned;
    response[operation] = pending;
    called |= std::uint64_t{1} << operation;
    marks[mark_count++] = {static_cast<std::uint8_t>(operation), false};
  }
  void ret(unsigned operation, ResponseId answer) {
    response[operation] = answer;
    returned |= std::uint64_t{1} << operation;
    marks[mark_count++] = {static_cast<std::uint8_t>(operation), true};
  }
  /// All of it, as far as it is used.
  void pass(Tape& tape) {
    struct Counts {
      std::uint64_t given;
      std::uint32_t signals;
    };
    tape.run([this](auto& strip) {
      Counts counts{handles.given, static_cast<std::uint32_t>(signals.size())};
      strip.pass(counts);
      handles.given = counts.given;
      if (signals.size() != counts.signals) signals.resize(counts.signals);
      strip.pass(static_cast<RecordedState&>(*this));
      strip.pass(before.data(), size * sizeof before[0]);
      strip.pass(response.data(), size * sizeof response[0]);
      strip.pass(marks.data(), mark_count * sizeof marks[0]);
      strip.pass_items(signals.data(), counts.signals);
      if (counts.given != 0) [[unlikely]]
        strip.pass(handles.values.data(), size * sizeof handles.values[0]);
    });
  }
  /// `name`: of the handle that it gave, after its place.
  void give(unsigned operation, ResponseId name, ResponseId value) {
    ret(operation, name);
    handles.add(operation, value);
  }
  std::uint64_t waiting() const { return called & ~returned; }

  /// Two executions with the same key have the same operations, responses and precedence, whatever the order of calls
  /// among calls. Every process gives them the same one.
  std::uint64_t key(const Responses& responses) const {
    std::uint64_t parts = 0;
    for (std::uint64_t mask = called; mask; mask &= mask - 1) {
      const auto i = static_cast<unsigned>(__builtin_ctzll(mask));
      parts += part_of_key(i, before[i], handles.lasting(i, responses.lasting(response[i])));
    }
    std::uint64_t hash = mix(start_of_key(*this), parts);
    for (const Signal& signal : signals)
      hash = mix(hash, signal.operation + (std::uint64_t{signal.role} << 8) + (std::uint64_t{signal.back} << 16));
    return hash;
  }

  /// Puts calls and returns into the one order that all executions with this key have in common: calls as early and
  /// returns as late as the precedence lets them be, those at the same place by number.
  void rearrange();
};

/// A serial history: the operations in order, with their answers.
struct SerialHistory {
  std::vector<std::uint8_t> order;
  std::vector<ResponseId> response;  // by operation
  std::uint64_t excused = 0;
  bool stuck = false;  // the last operation never returns
};

}  // namespace muster
