#include "history/json_value.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "base/error.hpp"

namespace muster {
namespace {

using simdjson::dom::element_type;

/// 1.0 is the number 1: JSON does not tell integers from others.
Value number(double value) {
  constexpr double exact = 1ll << 53;
  if (value == std::trunc(value) && std::abs(value) < exact) return Value::integer(static_cast<std::int64_t>(value));
  return Value::number(fmt::format("{}", value));
}

}  // namespace

Value json_value(simdjson::dom::element json, std::string_view file, std::uint32_t line, unsigned depth) {
  if (depth > 100) fail("{}:{}: values are nested deeper than 100", file, line);
  switch (json.type()) {
    case element_type::NULL_VALUE:
      return Value::nil();
    case element_type::BOOL:
      return Value::boolean(json.get_bool());
    case element_type::STRING:
      return Value::text(json.get_string());
    case element_type::INT64:
      return Value::integer(json.get_int64());
    case element_type::UINT64:
      return Value::number(fmt::format("{}", std::uint64_t(json.get_uint64())));
    case element_type::DOUBLE:
      return number(json.get_double());
    case element_type::ARRAY: {
      std::vector<Value> items;
      for (const simdjson::dom::element item : json.get_array())
        items.push_back(json_value(item, file, line, depth + 1));
      return Value::list(items);
    }
    case element_type::OBJECT: {
      std::vector<Value> items;
      for (const auto [name, item] : json.get_object()) {
        items.push_back(Value::text(name));
        items.push_back(json_value(item, file, line, depth + 1));
      }
      return Value::map(items);
    }
  }
  return {};
}

}  // namespace muster
