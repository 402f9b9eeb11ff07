#pragma once
// Writes calls down in each form that `muster check` reads, as docs/reference/formats.md tells it.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "support/logged_calls.hpp"

namespace muster::test {

enum class Form { edn, jepsen_log, json_events, json_intervals, text, calls, intervals, processes };

inline constexpr std::array all_forms{Form::edn,  Form::jepsen_log, Form::json_events, Form::json_intervals,
                                      Form::text, Form::calls,      Form::intervals,   Form::processes};

inline bool is_jepsen(Form form) { return form == Form::edn || form == Form::jepsen_log; }
inline bool is_of_intervals(Form form) {
  return form == Form::json_intervals || form == Form::intervals || form == Form::processes;
}
inline bool tells_failures(Form form) { return is_jepsen(form) || form == Form::json_events; }
/// Keys that stand beside arguments: of any object.
inline bool has_keys(Form form) { return tells_failures(form) || form == Form::json_intervals; }
inline Touching touching_in(Form form) {
  return form == Form::intervals || form == Form::processes ? Touching::precede : Touching::overlap;
}
inline bool takes_out(const LoggedCall& call) { return call.name == "deq" || call.name == "pop"; }

class LogWriter {
 public:
  LogWriter(Rng& rng, Form form, bool timed) : rng_(rng), form_(form), timed_(timed) {}

  std::string write(const LoggedCalls& calls) {
    if (is_of_intervals(form_)) {
      for (const LoggedCall& call : calls) out_ += interval(call) + "\n";
      return out_;
    }
    struct Event {
      std::int64_t time;
      bool is_return;
      const LoggedCall* call;
    };
    std::vector<Event> events;
    for (const LoggedCall& call : calls) {
      events.push_back({call.start, false, &call});
      if (!call.pending || rng_.chance(1, 2)) events.push_back({call.end, true, &call});
    }
    std::ranges::stable_sort(events, {}, [](const Event& event) { return std::pair(event.time, event.is_return); });
    for (const auto& [time, is_return, call] : events) out_ += is_return ? returned(*call) : called(*call);
    return out_;
  }

 private:
  static std::string json(Value value) {
    if (value.is_nil()) return "null";
    if (value.kind() == Value::Kind::symbol) return fmt::format("\"{}\"", value.letters());
    if (value.kind() != Value::Kind::list) return to_string(value);
    std::string out;
    for (const Value item : value.items()) out += (out.empty() ? "" : ",") + json(item);
    return "[" + out + "]";
  }

  /// Without blanks.
  static std::string dense(Value value) {
    std::string out = to_string(value);
    std::ranges::replace(out, ' ', ',');
    return out;
  }

  /// The key of a store comes first.
  static std::vector<Value> row(const LoggedCall& call) {
    std::vector<Value> values = call.arguments;
    if (!call.key.is_none()) values.insert(values.begin(), call.key);
    return values;
  }

  std::string joined(const std::vector<Value>& values, std::string_view separator) const {
    std::string out;
    for (const Value value : values) out += (out.empty() ? "" : std::string(separator)) + dense(value);
    return out;
  }

  /// What one Jepsen value says of an invocation or, with an answer, of a completion.
  static std::string jepsen_value(const LoggedCall& call, Value answer) {
    const Value value = !answer.is_none()            ? answer
                        : call.arguments.size() == 2 ? Value::list(call.arguments)
                        : call.arguments.size() == 1 ? call.arguments[0]
                                                     : Value::nil();
    return to_string(call.key.is_none() ? value : Value::list({call.key, value}));
  }

  std::string jepsen(const LoggedCall& call, std::string_view type, const std::string& value, std::int64_t time) const {
    if (form_ == Form::jepsen_log)
      return fmt::format("INFO  jepsen.util - {}\t:{}\t:{}\t{}\n", call.process, type, call.name, value);
    return fmt::format("{{:process {}, :type :{}, :f :{}, :value {}{}}}\n", call.process, type, call.name, value,
                       timed_ ? fmt::format(", :time {}", time) : "");
  }

  std::string called(const LoggedCall& call) const {
    switch (form_) {
      case Form::json_events:
        return fmt::format("{{\"process\":{},\"event\":\"call\",{}{}}}\n", call.process, json_call(call),
                           json_time(call.start));
      case Form::text:
        return fmt::format("{}: {}({})\n", call.process, call.name, joined(row(call), ", "));
      case Form::calls:
        return fmt::format("[{}] call {}({})\n", call.process, call.name, joined(row(call), ", "));
      default:
        return jepsen(call, "invoke", jepsen_value(call, {}), call.start);
    }
  }

  std::string returned(const LoggedCall& call) {
    if (is_jepsen(form_)) return completed(call);
    if (form_ == Form::json_events) {
      const char* const event = call.pending ? "info" : call.failed ? "fail" : "return";
      return fmt::format("{{\"process\":{},\"event\":\"{}\"{}{}}}\n", call.process, event, json_result(call),
                         json_time(call.end));
    }
    if (call.pending) return "";
    const std::string answer = call.result.is_none() ? "" : dense(call.result);
    if (form_ == Form::text) {
      const bool unrecorded = answer.empty() && rng_.chance(1, 3);
      return fmt::format("{}: -> {}\n", call.process, unrecorded ? "?" : answer.empty() ? "ok" : answer);
    }
    const bool is_empty = takes_out(call) && call.result.is_nil();
    const char* const nothing = rng_.chance(1, 2) ? "" : " empty";
    return fmt::format("[{}] return{}\n", call.process, is_empty ? nothing : answer.empty() ? "" : " " + answer);
  }

  std::string completed(const LoggedCall& call) {
    const bool compared_in_vain = call.name == "cas" && call.result.is_false();
    const char* const type = call.pending ? "info" : call.failed || compared_in_vain ? "fail" : "ok";
    const bool has_answer = !call.result.is_none() && call.name != "cas";
    // What gives nothing back repeats what was asked, or nothing at all.
    const bool repeats = call.name != "txn" && rng_.chance(1, 2);
    return jepsen(call, type,
                  jepsen_value(call, has_answer ? call.result
                                     : repeats  ? Value()
                                                : Value::nil()),
                  call.end);
  }

  std::string interval(const LoggedCall& call) const {
    const std::string end = call.pending ? "-" : fmt::format("{}", call.end);
    if (form_ == Form::json_intervals) {
      return fmt::format("{{\"process\":{},{}{},\"start\":{}{}}}", call.process, json_call(call), json_result(call),
                         call.start, call.pending ? "" : ",\"end\":" + end);
    }
    std::vector<Value> values = row(call);
    if (!call.result.is_none())
      values.push_back(takes_out(call) && call.result.is_nil() ? Value::integer(-1) : call.result);
    const std::string words = values.empty() ? "" : " " + joined(values, " ");
    if (form_ == Form::intervals) return fmt::format("{}{} {} {}", call.name, words, call.start, end);
    return fmt::format("{} {} {} {}{}", call.process, call.start, end, call.name, words);
  }

  static std::string json_call(const LoggedCall& call) {
    return fmt::format("\"op\":\"{}\"{},\"args\":{}", call.name, call.key.is_none() ? "" : ",\"key\":" + json(call.key),
                       json(Value::list(call.arguments)));
  }
  static std::string json_result(const LoggedCall& call) {
    return call.result.is_none() || call.pending ? "" : ",\"result\":" + json(call.result);
  }
  std::string json_time(std::int64_t time) const { return timed_ ? fmt::format(",\"time\":{}", time) : ""; }

  Rng& rng_;
  Form form_;
  bool timed_;
  std::string out_;
};

}  // namespace muster::test
