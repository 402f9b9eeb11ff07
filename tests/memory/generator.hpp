#pragma once
// Random small programs: accesses and fences of all orders, branches, loops that wait and loops that try again.

#include "base/rng.hpp"
#include "memory/program.hpp"

namespace muster::weak {

struct Shape {
  unsigned threads = 3;     // at most
  unsigned statements = 7;  // in all
  unsigned locations = 2;
  unsigned values = 2;   // that are stored, other than 0
  unsigned strong = 20;  // seq_cst, in a hundred
  unsigned plain = 0;    // accesses of w, in a hundred
  unsigned loops = 20, branches = 10, fences = 10, updates = 20;
};

Program random_program(Rng& rng, const Shape& shape);
/// One shape or another.
Shape random_shape(Rng& rng);

}  // namespace muster::weak
