#pragma once
// What MUSTER_REQUIRE needs to tell both sides of a comparison that does not hold. Values are read where the condition
// stands, once, as without it.

#include <type_traits>
#include <utility>

namespace muster::detail {

/// Ends the execution with a finding.
[[noreturn]] void requirement_failed(const char* condition, const char* file, int line) noexcept;
[[noreturn]] void requirement_failed(const char* condition, const char* file, int line, const char* message) noexcept;
template <class Text>
[[noreturn]] void requirement_failed(const char* condition, const char* file, int line, const Text& message) noexcept {
  requirement_failed(condition, file, line, message.c_str());
}

/// What the next requirement that fails tells beside its condition. From the first on nothing is watched any more.
void note_comparison(const char* sign) noexcept;  // what follows stands before it, and then after it
void note_value(bool value) noexcept;
void note_value(long long value) noexcept;
void note_value(unsigned long long value) noexcept;
void note_value(double value) noexcept;
void note_value(const void* value) noexcept;
void note_text(const char* text, unsigned long size) noexcept;

template <class T>
concept Scalar = std::is_scalar_v<T> || std::is_null_pointer_v<T>;
template <class T>
concept AtomicLike = requires(const T& atomic) {
  typename T::value_type;
  atomic.load();
  atomic.is_lock_free();
};
template <class T>
concept TextLike = requires(const T& text) {
  static_cast<const char*>(text.data());
  static_cast<unsigned long>(text.size());
};
template <class T>
concept Holder = requires(const T& holder) {
  holder.has_value();
  *holder;
};

template <class T>
void note(const T& value) noexcept {
  if constexpr (std::is_same_v<T, bool>) {
    note_value(value);
  } else if constexpr (std::is_same_v<T, char>) {
    note_text(&value, 1);
  } else if constexpr (std::is_floating_point_v<T>) {
    note_value(static_cast<double>(value));
  } else if constexpr (std::is_enum_v<T>) {
    note(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::is_unsigned_v<T>) {
    note_value(static_cast<unsigned long long>(value));
  } else if constexpr (std::is_integral_v<T>) {
    note_value(static_cast<long long>(value));
  } else if constexpr (std::is_null_pointer_v<T>) {
    note_value(static_cast<const void*>(nullptr));
  } else if constexpr (std::is_pointer_v<T>) {
    note_value(value ? static_cast<const void*>("") : nullptr);
  } else if constexpr (TextLike<T>) {
    note_text(value.data(), value.size());
  } else if constexpr (Holder<T>) {
    if (value.has_value())
      note(*value);
    else
      note_text("nothing", 7);
  }
}

/// A comparison, which was made, with its sides: scalars themselves, others where they are.
template <class L, class R>
struct Comparison {
  L left;
  R right;
  const char* sign;
  bool holds;
  explicit operator bool() const { return holds; }
};

// Users compare what they like, and are warned of it where they do.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wfloat-equal"
#define MUSTER_COMPARE(sign)                                                                           \
  template <Scalar R>                                                                                  \
  auto operator sign(R right)&& {                                                                      \
    if constexpr (std::is_pointer_v<std::remove_cvref_t<L>> && std::is_integral_v<R>) {                \
      return left sign static_cast<L>(nullptr);                                                        \
    } else {                                                                                           \
      return Comparison<Told<L>, R>{left, right, #sign, static_cast<bool>(left sign right)};           \
    }                                                                                                  \
  }                                                                                                    \
  template <AtomicLike R>                                                                              \
  auto operator sign(const R& right)&& {                                                               \
    return std::move(*this) sign right.load();                                                         \
  }                                                                                                    \
  template <class R>                                                                                   \
  requires(!Scalar<R> && !AtomicLike<R> && !std::is_array_v<R>) auto operator sign(const R& right)&& { \
    return Comparison<Told<L>, const R&>{left, right, #sign, static_cast<bool>(left sign right)};      \
  }
// What these give is what the operands give where they stand: a stream is read from, a moved value is moved.
#define MUSTER_CALCULATE(sign)                                                   \
  template <class R>                                                             \
  auto operator sign(R&& right)&& {                                              \
    using Given = decltype(std::forward<L>(left) sign std::forward<R>(right));   \
    return Side<Kept<Given>>{std::forward<L>(left) sign std::forward<R>(right)}; \
  }

template <class T>
using Kept = std::conditional_t<Scalar<std::remove_cvref_t<T>>, std::remove_cvref_t<T>, T>;
template <class L>
using Told = std::conditional_t<Scalar<L>, L, const std::remove_reference_t<L>&>;

/// The left side of the condition, or all of it.
template <class L>
struct Side {
  L left;
  explicit operator bool() const { return static_cast<bool>(left); }
  MUSTER_COMPARE(==)
  MUSTER_COMPARE(!=)
  MUSTER_COMPARE(<)
  MUSTER_COMPARE(>)
  MUSTER_COMPARE(<=)
  MUSTER_COMPARE(>=)
  MUSTER_CALCULATE(+)
  MUSTER_CALCULATE(-)
  MUSTER_CALCULATE(*)
  MUSTER_CALCULATE(/)
  MUSTER_CALCULATE(%)
  MUSTER_CALCULATE(<<)
  MUSTER_CALCULATE(>>)
  MUSTER_CALCULATE(&)
  MUSTER_CALCULATE(|)
  MUSTER_CALCULATE(^)
};
#undef MUSTER_CALCULATE
#undef MUSTER_COMPARE
#pragma GCC diagnostic pop

/// `Condition{}->*a == b` takes the condition apart: nothing binds closer than its first operand.
struct Condition {
  template <Scalar T>
  Side<T> operator->*(T left) const {
    return {left};
  }
  template <AtomicLike T>
  auto operator->*(const T& left) const {
    return *this->*left.load();
  }
  template <class T>
  requires(!Scalar<std::remove_cvref_t<T>> && !AtomicLike<std::remove_cvref_t<T>> &&
           !std::is_array_v<std::remove_reference_t<T>>) Side<T&&>
  operator->*(T&& left) const { return {std::forward<T>(left)}; }
};

template <class T>
bool holds(const T& condition) {
  return static_cast<bool>(condition);
}
template <class L, class R>
bool holds(const Comparison<L, R>& comparison) {
  if (comparison.holds) [[likely]]
    return true;
  note_comparison(comparison.sign);
  note(comparison.left);
  note_comparison(nullptr);
  note(comparison.right);
  return false;
}

}  // namespace muster::detail

/// Ends the execution with a finding if the condition does not hold: both sides of a comparison are told, and the
/// message, if there is one.
#define MUSTER_REQUIRE(condition, ...)                                \
  (::muster::detail::holds(::muster::detail::Condition{}->*condition) \
       ? void()                                                       \
       : ::muster::detail::requirement_failed(#condition, __FILE__, __LINE__ __VA_OPT__(, ) __VA_ARGS__))
