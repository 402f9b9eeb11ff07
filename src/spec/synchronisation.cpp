#include "spec/synchronisation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"

namespace muster {
namespace {

std::string operation_list(const SyncSpec& spec) {
  std::string out;
  for (const SyncOperation& operation : spec.operations()) out += (out.empty() ? "" : ", ") + operation.name;
  return out;
}

}  // namespace

std::size_t SyncSpec::largest_arity() const {
  std::size_t largest = 0;
  for (const SyncMode& mode : modes()) largest = std::max(largest, mode.arity());
  return largest;
}

int SyncSpec::find_operation(std::string_view name) const {
  if (!name.empty() && name.front() == ':') name.remove_prefix(1);
  const auto all = operations();
  for (std::size_t index = 0; index < all.size(); ++index) {
    if (all[index].name == name) return static_cast<int>(index);
  }
  for (std::size_t index = 0; index < all.size(); ++index) {
    const auto same = [&](std::string_view other) { return same_name(other, name); };
    if (same(all[index].name) || std::ranges::any_of(all[index].aliases, same)) return static_cast<int>(index);
  }
  return -1;
}

void arrange(History& history, const SyncSpec& spec) {
  std::vector<int> indices;
  std::vector<bool> answering;
  for (const std::string& name : history.methods()) {
    indices.push_back(spec.find_operation(name));
    answering.push_back(indices.back() >= 0 && spec.operations()[static_cast<std::size_t>(indices.back())].answers);
  }
  history.set_answering(std::move(answering));
  const bool positional = history.is_positional();
  history.rewrite([&](Operation& operation, std::span<Value> values) {
    const std::string_view name = history.method_name(operation.method);
    if (indices[operation.method] < 0) {
      fail("{}:{}: {} has no operation `{}`; it has {}. Rename with --map {}=NAME", history.source().name,
           operation.line, spec.name(), name, operation_list(spec), name);
    }
    const SyncOperation& known = spec.operations()[static_cast<std::size_t>(indices[operation.method])];
    const bool answer_in_row = positional && !operation.is_pending() && operation.result.is_none();
    if (values.size() != known.arguments && !(answer_in_row && values.size() == known.arguments + 1)) {
      fail("{}:{}: {} of {} takes {} argument{}, not {}", history.source().name, operation.line, known.name,
           spec.name(), known.arguments, known.arguments == 1 ? "" : "s", values.size());
    }
    if (values.size() > known.arguments) {
      operation.result = values.back();
      operation.argument_count = static_cast<std::uint8_t>(known.arguments);
    }
  });
  history.set_positional(false);
}

}  // namespace muster
