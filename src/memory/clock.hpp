#pragma once
// Vector clocks: one 16-bit count a model thread, eight of them in an SSE register. Executions with at most eight
// threads, nearly all of them, pay for one register.

#include <emmintrin.h>

#include <cstdint>

#include "base/event.hpp"
#include "base/tape.hpp"

namespace muster {

struct alignas(16) Clock {
  static constexpr unsigned lanes = 64;
  std::uint16_t lane[lanes];

  static constexpr std::uint16_t last = 0xffff;  // no event of an execution is later than this
};

/// The clock of an atomic location, in two parts: nearly all executions need only the first, and then three of them
/// share a cache line.
struct alignas(16) FirstLanes {
  std::uint16_t lane[8];
};
struct alignas(16) OtherLanes {
  std::uint16_t lane[Clock::lanes - 8];
};
struct LocationClock {
  FirstLanes& first;
  OtherLanes& others;

  std::uint16_t& lane(ThreadId thread) { return thread < 8 ? first.lane[thread] : others.lane[thread - 8]; }
};

/// Operations on the first `groups` groups of eight lanes; the others are zero while no thread has their number. There
/// is always one group, and nearly always no other: it needs no loop.
class ClockOps {
 public:
  void use_threads(unsigned count) {
    groups_ = (count + 7) / 8;
    if (groups_ > ever_) ever_ = groups_;
  }
  unsigned groups() const { return groups_; }
  void set_groups(unsigned groups) { groups_ = groups; }
  bool ever_many() const { return ever_ > 1; }

  template <class Strip>
  void pass(Strip& strip, Clock& clock) const {
    auto* groups = reinterpret_cast<__m128i*>(clock.lane);
    strip.pass(groups[0]);
    if (ever_ == 1) [[likely]]
      return;
    strip.pass_items(groups + 1, groups_ - 1);
    if constexpr (!Strip::saving) {
      for (unsigned g = groups_; g < ever_; ++g) store(clock, g, _mm_setzero_si128());
    }
  }

  void clear(Clock& c) const {
    store(c, 0, _mm_setzero_si128());
    for (unsigned g = 1; g < ever_; ++g) store(c, g, _mm_setzero_si128());
  }
  void assign(Clock& to, const Clock& from) const {
    store(to, 0, load(from, 0));
    for (unsigned g = 1; g < groups_; ++g) store(to, g, load(from, g));
  }
  void join(Clock& into, const Clock& other) const {
    store(into, 0, larger(load(into, 0), load(other, 0)));
    for (unsigned g = 1; g < groups_; ++g) store(into, g, larger(load(into, g), load(other, g)));
  }
  /// Whether everything in `a` happened before `b`.
  bool at_most(const Clock& a, const Clock& b) const {
    for (unsigned g = 0; g < groups_; ++g) {
      if (exceeds(load(a, g), load(b, g))) return false;
    }
    return true;
  }

  /// Whether some count in `a` is known to `b`.
  bool any_at_most(const Clock& a, const Clock& b) const {
    for (unsigned g = 0; g < groups_; ++g) {
      const __m128i beyond = _mm_subs_epu16(load(a, g), load(b, g));
      if (_mm_movemask_epi8(_mm_cmpeq_epi16(beyond, _mm_setzero_si128())) != 0) return true;
    }
    return false;
  }

  void clear(LocationClock c) const {
    store(c.first.lane, _mm_setzero_si128());
    for (unsigned g = 1; g < ever_; ++g) store(other(c, g), _mm_setzero_si128());
  }
  void assign(LocationClock to, const Clock& from) const {
    store(to.first.lane, load(from, 0));
    for (unsigned g = 1; g < groups_; ++g) store(other(to, g), load(from, g));
  }
  void join(LocationClock into, const Clock& other_clock) const {
    store(into.first.lane, larger(load(into.first.lane), load(other_clock, 0)));
    for (unsigned g = 1; g < groups_; ++g) store(other(into, g), larger(load(other(into, g)), load(other_clock, g)));
  }
  void join(Clock& into, LocationClock from) const {
    store(into, 0, larger(load(into, 0), load(from.first.lane)));
    for (unsigned g = 1; g < groups_; ++g) store(into, g, larger(load(into, g), load(other(from, g))));
  }
  bool at_most(LocationClock a, const Clock& b) const {
    if (exceeds(load(a.first.lane), load(b, 0))) return false;
    for (unsigned g = 1; g < groups_; ++g) {
      if (exceeds(load(other(a, g)), load(b, g))) return false;
    }
    return true;
  }

 private:
  static std::uint16_t* other(LocationClock c, unsigned g) { return c.others.lane + 8 * (g - 1); }
  static __m128i load(const std::uint16_t* lanes) { return _mm_load_si128(reinterpret_cast<const __m128i*>(lanes)); }
  static void store(std::uint16_t* lanes, __m128i v) { _mm_store_si128(reinterpret_cast<__m128i*>(lanes), v); }
  /// The larger of each two unsigned words, in SSE2.
  static __m128i larger(__m128i a, __m128i b) { return _mm_adds_epu16(b, _mm_subs_epu16(a, b)); }
  static bool exceeds(__m128i a, __m128i b) {
    return _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_subs_epu16(a, b), _mm_setzero_si128())) != 0xffff;
  }
  static __m128i load(const Clock& c, unsigned g) {
    return _mm_load_si128(reinterpret_cast<const __m128i*>(c.lane) + g);
  }
  static void store(Clock& c, unsigned g, __m128i v) { _mm_store_si128(reinterpret_cast<__m128i*>(c.lane) + g, v); }

  unsigned groups_ = 1;
  unsigned ever_ =
      1;  // no clock was ever written beyond these groups: clearing them is enough, also when more threads come
};

}  // namespace muster
