#pragma once
// What operations take and give back. A Value is one word: small integers sit inside it, everything else is interned
// once for the whole process, so equal values have equal words and comparing or hashing never looks at content.
//
//   Value::integer(7), Value::text("x"), Value::list({Value::integer(1), Value::nil()})

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/hash.hpp"

namespace muster {

class Value {
 public:
  enum class Kind : std::uint8_t { none, nil, boolean, integer, number, text, symbol, list, map };

  /// `none`: nothing was recorded (a response without a value). An answer that says "nothing there" is `nil`.
  constexpr Value() = default;

  static constexpr Value nil() { return Value(word(Kind::nil, 0)); }
  static constexpr Value boolean(bool value) { return Value(word(Kind::boolean, value)); }
  static Value integer(std::int64_t value) {
    return fits(value) ? Value(word(Kind::integer, static_cast<std::uint64_t>(value))) : big_integer(value);
  }
  /// A number that is no 60-bit integer, by its literal: two spellings are two values.
  static Value number(std::string_view literal);
  static Value text(std::string_view content);
  /// A keyword or bare word, as `:x` in EDN: another value than the text of the same letters.
  static Value symbol(std::string_view name);
  static Value list(std::span<const Value> items);
  static Value list(std::initializer_list<Value> items) { return list(std::span(items.begin(), items.size())); }
  /// Keys and values in turn; the order of the pairs does not matter.
  static Value map(std::span<const Value> keys_and_values);

  constexpr Kind kind() const { return static_cast<Kind>(bits_ & kind_mask); }
  constexpr bool is_none() const { return bits_ == 0; }
  constexpr bool is_nil() const { return kind() == Kind::nil; }
  constexpr bool is_integer() const { return kind() == Kind::integer; }
  constexpr bool is_true() const { return *this == boolean(true); }
  constexpr bool is_false() const { return *this == boolean(false); }
  constexpr std::int64_t as_integer() const { return static_cast<std::int64_t>(bits_) >> kind_bits; }

  /// Letters of a text, symbol or number.
  std::string_view letters() const;
  /// Items of a list; keys and values in turn of a map.
  std::span<const Value> items() const;

  /// The word itself: equal exactly for equal values of this process; for hash tables, not for files.
  constexpr std::uint64_t bits() const { return bits_; }

  constexpr bool operator==(const Value&) const = default;
  /// By kind, then by content: the same in every run.
  std::strong_ordering operator<=>(const Value& other) const;

  template <class H>
  friend H AbslHashValue(H state, const Value& value) {
    return H::combine(std::move(state), value.bits_);
  }

 private:
  static constexpr unsigned kind_bits = 4;
  static constexpr std::uint64_t kind_mask = 15;

  explicit constexpr Value(std::uint64_t bits) : bits_(bits) {}
  static constexpr std::uint64_t word(Kind kind, std::uint64_t payload) {
    return payload << kind_bits | static_cast<std::uint64_t>(kind);
  }
  static constexpr bool fits(std::int64_t value) {
    return value >= -(std::int64_t{1} << 59) && value < (std::int64_t{1} << 59);
  }
  static Value big_integer(std::int64_t value);
  static Value interned(Kind kind, std::string_view bytes);
  std::uint32_t payload() const { return static_cast<std::uint32_t>(bits_ >> kind_bits); }

  std::uint64_t bits_ = 0;
};

/// As people write it: 7, "text", :symbol, nil, [1 2], nothing for `none`.
std::string to_string(Value value);

/// Canonical bytes: the same in every process, one after the other without separators.
void append_bytes(Value value, std::string& out);

/// Reads one value off the front of `bytes`; throws Error on bytes that append_bytes never wrote.
Value take_value(std::string_view& bytes);

}  // namespace muster

template <>
struct std::hash<muster::Value> {
  std::size_t operator()(muster::Value value) const { return muster::mix(value.bits(), 0x5851f42d4c957f2d); }
};
