#pragma once
// Serial objects for logged_calls.hpp, written from what docs/reference/specs.md says, without a look at src/spec.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "support/logged_calls.hpp"

namespace muster::test {

inline Value small(Rng& rng, std::uint64_t bound) {
  return Value::integer(static_cast<std::int64_t>(rng.below(bound)));
}

struct PlainModel {
  /// Nothing recorded fits everything, and so does what gives nothing back.
  static bool fits(Value answer, const LoggedCall& call) {
    return call.pending || call.result.is_none() || answer.is_none() || answer == call.result;
  }
};

/// Transactions of up to three reads and writes of two registers; alone, too, where the form of the log can say that.
struct TransactionModel : PlainModel {
  std::map<std::string, Value> held;
  Value initial = Value::integer(0);

  Value& at(Value name) { return held.try_emplace(std::string(name.letters()), initial).first->second; }

  LoggedCall draw(Rng& rng) const {
    std::vector<Value> steps;
    for (std::uint64_t left = 1 + rng.below(3); left > 0; --left) {
      const bool writes = rng.chance(1, 2);
      const Value name = Value::symbol(rng.chance(1, 2) ? ":x" : ":y");
      const Value word = Value::symbol(writes             ? (rng.chance(1, 2) ? ":w" : ":write")
                                       : rng.chance(1, 2) ? ":r"
                                                          : ":read");
      steps.push_back(Value::list({word, name, writes ? small(rng, 3) : Value::nil()}));
    }
    return {.name = "txn", .arguments = {Value::list(steps)}};
  }

  std::optional<Value> perform(const LoggedCall& call) {
    std::vector<Value> done;
    for (const Value step : call.arguments[0].items()) {
      Value& value = at(step.items()[1]);
      if (step.items()[0].letters().starts_with(":w")) value = step.items()[2];
      done.push_back(Value::list({step.items()[0], step.items()[1], value}));
    }
    return Value::list(done);
  }

  /// Another value in one of the reads, if there is one.
  Value wrong_answer(Rng& rng, const LoggedCall& call) const {
    std::vector<Value> steps(call.result.items().begin(), call.result.items().end());
    Value& step = steps[rng.below(steps.size())];
    const auto parts = step.items();
    const Value other = rng.chance(1, 3) ? initial : small(rng, 3);
    if (parts[0].letters().starts_with(":r")) step = Value::list({parts[0], parts[1], other});
    return Value::list(steps);
  }
};

/// A key of a store: text that is put, appended to, compared and deleted.
struct TextModel : PlainModel {
  std::optional<std::string> text;

  static Value word(Rng& rng) { return Value::text(rng.chance(1, 2) ? "a" : "b"); }
  Value content() const { return text ? Value::text(*text) : Value::nil(); }

  LoggedCall draw(Rng& rng) const {
    switch (rng.below(7)) {
      case 0:
        return {.name = "put", .arguments = {word(rng)}};
      case 1:
        return {.name = "delete", .arguments = {}};
      case 2:
        return {.name = "cas", .arguments = {rng.chance(1, 4) ? Value::nil() : word(rng), word(rng)}};
      case 3:
      case 4:
        return {.name = "append", .arguments = {word(rng)}};
      default:
        return {.name = "get", .arguments = {}};
    }
  }

  std::optional<Value> perform(const LoggedCall& call) {
    if (call.name == "get") return content();
    if (call.name == "delete") text.reset();
    if (call.name == "put") text = std::string(call.arguments[0].letters());
    if (call.name == "append") text = text.value_or("") + std::string(call.arguments[0].letters());
    if (call.name != "cas") return Value();
    const bool equal = content() == call.arguments[0];
    if (equal) text = std::string(call.arguments[1].letters());
    return Value::boolean(equal);
  }

  static bool fits(Value answer, const LoggedCall& call) {
    return PlainModel::fits(answer, call) || (answer.is_nil() && call.result == Value::text(""));
  }

  Value wrong_answer(Rng& rng, const LoggedCall& call) const {
    if (call.name == "cas") return Value::boolean(rng.chance(1, 2));
    const char* const words[] = {"", "a", "b", "ab", "ba", "aa", "abb"};
    return rng.chance(1, 6) ? Value::nil() : Value::text(words[rng.below(std::size(words))]);
  }
};

/// A key of a store: a list that grows.
struct ListModel : PlainModel {
  std::vector<Value> items;

