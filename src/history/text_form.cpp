// The small text form of tests and documentation; see parse_history.

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/error.hpp"
#include "history/history.hpp"
#include "history/literal.hpp"

namespace muster {
namespace {

class TextForm {
 public:
  explicit TextForm(std::string name) : name_(name), build_(std::move(name)) {}

  void line(std::string_view text, std::uint32_t number) {
    number_ = number;
    text = trim(text.substr(0, text.find("//")));
    if (text.empty() || text.front() == '#') return;
    const std::size_t colon = text.find(':');
    if (colon == text.npos || colon == 0) complain("expected `process: operation(arguments) -> result`");
    const ProcessId process = build_.process(parse_literal(trim(text.substr(0, colon))));
    text = trim(text.substr(colon + 1));
    const std::size_t arrow = text.find("->");
    const std::string_view call = trim(text.substr(0, arrow));
    if (!call.empty()) take_call(process, call);
    if (arrow != text.npos) take_return(process, trim(text.substr(arrow + 2)));
  }

  History finish() { return build_.finish(); }

 private:
  [[noreturn]] void complain(std::string_view what) const { fail("{}:{}: {}", name_, number_, what); }

  void take_call(ProcessId process, std::string_view call) {
    const std::size_t open = call.find('(');
    if (open == call.npos || call.back() != ')') complain("expected `operation(arguments)`");
    if (open_.contains(process)) complain("a call by a process whose last call has not returned");
    const std::vector<Value> arguments = parse_literals(call.substr(open + 1, call.size() - open - 2));
    open_[process] = build_.call(process, build_.method(trim(call.substr(0, open))), arguments, number_);
  }

  void take_return(ProcessId process, std::string_view result) {
    const auto found = open_.find(process);
    if (found == open_.end()) complain("a return by a process that has called nothing");
    build_.returned(found->second, result.empty() || result == "ok" ? Value() : parse_literal(result));
    open_.erase(found);
  }

  std::string name_;
  HistoryBuilder build_;
  std::unordered_map<ProcessId, OperationId> open_;
  std::uint32_t number_ = 0;
};

}  // namespace

History parse_history(std::string_view text, std::string name) {
  TextForm form(std::move(name));
  std::uint32_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    form.line(text.substr(0, end), ++number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return form.finish();
}

std::string to_text(const History& history) {
  struct Event {
    Position position;
    OperationId id;
    bool is_return;
  };
  std::vector<Event> events;
  for (OperationId id = 0; id < history.size(); ++id) {
    events.push_back({history[id].call, id, false});
    if (!history[id].is_pending()) events.push_back({history[id].ret, id, true});
  }
  std::ranges::sort(events, {}, &Event::position);
  std::string out;
  for (std::size_t at = 0; at < events.size(); ++at) {
    const auto [position, id, is_return] = events[at];
    const std::string whole = to_string(history, id);
    const std::size_t arrow = whole.find(" -> ");
    const bool at_once = !is_return && at + 1 < events.size() && events[at + 1].id == id;
    const std::string part = at_once ? whole : is_return ? whole.substr(arrow + 1) : whole.substr(0, arrow);
    out += fmt::format("{}: {}\n", to_string(history.process_name(history[id].process)), part);
    at += at_once;
  }
  return out;
}

}  // namespace muster
