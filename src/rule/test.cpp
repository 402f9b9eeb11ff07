#include "rule/test.hpp"

#include <algorithm>
#include <optional>

#include "base/error.hpp"

namespace muster {
namespace {

std::string without_spaces(std::string_view text) {
  std::string out;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (quoted || (c != ' ' && c != '\t' && c != '\n')) out += c;
  }
  return out;
}

/// Splits at `separator` outside brackets and quotes.
std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '(' || c == '[')) ++depth;
    if (!quoted && (c == ')' || c == ']')) --depth;
    if (c == separator && depth == 0 && !quoted) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

Invocation find_invocation(const CheckDefinition& check, const std::string& text) {
  const std::string wanted = without_spaces(text);
  for (std::size_t i = 0; i < check.invocations.size(); ++i) {
    const std::string name = without_spaces(name_of(check, static_cast<Invocation>(i)));
    if (name == wanted || name == wanted + "()") return static_cast<Invocation>(i);
  }
  std::string known;
  for (std::size_t i = 0; i < check.invocations.size(); ++i)
    known += (i ? ", " : "") + name_of(check, static_cast<Invocation>(i));
  fail("check {} has no invocation '{}'; it has {}", check.name, wanted, known);
}

const detail::OperationDefinition& definition_of(const CheckDefinition& check, Invocation invocation) {
  return check.operations[check.invocations[invocation].operation];
}

/// "A1", "first1", "last1": a place in a test.
std::string place_name(const TestOperation& operation) {
  return fmt::format("{}{}",
                     operation.column >= 0 ? column_name(operation.column)
                     : operation.last      ? "last"
                                           : "first",
                     operation.position + 1);
}

/// Whether what `giver` gives is there when `taker` is called, in every execution.
bool comes_before(const TestOperation& giver, const TestOperation& taker) {
  if (taker.last) return !giver.last || giver.position < taker.position;
  if (giver.last) return false;
  if (giver.column < 0) return taker.column >= 0 || giver.position < taker.position;
  return giver.column == taker.column && giver.position < taker.position;
}

/// The handles that an operation could take: those of its slot that come before it and are not taken.
std::vector<int> free_handles(const CheckDefinition& check, const std::vector<TestOperation>& operations,
                              std::size_t taker) {
  const int slot = definition_of(check, operations[taker].invocation).takes;
  std::vector<int> result;
  for (std::size_t giver = 0; giver < operations.size(); ++giver) {
    if (definition_of(check, operations[giver].invocation).gives != slot) continue;
    if (!comes_before(operations[giver], operations[taker])) continue;
    const bool taken = std::any_of(operations.begin(), operations.end(), [&](const TestOperation& other) {
      return other.source == static_cast<int>(giver) && !definition_of(check, other.invocation).borrows;
    });
    if (!taken) result.push_back(static_cast<int>(giver));
  }
  return result;
}

template <class Test, class Function>
void for_each_sequence(Test& test, Function function) {
  function(test.first);
  for (auto& column : test.columns) function(column);
  function(test.last);
}

/// A call as it is written, with the place of the handle it takes.
struct WrittenCall {
  Invocation invocation;
  std::string place;  // "A1"; empty: none, or the nearest
};

/// "release(pin#A1)" or "release(A1)": an invocation and a place.
std::optional<WrittenCall> parse_taking_call(const CheckDefinition& check, const std::string& wanted) {
  for (std::size_t i = 0; i < check.invocations.size(); ++i) {
    const auto invocation = static_cast<Invocation>(i);
    const auto& definition = definition_of(check, invocation);
    if (definition.takes < 0 || !wanted.starts_with(definition.name)) continue;
    const std::string arguments = without_spaces(check.invocations[i].arguments);
    std::string rest = wanted.substr(definition.name.size());
    if (rest.empty() || rest == "()") return WrittenCall{invocation, ""};
    if (!rest.starts_with("(") || !rest.ends_with(")")) continue;
    rest = rest.substr(1, rest.size() - 2);
    const std::size_t end = std::min(rest.find(','), rest.size());
    if (rest.substr(std::min(end + 1, rest.size())) != arguments) continue;
    const std::string place = rest.substr(0, end);
    return WrittenCall{invocation, place.substr(place.find('#') + 1)};
  }
  return std::nullopt;
}

int find_handle(const CheckDefinition& check, const std::vector<TestOperation>& operations, std::size_t taker,
                const std::string& place) {
  const std::string name = name_of(check, operations[taker].invocation);
  const auto& slot = check.slots[static_cast<std::size_t>(definition_of(check, operations[taker].invocation).takes)];
  const std::vector<int> handles = free_handles(check, operations, taker);
  if (handles.empty()) {
    fail(
        "check {}: {} in {} takes a {}, and no operation before it, in its column or the initial sequence, has one to "
        "give",
        check.name, name, place_name(operations[taker]), slot.name);
  }
  if (place.empty()) return handles.back();
  for (const int handle : handles) {
    if (place_name(operations[static_cast<std::size_t>(handle)]) == place) return handle;
  }
  fail("check {}: {} in {} cannot take what {} gives: that is no {} given before it, or it is taken already",
       check.name, name, place_name(operations[taker]), place, slot.name);
}

}  // namespace

