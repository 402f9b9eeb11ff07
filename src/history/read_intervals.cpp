// The one-line interval forms: `push 1 10 20` (method, values, start, end) and `0 10 20 PUSH 1` (process, start, end,
// method, values). A first line `# stack` names the object. Intervals that touch are ordered. -1 as an answer means
// "there was nothing"; priority queues give the largest first. An operation that never returned ends in `-` or `?`
// instead of a time.

#include <array>
#include <charconv>

#include "history/literal.hpp"
#include "history/reader.hpp"

namespace muster {
namespace {

/// Words of a line, without copying; at most as many as an operation may have arguments, and a few.
class Words {
 public:
  void split(std::string_view line) {
    count_ = 0;
    const char* at = line.data();
    const char* const end = at + line.size();
    for (;;) {
      while (at < end && (*at == ' ' || *at == '\t')) ++at;
      if (at == end || count_ == words_.size()) break;
      const char* const start = at;
      while (at < end && *at != ' ' && *at != '\t') ++at;
      words_[count_++] = {start, static_cast<std::size_t>(at - start)};
    }
    overflowed_ = at != end;
  }
  std::size_t size() const { return count_; }
  bool overflowed() const { return overflowed_; }
  std::string_view operator[](std::size_t at) const { return words_[at]; }

 private:
  std::array<std::string_view, 260> words_;
  std::size_t count_ = 0;
  bool overflowed_ = false;
};

bool parse_integer(std::string_view word, std::int64_t& out) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out);
  return error == std::errc() && end == word.data() + word.size();
}

Value parse_value(std::string_view word) {
  std::int64_t number = 0;
  return parse_integer(word, number) ? Value::integer(number) : parse_literal(word);
}

class IntervalLines : public LineReader {
 public:
  IntervalLines(std::string name, const ReadOptions& options, bool with_process)
      : LineReader(std::move(name), options), with_process_(with_process) {
    build_.set_positional();
    build_.source().format = with_process ? "processes" : "intervals";
    build_.source().largest_first = true;
    build_.source().initial = Value::integer(0);
    // One process for all where the format names none.
    if (!with_process_) process_ = build_.process(Value());
  }

  History finish() override { return finish_with(Ties::precede); }

 protected:
  void line(std::string_view text) override {
    if (text.empty()) return;
    if (text.front() == '#') {
      if (build_.source().object.empty()) build_.source().object = std::string(trim(text.substr(1)));
      return;
    }
    words_.split(text);
    if (words_.size() == 0) return;
    if (words_.overflowed()) complain(number_, "too many values on one line");
    with_process_ ? process_line() : plain_line();
  }

 private:
  std::int64_t time(std::string_view word, bool may_be_pending) const {
    std::int64_t time = 0;
    if (parse_integer(word, time) && time != HistoryBuilder::still_pending) return time;
    if (may_be_pending && (word == "-" || word == "?" || word == "inf")) return HistoryBuilder::still_pending;
    complain(number_, "`{}` is not a time; an integer is expected here", word);
  }

  void plain_line() {
    if (words_.size() < 3) complain(number_, "expected `method values start end`, got {} words", words_.size());
    values_.clear();
    for (std::size_t at = 1; at + 2 < words_.size(); ++at) values_.push_back(parse_value(words_[at]));
    add(words_[0], time(words_[words_.size() - 2], false), time(words_[words_.size() - 1], true));
  }

  void process_line() {
    if (words_.size() < 4) complain(number_, "expected `process start end method values`, got {} words", words_.size());
    process_ = build_.process(parse_value(words_[0]));
    values_.clear();
    for (std::size_t at = 4; at < words_.size(); ++at) values_.push_back(parse_value(words_[at]));
    add(words_[3], time(words_[1], false), time(words_[2], true));
  }

  void add(std::string_view name, std::int64_t start, std::int64_t end) {
    if (end < start) complain(number_, "the operation ends at {} before it starts at {}", end, start);
    build_.interval(process_, method(name), values_, Value(), start, end, number_);
  }

  bool with_process_;
  ProcessId process_ = 0;
  Words words_;
  std::vector<Value> values_;
};

}  // namespace

std::unique_ptr<Reader> intervals_reader(std::string name, const ReadOptions& options) {
  return std::make_unique<IntervalLines>(std::move(name), options, false);
}

std::unique_ptr<Reader> processes_reader(std::string name, const ReadOptions& options) {
  return std::make_unique<IntervalLines>(std::move(name), options, true);
}

}  // namespace muster
