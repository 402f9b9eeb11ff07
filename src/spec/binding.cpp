#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "spec/spec.hpp"

namespace muster {
namespace {

char plain(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
  return c == '-' ? '_' : c;
}

std::string method_list(const Spec& spec) {
  std::string out;
  for (const Method& method : spec.methods()) out += fmt::format("{}{}", out.empty() ? "" : ", ", method.name);
  return out;
}

/// The index of each of the history's method names; complains at the first operation with an unknown one.
std::vector<int> resolve(const History& history, const Spec& spec) {
  std::vector<int> indices;
  for (const std::string& name : history.methods()) indices.push_back(find_method(spec, name));
  if (std::ranges::find(indices, -1) == indices.end()) return indices;
  for (const Operation& operation : history.operations()) {
    if (indices[operation.method] >= 0) continue;
    const std::string_view name = history.method_name(operation.method);
    if (name == "txn") {
      fail(
          "{}:{}: operation `txn`: transactions are judged only as --spec multi-register (reads and writes of "
          "registers), not as {}",
          history.source().name, operation.line, spec.name());
    }
    fail("{}:{}: {} has no operation `{}`; it has {}. Rename with --map {}=NAME", history.source().name, operation.line,
         spec.name(), name, method_list(spec), name);
  }
  return indices;  // names that no operation uses do not matter
}

void note_answering(History& history, const Spec& spec) {
  std::vector<bool> answering;
  for (const std::string& name : history.methods()) {
    const int index = find_method(spec, name);
    answering.push_back(index >= 0 && spec.methods()[static_cast<std::size_t>(index)].answers);
  }
  history.set_answering(std::move(answering));
}

void require_amount(const History& history, const Operation& operation, const Method& method, const Spec& spec) {
  const auto given = history.arguments(operation);
  if (given.empty()) return;
  const bool fits = given[0].is_integer() && (method.amounts == Amounts::any || given[0].as_integer() >= 0);
  if (fits) return;
  fail("{}:{}: {} of {} takes a number{}, not {}", history.source().name, operation.line, method.name, spec.name(),
       method.amounts == Amounts::any ? "" : " that is not negative", to_string(given[0]));
}

}  // namespace

bool same_name(std::string_view a, std::string_view b) { return std::ranges::equal(a, b, {}, plain, plain); }

int find_method(const Spec& spec, std::string_view name) {
  if (!name.empty() && name.front() == ':') name.remove_prefix(1);
  const auto methods = spec.methods();
  for (std::size_t index = 0; index < methods.size(); ++index) {
    if (same_name(methods[index].name, name)) return static_cast<int>(index);
    for (const std::string_view alias : methods[index].aliases) {
      if (same_name(alias, name)) return static_cast<int>(index);
    }
  }
  return -1;
}

Binding::Binding(const History& history, const Spec& spec) : history_(&history), spec_(&spec), keyed_(spec.is_keyed()) {
  if (history.is_positional()) {
    fail("{}: values of this format have no meaning before arrange() was told the spec", history.source().name);
  }
  for (const int index : resolve(history, spec)) methods_.push_back(static_cast<MethodIndex>(std::max(index, 0)));
  for (const Operation& operation : history.operations()) {
    has_keys_ |= !operation.key.is_none();
    const Method& method = described(operation);
    if (method.always_works && operation.result.is_false()) {
      fail(
          "{}:{}: {} of {} always works, but this one answered false; leave calls that had no effect out, or name an "
          "object whose calls can fail (--spec bounded-queue)",
          history.source().name, operation.line, method.name, spec.name());
    }
    const unsigned key = keyed_ && operation.key.is_none() ? 1 : 0;
    const unsigned least = method.arguments + key, most = least + method.optional_arguments;
    if (operation.argument_count < least || operation.argument_count > most) {
      fail("{}:{}: {} of {} takes {} argument{}{}, not {}", history.source().name, operation.line, method.name,
           spec.name(), least, least == 1 ? "" : "s", key ? " (the key first)" : "", operation.argument_count);
    }
    if (method.amounts != Amounts::none) require_amount(history, operation, method, spec);
    if (!method.objection) continue;
    const std::string objection = method.objection(arguments(operation), operation.result);
    if (!objection.empty()) fail("{}:{}: {}", history.source().name, operation.line, objection);
  }
  has_keys_ |= keyed_;
}

void arrange(History& history, const Spec& spec) {
  note_answering(history, spec);
  if (!history.is_positional()) return;
  const std::vector<int> indices = resolve(history, spec);
  const bool may_be_empty = spec.family() != Family::reg && spec.family() != Family::set;
  history.rewrite([&](Operation& operation, std::span<Value> values) {
    const Method& method = spec.methods()[static_cast<std::size_t>(indices[operation.method])];
    const unsigned key = spec.is_keyed() ? 1 : 0;
    const unsigned wanted = method.arguments + key;
    const std::size_t most = wanted + method.optional_arguments + (operation.result.is_none() ? 1 : 0);
    if (values.size() < wanted || values.size() > most) {
      fail("{}:{}: {} of {} takes {} value{} and at most one answer, not {} values", history.source().name,
           operation.line, method.name, spec.name(), wanted, wanted == 1 ? "" : "s", values.size());
    }
    if (operation.is_pending()) {
      const std::size_t known = std::min<std::size_t>(values.size(), wanted + method.optional_arguments);
      operation.argument_count = static_cast<std::uint8_t>(known);
      return;
    }
    if (values.size() > wanted && (method.result_first || method.optional_arguments == 0)) {
      operation.result = method.result_first ? values.front() : values[wanted];
      operation.first_argument += method.result_first;
      operation.argument_count = static_cast<std::uint8_t>(wanted);
    }
    if (method.answers_bool && operation.result.is_integer())
      operation.result = Value::boolean(operation.result.as_integer() != 0);
    // The text forms write -1 for "there was nothing".
    if (may_be_empty && wanted == key && operation.result == Value::integer(-1)) operation.result = Value::nil();
    const bool removes = wanted == 0 && method.idle.is_nil();
    if (removes && operation.result.is_none() && history.source().bare_is_empty) operation.result = Value::nil();
  });
  history.set_positional(false);
}

}  // namespace muster