std::size_t Test::size() const {
  std::size_t size = first.size() + last.size();
  for (const Sequence& column : columns) size += column.size();
  return size;
}

std::vector<TestOperation> operations_of(const Test& test) {
  std::vector<TestOperation> operations;
  const auto add = [&](const Sequence& sequence, int column) {
    for (unsigned i = 0; i < sequence.size(); ++i)
      operations.push_back({sequence[i].invocation, column, i, sequence[i].source, &sequence == &test.last});
  };
  add(test.first, -1);
  for (std::size_t i = 0; i < test.columns.size(); ++i) add(test.columns[i], static_cast<int>(i));
  add(test.last, -1);
  return operations;
}

std::string name_of(const CheckDefinition& check, Invocation invocation) {
  const auto& definition = check.invocations[invocation];
  return check.operations[definition.operation].name + "(" + definition.arguments + ")";
}

std::string handle_name(const CheckDefinition& check, const std::vector<TestOperation>& operations, std::size_t index) {
  const int slot = definition_of(check, operations[index].invocation).gives;
  return slot < 0 ? "" : check.slots[static_cast<std::size_t>(slot)].name + "#" + place_name(operations[index]);
}

std::string arguments_of(const CheckDefinition& check, const std::vector<TestOperation>& operations,
                         std::size_t index) {
  const std::string& arguments = check.invocations[operations[index].invocation].arguments;
  if (operations[index].source < 0) return arguments;
  return handle_name(check, operations, static_cast<std::size_t>(operations[index].source)) +
         (arguments.empty() ? "" : ", ") + arguments;
}

std::string name_of(const CheckDefinition& check, const std::vector<TestOperation>& operations, std::size_t index) {
  return definition_of(check, operations[index].invocation).name + "(" + arguments_of(check, operations, index) + ")";
}

std::string column_name(int column) {
  if (column < 0) return "main";
  return column < 26 ? std::string(1, static_cast<char>('A' + column)) : fmt::format("T{}", column + 1);
}

std::string to_text(const CheckDefinition& check, const Test& test) {
  const auto operations = operations_of(test);
  std::size_t next = 0;
  const auto write = [&](const Sequence& sequence) {
    std::string text;
    for (std::size_t i = 0; i < sequence.size(); ++i) text += (i ? ", " : "") + name_of(check, operations, next++);
    return text;
  };
  std::string text;
  if (!test.first.empty()) text = "first: " + write(test.first) + " | ";
  for (std::size_t i = 0; i < test.columns.size(); ++i) text += (i ? " | " : "") + write(test.columns[i]);
  if (!test.last.empty()) text += " | last: " + write(test.last);
  return text;
}

namespace {

std::vector<WrittenCall> parse_calls(const CheckDefinition& check, std::string_view text) {
  std::vector<WrittenCall> calls;
  if (without_spaces(text).empty()) return calls;
  for (const std::string& part : split(text, ',')) {
    if (auto taking = parse_taking_call(check, without_spaces(part))) {
      calls.push_back(std::move(*taking));
    } else {
      calls.push_back({find_invocation(check, part), ""});
    }
  }
  return calls;
}

}  // namespace

Sequence parse_sequence(const CheckDefinition& check, std::string_view text) {
  Sequence sequence;
  for (const WrittenCall& call : parse_calls(check, text)) sequence.push_back(call.invocation);
  return sequence;
}

Test parse_test(const CheckDefinition& check, std::string_view text) {
  Test test;
  std::vector<WrittenCall> first, columns, last;
  const auto read = [&](std::vector<WrittenCall>& calls, Sequence& sequence, std::string_view part) {
    for (WrittenCall& call : parse_calls(check, part)) {
      sequence.push_back(call.invocation);
      calls.push_back(std::move(call));
    }
  };
  for (const std::string& part : split(text, '|')) {
    const auto begin = part.find_first_not_of(" \t\n");
    const std::string_view column =
        begin == std::string::npos ? std::string_view() : std::string_view(part).substr(begin);
    if (column.starts_with("first:")) {
      read(first, test.first, column.substr(6));
    } else if (column.starts_with("last:")) {
      read(last, test.last, column.substr(5));
    } else if (!column.empty()) {
      read(columns, test.columns.emplace_back(), column);
    }
  }
  if (test.columns.empty())
    fail("the test '{}' has no column: write calls separated by commas, and columns by |", text);
  first.insert(first.end(), columns.begin(), columns.end());
  first.insert(first.end(), last.begin(), last.end());
  std::size_t next = 0;
  for_each_sequence(test, [&](Sequence& sequence) {
    for (TestCall& call : sequence) {
      if (definition_of(check, call.invocation).takes >= 0)
        call.source = static_cast<std::int16_t>(find_handle(check, operations_of(test), next, first[next].place));
      ++next;
    }
  });
  return test;
}

