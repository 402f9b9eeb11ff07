#pragma once
// Turns code addresses, of this process or of one that was recorded, into source places, through DWARF (elfutils'
// libdw).

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace muster {

struct SourcePlace {
  std::string function;
  std::string file;  // as the compiler saw it; empty if unknown
  int line = 0;
  bool system = false;  // in the compiler's or the system's own headers and libraries

  /// "stack.hpp:31", or "?" if unknown.
  std::string brief() const;
};

class Symbolizer {
 public:
  /// Of this process, as it is now.
  Symbolizer();
  /// Of a recorded run: a line `bias start end path` for each module that was loaded, numbers in hex. Without their
  /// files, addresses have no places.
  explicit Symbolizer(std::string_view module_table);
  ~Symbolizer();

  /// Where the call that returns to `address` stands; code inlined from system headers is told as its nearest caller
  /// outside them.
  const SourcePlace& locate(std::uint64_t address);

  /// The first place of a stack (innermost first) that is not in the system's headers and libraries.
  const SourcePlace& locate(std::span<const std::uint64_t> stack);

  /// "bank.cpp:31"; "bank+0x1234" without debug information; "0x7f12" outside of all modules; empty for 0.
  std::string describe(std::uint64_t address);

  /// The whole address of which only the low half was kept; 0 if no loaded module has such a one.
  std::uint64_t widen(std::uint32_t low) const;

  /// "name+0x1234", which means the same in the next process, and back (0 if there is no such module).
  std::string to_offset(std::uint64_t address) const;
  std::uint64_t from_offset(const std::string& text) const;

  /// The variable that lies at an address, or the member of it: "counter", "table[2].next", "buffer+16" where no member
  /// is known; empty if unknown.
  std::string variable(std::uint64_t address) const;

  /// The variable of the frame that `address` returns to, so far from the frame's canonical address: "mailbox.full_";
  /// empty if unknown.
  std::string local(std::uint64_t address, std::int64_t from_frame) const;

  /// What lies so far into the block that the call before `address` allocated: "full_"; empty where the code does not
  /// say what it is.
  std::string allocated(std::uint64_t address, std::uint64_t offset) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  std::unordered_map<std::uint64_t, SourcePlace> places_;
};

}  // namespace muster
