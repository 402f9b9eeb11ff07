// Jepsen histories as JSON, as elle-cli reads them: an array of objects, or an object a line. The rules are those of
// EDN.

#include <simdjson.h>

#include "history/input.hpp"
#include "history/jepsen_entries.hpp"
#include "history/json_value.hpp"

namespace muster {
namespace {

class JepsenJson final : public Reader {
 public:
  JepsenJson(std::string name, const ReadOptions& options)
      : Reader(std::move(name), options),
        entries_(build_, name_, options.failed.value_or(Failed::removed), options.keys_in_values) {
    build_.source().format = "jepsen-json";
    for (const std::string_view field : {"process", "type", "f", "value", "key", "time"})
      fields_.emplace_back(options.names.field(field));
  }

  void feed(std::string_view piece) override { text_ += piece; }

  History finish() override {
    text_.append(input_padding, ' ');
    const std::size_t size = text_.size() - input_padding;
    const std::size_t first = text_.find_first_not_of(" \t\r\n");
    try {
      if (first < size && text_[first] == '[') {
        for (const simdjson::dom::element entry : parser_.parse(text_.data(), size, false).get_array()) take(entry);
      } else {
        simdjson::dom::document_stream stream;
        simdjson::error_code error =
            parser_.parse_many(text_.data(), size, std::max<std::size_t>(size, 32)).get(stream);
        if (error) throw simdjson::simdjson_error(error);
        for (const simdjson::dom::element entry : stream) take(entry);
      }
    } catch (const simdjson::simdjson_error& error) {
      complain(number_ + 1, "not the JSON object of an operation that is expected here: {}", error.what());
    }
    entries_.finish();
    return finish_with(Ties::overlap);
  }

 private:
  /// Entries are counted where EDN counts lines: the parser does not tell those.
  void take(simdjson::dom::element json) {
    ++number_;
    JepsenEntries::Entry entry;
    entry.line = number_;
    std::string type;
    for (const auto [name, value] : json.get_object()) {
      if (name == fields_[0]) {
        entry.process = json_value(value, name_, number_);
        if (entry.process.is_nil()) entry.process = Value();
      } else if (name == fields_[1]) {
        type = fmt::format(":{}", without_colon(value.get_string()));
        entry.type = type;
      } else if (name == fields_[2]) {
        if (!value.is_null()) entry.name = without_colon(value.get_string());
      } else if (name == fields_[3]) {
        entry.value = json_value(value, name_, number_);
      } else if (name == fields_[4]) {
        entry.key = json_value(value, name_, number_);
      } else if (name == fields_[5]) {
        if (value.is_int64()) entry.time = value.get_int64();
      }
    }
    if (type != ":invoke" && type != ":ok" && type != ":fail" && type != ":info")
      complain(number_, "\"type\" is invoke, ok, fail or info, not `{}`", type.empty() ? "" : type.substr(1));
    entry.name = entries_.name_of(entry);
    if (entry.name.empty()) complain(number_, "an entry lacks \"f\"");
    if (entry.process.is_none() && entry.name != "txn") complain(number_, "an entry lacks \"process\"");
    entries_.add(entry, method(entry.name));
  }

  static std::string_view without_colon(std::string_view name) {
    if (name.starts_with(':')) name.remove_prefix(1);
    return name;
  }

  JepsenEntries entries_;
  std::vector<std::string> fields_;
  std::string text_;
  simdjson::dom::parser parser_;
  std::uint32_t number_ = 0;
};

}  // namespace

std::unique_ptr<Reader> jepsen_json_reader(std::string name, const ReadOptions& options) {
  return std::make_unique<JepsenJson>(std::move(name), options);
}

}  // namespace muster
