#pragma once
// A finite test (Line-Up, section 3.1): an initial sequence, one column of invocations a thread, a final sequence.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "muster/check_definition.hpp"

namespace muster {

using detail::CheckDefinition;

/// Index of an invocation among those of its check.
using Invocation = std::uint16_t;
using Sequence = std::vector<Invocation>;

struct Test {
  Sequence first;
  std::vector<Sequence> columns;
  Sequence last;

  std::size_t size() const;
  bool operator==(const Test&) const = default;
};

/// One operation of a test. Operations are numbered: the initial sequence, then column by column, then the final
/// sequence.
struct TestOperation {
  Invocation invocation = 0;
  int column = 0;         // -1: initial or final sequence
  unsigned position = 0;  // in its column or sequence
};

/// More would not fit the bit masks that histories are kept in.
constexpr std::size_t max_operations = 64;

std::vector<TestOperation> operations_of(const Test& test);

/// "Add(200)".
std::string name_of(const CheckDefinition& check, Invocation invocation);
/// "A", "B" …; "main" for the initial and final sequences.
std::string column_name(int column);

/// "first: Add(400) | Add(200) | TryTake()"; what `parse_test` reads.
std::string to_text(const CheckDefinition& check, const Test& test);
/// Throws Error for a text that is no test of `check`.
Test parse_test(const CheckDefinition& check, std::string_view text);
Sequence parse_sequence(const CheckDefinition& check, std::string_view text);

/// "2x3": threads x operations of the longest column.
std::string dimension(const Test& test);

/// The number of serial orders of the columns, if nothing blocks; the largest value if it does not fit.
std::uint64_t serial_orders(const Test& test);

}  // namespace muster
