#pragma once
// A finite test (Line-Up, section 3.1): an initial sequence, one column of invocations a thread, a final sequence.

#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "muster/check_definition.hpp"

namespace muster {

using detail::CheckDefinition;

/// Index of an invocation among those of its check.
using Invocation = std::uint16_t;

/// A call of a test. Its first argument may be symbolic: the handle that another operation of the test gives.
struct TestCall {
  TestCall(Invocation invocation, int source = -1)  // NOLINT: an invocation is a call
      : invocation(invocation), source(static_cast<std::int16_t>(source)) {}
  TestCall() = default;

  Invocation invocation = 0;
  std::int16_t source = -1;  // the number of the operation that gives the handle; -1: none
  auto operator<=>(const TestCall&) const = default;
};
using Sequence = std::vector<TestCall>;

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
  int source = -1;        // the operation whose handle it takes
  bool last = false;      // of the final sequence
};

/// More would not fit the bit masks that histories are kept in.
constexpr std::size_t max_operations = 64;

std::vector<TestOperation> operations_of(const Test& test);

/// "Add(200)".
std::string name_of(const CheckDefinition& check, Invocation invocation);
/// The same for an operation of a test: "release(pin#A1)" takes what the first call of A gave.
std::string name_of(const CheckDefinition& check, const std::vector<TestOperation>& operations, std::size_t index);
std::string arguments_of(const CheckDefinition& check, const std::vector<TestOperation>& operations, std::size_t index);
/// How the handle prints that an operation gives: "pin#A1"; empty if it gives none.
std::string handle_name(const CheckDefinition& check, const std::vector<TestOperation>& operations, std::size_t index);
/// "A", "B" …; "main" for the initial and final sequences.
std::string column_name(int column);

/// "first: Add(400) | Add(200) | TryTake()"; what `parse_test` reads.
std::string to_text(const CheckDefinition& check, const Test& test);
/// Throws Error for a text that is no test of `check`.
Test parse_test(const CheckDefinition& check, std::string_view text);
Sequence parse_sequence(const CheckDefinition& check, std::string_view text);

/// Which operation of a test stands where in another one.
struct Arrangement {
  std::vector<unsigned> first;
  std::vector<std::vector<unsigned>> columns;
  std::vector<unsigned> last;
};
Arrangement arrangement_of(const Test& test);
/// The operations of `test` in these places. Calls whose handle would not be there in time are left out, with empty
/// columns.
Test arrange(const Test& test, const Arrangement& arrangement);

/// Gives each call that takes a handle and has none yet the handle of an operation before it, in its column or the
/// initial sequence; `pick` chooses among those that nobody has taken. Calls for which there is none are left out.
Test with_handles(
    const CheckDefinition& check, const Test& test,
    const std::function<std::size_t(std::size_t)>& pick = [](std::size_t count) { return count - 1; });

/// What an operation of a test may answer without running, where another one interferes.
const std::vector<std::string>& excuses_of(const CheckDefinition& check, const Test& test, std::size_t operation);

/// "2x3": threads x operations of the longest column.
std::string dimension(const Test& test);

/// The number of serial orders of the columns, if nothing blocks; the largest value if it does not fit.
std::uint64_t serial_orders(const Test& test);

/// One bit for each operation of the test whose effect may come after its return.
std::uint64_t asynchronous_operations(const CheckDefinition& check, const Test& test);

/// That the objects of a check cannot be made, and why, as an Error.
[[noreturn]] void complain_of_objects(const CheckDefinition& check, std::string_view why);

}  // namespace muster
