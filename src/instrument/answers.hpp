#pragma once
// Answers to a question about code, remembered by address: events come from the same places again and again.

#include <sched.h>

#include <array>
#include <atomic>
#include <utility>

#include "base/event.hpp"
#include "record/hooks.h"
#include "runtime/control.hpp"

namespace muster::tap {

class Answers {
 public:
  using Question = bool (*)(SiteId);

  /// `question` is looked at when it is asked.
  explicit constexpr Answers(Question& question) : question_(question) {}

  bool ask(SiteId site) {
    for (unsigned i = 0, at = site * 0x9e3779b97f4a7c15 >> 52; i < capacity; ++i, at = (at + 1) % capacity) {
      const std::uint64_t known = answers_[at].load(std::memory_order_acquire);
      if (known >> 1 == site) return known & 1;
      if (known == 0) return remember(at, site);
    }
    return look_up(site);
  }

  void forget() {
    for (auto& answer : answers_) answer.store(0, std::memory_order_relaxed);
  }

 private:
  static constexpr unsigned capacity = 4096;

  bool remember(unsigned at, SiteId site) {
    if (asking_) return false;
    const bool answer = look_up(site);
    std::uint64_t expected = 0;
    answers_[at].compare_exchange_strong(expected, site << 1 | answer, std::memory_order_release,
                                         std::memory_order_relaxed);
    return answer;  // if another place took the room, this one is asked about again
  }

  bool look_up(SiteId site) {
    // What looking up allocates and locks is not the program's.
    const OwnWork work;
    asking_ = true;
    muster_record_pause();
    while (busy_.test_and_set(std::memory_order_acquire)) sched_yield();
    const bool answer = question_(site);
    busy_.clear(std::memory_order_release);
    muster_record_resume();
    asking_ = false;
    return answer;
  }

  // One at a time, whatever is asked.
  inline static std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
  inline static thread_local bool asking_ = false;  // what the answer needs is not asked about

  Question& question_;
  std::array<std::atomic<std::uint64_t>, capacity> answers_{};
};

}  // namespace muster::tap
