#include "spec/revealed_states.hpp"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace muster {
namespace {

constexpr MethodIndex get_method = 0, append_method = 2;

/// Texts are rows of letters, and lists rows of items.
struct Texts {
  using Row = std::string_view;
  static bool is_piece(Value value) { return value.kind() == Value::Kind::text && !value.letters().empty(); }
  static bool is_whole(Value value) { return value.kind() == Value::Kind::text || value.is_nil(); }
  static Row row(Value whole) { return whole.is_nil() ? Row() : whole.letters(); }
  static Row piece(const Value& appended) { return appended.letters(); }
};
struct Lists {
  using Row = std::span<const Value>;
  static bool is_piece(Value value) { return value.kind() != Value::Kind::text; }
  /// An empty list is no answer of a key that is absent, and no other state is empty.
  static bool is_whole(Value value) {
    return value.is_nil() || (value.kind() == Value::Kind::list && !value.items().empty());
  }
  static Row row(Value whole) { return whole.is_nil() ? Row() : whole.items(); }
  static Row piece(const Value& appended) { return {&appended, 1}; }
};

template <class Kind>
class RevealedStates final : public StateSpace {
 public:
  using Row = typename Kind::Row;

  explicit RevealedStates(const std::vector<Value>& answers) {
    for (const Value answer : answers) {
      if (Kind::row(answer).size() > longest_.size()) longest_ = Kind::row(answer);
    }
    for (const Value answer : answers) {
      const Row row = Kind::row(answer);
      if (is_at(0, row)) lengths_[answer] = static_cast<StateId>(row.size());
    }
  }

  StateId initial() override { return 0; }

  void step(StateId length, const Call& call, std::vector<StateId>& next) override {
    if (call.method == append_method) {
      append(length, Kind::piece(call.arguments[0]), next);
    } else if (call.pending || call.result.is_none()) {
      next.push_back(length);
    } else if (const auto found = lengths_.find(call.result); found != lengths_.end() && found->second == length) {
      next.push_back(length);
    }
  }

  std::size_t bytes() const override { return lengths_.capacity() * 17; }

 private:
  StateId beyond() const { return static_cast<StateId>(longest_.size()) + 1; }
  bool is_at(std::size_t place, Row row) const {
    return row.size() <= longest_.size() - place &&
           std::equal(row.begin(), row.end(), longest_.begin() + static_cast<std::ptrdiff_t>(place));
  }

  void append(StateId length, Row piece, std::vector<StateId>& next) const {
    if (length == beyond()) {
      next.push_back(length);
    } else if (is_at(length, piece)) {
      next.push_back(length + static_cast<StateId>(piece.size()));
    } else if (const std::size_t left = longest_.size() - length; left < piece.size()) {
      if (std::equal(longest_.end() - static_cast<std::ptrdiff_t>(left), longest_.end(), piece.begin()))
        next.push_back(beyond());
    }
  }

  Row longest_;
  absl::flat_hash_map<Value, StateId> lengths_;  ///< of answers that the longest one begins with
};

}  // namespace

std::unique_ptr<StateSpace> revealed_states(const Binding& binding, std::span<const OperationId> ids) {
  std::vector<Value> answers;
  bool texts = true, lists = true;
  for (const OperationId id : ids) {
    const Operation& operation = binding.history()[id];
    const MethodIndex method = binding.method(operation);
    if (method == append_method) {
      texts = texts && Texts::is_piece(binding.arguments(operation)[0]);
      lists = lists && Lists::is_piece(binding.arguments(operation)[0]);
    } else if (method != get_method) {
      return nullptr;
    } else if (!operation.is_pending() && !operation.result.is_none()) {
      answers.push_back(operation.result);
      texts = texts && Texts::is_whole(operation.result);
      lists = lists && Lists::is_whole(operation.result);
    }
  }
  if (texts) return std::make_unique<RevealedStates<Texts>>(answers);
  if (lists) return std::make_unique<RevealedStates<Lists>>(answers);
  return nullptr;
}

}  // namespace muster
