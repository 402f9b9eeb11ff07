#pragma once
// Functions that are not instrumented, described: what they do to memory of the program is told before they are called.
//
//   MUSTER_DESCRIBED(_ZSt11_Hash_bytesPKvmm, reads_counted(0, 1))  // reads as many bytes of its first argument as the
//   second says
//
// defines the function again, for the module that links this. The definition tells what is described, and goes on to
// the original with all arguments as they are. Virtual functions of the library are found through its own tables, so
// they are described in the runtime, for calls from watched code: MUSTER_DESCRIBED_VIRTUAL.

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
    as_many,  // for each unit between two other arguments
    behind,   // so many bytes where the pointer that it points to points
  };
  Kind kind = Kind::none;
  Extent extent = Extent::size;
  std::uint8_t argument = 0;
  std::uint8_t other = 0;
  std::uint32_t size = 0;
  std::uint8_t begin = 0;
  std::uint8_t unit = 1;
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
/// As many units of what an argument points to as there are bytes between two others.
constexpr Deed writes_as_many(Argument what, Argument as_begin, Argument as_end, std::uint32_t bytes,
                              std::uint8_t of_bytes) {
  return {Deed::Kind::writes, Deed::Extent::as_many, what, as_end, bytes, as_begin, of_bytes};
}
/// What the pointer points to that an argument points to.
constexpr Deed reads_behind(Argument what, std::uint32_t bytes) {
  return {Deed::Kind::reads, Deed::Extent::behind, what, 0, bytes};
}
constexpr Deed writes_behind(Argument what, std::uint32_t bytes) {
  return {Deed::Kind::writes, Deed::Extent::behind, what, 0, bytes};
}
constexpr Deed reads_text(Argument what) { return {Deed::Kind::reads, Deed::Extent::text, what, 0, 0}; }

}  // namespace describe

struct Described {
  void* original;
  const char* name;
  Deed deeds[3];
  bool in_runtime = false;
};

}  // namespace muster

/// The function of that name that the program would call if it were not described.
extern "C" void* muster_original(const char* name);

// `muster_call_described` finds what it needs at r11, a register that no caller and no callee relies on.
#define MUSTER_DESCRIBED_CODE(name, linkage)                                                             \
  asm(".pushsection .text\n." linkage " " #name "\n.type " #name ", @function\n" #name                   \
      ":\n.cfi_startproc\nendbr64\nlea muster_described_" #name                                          \
      "(%rip), %r11\njmp *muster_call_described@GOTPCREL(%rip)\n.cfi_endproc\n.size " #name ", .-" #name \
      "\n.popsection");
#define MUSTER_DESCRIPTION(name, in_runtime, ...)                                            \
  extern "C" {                                                                               \
  __attribute__((visibility("hidden"))) constinit muster::Described muster_described_##name{ \
      nullptr, #name, {__VA_ARGS__}, in_runtime};                                            \
  }

// It is looked up before main: what is written to the program's data later is undone before each execution.
#define MUSTER_DESCRIBED(name, ...)                                                               \
  MUSTER_DESCRIPTION(name, false, __VA_ARGS__)                                                    \
  static void* const muster_original_##name [[maybe_unused]] = muster_described_##name.original = \
      muster_original(#name);                                                                     \
  MUSTER_DESCRIBED_CODE(name, "weak")
#define MUSTER_DESCRIBED_VIRTUAL(name, ...)   \
  MUSTER_DESCRIPTION(name, true, __VA_ARGS__) \
  MUSTER_DESCRIBED_CODE(name, "globl")
