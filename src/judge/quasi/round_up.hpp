#pragma once
// Algorithms 1 and 2 of "Round-Up: runtime verification of quasi linearizability for concurrent data structures"
// (Zhang, Chattopadhyay and Wang), corrected, as a reference for its tables and for the judges of judge/quasi.hpp,
// which decide another definition far faster: here one factor holds for the whole sequence, and everything is
// enumerated.

#include <map>
#include <string>
#include <vector>

#include "spec/spec.hpp"

namespace muster::round_up {

/// Algorithm 1, lines 13 to 23: every order of the operations that keeps precedence. The paper sequentializes the first
/// two calls that overlap; where a third overlaps both, it may come first too, or orders are missing. Throws Error for
/// a history with pending operations.
std::vector<std::vector<OperationId>> sequentializations(const History& history);

/// Algorithm 2: all permutations of the numbers below `size` in which none is displaced by more than the factor, the
/// identity first. Corrected: line 36 adds to the events done, line 59 leaves out the selected event alone, line 60
/// counts up.
class Permutations {
 public:
  Permutations(std::uint32_t size, std::uint32_t factor);

  /// Goes to the next one; false if there is none.
  bool next();
  const std::vector<std::uint32_t>& order() const { return order_; }

 private:
  struct Enabled {
    std::uint32_t event;
    std::int64_t lateness;
  };
  struct State {
    std::vector<Enabled> enabled, newly_enabled;
    std::vector<std::uint32_t> done;
    std::uint32_t select = 0;

    bool is_done(std::uint32_t event) const;
  };

  void first_run();
  void init_enabled_and_lateness(std::size_t state, std::uint32_t event);
  /// Null if there is nothing left to try in the state.
  const Enabled* pick_an_enabled_event(const State& state) const;
  void update_enabled_and_lateness(std::size_t state);

  std::uint32_t size_;
  std::int64_t factor_;
  std::vector<State> state_stack_;
  std::vector<std::uint32_t> order_;
};

struct Options {
  unsigned factor = 0;
  /// Section VI-C: what was explored for one history is not explored again for another.
  bool optimised = false;
  /// Permute the operations of this method alone and leave all others in their places, as the tables' counts suggest;
  /// -1: the whole sequence, as Algorithm 1 is printed.
  int method = -1;
};

/// Algorithm 1 for one history after another. The tables count every permutation of every sequentialization, so nothing
/// ends early.
class Reference {
 public:
  Reference(const Spec& spec, Options options) : spec_(spec), options_(options) {}

  struct Answer {
    bool linearizable = false, quasi_linearizable = false;
    std::size_t sequentializations = 0, permutations = 0;  ///< explored
  };
  Answer check(const History& history);

 private:
  bool is_legal(const Binding& binding, const std::vector<OperationId>& order) const;
  /// The history's text, without its threads: what the paper compares.
  static std::string text(const Binding& binding, const std::vector<OperationId>& order);

  const Spec& spec_;
  Options options_;
  std::map<std::string, bool> explored_;  ///< legal or not
};

}  // namespace muster::round_up
