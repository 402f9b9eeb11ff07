#pragma once
// How values print. Responses are compared by this text, so it is canonical: equal values print alike, different ones
// differently.
//
// Built in: arithmetic types, strings, enums, optional, pair, tuple, variant, ranges. Others: `operator<<`,
// GoogleTest's `PrintTo`, `AbslStringify`, a `fmt::formatter` (if fmt is included before), else a projection,
// `.seen_as([](const Row& row) { return row.id; })`.

#include <charconv>
#include <concepts>
#include <cstddef>
#include <optional>
#include <ostream>
#include <ranges>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace muster {

/// Where text goes.
class Sink {
 public:
  virtual void put(const char* text, std::size_t size) = 0;
  void put(std::string_view text) { put(text.data(), text.size()); }

 protected:
  ~Sink() = default;
};

class StringSink final : public Sink {
 public:
  using Sink::put;
  void put(const char* text, std::size_t size) override { text_.append(text, size); }
  std::string text_;
};

namespace detail {

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsVariant : std::false_type {};
template <class... T>
struct IsVariant<std::variant<T...>> : std::true_type {};

template <class T>
concept TupleLike = requires {
  std::tuple_size<T>::value;
}
&&!std::ranges::range<T>;
template <class T>
concept Streams = requires(std::ostream& out, const T& value) {
  out << value;
};
template <class T>
concept PrintsTo = requires(std::ostream* out, const T& value) {
  PrintTo(value, out);
};

#ifdef FMT_VERSION
template <class T>
concept Formats = fmt::is_formattable<T>::value;
template <class T>
std::string formatted(const T& value) {
  return fmt::format("{}", value);
}
#else
template <class T>
concept Formats = false;
template <class T>
std::string formatted(const T&) {
  return {};
}
#endif

struct AbslAdapter {
  Sink& sink;
  void Append(std::size_t count, char c) { sink.put(std::string(count, c)); }
  void Append(std::string_view text) { sink.put(text); }
};
template <class T>
concept Stringifies = requires(AbslAdapter& adapter, const T& value) {
  AbslStringify(adapter, value);
};

template <class T>
constexpr bool is_printable();
template <class T>
struct AllPrintable : std::false_type {};
template <template <class...> class Many, class... T>
struct AllPrintable<Many<T...>> : std::bool_constant<(is_printable<T>() && ...)> {};

/// Whether `print` knows what to do with a T.
template <class T>
constexpr bool is_printable() {
  if constexpr (std::is_arithmetic_v<T> || std::is_convertible_v<const T&, std::string_view> || std::is_enum_v<T> ||
                Stringifies<T> || PrintsTo<T> || std::is_same_v<T, std::monostate> ||
                std::is_same_v<T, std::nullptr_t>) {
    return true;
  } else if constexpr (IsOptional<T>::value || IsVariant<T>::value || TupleLike<T>) {
    return AllPrintable<T>::value;
  } else if constexpr (std::ranges::input_range<const T>) {
    return is_printable<std::remove_cvref_t<std::ranges::range_value_t<const T>>>();
  } else {
    return (Streams<T> || Formats<T>)&&!std::is_pointer_v<T>;
  }
}

inline void put_quoted(Sink& sink, std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  sink.put("\"");
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      const char escaped[] = {'\\', c};
      sink.put(escaped, 2);
    } else if (static_cast<unsigned char>(c) < 32) {
      const char escaped[] = {'\\', 'x', digits[static_cast<unsigned char>(c) >> 4], digits[c & 15]};
      sink.put(escaped, 4);
    } else {
      sink.put(&c, 1);
    }
  }
  sink.put("\"");
}

template <class T>
void put_number(Sink& sink, T value) {
  char digits[64];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  sink.put(digits, static_cast<std::size_t>(end - digits));
}

}  // namespace detail

template <class T>
void print(Sink& sink, const T& value) {
  using namespace detail;
  if constexpr (std::is_same_v<T, bool>) {
    sink.put(value ? "true" : "false");
  } else if constexpr (std::is_same_v<T, char>) {
    put_quoted(sink, {&value, 1});
  } else if constexpr (std::is_arithmetic_v<T>) {
    put_number(sink, value);
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    put_quoted(sink, value);
  } else if constexpr (IsOptional<T>::value) {
    if (!value) return sink.put("nothing");
    const bool nested = IsOptional<typename T::value_type>::value;
    if (nested) sink.put("some(");
    print(sink, *value);
    if (nested) sink.put(")");
  } else if constexpr (IsVariant<T>::value) {
    put_number(sink, value.index());
    sink.put(":");
    std::visit([&](const auto& alternative) { print(sink, alternative); }, value);
  } else if constexpr (std::is_same_v<T, std::monostate> || std::is_same_v<T, std::nullptr_t>) {
    sink.put("nothing");
  } else if constexpr (Stringifies<T>) {
    AbslAdapter adapter{sink};
    AbslStringify(adapter, value);
  } else if constexpr (TupleLike<T>) {
    sink.put("(");
    std::apply(
        [&](const auto&... parts) {
          std::size_t n = 0;
          ((sink.put(n++ ? ", " : ""), print(sink, parts)), ...);
        },
        value);
    sink.put(")");
  } else if constexpr (std::ranges::input_range<const T>) {
    sink.put("[");
    std::size_t n = 0;
    for (const auto& item : value) {
      if (n++) sink.put(", ");
      print(sink, static_cast<const std::remove_cvref_t<decltype(item)>&>(item));
    }
    sink.put("]");
  } else if constexpr (PrintsTo<T> || (Streams<T> && !std::is_pointer_v<T>)) {
    std::ostringstream out;
    if constexpr (PrintsTo<T>) {
      PrintTo(value, &out);
    } else {
      out << value;
    }
    sink.put(out.str());
  } else if constexpr (Formats<T> && !std::is_enum_v<T> && !std::is_pointer_v<T>) {
    sink.put(formatted(value));
  } else if constexpr (std::is_enum_v<T>) {
    put_number(sink, static_cast<std::underlying_type_t<T>>(value));
  } else {
    static_assert(sizeof(T) == 0,
                  "a value of this type cannot be compared and printed: give the operation .seen_as([](const T& value) "
                  "{ … }), or the type "
                  "an operator<<");
  }
}

template <class T>
std::string to_text(const T& value) {
  StringSink sink;
  print(sink, value);
  return sink.text_;
}

}  // namespace muster
