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
