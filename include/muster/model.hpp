#pragma once
// Your own object for `muster check --model libmine.so`: a small sequential class with copy, == and, if you can,
// hash().
//
//   struct Account {
//     long balance = 0;
//     bool operator==(const Account&) const = default;
//     std::uint64_t hash() const { return balance; }
//     void deposit(long amount) { balance += amount; }
//     bool withdraw(long amount) { if (balance < amount) return false; balance -= amount; return true; }
//     long read() const { return balance; }
//   };
//   MUSTER_MODEL(Account, "account") {
//     model.operation("deposit", &Account::deposit);
//     model.operation("withdraw", &Account::withdraw);
//     model.operation("read", &Account::read);       // const: never changes the object
//   }
//
// Arguments and results are integers, bool, std::string, std::optional and std::vector of these. A result of
// std::optional without a value is nil; one of muster::Cannot means that the call cannot happen now (a lock that is
// held). A call whose arguments are of other types cannot happen either. Build with -shared -fPIC; nothing of Muster is
// linked.

#include <concepts>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "muster/cannot.hpp"

namespace muster {

namespace model {

/// Values travel as canonical bytes: a kind, then a length or number in base 128, then content.
enum Kind : char { none = 0, nil = 1, boolean = 2, integer = 3, number = 4, text = 5, symbol = 6, list = 7 };

inline void put_length(std::string& out, std::uint64_t length) {
  for (; length >= 128; length >>= 7) out.push_back(static_cast<char>(length | 128));
  out.push_back(static_cast<char>(length));
}
inline bool take_length(std::string_view& in, std::uint64_t& length) {
  length = 0;
  for (unsigned shift = 0; shift < 64 && !in.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(in.front());
    in.remove_prefix(1);
    length |= std::uint64_t{byte & 127u} << shift;
    if (byte < 128) return true;
  }
  return false;
}

inline void put(std::string& out, bool value) { out += {boolean, static_cast<char>(value)}; }
template <std::integral T>
requires(!std::same_as<T, bool>) void put(std::string& out, T value) {
  const auto wide = static_cast<std::int64_t>(value);
  // Integers of more than 60 bits are numbers by their digits.
  if (wide < -(std::int64_t{1} << 59) || wide >= std::int64_t{1} << 59) {
    const std::string digits = std::to_string(wide);
    out.push_back(number);
    put_length(out, digits.size());
    out += digits;
  } else {
    out.push_back(integer);
    put_length(out, static_cast<std::uint64_t>(wide) << 1 ^ static_cast<std::uint64_t>(wide >> 63));
  }
}
inline void put(std::string& out, const std::string& value) {
  out.push_back(text);
  put_length(out, value.size());
  out += value;
}
template <class T>
void put(std::string& out, const std::optional<T>& value) {
  value ? put(out, *value) : out.push_back(nil);
}
template <class T>
void put(std::string& out, const std::vector<T>& values) {
  out.push_back(list);
  put_length(out, values.size());
  for (const auto& value : values) put(out, static_cast<const T&>(value));
}

inline bool take_kind(std::string_view& in, Kind kind) {
  if (in.empty() || in.front() != kind) return false;
  in.remove_prefix(1);
  return true;
}
inline bool take(std::string_view& in, bool& value) {
  std::uint64_t bit = 0;
  if (!take_kind(in, boolean) || !take_length(in, bit)) return false;
  value = bit != 0;
  return true;
}
template <std::integral T>
requires(!std::same_as<T, bool>) bool take(std::string_view& in, T& value) {
  std::uint64_t zigzag = 0;
  if (!take_kind(in, integer) || !take_length(in, zigzag)) return false;
  value = static_cast<T>(static_cast<std::int64_t>(zigzag >> 1) ^ -static_cast<std::int64_t>(zigzag & 1));
  return true;
}
inline bool take(std::string_view& in, std::string& value) {
  std::uint64_t length = 0;
  if (!take_kind(in, text) && !take_kind(in, symbol)) return false;
  if (!take_length(in, length) || length > in.size()) return false;
  value = in.substr(0, length);
  in.remove_prefix(length);
  return true;
}
template <class T>
bool take(std::string_view& in, std::optional<T>& value) {
  if (take_kind(in, nil)) return true;
  return take(in, value.emplace());
}
template <class T>
bool take(std::string_view& in, std::vector<T>& values) {
  std::uint64_t count = 0;
  if (!take_kind(in, list) || !take_length(in, count) || count > in.size()) return false;
  for (std::uint64_t i = 0; i < count; ++i) {
    T value{};
    if (!take(in, value)) return false;
    values.push_back(std::move(value));
  }
  return true;
}

}  // namespace model

/// What the library hands to Muster: plain functions, so that compiler and standard library need not be the same.
struct ModelTable {
  std::uint32_t version = 1;
  const char* name = nullptr;
  std::uint32_t methods = 0;
  bool has_hash = false;
  void* context = nullptr;
  const char* (*method_name)(void* context, std::uint32_t method) = nullptr;
  std::uint32_t (*method_arguments)(void* context, std::uint32_t method) = nullptr;
  bool (*method_observes)(void* context, std::uint32_t method) = nullptr;
  void* (*create)() = nullptr;
  void* (*copy)(const void* object) = nullptr;
  void (*destroy)(void* object) = nullptr;
  bool (*equal)(const void* a, const void* b) = nullptr;
  std::uint64_t (*hash)(const void* object) = nullptr;
  /// Applies a method; false if it cannot happen. Gives the bytes of the result to `result`.
  bool (*apply)(void* context, void* object, std::uint32_t method, const char* arguments, std::size_t size,
                void (*result)(void* to, const char* bytes, std::size_t size), void* to) = nullptr;
};

template <class Model>
class ModelBuilder {
 public:
  template <class Result, class... Args>
  void operation(std::string name, Result (Model::*method)(Args...)) {
    add<Result, Args...>(std::move(name), false,
                         [method](Model& object, auto&&... args) { return (object.*method)(args...); });
  }
  template <class Result, class... Args>
  void operation(std::string name, Result (Model::*method)(Args...) const) {
    add<Result, Args...>(std::move(name), true,
                         [method](Model& object, auto&&... args) { return (object.*method)(args...); });
  }

