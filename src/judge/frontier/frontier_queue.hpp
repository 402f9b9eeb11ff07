#pragma once
// Queues for the frontier search, whatever repeats. The content of the queue is never guessed: a state is which
// insertions were taken out, those whose removal is linearized. A removal of v takes an insertion of v all of whose
// predecessors among the insertions were taken; of several it takes the one that must return first, which is before all
// that the others are before. Insertions that overlap and that nobody has taken can still go either way.
//
// Finding nothing needs all insertions that returned to be taken; looking takes an item into the hand, from which the
// next removal takes it. An insertion that never returns is taken where no other would do; a removal that never returns
// takes what stands before an item that is needed.

#include <absl/container/flat_hash_map.h>

#include <vector>

#include "judge/core/value_table.hpp"
#include "judge/frontier/frontier_object.hpp"
#include "spec/counts.hpp"

namespace muster {

class FrontierQueue : public FrontierObject {
 public:
  /// The insertions that returned before the one of number `next` did, that is not taken itself, are all taken, and of
  /// those that are open then the ones of `taken`.
  struct State {
    std::uint32_t next = 0;
    std::uint32_t hand = 0;  ///< a value that was looked at, plus one
    std::uint64_t taken = 0;
    bool operator==(const State&) const = default;
    std::uint64_t hash() const { return mix(std::uint64_t{next} << 32 | hand, taken); }
  };
  using Steps = std::vector<std::pair<State, std::uint32_t>>;

  FrontierQueue(const Binding& binding, std::span<const OperationId> ids);
  /// Not if too many insertions overlap.
  bool applies() const { return slots_ <= most_slots; }

  State initial() const { return {}; }
  void restart() {}
  std::uint32_t kind(Index op) const { return kinds_[op]; }
  bool is_deferred(Index op) const { return act(op) == Act::insert; }
  bool is_observer(Index op) const { return act(op) >= Act::find_nothing; }
  bool must_come_before(Index op, Index) const { return act(op) == Act::find_nothing || act(op) == Act::remove_any; }
  bool is_free(State state, Index op) const;
  void called_for_ever(Index op) { called_removals_ += act(op) == Act::remove_any; }
  void uncalled_for_ever(Index op) { called_removals_ -= act(op) == Act::remove_any; }
  template <class Open>
  void begin(Position now, const Open&) {
    now_ = now;
  }
  void step(const Place&, State state, std::uint32_t spent, Index op, Steps& out);
  std::uint64_t cost(const State&, std::uint32_t spent) const { return spent_.weight(spent); }
  bool spends_no_more(std::uint32_t a, std::uint32_t b) { return spent_.is_within(a, b); }
  std::size_t bytes() const { return spent_.bytes(); }

 private:
  enum class Act : std::uint8_t { insert, remove, remove_any, find_nothing, peek, look };
  static constexpr std::uint32_t removals = ~std::uint32_t{0};  ///< among what is spent
  static constexpr std::uint32_t most_slots = 64;
  static constexpr Index nobody = ~Index{0};

  Act act(Index op) const { return static_cast<Act>(kinds_[op] & 7); }
  std::uint32_t value(Index op) const { return kinds_[op] >> 3; }
  const Operation& operation(Index op) const { return binding_.history()[ids_[op]]; }
  Position called(Index op) const { return operation(op).call; }
  Position returned(Index op) const { return operation(op).ret; }
  Position horizon(State state) const { return state.next < returns_.size() ? returned(returns_[state.next]) : never; }
  Index open_at(State state, std::uint32_t slot) const {
    return state.next < returns_.size() ? open_[state.next * slots_ + slot] : nobody;
  }
  bool is_open(State state, Index op) const { return open_at(state, slot_[op]) == op; }

  void number_values();
  void number_insertions();
  void skip_taken(State& state) const;
  /// Pending removals take all insertions that returned before `end`; false if they cannot.
  bool clear_until(Position end, State& state, std::uint32_t& spent);
  bool spend_removals(std::uint32_t count, std::uint32_t& spent);
  bool clear_hand(State& state, std::uint32_t& spent);
  void take_any(State state, std::uint32_t spent, Steps& out);
  void take(State& state, Index op) const;
  template <class F>
  void take_value(State state, std::uint32_t spent, std::uint32_t value, F&& then);
  template <class F>
  void take_spare(State state, std::uint32_t spent, std::uint32_t value, F&& then);

  const Binding& binding_;
  std::span<const OperationId> ids_;
  std::vector<std::uint32_t> kinds_;  ///< by operation: value << 3 | act
  std::vector<std::uint16_t> slot_;   ///< by operation: of insertions that return
  std::uint32_t slots_ = 0;
  std::vector<Index> returns_;                  ///< insertions by return
  std::vector<Index> open_;                     ///< by return and slot: the insertions open then
  std::vector<std::uint32_t> left_;             ///< by value: how many a pending removal may have taken at most
  std::vector<std::vector<Index>> insertions_;  ///< by value, those that return, by call; if there are pending removals
  std::vector<std::vector<Index>> spares_;      ///< by value: insertions that never return, by call
  bool has_pending_removals_ = false;
  std::uint32_t called_removals_ = 0;
  Position now_ = 0;
  Counts<std::uint32_t, std::less<>, EachOne> spent_;
};

}  // namespace muster
