// Jepsen histories as EDN and as log lines. The order of entries is the order of events. `:info` and missing
// completions are pending. A failed operation did not happen (EDN), or, in log lines, a failed compare-and-set saw
// another value. Entries of processes that are not numbers (`:nemesis`) are ignored. Registers hold nil at first.

#include <algorithm>
#include <array>

#include "history/edn.hpp"
#include "history/jepsen_line.hpp"
#include "history/literal.hpp"
#include "history/reader.hpp"

namespace muster {
namespace {

/// Operations that take nothing and give the value: what their invocation carries is no argument.
bool only_reads(std::string_view name) {
  constexpr std::array names{"read", "get", "r", "dequeue", "deq", "pop", "poll", "peek", "take", "drain"};
  return std::ranges::find(names, name) != names.end();
}
bool compares(std::string_view name) { return name == "cas" || name == "compare-and-set" || name == "compare_and_set"; }

/// Operations that give nothing back: their completion repeats what they were asked to write or put in.
bool only_writes(std::string_view name) {
  constexpr std::array names{"write", "w", "enqueue", "enq", "push"};
  return std::ranges::find(names, name) != names.end();
}

/// A completion may also say whether it worked, or how it went (`:ok`, `:timeout`).
bool is_another_value(Value answered, Value asked) {
  const bool is_word = answered.kind() == Value::Kind::boolean || answered.kind() == Value::Kind::symbol;
  return !answered.is_none() && !answered.is_nil() && !is_word && answered != asked;
}

bool is_pair(Value value) { return value.kind() == Value::Kind::list && value.items().size() == 2; }

bool is_transaction(std::string_view name) { return name == "txn" || name == "transaction"; }

/// `[:w :x 1]`, with whatever name.
bool is_micro_operation(Value value) {
  if (value.kind() != Value::Kind::list || value.items().empty()) return false;
  const Value::Kind first = value.items()[0].kind();
  return first == Value::Kind::symbol || first == Value::Kind::text;
}

/// Whether an operation of this name may mean a key and a value by it: two micro-operations are a whole transaction.
bool may_carry_key(std::string_view name, Value value) {
  return is_pair(value) && !(is_transaction(name) && std::ranges::all_of(value.items(), is_micro_operation));
}

/// Entries of a history, in whatever notation, into operations.
class JepsenEntries {
 public:
  struct Entry {
    Value process;
    std::string_view type;  ///< with its colon
    std::string_view name;  ///< without
    Value value = Value::nil();
    Value key;
    std::optional<std::int64_t> time;
    std::uint32_t line = 0;
  };

  explicit JepsenEntries(HistoryBuilder& build, std::string file, Failed failed, std::optional<bool> keys_in_values)
      : build_(build), file_(std::move(file)), failed_(failed), keys_in_values_(keys_in_values) {
    build_.source().initial = Value::nil();
  }

  void add(const Entry& entry, MethodId method) {
    if (!entry.process.is_integer()) {
      ++build_.source().ignored;
      return;
    }
    const ProcessId process = build_.process(entry.process);
    if (entry.type == ":invoke") {
      invoke(entry, process, method);
    } else {
      complete(entry, process, method);
    }
  }

  /// Gives arguments and results their meaning, once it is known whether values carry keys.
  void finish() {
    std::ranges::sort(observed_);
    const bool keyed = keys_in_values_.value_or(all_pairs_ && some_key_);
    for (OperationId id = 0; id < build_.size(); ++id) interpret(id, keyed);
  }

 private:
  void invoke(const Entry& entry, ProcessId process, MethodId method) {
    if (open_.has(process)) {
      fail("{}:{}: process {} invokes again before its last operation completed", file_, entry.line,
           to_string(entry.process));
    }
    const OperationId id = build_.call(process, method, {entry.value}, entry.line);
    if (!entry.key.is_none()) build_.set_key(id, entry.key);
    if (entry.time) build_.at_call(id, *entry.time);
    open_.put(process, id);
    note_shape(entry, build_.method_name(method));
  }

  void complete(const Entry& entry, ProcessId process, MethodId method) {
    const auto id = open_.take(process);
    if (!id) {
      if (entry.type != ":info")
        fail("{}:{}: {} of process {}, which has invoked nothing", file_, entry.line, entry.type,
             to_string(entry.process));
      ++build_.source().ignored;
      return;
    }
    if (entry.type == ":info") {
      ++build_.source().unknown;
      return;
    }
    if (const Operation& invoked = build_.operation(*id); invoked.method != method) {
      fail("{}:{}: {} of `{}`, but process {} has invoked `{}` in line {}", file_, entry.line, entry.type, entry.name,
           to_string(entry.process), build_.method_name(invoked.method), invoked.line);
    }
    if (entry.type == ":ok") {
      build_.returned(*id, entry.value);
    } else if (failed_ == Failed::observed && compares(build_.method_name(build_.operation(*id).method))) {
      build_.returned(*id, Value::boolean(false));
      observed_.push_back(*id);
    } else {
      build_.drop(*id);
      return;
    }
    if (entry.time) build_.at_return(*id, *entry.time);
  }

