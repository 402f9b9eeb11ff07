#pragma once
// Turns code addresses, of this process or of one that was recorded, into source places, through DWARF (elfutils'
// libdw).

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace muster {

struct SourcePlace {
  std::string function;
  std::string file;  // as the compiler saw it; empty if unknown
  int line = 0;
  bool system = false;  // in the compiler's or the system's own headers and libraries

  /// "stack.hpp:31", or "?" if unknown.
  std::string brief() const;
};

/// A type as the compiler describes it; 0: not known.
using TypeId = std::uint32_t;

/// So far into something of a type.
struct TypedPlace {
  TypeId type = 0;
  std::uint64_t offset = 0;
  auto operator<=>(const TypedPlace&) const = default;
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

  /// All such places of a stack, one for each function, inlined or not.
  std::vector<SourcePlace> places(std::span<const std::uint64_t> stack);

  /// The function of the system's that the first such place calls; empty where it makes the access itself.
  std::string library_call(std::span<const std::uint64_t> stack);

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

  // ---- types ----

  TypedPlace type_of_variable(std::uint64_t address) const;
  TypedPlace type_of_local(std::uint64_t address, std::int64_t from_frame) const;
  /// Of what the call before `address` allocated; nothing where the code does not say what it is.
  TypeId type_allocated(std::uint64_t address) const;
  /// Of the atomic whose member function the code before `address` stands in.
  TypeId type_of_atomic(std::uint64_t address) const;

  /// The value at a place that is so many bytes wide: what an atomic wraps is its value.
  TypeId value_type(TypedPlace place, std::uint64_t size) const;
  /// "Node": without what it stands in and its arguments.
  std::string type_name(TypeId type) const;
  /// In bytes; 0 if unknown.
  std::uint64_t size(TypeId type) const;
  /// What lies at a place, as written after a name: ".next", "[2]", "+8" where no name is known; empty for the whole.
  std::string member(TypedPlace place) const;
  /// The pointers in a value, with where they stand in it.
  void for_each_pointer(TypeId type, const std::function<void(std::uint64_t offset, TypeId pointee)>& use) const;
  /// In the words of its type; pointers as `pointer` says. Empty where it cannot be told.
  std::string text(TypeId type, std::span<const std::byte> value,
                   const std::function<std::string(std::uint64_t offset, TypeId pointee)>& pointer) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  const std::vector<SourcePlace>& functions_at(std::uint64_t address);

  std::unordered_map<std::uint64_t, SourcePlace> places_;
  std::unordered_map<std::uint64_t, std::vector<SourcePlace>> functions_;  // that code is inlined into, innermost first
};

}  // namespace muster
