#pragma once
// How a relaxed structure chooses among what it may take: a function from n to a number below n.
#include <atomic>
#include <muster/scenario.hpp>

namespace subjects::roundup {

/// Always the first: the structure then behaves as if it were not relaxed, as far as nobody interferes.
struct FirstPick {
  unsigned operator()(unsigned) const { return 0; }
};

/// Every possibility is tried.
struct EveryPick {
  unsigned operator()(unsigned n) const { return muster::choose(n); }
};

/// The same pseudo-random sequence for each object.
class SeededPick {
 public:
  explicit SeededPick(unsigned seed = 1) : drawn_{seed} {}
  SeededPick(const SeededPick& other) : drawn_{other.drawn_.load()} {}
  SeededPick& operator=(const SeededPick&) = delete;

  unsigned operator()(unsigned n) {
    unsigned x = drawn_.fetch_add(1, std::memory_order_relaxed) * 0x9e3779b9u;
    x ^= x >> 16;
    x *= 0x85ebca6bu;
    x ^= x >> 13;
    return x % n;
  }

 private:
  std::atomic<unsigned> drawn_;
};

}  // namespace subjects::roundup
