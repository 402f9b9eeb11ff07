#pragma once
// Functions that are not instrumented, described: what they do to memory of the program is told before they are called.
//
//   MUSTER_DESCRIBED(_ZSt11_Hash_bytesPKvmm, reads_counted(0, 1))  // reads as many bytes of its first argument as the
//   second says
//
// defines the function again, for the module that links this. The definition tells what is described, and goes on to
// the original with all arguments as they are.

#include <cstdint>

namespace muster {

/// What a function does with the memory that one of its first six arguments points to.
struct Deed {
  enum class Kind : std::uint8_t { none, reads, writes };
  enum class Extent : std::uint8_t {
    size,     // so many bytes
    counted,  // so many times what another argument says
    until,    // up to where another argument points
    text,     // up to the character that is zero
  };
  Kind kind = Kind::none;
  Extent extent = Extent::size;
  std::uint8_t argument = 0;
  std::uint8_t other = 0;
  std::uint32_t size = 0;
};

namespace describe {

using Argument = std::uint8_t;

constexpr Deed reads(Argument what, std::uint32_t bytes) {
  return {Deed::Kind::reads, Deed::Extent::size, what, 0, bytes};
}
constexpr Deed writes(Argument what, std::uint32_t bytes) {
  return {Deed::Kind::writes, Deed::Extent::size, what, 0, bytes};
}
constexpr Deed reads_counted(Argument what, Argument by, std::uint32_t bytes = 1) {
  return {Deed::Kind::reads, Deed::Extent::counted, what, by, bytes};
}
constexpr Deed writes_counted(Argument what, Argument by, std::uint32_t bytes = 1) {
  return {Deed::Kind::writes, Deed::Extent::counted, what, by, bytes};
}
constexpr Deed reads_until(Argument what, Argument end) {
  return {Deed::Kind::reads, Deed::Extent::until, what, end, 0};
}
constexpr Deed writes_until(Argument what, Argument end) {
  return {Deed::Kind::writes, Deed::Extent::until, what, end, 0};
}
constexpr Deed reads_text(Argument what) { return {Deed::Kind::reads, Deed::Extent::text, what, 0, 0}; }

}  // namespace describe

struct Described {
  void* original;
  const char* name;
  Deed deeds[3];
};

}  // namespace muster

/// The function of that name that the program would call if it were not described.
extern "C" void* muster_original(const char* name);

// It is looked up before main: what is written to the program's data later is undone before each execution.
// `muster_call_described` finds what it needs at r11, a register that no caller and no callee relies on.
#define MUSTER_DESCRIBED(name, ...)                                                                      \
  extern "C" {                                                                                           \
  __attribute__((visibility("hidden"))) constinit muster::Described muster_described_##name{             \
      nullptr, #name, {__VA_ARGS__}};                                                                    \
  }                                                                                                      \
  static void* const muster_original_##name [[maybe_unused]] = muster_described_##name.original =        \
      muster_original(#name);                                                                            \
  asm(".pushsection .text\n.weak " #name "\n.type " #name ", @function\n" #name                          \
      ":\n.cfi_startproc\nendbr64\nlea muster_described_" #name                                          \
      "(%rip), %r11\njmp *muster_call_described@GOTPCREL(%rip)\n.cfi_endproc\n.size " #name ", .-" #name \
      "\n.popsection");