  Value content() const { return items.empty() ? Value::nil() : Value::list(items); }

  LoggedCall draw(Rng& rng) const {
    if (rng.chance(1, 2)) return {.name = "get", .arguments = {}};
    return {.name = "append", .arguments = {small(rng, 3)}};
  }

  std::optional<Value> perform(const LoggedCall& call) {
    if (call.name == "get") return content();
    items.push_back(call.arguments[0]);
    return Value();
  }

  Value wrong_answer(Rng& rng, const LoggedCall& call) const {
    if (!call.result.is_nil() && rng.chance(1, 2)) return Value::list(call.result.items().subspan(1));
    return Value::list({small(rng, 3), small(rng, 3)});
  }
};

/// A lock for one writer or many readers; `exclusive_only`: a mutex.
struct LockModel : PlainModel {
  bool exclusive_only = true;
  int readers = 0;
  bool writer = false;

  LoggedCall draw(Rng& rng) const {
    const char* const mutex[] = {"lock", "unlock", "unlock", "try_lock"};
    const char* const shared[] = {"write_lock", "write_unlock", "try_write_lock",
                                  "read_lock",  "read_unlock",  "try_read_lock"};
    return {.name = exclusive_only ? mutex[rng.below(std::size(mutex))] : shared[rng.below(std::size(shared))],
            .arguments = {}};
  }

  std::optional<Value> perform(const LoggedCall& call) {
    const bool reads = call.name.find("read") != std::string::npos, tries = call.name.starts_with("try");
    if (call.name.find("unlock") != std::string::npos) {
      if (reads ? readers == 0 : !writer) return std::nullopt;
      reads ? void(--readers) : void(writer = false);
      return Value();
    }
    const bool is_free = !writer && (reads || readers == 0);
    if (is_free) reads ? void(++readers) : void(writer = true);
    if (tries) return Value::boolean(is_free);
    return is_free ? std::optional(Value()) : std::nullopt;
  }

  Value wrong_answer(Rng& rng, const LoggedCall&) const { return Value::boolean(rng.chance(1, 2)); }
};

/// Permits, taken and given back several at a time.
struct SemaphoreModel : PlainModel {
  std::int64_t permits = 0;

  static std::int64_t amount_of(const LoggedCall& call) {
    return call.arguments.empty() ? 1 : call.arguments[0].as_integer();
  }

  LoggedCall draw(Rng& rng) const {
    const char* const names[] = {"acquire", "release", "release", "try_acquire"};
    LoggedCall call{.name = names[rng.below(std::size(names))], .arguments = {}};
    if (call.name != "try_acquire" && rng.chance(1, 2)) call.arguments.push_back(small(rng, 4));
    return call;
  }

  std::optional<Value> perform(const LoggedCall& call) {
    const std::int64_t amount = amount_of(call);
    if (call.name == "release") {
      permits += amount;
      return Value();
    }
    const bool enough = permits >= amount;
    if (enough) permits -= amount;
    if (call.name == "try_acquire") return Value::boolean(enough);
    return enough ? std::optional(Value()) : std::nullopt;
  }

  Value wrong_answer(Rng& rng, const LoggedCall&) const { return Value::boolean(rng.chance(1, 2)); }
};

/// First in, first out, or last; values repeat.
struct ContainerModel : PlainModel {
  bool is_stack = false;
  std::vector<Value> items;

  LoggedCall draw(Rng& rng) const {
    if (rng.chance(1, 2)) return {.name = is_stack ? "pop" : "deq", .arguments = {}};
    return {.name = is_stack ? "push" : "enq", .arguments = {small(rng, 5)}};
  }

  std::optional<Value> perform(const LoggedCall& call) {
    if (!call.arguments.empty()) {
      items.push_back(call.arguments[0]);
      return Value();
    }
    if (items.empty()) return Value::nil();
    const auto place = is_stack ? items.end() - 1 : items.begin();
    const Value taken = *place;
    items.erase(place);
    return taken;
  }

  Value wrong_answer(Rng& rng, const LoggedCall&) const { return rng.chance(1, 3) ? Value::nil() : small(rng, 5); }
};

}  // namespace muster::test
