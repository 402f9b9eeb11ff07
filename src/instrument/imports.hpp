#pragma once
// Functions of other modules that watched code can call or hand on: what the loader was asked to fill in, and what
// stands in tables of virtual functions of libraries that are not watched.

#include <cstdint>
#include <string>
#include <vector>

#include "instrument/modules.hpp"

namespace muster {

struct Import {
  /// A word that holds the function's address.
  struct Slot {
    std::uintptr_t* word;
    bool is_protected;  // against writes, since the module was loaded
  };
  std::string name;     // as the linker knows it
  std::string library;  // the file that defines it
  Module::Kind kind;    // of that
  std::uintptr_t target = 0;
  std::vector<Slot> slots;
};

/// Of the program and of instrumented libraries, in the order of these and of their tables.
std::vector<Import> imports_of_watched_code(const std::vector<Module>& modules);

}  // namespace muster
