#pragma once
// What is loaded into the process: which code is whose, what of it is instrumented, and which data must be restored
// between executions.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

struct Module {
  enum class Kind : std::uint8_t {
    program,       // the executable
    instrumented,  // a library compiled like it
    opaque,        // any other library: what it does inside is invisible
    system,        // libc, the loader, libgcc, the runtime: their allocations are not the program's
  };
  std::string path;
  Kind kind;
  std::uintptr_t begin, end;               // of everything mapped
  std::vector<std::string> needed;         // file names of the libraries it was linked with
  std::vector<std::span<std::byte>> code;  // what of it can be executed
  std::vector<std::span<std::byte>>
      data;  // writable, without what the loader protects and what it copied from other libraries
  std::vector<std::span<std::byte>> copied;  // from other libraries
};

/// Whether a file of this name is a standard library of C++: what programs call there is watched, or known.
bool is_standard_library(std::string_view file);

/// Reads the list of loaded modules; call again after dlopen.
std::vector<Module> loaded_modules();

/// Whether code of the program was compiled by clang++, as far as its file tells.
bool has_code_of_clang();

/// Whether an allocation made at this code address belongs to libc, the loader, libgcc or the runtime.
bool is_system_code(std::uintptr_t address);

/// Whether this code address belongs to a library that is neither watched nor part of the language or the system.
bool is_opaque_code(std::uintptr_t address);

/// The same of the low half of an address.
bool may_be_opaque_code(std::uint32_t low_half);

/// Whether this code address belongs to the program or to an instrumented library: what it does is watched.
bool is_watched_code(std::uintptr_t address);

/// Whether an object lies in the data of a library that is not restored between executions: what was done to it once
/// stays done.
bool is_lasting(const volatile void* object);

/// Whether it lies in the data of such a library, or was copied from there into the program by the loader.
bool is_library_data(const volatile void* object);

/// Whether it is one of libc++'s own objects, such as std::cout: templates that a program instantiates work on them as
/// the library itself would.
extern bool libcxx_is_loaded;
bool is_libcxx_data(std::uintptr_t address);

/// Fills the tables behind these.
void remember_modules(const std::vector<Module>& modules);

}  // namespace muster