  static const ModelTable* table(const char* name, void (*define)(ModelBuilder&)) {
    static ModelBuilder builder;
    static ModelTable table;
    define(builder);
    table.name = name;
    table.methods = static_cast<std::uint32_t>(builder.methods_.size());
    table.context = &builder;
    table.method_name = [](void* context, std::uint32_t m) { return self(context).methods_[m].name.c_str(); };
    table.method_arguments = [](void* context, std::uint32_t m) { return self(context).methods_[m].arguments; };
    table.method_observes = [](void* context, std::uint32_t m) { return self(context).methods_[m].observes; };
    table.create = []() -> void* { return new Model(); };
    table.copy = [](const void* object) -> void* { return new Model(*static_cast<const Model*>(object)); };
    table.destroy = [](void* object) { delete static_cast<Model*>(object); };
    table.equal = [](const void* a, const void* b) {
      return *static_cast<const Model*>(a) == *static_cast<const Model*>(b);
    };
    if constexpr (requires(const Model& model) { model.hash(); }) {
      table.has_hash = true;
      table.hash = [](const void* object) {
        return static_cast<std::uint64_t>(static_cast<const Model*>(object)->hash());
      };
    }
    table.apply = [](void* context, void* object, std::uint32_t m, const char* arguments, std::size_t size,
                     void (*result)(void*, const char*, std::size_t), void* to) {
      std::string answer;
      if (!self(context).methods_[m].apply(*static_cast<Model*>(object), {arguments, size}, answer)) return false;
      result(to, answer.data(), answer.size());
      return true;
    };
    return &table;
  }

 private:
  struct Method {
    std::string name;
    std::uint32_t arguments;
    bool observes;
    std::function<bool(Model&, std::string_view, std::string&)> apply;
  };

  static ModelBuilder& self(void* context) { return *static_cast<ModelBuilder*>(context); }

  template <class Result, class... Args, class F>
  void add(std::string name, bool observes, F call) {
    methods_.push_back(
        {std::move(name), sizeof...(Args), observes, [call](Model& object, std::string_view in, std::string& out) {
           std::tuple<std::remove_cvref_t<Args>...> arguments;
           const bool fits = std::apply([&](auto&... each) { return (model::take(in, each) && ...); }, arguments);
           if (!fits) return false;
           if constexpr (std::is_void_v<Result>) {
             std::apply([&](auto&... each) { call(object, each...); }, arguments);
             out.push_back(model::none);
             return true;
           } else {
             return answer(std::apply([&](auto&... each) { return call(object, each...); }, arguments), out);
           }
         }});
  }

  template <class T>
  static bool answer(const Cannot<T>& result, std::string& out) {
    if (result) model::put(out, *result);
    return result.has_value();
  }
  template <class T>
  static bool answer(const T& result, std::string& out) {
    model::put(out, result);
    return true;
  }

  std::vector<Method> methods_;
};

}  // namespace muster

/// Defines the model of a shared library; one a library.
#define MUSTER_MODEL(Type, name)                                                                  \
  static void muster_define_model(muster::ModelBuilder<Type>& model);                             \
  extern "C" __attribute__((visibility("default"))) const muster::ModelTable* muster_model_v1() { \
    return muster::ModelBuilder<Type>::table(name, muster_define_model);                          \
  }                                                                                               \
  static void muster_define_model(muster::ModelBuilder<Type>& model)
