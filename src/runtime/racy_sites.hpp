#pragma once
// What a search learns about a program and must take into account from its first execution on: code addresses whose
// plain accesses were seen to race, which are scheduling points from then on, and what is not as private or as constant
// as it looked, which is watched from then on: the stacks of threads that others look into, and memory from before the
// search; that threads start when all seemed to be over, that it matters how late it is, that atomics are used with
// weak orders, and that it matters what code may order that is not watched. The table lies in memory that workers
// share, so that one worker's find holds for all; it only grows.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "runtime/site_set.hpp"

namespace muster {

class RacySites {
 public:
  bool empty() const { return sites_.size() == 0; }
  unsigned size() const { return sites_.size(); }
  bool contains(std::uint32_t site) const { return sites_.contains(site); }
  /// No further site becomes a point.
  void freeze() { frozen_ = true; }
  /// True if the site is new.
  bool insert(std::uint32_t site) { return !frozen_ && (sites_.insert(site) || stop_showing(site)); }

  /// Whether the site should be a point and cannot become one any more.
  bool has_no_room_for(std::uint32_t site) const { return sites_.full() && !frozen_ && !sites_.contains(site); }

  /// What happens to memory at this site is to be seen by who watches an execution, without being a point: the two
  /// accesses of a race, a free and a use, or those that a prediction is about, where the execution is shown that found
  /// it.
  void show(std::uint32_t site) {
    if (shown_count_ == std::size(shown_) || is_shown(site)) return;
    only_shown_[shown_count_] = sites_.insert(site);
    shown_[shown_count_++] = site;
  }
  bool is_shown(std::uint32_t site) const {
    if (shown_count_ == 0) [[likely]]
      return false;
    return std::find(shown_, shown_ + shown_count_, site) != shown_ + shown_count_;
  }
  bool is_only_shown(std::uint32_t site) const {
    for (unsigned i = 0; i < shown_count_; ++i) {
      if (shown_[i] == site) return only_shown_[i];
    }
    return false;
  }
  template <class Function>
  void for_each(Function function) const {
    sites_.for_each(function);
  }

  /// Learns what another search has learned.
  void add(const RacySites& other) {
    other.for_each([this](std::uint32_t site) { insert(site); });
    share_stacks(other.shared_stacks());
    if (other.outside_is_written()) write_outside();
    if (other.starts_late()) start_late();
    if (other.sleeps()) sleep();
    if (other.looks_at_clock()) look_at_clock();
    if (other.uses_weak_orders()) use_weak_orders();
    if (other.needs_possible_order()) need_possible_order();
  }

  void share_stacks(std::uint64_t threads) { __atomic_fetch_or(&shared_stacks_, threads, __ATOMIC_RELAXED); }
  /// Threads whose stacks were seen to be used by others; true if that is new.
  std::uint64_t shared_stacks() const { return __atomic_load_n(&shared_stacks_, __ATOMIC_RELAXED); }
  bool share_stack(unsigned thread) {
    const std::uint64_t bit = std::uint64_t{1} << thread;
    return (__atomic_fetch_or(&shared_stacks_, bit, __ATOMIC_RELAXED) & bit) == 0;
  }

  /// Whether memory that is neither heap, stack nor a global of the program was seen to be written; true if that is
  /// new.
  bool outside_is_written() const { return __atomic_load_n(&outside_is_written_, __ATOMIC_RELAXED); }
  bool write_outside() { return !__atomic_exchange_n(&outside_is_written_, true, __ATOMIC_RELAXED); }

  /// Whether a thread was seen to be started by one that was on its own, and of which reduction had taken no more
  /// notice.
  bool starts_late() const { return __atomic_load_n(&starts_late_, __ATOMIC_RELAXED); }
  void start_late() { __atomic_store_n(&starts_late_, true, __ATOMIC_RELAXED); }

  /// Whether threads sleep, and whether any looks at the clock or waits until some time: only then does it matter to
  /// others that one slept. Of two that set one and read the other, one knows of both.
  bool sleeps() const { return __atomic_load_n(&sleeps_, __ATOMIC_SEQ_CST); }
  void sleep() { __atomic_store_n(&sleeps_, true, __ATOMIC_SEQ_CST); }
  bool looks_at_clock() const { return __atomic_load_n(&looks_at_clock_, __ATOMIC_SEQ_CST); }
  /// True if that is new.
  bool look_at_clock() { return !__atomic_exchange_n(&looks_at_clock_, true, __ATOMIC_SEQ_CST); }

  /// Whether an atomic access or fence was seen with an order weaker than seq_cst.
  bool uses_weak_orders() const { return __atomic_load_n(&uses_weak_orders_, __ATOMIC_RELAXED); }
  void use_weak_orders() { __atomic_store_n(&uses_weak_orders_, true, __ATOMIC_RELAXED); }

  /// Whether two accesses were met that nothing orders for certain, in a program that calls code which is not watched:
  /// what such code may order is kept from then on.
  bool needs_possible_order() const { return __atomic_load_n(&needs_possible_order_, __ATOMIC_RELAXED); }
  void need_possible_order() { __atomic_store_n(&needs_possible_order_, true, __ATOMIC_RELAXED); }
  /// Whether that has not happened, and would be learned.
  bool finds_all_ordered() const { return !needs_possible_order() && !frozen_; }

 private:
  /// From now on the site is a point; true if it was none.
  bool stop_showing(std::uint32_t site) {
    bool was_only_shown = false;
    for (unsigned i = 0; i < shown_count_; ++i) {
      if (shown_[i] == site) was_only_shown |= std::exchange(only_shown_[i], false);
    }
    return was_only_shown;
  }

  SiteSet sites_;
  static constexpr unsigned most_shown = 3;  // the accesses of a violation of atomicity
  std::uint32_t shown_[most_shown] = {};
  bool only_shown_[most_shown] = {};  // and are no points
  unsigned shown_count_ = 0;
  bool outside_is_written_ = false;
  bool starts_late_ = false;
  bool sleeps_ = false;
  bool looks_at_clock_ = false;
  bool uses_weak_orders_ = false;
  bool needs_possible_order_ = false;
  bool frozen_ = false;
  std::uint64_t shared_stacks_ = 1;  // locals of the first thread are what scenarios share
};

}  // namespace muster
