#pragma once
// Handles that one operation of a check gives and another takes: Object::slot, .gives, .takes and .borrows. They print
// by the place that gave them, as pin#A1; two that are held at once are the same handle if they have the same value.

#include <concepts>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "muster/check_definition.hpp"
#include "muster/scenario.hpp"

namespace muster {

/// Where handles go that one operation gives and another takes: see Object::slot.
template <class Handle>
struct Slot {
  unsigned index;
};

namespace detail {

template <class T>
concept PointsToSomething = requires(const T& pointer) {
  typename T::element_type;
  { pointer.get() } -> std::convertible_to<const volatile void*>;
};
template <class T>
concept IsText = std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>;

template <class T>
constexpr bool has_value();
template <class T>
struct AllHaveValues : std::false_type {};
template <template <class...> class Many, class... T>
struct AllHaveValues<Many<T...>> : std::bool_constant<(has_value<T>() && ...)> {};

/// Whether it is known which handles of a type are the same, without the program's own code: comparing must not look at
/// what they point to, which another thread may change or free.
template <class T>
constexpr bool has_value() {
  if constexpr (IsText<T> || PointsToSomething<T>) {
    return true;
  } else if constexpr (IsOptional<T>::value || TupleLike<T>) {
    return AllHaveValues<T>::value;
  } else {
    return std::has_unique_object_representations_v<T>;  // numbers, enums, pointers, structs of these without gaps
  }
}

inline void put_bytes(Sink& sink, const void* memory, std::size_t size) {
  constexpr char digits[] = "0123456789abcdef";
  for (std::size_t i = 0; i < size; ++i) {
    const unsigned char byte = static_cast<const unsigned char*>(memory)[i];
    const char two[] = {digits[byte >> 4], digits[byte & 15]};
    sink.put(two, 2);
  }
}

/// The same text for the same values only.
template <class T>
void put_value(Sink& sink, const T& value) {
  if constexpr (!has_value<T>()) {
    print(sink, value);
  } else if constexpr (IsText<T>) {
    put_quoted(sink, value);
  } else if constexpr (PointsToSomething<T>) {
    const volatile void* pointer = value.get();
    put_bytes(sink, &pointer, sizeof pointer);
  } else if constexpr (IsOptional<T>::value) {
    sink.put(value ? "some " : "nothing");
    if (value) put_value(sink, *value);
  } else if constexpr (TupleLike<T>) {
    std::apply([&](const auto&... parts) { ((put_value(sink, parts), sink.put(",")), ...); }, value);
  } else {
    put_bytes(sink, &value, sizeof value);
  }
}

template <class Handle, class Value>
std::function<void(const void*, Sink&)> value_of_handle(Value value) {
  return [value = std::move(value)](const void* handle, Sink& sink) {
    const Uncontrolled quiet;
    put_value(sink, value(*static_cast<const Handle*>(handle)));
  };
}

/// Numbers are handles, whatever their value.
template <class T>
constexpr bool is_empty_handle(const T& handle) {
  if constexpr (std::is_constructible_v<bool, const T&> && (!std::is_arithmetic_v<T> || std::is_same_v<T, bool>)) {
    return !static_cast<bool>(handle);
  } else {
    return false;
  }
}

/// Stores a handle that was given; whoever made the call says how it prints.
template <class Handle>
struct GivesTo {
  template <class Result>
  void operator()(CallFrame& frame, ResponseSink& response, Result&& result) const {
    Handle handle(std::forward<Result>(result));
    if (!is_empty_handle(handle)) {
      frame.given = new Handle(std::move(handle));
      return;
    }
    const Uncontrolled quiet;
    response.put("nothing");
  }
};

template <class Answer>
constexpr bool gives_handle = false;
template <class Handle>
constexpr bool gives_handle<GivesTo<Handle>> = true;

}  // namespace detail
}  // namespace muster
