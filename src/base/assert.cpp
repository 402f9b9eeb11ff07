#include "base/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace muster {

void (*on_broken_invariant)() = nullptr;

void broken_invariant(const char* condition, const char* file, int line) noexcept {
  std::fprintf(stderr, "muster: %s:%d: broken invariant: %s\n", file, line, condition);
  if (on_broken_invariant) on_broken_invariant();
  std::abort();
}

}  // namespace muster
