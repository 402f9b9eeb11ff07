#pragma once
// Vector clocks: one 16-bit count a model thread, eight of them in an SSE register. Executions with at most eight threads, nearly all of
// them, pay for one register.

#include <emmintrin.h>

#include <cstdint>

#include "base/event.hpp"

namespace muster {

struct alignas(16) Clock {
  static constexpr unsigned lanes = 64;
  std::uint16_t lane[lanes];

  static constexpr std::uint16_t last = 0xffff;  // no event of an execution is later than this
};

/// Operations on the first `groups` groups of eight lanes; the others are zero while no thread has their number.
class ClockOps {
 public:
  void use_threads(unsigned count) {
    groups_ = (count + 7) / 8;
    if (groups_ > ever_) ever_ = groups_;
  }
  unsigned groups() const { return groups_; }

  void clear(Clock& c) const {
    for (unsigned g = 0; g < ever_; ++g) store(c, g, _mm_setzero_si128());
  }
  void assign(Clock& to, const Clock& from) const {
    for (unsigned g = 0; g < groups_; ++g) store(to, g, load(from, g));
  }
  void join(Clock& into, const Clock& other) const {
    for (unsigned g = 0; g < groups_; ++g) {
      const __m128i a = load(into, g), b = load(other, g);
      store(into, g, _mm_adds_epu16(b, _mm_subs_epu16(a, b)));  // the larger of two unsigned words, in SSE2
    }
  }
  /// Whether everything in `a` happened before `b`.
  bool at_most(const Clock& a, const Clock& b) const {
    for (unsigned g = 0; g < groups_; ++g) {
      const __m128i excess = _mm_subs_epu16(load(a, g), load(b, g));
      if (_mm_movemask_epi8(_mm_cmpeq_epi8(excess, _mm_setzero_si128())) != 0xffff) return false;
    }
    return true;
  }

 private:
  static __m128i load(const Clock& c, unsigned g) { return _mm_load_si128(reinterpret_cast<const __m128i*>(c.lane) + g); }
  static void store(Clock& c, unsigned g, __m128i v) { _mm_store_si128(reinterpret_cast<__m128i*>(c.lane) + g, v); }

  unsigned groups_ = 1;
  unsigned ever_ = 1;  // no clock was ever written beyond these groups: clearing them is enough, also when more threads come
};

}  // namespace muster