  /// Values of `independent` are pairs [k v]: so is every value then, and a read's, a write's or a nested
  /// compare-and-set shows it.
  void note_shape(const Entry& entry, std::string_view name) {
    const bool pair = may_carry_key(name, entry.value);
    all_pairs_ &= pair && entry.key.is_none();
    some_key_ |= pair && (!compares(name) || is_pair(entry.value.items()[1]));
  }

  void interpret(OperationId id, bool keyed) {
    const Operation operation = build_.operation(id);
    const std::string name(build_.method_name(operation.method));
    Value asked = build_.arguments(id)[0], answered = operation.result;
    const bool is_observed = std::ranges::binary_search(observed_, id);
    if (keyed) {
      if (!may_carry_key(name, asked))
        fail("{}:{}: the value {} is not a pair [key value]", file_, operation.line, to_string(asked));
      build_.set_key(id, asked.items()[0]);
      asked = asked.items()[1];
      if (may_carry_key(name, answered)) answered = answered.items()[1];
    }
    if (only_reads(name)) {
      build_.set_arguments(id, {});
      build_.set_result(id, answered);
    } else if (compares(name) && is_pair(asked)) {
      build_.set_arguments(id, asked.items());
      build_.set_result(id, operation.is_pending() ? Value()
                            : is_observed          ? Value::boolean(false)
                                                   : Value::boolean(true));
    } else {
      if (asked.is_nil()) {
        build_.set_arguments(id, {});
      } else if (is_transaction(name)) {
        // One that repeats what was asked has read nil: that is an answer.
        build_.set_arguments(id, std::span(&asked, 1));
        if (answered.is_nil()) answered = Value();
      } else {
        build_.set_arguments(id, std::span(&asked, 1));
        // A completion that repeats what was asked says nothing more.
        if (answered == asked) answered = Value();
        if (only_writes(name) && is_another_value(answered, asked))
          fail("{}:{}: {} of {} completes with another value, {}", file_, operation.line, name, to_string(asked),
               to_string(answered));
      }
      build_.set_result(id, answered);
    }
  }

  HistoryBuilder& build_;
  std::string file_;
  Failed failed_;
  std::optional<bool> keys_in_values_;
  OpenCalls open_;
  std::vector<OperationId> observed_;  ///< failed compare-and-sets that count
  bool all_pairs_ = true;
  bool some_key_ = false;
};

class EdnHistory final : public Reader {
 public:
  EdnHistory(std::string name, const ReadOptions& options)
      : Reader(std::move(name), options),
        entries_(build_, name_, options.failed.value_or(Failed::removed), options.keys_in_values) {
    build_.source().format = "edn";
    for (const std::string_view field : {"process", "type", "f", "value", "key", "time"}) {
      fields_.push_back(fmt::format(":{}", options.names.field(field)));
    }
  }

  void feed(std::string_view piece) override {
    rest_ += piece;
    if (rest_.size() > longest_form) complain(line_, "a form longer than 64 MB");
    consume(false);
  }

  History finish() override {
    rest_ += '\n';  // ends a last word
    consume(true);
    if (!rest_.empty()) complain(line_, "the file ends inside a form");
    if (wrapped_in_) complain(line_, "the file ends before the closing `{}`", wrapped_in_ == '[' ? ']' : ')');
    entries_.finish();
    return finish_with(Ties::overlap);
  }

 private:
  static constexpr std::size_t longest_form = std::size_t{64} << 20;

  /// Takes all whole entries off the front of rest_.
  void consume(bool last) {
    EdnCursor cursor(rest_, line_);
    std::size_t done = 0;
    std::uint32_t done_line = line_;
    try {
      while (cursor.skip_blanks()) {
        done = cursor.at();
        done_line = cursor.line();
        if (!outer_bracket(cursor)) entry(cursor);
        done = cursor.at();
        done_line = cursor.line();
      }
      done = cursor.at();
      done_line = cursor.line();
    } catch (const EdnCursor::Incomplete&) {
      if (last) complain(done_line, "the file ends inside a form that begins here");
    } catch (const EdnCursor::Malformed& what) {
      complain(cursor.line(), "{}", what.what());
    }
    line_ = done_line;
    rest_.erase(0, done);
  }

