#pragma once
// Accesses of the standard library's code that is linked into the program.

#include <cstddef>

#include "base/event.hpp"

namespace muster {

/// The same as an access of the program, unless it concerns the library's own data: std::cout may be used by many
/// threads, and what a locale keeps for all of them is the library's affair.
void library_access(const void* address, std::size_t size, bool write, SiteId site);

}  // namespace muster
