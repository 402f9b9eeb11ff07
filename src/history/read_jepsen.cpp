// Jepsen histories as EDN and as log lines. The order of entries is the order of events. `:info` and missing
// completions are pending. A failed operation did not happen (EDN), or, in log lines, a failed compare-and-set saw
// another value. Entries of processes that are not numbers (`:nemesis`) are kept for the timeline. Registers hold nil
// at first.

#include <algorithm>

#include "history/edn.hpp"
#include "history/jepsen_entries.hpp"
#include "history/jepsen_line.hpp"
#include "history/literal.hpp"
#include "history/reader.hpp"

namespace muster {
namespace {

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
    entry.name = entries_.name_of(entry);
    if (entry.type.empty() || entry.name.empty()) throw EdnCursor::Malformed("an entry lacks :type or :f");
    if (entry.process.is_none() && entry.name != "txn") throw EdnCursor::Malformed("an entry lacks :process");
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
