// JSON Lines: one object a line, events or intervals (docs/reference/formats.md has the fields and a JSON Schema).
// The order of event lines is the order of events. Intervals are ordered by their times; those that touch overlap.

#include <simdjson.h>

#include <unordered_map>

#include "history/input.hpp"
#include "history/json_value.hpp"
#include "history/reader.hpp"

namespace muster {
namespace {

using JsonValue = simdjson::dom::element;

static_assert(input_padding >= simdjson::SIMDJSON_PADDING);

enum Field : std::uint8_t {
  process,
  event,
  op,
  args,
  value,
  result,
  start,
  end,
  time,
  key,
  id,
  object,
  initial,
  largest_first,
  other
};
constexpr std::array field_names{"process", "event", "op",  "args", "value",  "result",  "start",
                                 "end",     "time",  "key", "id",   "object", "initial", "largest_first"};

/// What one line says.
struct Line {
  Value process, key, result, id, initial;
  bool has_result = false, has_start = false, has_end = false, has_time = false, has_object = false;
  bool largest_first = false, has_largest_first = false;
  std::string_view event, op, object;
  std::string_view unknown;  // a field that nobody asks for
  std::int64_t start = 0, end = 0, time = 0;
};

class JsonLines final : public LineReader {
 public:
  JsonLines(std::string name, const ReadOptions& options) : LineReader(std::move(name), options) {
    build_.source().format = "jsonl";
    build_.source().initial = Value::integer(0);
    for (const std::string_view field : field_names) names_.emplace_back(options.names.field(field));
  }

  History finish() override { return finish_with(Ties::overlap); }

 protected:
  void line(std::string_view text) override {
    if (text.find_first_not_of(" \t") == text.npos) return;
    try {
      parse(text);
    } catch (const simdjson::simdjson_error& error) {
      complain(number_, "not the JSON object that is expected here: {}", error.what());
    }
    if (line_.has_object) {
      header();
    } else if (line_.has_start) {
      interval();
    } else {
      take_event();
    }
  }

 private:
  void parse(std::string_view text) {
    line_ = {};
    arguments_.clear();
    const simdjson::dom::object object = parser_.parse(text.data(), text.size(), false).get_object();
    unsigned seen = 0;
    for (const auto [name, json] : object) {
      const Field field = find_field(name);
      const unsigned one = 1u << field;
      if (field == Field::other)
        line_.unknown = name;
      else if (seen & one)
        complain(number_, "\"{}\" is there twice", name);
      seen |= one;
      take_field(field, json);
    }
  }

  Field find_field(std::string_view name) const {
    for (std::size_t at = 0; at < names_.size(); ++at) {
      if (names_[at] == name) return static_cast<Field>(at);
    }
    return Field::other;
  }

  void take_field(Field field, JsonValue json) {
    switch (field) {
      case Field::process:
        line_.process = to_value(json, 0);
        break;
      case Field::event:
        line_.event = json.get_string();
        break;
      case Field::op:
        line_.op = json.get_string();
        break;
      case Field::args:
        for (const JsonValue item : json.get_array()) arguments_.push_back(to_value(item, 0));
        break;
      case Field::value:
        arguments_.push_back(to_value(json, 0));
        break;
      case Field::result:
        line_.result = to_value(json, 0);
        line_.has_result = true;
        break;
      case Field::start:
        line_.start = json.get_int64();
        line_.has_start = true;
        break;
      case Field::end:
        if (json.is_null()) break;
        line_.end = json.get_int64();
        line_.has_end = true;
        break;
      case Field::time:
        line_.time = json.get_int64();
        line_.has_time = true;
        break;
      case Field::key:
        line_.key = to_value(json, 0);
        break;
      case Field::id:
        line_.id = to_value(json, 0);
        break;
      case Field::object:
        line_.object = json.get_string();
        line_.has_object = true;
        break;
      case Field::initial:
        line_.initial = to_value(json, 0);
        break;
      case Field::largest_first:
        line_.largest_first = json.get_bool();
        line_.has_largest_first = true;
        break;
      case Field::other:
        break;
    }
  }

