#pragma once
// A search that goes back: on with the candidates of the innermost choice until one is left nowhere.

#include <cstdint>
#include <vector>

#include "judge/core/limits.hpp"
#include "judge/core/verdict.hpp"

namespace muster {

/// What a frame of every such search has: its candidates, which are taken from the back.
struct Choice {
  std::uint32_t first_candidate;
  std::uint32_t next_candidate;
};

template <class Search, class Candidate, class Frame>
class Backtracking {
 public:
  Verdict run() {
    bool forward = true;
    for (;;) {
      if (forward && self().everything_explained()) return Witness{self().witness()};
      if (limits_.hit([&] { return self().bytes(); })) return Undecided{limits_.reason(), self().explained()};
      if (forward && self().remember()) self().collect_candidates();
      forward = try_next();
      if (!forward) return self().counterexample();
    }
  }

 protected:
  explicit Backtracking(const JudgeOptions& options) : limits_(options) {}

  std::vector<Frame> frames_;
  std::vector<Candidate> candidates_;

 private:
  Search& self() { return static_cast<Search&>(*this); }

  /// Takes the next candidate of the innermost frame that has one; false if none has.
  bool try_next() {
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      candidates_.resize(frame.next_candidate);
      self().return_to(frame);
      if (frame.next_candidate > frame.first_candidate) {
        self().take(candidates_[--frame.next_candidate]);
        return true;
      }
      frames_.pop_back();
    }
    return false;
  }

  Limits limits_;
};

}  // namespace muster
