#pragma once
// A set of code addresses (their low halves) in memory that workers share: what one of them sees holds for all. It only
// grows.

#include <cstdint>

namespace muster {

class SiteSet {
 public:
  static constexpr unsigned capacity = 1024;  // a power of two
  static constexpr unsigned most = capacity / 2;

  unsigned size() const { return __atomic_load_n(&size_, __ATOMIC_RELAXED); }
  bool full() const { return size() >= most; }

  bool contains(std::uint32_t site) const {
    for (unsigned i = slot(site);; ++i) {
      const std::uint32_t found = __atomic_load_n(&sites_[i % capacity], __ATOMIC_RELAXED);
      if (found == site) return true;
      if (found == 0) return false;
    }
  }
  /// True if the site is new; a full set stays as it is.
  bool insert(std::uint32_t site) {
    if (full()) return false;
    for (unsigned i = slot(site);; ++i) {
      std::uint32_t expected = 0;
      if (__atomic_compare_exchange_n(&sites_[i % capacity], &expected, site, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED)) {
        __atomic_fetch_add(&size_, 1, __ATOMIC_RELAXED);
        return true;
      }
      if (expected == site) return false;
    }
  }
  template <class Function>
  void for_each(Function function) const {
    for (const std::uint32_t site : sites_) {
      if (site != 0) function(site);
    }
  }

 private:
  static unsigned slot(std::uint32_t site) { return site * 2654435761u >> 22; }
  std::uint32_t sites_[capacity] = {};
  unsigned size_ = 0;
};

/// Where the program asks for an order weaker than sequential consistency, which executions do not explore. Set by who
/// wants to know.
extern SiteSet* weak_orders;

}  // namespace muster
