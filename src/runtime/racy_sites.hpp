#pragma once
// Code addresses whose plain accesses were seen to race: from then on they are scheduling points. The table lies in memory that workers
// share, so that one worker's find holds for all; it only grows.

#include <cstdint>

namespace muster {

class RacySites {
 public:
  static constexpr unsigned capacity = 1024;  // a power of two

  bool empty() const { return size_ == 0; }
  unsigned size() const { return __atomic_load_n(&size_, __ATOMIC_RELAXED); }
  bool contains(std::uint32_t site) const {
    for (unsigned i = slot(site);; ++i) {
      const std::uint32_t found = __atomic_load_n(&sites_[i % capacity], __ATOMIC_RELAXED);
      if (found == site) return true;
      if (found == 0) return false;
    }
  }
  /// No further site becomes a point.
  void freeze() { frozen_ = true; }

  /// True if the site is new.
  bool insert(std::uint32_t site) {
    if (frozen_ || size() >= capacity / 2) return false;
    for (unsigned i = slot(site);; ++i) {
      std::uint32_t expected = 0;
      if (__atomic_compare_exchange_n(&sites_[i % capacity], &expected, site, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
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
  bool frozen_ = false;
};

}  // namespace muster
