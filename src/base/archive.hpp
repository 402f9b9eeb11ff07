#pragma once
// Values as bytes, for messages between processes of one program. A type says its fields once, in a function
// `visit(archive, value)` beside it, by which it is written and read, so that the two cannot differ.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace muster {

class Archive {
 public:
  Archive() = default;                                                     // writes
  explicit Archive(std::span<const std::byte> from) : at_(from.data()) {}  // reads

  template <class T>
  void field(T& value) {
    if constexpr (std::is_trivially_copyable_v<T>)
      raw(&value, sizeof value);
    else if constexpr (requires {
                         value.emplace();
                         value.has_value();
                       })
      optional(value);
    else if constexpr (requires { value.resize(0); })
      list(value);
    else
      visit(*this, value);
  }
  /// Writes what is not to be read into.
  template <class T>
  void put(const T& value) {
    field(const_cast<T&>(value));
  }

  std::vector<std::byte> bytes;

 private:
  template <class Optional>
  void optional(Optional& value) {
    bool there = value.has_value();
    raw(&there, sizeof there);
    if (there && at_) value.emplace();
    if (there) field(*value);
  }
  template <class List>
  void list(List& items) {
    std::uint64_t size = items.size();
    raw(&size, sizeof size);
    if (at_) items.resize(size);
    if constexpr (std::is_trivially_copyable_v<typename List::value_type>) {
      raw(items.data(), items.size() * sizeof(typename List::value_type));
    } else {
      for (auto& item : items) field(item);
    }
  }
  void raw(void* value, std::size_t size) {
    if (size == 0) return;
    if (at_) {
      std::memcpy(value, at_, size);
      at_ += size;
      return;
    }
    const std::size_t before = bytes.size();
    bytes.resize(before + size);
    std::memcpy(bytes.data() + before, value, size);
  }

  const std::byte* at_ = nullptr;
};

}  // namespace muster
