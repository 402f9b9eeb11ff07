#pragma once
// What a transition touched, kept apart from the execution that it belongs to.

#include <span>
#include <vector>

#include "reduction/access.hpp"

namespace muster {

struct Footprint {
  std::vector<Access> accesses;
  bool everything = false;  // not known, or it ended the execution: commutes with nothing

  void add(std::span<const Access> more) { accesses.insert(accesses.end(), more.begin(), more.end()); }
  void clear() {
    accesses.clear();
    everything = false;
  }
};

inline bool conflict(std::span<const Access> a, std::span<const Access> b) {
  for (const Access& x : a) {
    for (const Access& y : b) {
      if (conflict(x, y)) return true;
    }
  }
  return false;
}

inline bool conflict(const Footprint& a, const Footprint& b) {
  return a.everything || b.everything || conflict(a.accesses, b.accesses);
}

}  // namespace muster
