#include "instrument/stub_memory.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "base/error.hpp"

namespace muster {

StubMemory::StubMemory(std::size_t count) : size_((count * stub_size + 4095) & ~std::size_t{4095}) {
  void* const memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail("no memory for stubs of functions that are not watched: {}", std::strerror(errno));
  begin_ = static_cast<std::byte*>(memory);
}

std::uintptr_t StubMemory::add(const void* word, void (*goes_to)()) {
  std::byte* const stub = begin_ + used_;
  used_ += stub_size;
  constexpr unsigned char code[] = {
      0xf3, 0x0f, 0x1e, 0xfa,                                // endbr64
      0x49, 0xbb, 0,    0,    0, 0, 0, 0, 0, 0,              // movabs $word, %r11
      0xff, 0x25, 0,    0,    0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  // jmp *the next eight bytes
  };
  constexpr std::size_t word_at = 6, target_at = 20;
  static_assert(sizeof code <= stub_size && target_at + sizeof(void*) == sizeof code);
  std::memcpy(stub, code, sizeof code);
  std::memcpy(stub + word_at, &word, sizeof word);
  std::memcpy(stub + target_at, &goes_to, sizeof goes_to);
  return reinterpret_cast<std::uintptr_t>(stub);
}

void StubMemory::finish() {
  if (mprotect(begin_, size_, PROT_READ | PROT_EXEC) != 0)
    fail("stubs of functions that are not watched cannot be made executable: {}", std::strerror(errno));
}

}  // namespace muster