  Value to_value(JsonValue json, unsigned depth) { return json_value(json, name_, number_, depth); }

  void header() {
    if (build_.size() > 0) complain(number_, "the line that names the object comes before all operations");
    if (!build_.source().object.empty()) complain(number_, "the object is named a second time: a file is about one");
    build_.source().object = std::string(line_.object);
    if (!line_.initial.is_none()) build_.source().initial = line_.initial;
    if (line_.has_largest_first) build_.source().largest_first = line_.largest_first;
  }

  void mixing(bool intervals) {
    if (build_.size() > 0 && intervals != intervals_) {
      complain(number_, "a file holds events or intervals (lines with \"start\"), not both");
    }
    intervals_ = intervals;
  }

  void interval() {
    mixing(true);
    if (line_.op.empty()) complain(number_, "an interval without \"op\"");
    if (line_.has_result && !line_.result.is_nil() && !line_.has_end) {
      complain(number_, "a result without \"{}\": an operation that returned has both{}", names_[Field::end],
               line_.unknown.empty() ? "" : fmt::format(" (\"{}\" is no field)", line_.unknown));
    }
    if (line_.has_end && line_.end < line_.start)
      complain(number_, "the operation ends at {} before it starts at {}", line_.end, line_.start);
    const OperationId id = build_.interval(build_.process(line_.process), method(line_.op), arguments_,
                                           line_.has_end ? line_.result : Value(), line_.start,
                                           line_.has_end ? line_.end : HistoryBuilder::still_pending, number_);
    if (!line_.key.is_none()) build_.set_key(id, line_.key);
  }

  ProcessId number_of_id() {
    return ids_.try_emplace(Value::list({line_.process, line_.id}), static_cast<ProcessId>(ids_.size())).first->second;
  }

  void take_event() {
    mixing(false);
    // Calls and returns meet by "id" where a process has several open, else by process.
    const ProcessId process = build_.process(line_.process);
    OpenCalls& open = line_.id.is_none() ? open_ : open_by_id_;
    const ProcessId caller = line_.id.is_none() ? process : number_of_id();
    if (line_.event == "call" || line_.event == "invoke") {
      if (line_.op.empty()) complain(number_, "a call without \"op\"");
      if (open.has(caller)) complain(number_, "process {} calls again before it returned", to_string(line_.process));
      const OperationId id = build_.call(process, method(line_.op), arguments_, number_);
      if (!line_.key.is_none()) build_.set_key(id, line_.key);
      if (line_.has_time) build_.at_call(id, line_.time);
      open.put(caller, id);
      return;
    }
    const bool known = line_.event == "return" || line_.event == "ok" || line_.event == "fail" || line_.event == "info";
    if (!known)
      complain(number_, "\"event\" is call, return, fail or info, not `{}`; an interval has \"start\" instead",
               line_.event);
    const auto id = open.take(caller);
    if (!id) complain(number_, "return of process {}, which has called nothing", to_string(line_.process));
    if (line_.event == "info") {
      ++build_.source().unknown;
    } else if (line_.event == "fail" && options_.failed.value_or(Failed::removed) == Failed::removed) {
      build_.drop(*id);
    } else {
      // On a return line "value" is the result by another name.
      const bool by_value = !line_.has_result && !arguments_.empty();
      build_.returned(*id, line_.event == "fail" ? Value::boolean(false)
                           : by_value            ? arguments_.front()
                                                 : line_.result);
      if (line_.has_time) build_.at_return(*id, line_.time);
    }
  }

  simdjson::dom::parser parser_;
  std::vector<std::string> names_;
  Line line_;
  std::vector<Value> arguments_;
  OpenCalls open_, open_by_id_;
  std::unordered_map<Value, ProcessId> ids_;  ///< with their processes
  bool intervals_ = false;
};

}  // namespace

std::unique_ptr<Reader> json_lines_reader(std::string name, const ReadOptions& options) {
  return std::make_unique<JsonLines>(std::move(name), options);
}

}  // namespace muster
