#pragma once
// Telling accesses of functions that are called, not compiled again.

#include <cstddef>

#include "instrument/described.hpp"

extern "C" {
void __tsan_read_range(void* address, unsigned long size);
void __tsan_write_range(void* address, unsigned long size);
}

namespace muster {

inline void tell_read(const void* address, std::size_t size) { __tsan_read_range(const_cast<void*>(address), size); }
inline void tell_write(const void* address, std::size_t size) { __tsan_write_range(const_cast<void*>(address), size); }

/// Of a text, without its zero; and not more than so much.
template <class Char>
std::size_t length_of(const Char* text, std::size_t most = ~std::size_t{0}) {
  std::size_t length = 0;
  while (length < most && text[length]) ++length;
  return length;
}

/// The function behind one that is defined again, by the linker's name: looked up before main, or when it is first
/// needed.
template <class Function>
class Original {
 public:
  constexpr explicit Original(const char* name) : name_(name) {}
  Function* get() {
    if (!function_) function_ = reinterpret_cast<Function*>(muster_original(name_));
    return function_;
  }

 private:
  const char* name_;
  Function* function_ = nullptr;
};

}  // namespace muster

/// Declares a function of the C library, to be defined again as `again_NAME`, with `original_NAME` behind it. The name
/// is the C library's, hence the assembler label.
#define MUSTER_AGAIN(Result, name, ...)                                                                    \
  static constinit muster::Original<Result(__VA_ARGS__)> original_##name{#name};                           \
  static const void* const ready_##name [[maybe_unused]] = reinterpret_cast<void*>(original_##name.get()); \
  extern "C" [[gnu::weak]] Result again_##name(__VA_ARGS__) asm(#name);
