#pragma once
// What a search learns about a program and must take into account from its first execution on: code addresses whose plain accesses were
// seen to race, which are scheduling points from then on, and what is not as private or as constant as it looked, which is watched from
// then on: the stacks of threads that others look into, and memory from before the search.
// The table lies in memory that workers share, so that one worker's find holds for all; it only grows.

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
  /// Threads whose stacks were seen to be used by others; true if that is new.
  std::uint64_t shared_stacks() const { return __atomic_load_n(&shared_stacks_, __ATOMIC_RELAXED); }
  bool share_stack(unsigned thread) {
    const std::uint64_t bit = std::uint64_t{1} << thread;
    return (__atomic_fetch_or(&shared_stacks_, bit, __ATOMIC_RELAXED) & bit) == 0;
  }

  /// Whether memory that is neither heap, stack nor a global of the program was seen to be written; true if that is new.
  bool outside_is_written() const { return __atomic_load_n(&outside_is_written_, __ATOMIC_RELAXED); }
  bool write_outside() { return !__atomic_exchange_n(&outside_is_written_, true, __ATOMIC_RELAXED); }

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
  bool outside_is_written_ = false;
  std::uint64_t shared_stacks_ = 1;  // locals of the first thread are what scenarios share
  bool frozen_ = false;
};

}  // namespace muster