// ---- rearranging ----

Arrangement arrangement_of(const Test& test) {
  Arrangement result;
  result.columns.resize(test.columns.size());
  unsigned next = 0;
  const auto number = [&](const Sequence& sequence, std::vector<unsigned>& into) {
    for (std::size_t i = 0; i < sequence.size(); ++i) into.push_back(next++);
  };
  number(test.first, result.first);
  for (std::size_t c = 0; c < test.columns.size(); ++c) number(test.columns[c], result.columns[c]);
  number(test.last, result.last);
  return result;
}

Test arrange(const Test& test, const Arrangement& arrangement) {
  const auto operations = operations_of(test);
  Arrangement kept = arrangement;
  for (;;) {
    std::vector<int> place(operations.size(), -1);
    int next = 0;
    for_each_sequence(kept, [&](const std::vector<unsigned>& sequence) {
      for (const unsigned old : sequence) place[old] = next++;
    });
    std::erase_if(kept.columns, [](const auto& column) { return column.empty(); });
    Test result;
    result.columns.resize(kept.columns.size());
    const auto fill = [&](const std::vector<unsigned>& from, Sequence& into) {
      for (const unsigned old : from) {
        const int source = operations[old].source;
        into.emplace_back(operations[old].invocation, source < 0 ? -1 : place[static_cast<std::size_t>(source)]);
      }
    };
    fill(kept.first, result.first);
    for (std::size_t c = 0; c < kept.columns.size(); ++c) fill(kept.columns[c], result.columns[c]);
    fill(kept.last, result.last);

    // A call that lost its handle goes, and with it whoever takes what it gives.
    const auto now = operations_of(result);
    std::size_t at = 0, left_out = 0;
    for_each_sequence(kept, [&](std::vector<unsigned>& sequence) {
      std::erase_if(sequence, [&](unsigned old) {
        const TestOperation& operation = now[at++];
        if (operations[old].source < 0) return false;
        const bool there =
            operation.source >= 0 && comes_before(now[static_cast<std::size_t>(operation.source)], operation);
        left_out += !there;
        return !there;
      });
    });
    if (left_out == 0) return result;
  }
}

Test with_handles(const CheckDefinition& check, const Test& test, const std::function<std::size_t(std::size_t)>& pick) {
  Test result = test;
  std::size_t next = 0;
  std::vector<bool> lacks;
  for_each_sequence(result, [&](Sequence& sequence) {
    for (TestCall& call : sequence) {
      lacks.push_back(false);
      if (definition_of(check, call.invocation).takes >= 0 && call.source < 0) {
        const std::vector<int> handles = free_handles(check, operations_of(result), next);
        lacks.back() = handles.empty();
        if (!handles.empty()) call.source = static_cast<std::int16_t>(handles[pick(handles.size())]);
      }
      ++next;
    }
  });
  Arrangement kept = arrangement_of(result);
  for_each_sequence(kept, [&](std::vector<unsigned>& sequence) {
    std::erase_if(sequence, [&](unsigned operation) { return lacks[operation]; });
  });
  return arrange(result, kept);
}

const std::vector<std::string>& excuses_of(const CheckDefinition& check, const Test& test, std::size_t operation) {
  return check.operations[check.invocations[operations_of(test)[operation].invocation].operation].excuses;
}

std::string dimension(const Test& test) {
  std::size_t longest = 0;
  for (const Sequence& column : test.columns) longest = std::max(longest, column.size());
  return fmt::format("{}x{}", test.columns.size(), longest);
}

std::uint64_t serial_orders(const Test& test) {
  // A product of binomials, in which every intermediate value is a whole number.
  constexpr std::uint64_t most = ~std::uint64_t{0};
  unsigned __int128 orders = 1;
  std::uint64_t placed = 0;
  for (const Sequence& column : test.columns) {
    for (std::uint64_t i = 1; i <= column.size(); ++i) {
      orders = orders * ++placed / i;
      if (orders > most) return most;
    }
  }
  return static_cast<std::uint64_t>(orders);
}

std::uint64_t asynchronous_operations(const CheckDefinition& check, const Test& test) {
  std::uint64_t mask = 0;
  const auto operations = operations_of(test);
  for (std::size_t i = 0; i < operations.size(); ++i) {
    if (check.operations[check.invocations[operations[i].invocation].operation].asynchronous)
      mask |= std::uint64_t{1} << i;
  }
  return mask;
}

void complain_of_objects(const CheckDefinition& check, std::string_view why) {
  fail(
      "{}:{}: check {}: its objects cannot be made: the constructor or factory {}; pass other arguments to "
      "check.object<T>(…)",
      check.file, check.line, check.name, why);
}

}  // namespace muster
