#pragma once

#include <cstddef>
#include <cstdint>

namespace muster {

/// Small pieces of code, each of which goes to one place with a word of its own in register r11, which no caller and no
/// callee relies on.
class StubMemory {
 public:
  /// Room for so many. Throws Error if the system gives no such memory.
  explicit StubMemory(std::size_t count);

  /// The address of a new one.
  std::uintptr_t add(const void* word, void (*goes_to)());
  /// No more are added: from now on they can be called.
  void finish();

 private:
  static constexpr std::size_t stub_size = 32;
  std::byte* begin_;
  std::size_t size_, used_ = 0;
};

}  // namespace muster