  /// The vector or list around a whole history.
  bool outer_bracket(EdnCursor& cursor) {
    const char c = cursor.look();
    if ((c == '[' || c == '(') && !wrapped_in_) {
      wrapped_in_ = c;
    } else if ((c == ']' && wrapped_in_ == '[') || (c == ')' && wrapped_in_ == '(')) {
      wrapped_in_ = 0;
    } else {
      return false;
    }
    cursor.skip_character();
    return true;
  }

  void entry(EdnCursor& cursor) {
    JepsenEntries::Entry entry;
    if (cursor.look() == '#') cursor.word();  // a record's tag
    if (cursor.look() != '{')
      throw EdnCursor::Malformed(
          fmt::format("expected a map `{{:process …, :type …, :f …}}`, found `{}`", cursor.look()));
    entry.line = cursor.line();
    cursor.skip_character();
    unsigned seen = 0;
    while (cursor.look() != '}') {
      if (cursor.look() != ':') {
        cursor.skip_value();
        cursor.skip_value();
        continue;
      }
      const std::string_view name = cursor.word();
      const auto known = static_cast<std::size_t>(std::ranges::find(fields_, name) - fields_.begin());
      if (known < fields_.size() && (seen & 1u << known))
        throw EdnCursor::Malformed(fmt::format("{} is there twice", name));
      seen |= 1u << known;
      field(cursor, name, entry);
    }
    cursor.skip_character();
    if (entry.type.empty() || entry.name.empty()) throw EdnCursor::Malformed("an entry lacks :type or :f");
    if (entry.process.is_none()) throw EdnCursor::Malformed("an entry lacks :process");
    entries_.add(entry, method(entry.name));
  }

  void field(EdnCursor& cursor, std::string_view name, JepsenEntries::Entry& entry) {
    if (name == fields_[0]) {
      entry.process = cursor.value();
    } else if (name == fields_[1]) {
      entry.type = cursor.word();
      const bool known =
          entry.type == ":invoke" || entry.type == ":ok" || entry.type == ":fail" || entry.type == ":info";
      if (!known) throw EdnCursor::Malformed(fmt::format(":type is :invoke, :ok, :fail or :info, not {}", entry.type));
    } else if (name == fields_[2]) {
      if (cursor.look() == '"') {
        entry.name = cursor.value().letters();
      } else {
        entry.name = cursor.word();
        if (entry.name.starts_with(':')) entry.name.remove_prefix(1);
      }
    } else if (name == fields_[3]) {
      entry.value = cursor.value();
    } else if (name == fields_[4]) {
      entry.key = cursor.value();
    } else if (name == fields_[5]) {
      const Value time = cursor.value();
      if (time.is_integer()) entry.time = time.as_integer();
    } else {
      cursor.skip_value();
    }
  }

  JepsenEntries entries_;
  std::vector<std::string> fields_;
  std::string rest_;
  char wrapped_in_ = 0;  ///< the bracket around the whole history, once open
  std::uint32_t line_ = 1;
};

/// Lines that hold an entry; others are noise.
class LogLines final : public LineReader {
 public:
  LogLines(std::string name, const ReadOptions& options)
      : LineReader(std::move(name), options),
        entries_(build_, name_, options.failed.value_or(Failed::observed), options.keys_in_values) {
    build_.source().format = "jepsen-log";
  }

  History finish() override {
    entries_.finish();
    return finish_with(Ties::overlap);
  }

 protected:
  void line(std::string_view text) override {
    const auto found = find_jepsen_line(text);
    if (!found) return;
    JepsenEntries::Entry entry;
    entry.type = found->type;
    entry.process = parse_literal(found->process);
    entry.name = found->name;
    entry.line = number_;
    const std::string value = fmt::format("{}\n", found->value);
    if (entry.type != ":info" && !trim(value).empty()) {
      EdnCursor cursor(value, number_);
      try {
        entry.value = cursor.value();
      } catch (const EdnCursor::Incomplete&) {
        complain(number_, "the value is cut short");
      } catch (const EdnCursor::Malformed& what) {
        complain(number_, "{}", what.what());
      }
    }
    entries_.add(entry, method(entry.name));
  }

 private:
  JepsenEntries entries_;
};

}  // namespace

std::unique_ptr<Reader> edn_reader(std::string name, const ReadOptions& options) {
  return std::make_unique<EdnHistory>(std::move(name), options);
}

std::unique_ptr<Reader> jepsen_log_reader(std::string name, const ReadOptions& options) {
  return std::make_unique<LogLines>(std::move(name), options);
}

}  // namespace muster
