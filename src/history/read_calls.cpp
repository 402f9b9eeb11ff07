// Calls and returns by process: `# @object atomic-queue`, `[3] call add(1)`, `[3] return`, `[1] call remove`, `[1]
// return empty`, also `[2] call enq 1`. The order of lines is the order of events; calls that do not return are
// pending. LiMo reads `empty` and a missing value as one.

#include "history/literal.hpp"
#include "history/reader.hpp"

namespace muster {
namespace {

class CallLines : public LineReader {
 public:
  CallLines(std::string name, const ReadOptions& options) : LineReader(std::move(name), options) {
    build_.set_positional();
    build_.source().format = "calls";
    build_.source().initial = Value::integer(0);
    build_.source().bare_is_empty = true;
  }

  History finish() override { return finish_with(Ties::overlap); }

 protected:
  void line(std::string_view text) override {
    text = trim(text);
    if (text.empty()) return;
    if (text.front() == '#') {
      comment(trim(text.substr(1)));
      return;
    }
    const std::size_t close = text.find(']');
    if (text.front() != '[' || close == text.npos)
      complain(number_, "expected `[process] call name(values)` or `[process] return value`");
    const ProcessId process = build_.process(parse_literal(text.substr(1, close - 1)));
    text = trim(text.substr(close + 1));
    if (take_word(text, "call")) {
      call(process, text);
    } else if (take_word(text, "return")) {
      ret(process, text);
    } else {
      complain(number_, "expected `call` or `return` after the process");
    }
  }

 private:
  void comment(std::string_view text) {
    if (take_word(text, "@object")) build_.source().object = std::string(text);
  }

  static bool take_word(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word) || (text.size() > word.size() && text[word.size()] != ' ' && text[word.size()] != '\t'))
      return false;
    text = trim(text.substr(word.size()));
    return true;
  }

  void call(ProcessId process, std::string_view text) {
    // A process that calls again has left its last call pending.
    const std::size_t end = std::min(text.find_first_of("( \t"), text.size());
    const std::string_view name = text.substr(0, end);
    if (name.empty()) complain(number_, "the call has no name");
    std::string_view values = trim(text.substr(end));
    if (values.starts_with('(')) {
      if (!values.ends_with(')')) complain(number_, "the values of the call lack their closing bracket");
      values = values.substr(1, values.size() - 2);
    }
    open_.put(process, build_.call(process, method(name), parse_literals(values), number_));
  }

  void ret(ProcessId process, std::string_view text) {
    const auto id = open_.take(process);
    if (!id) complain(number_, "process {} returns, but has called nothing", to_string(process_name(process)));
    build_.returned(*id, text.empty() ? Value() : parse_literal(text));
  }

  Value process_name(ProcessId process) const { return build_.process_name(process); }

  OpenCalls open_;
};

class TextLines : public LineReader {
 public:
  TextLines(std::string name, const ReadOptions& options) : LineReader(std::move(name), options) {
    build_.source().format = "text";
    build_.source().initial = Value::integer(0);
  }

  History finish() override { return finish_with(Ties::overlap); }

 protected:
  void line(std::string_view text) override {
    text = trim(text.substr(0, text.find("//")));
    if (text.empty()) return;
    if (text.front() == '#') {
      if (build_.source().object.empty()) build_.source().object = std::string(trim(text.substr(1)));
      return;
    }
    const std::size_t colon = text.find(':');
    if (colon == text.npos || colon == 0) complain(number_, "expected `process: operation(arguments) -> result`");
    const ProcessId process = build_.process(parse_literal(trim(text.substr(0, colon))));
    text = trim(text.substr(colon + 1));
    const std::size_t arrow = find_arrow(text);
    const std::string_view call = trim(text.substr(0, arrow));
    if (!call.empty()) take_call(process, call);
    if (arrow != text.npos) take_return(process, trim(text.substr(arrow + 2)));
  }

 private:
  /// The arrow after the arguments, not one inside quotes.
  static std::size_t find_arrow(std::string_view text) {
    bool quoted = false;
    for (std::size_t at = 0; at + 1 < text.size(); ++at) {
      if (text[at] == '"') quoted = !quoted;
      if (!quoted && text[at] == '-' && text[at + 1] == '>') return at;
    }
    return text.npos;
  }

  void take_call(ProcessId process, std::string_view call) {
    const std::size_t open = call.find('(');
    if (open == call.npos || call.back() != ')') complain(number_, "expected `operation(arguments)`");
    if (open_.has(process)) complain(number_, "a call by a process whose last call has not returned");
    const std::vector<Value> arguments = parse_literals(call.substr(open + 1, call.size() - open - 2));
    open_.put(process, build_.call(process, method(trim(call.substr(0, open))), arguments, number_));
  }

  void take_return(ProcessId process, std::string_view result) {
    const auto id = open_.take(process);
    if (!id) complain(number_, "a return by a process that has called nothing");
    const bool is_answer = !result.empty() && result != "ok" && result != "?";
    build_.returned(*id, is_answer ? parse_literal(result) : Value());
  }

  OpenCalls open_;
};

}  // namespace

std::unique_ptr<Reader> calls_reader(std::string name, const ReadOptions& options) {
  return std::make_unique<CallLines>(std::move(name), options);
}

std::unique_ptr<Reader> text_reader(std::string name, const ReadOptions& options) {
  return std::make_unique<TextLines>(std::move(name), options);
}

}  // namespace muster
