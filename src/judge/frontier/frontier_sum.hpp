#pragma once
// Counters and fetch-and-add for the frontier search. Additions that answer nothing commute: each counts from its
// return on, or from an earlier moment at which a read, or an addition that answers, needs it to make its sum. So only
// those taken early make frontiers. Sums that cannot be made are recognised by bounds before they are tried.

#include <absl/container/flat_hash_map.h>

#include <vector>

#include "judge/frontier/frontier_object.hpp"
#include "spec/counts.hpp"

namespace muster {

class FrontierSum : public FrontierObject {
 public:
  struct State {
    std::int64_t sum = 0;
    std::uint64_t taken = 0;  ///< open additions that count already, by slot
    bool operator==(const State&) const = default;
    std::uint64_t hash() const { return mix(static_cast<std::uint64_t>(sum), taken); }
  };
  using Steps = std::vector<std::pair<State, std::uint32_t>>;
  std::size_t least_width() const { return 8; }

  FrontierSum(const Binding& binding, std::span<const OperationId> ids);
  /// Not if too many additions overlap, or sums might wrap around.
  bool applies() const { return applies_; }

  State initial() const { return {initial_, 0}; }
  void restart();
  std::uint32_t kind(Index op) const { return op; }
  bool is_deferred(Index op) const { return ops_[op].act == Act::add; }
  bool is_observer(Index op) const { return ops_[op].act == Act::look || ops_[op].amount == 0; }
  bool is_free(State state, Index op) const {
    return ops_[op].act == Act::look ||
           (ops_[op].act == Act::exact && ops_[op].amount == 0 && ops_[op].sum == state.sum);
  }
  bool must_come_before(Index op, Index) const { return ops_[op].act == Act::exact; }
  bool is_doomed(State state, Index op) const {
    return only_grows_ && ops_[op].act == Act::exact && ops_[op].sum < state.sum;
  }
  bool dooms(Index op, Index other) const {
    return only_grows_ && ops_[other].act == Act::exact && ops_[other].sum < ops_[op].sum + ops_[op].amount;
  }
  void called_for_ever(Index op);
  void uncalled_for_ever(Index op);
  void called_deferred(Index op);
  void uncalled_deferred(Index op);
  void returned_deferred(State& state, Index op) const;
  void forget_deferred(Index op) { uncalled_deferred(op); }
  void unforget_deferred(Index op) { called_deferred(op); }
  std::uint64_t cost(const State&, std::uint32_t spent) const { return spent_.weight(spent); }
  bool spends_no_more(std::uint32_t a, std::uint32_t b) { return spent_.is_within(a, b); }
  void limit(std::size_t width);
  bool was_limited() const { return was_limited_; }
  template <class Open>
  void begin(Position, const Open&) {}
  void step(const Place&, State state, std::uint32_t spent, Index op, Steps& out);
  std::size_t bytes() const { return spent_.bytes(); }

 private:
  enum class Act : std::uint8_t { look, exact, add, impossible };
  struct Op {
    Act act;
    std::int64_t sum;     ///< that it needs
    std::int64_t amount;  ///< that it adds
  };
  /// Open additions of one amount that can be taken now.
  struct Group {
    std::int64_t amount;
    std::vector<Index> open;   ///< those that must return first in front
    std::int64_t least, most;  ///< what this and the later groups can add
  };
  /// Additions of one amount that never return and are not spent.
  struct Spare {
    std::int64_t amount;
    std::uint32_t left;
    std::int64_t least, most;  ///< amounts of this and the later ones
    std::uint32_t used;        ///< in the sum that is being made
  };

  /// A sum that is too small can still be made larger.
  struct Amount {
    std::uint64_t operator()(std::int64_t amount) const { return static_cast<std::uint64_t>(std::abs(amount)); }
  };

  const Operation& operation(Index op) const { return binding_.history()[ids_[op]]; }
  Op described(Index op) const;
  void find_groups(State state);
  void find_spares(std::uint32_t spent);
  void find_sums();
  bool can_make(std::int64_t rest, std::size_t group) const;
  bool is_limited(const Steps& out);
  void make(std::int64_t rest, State state, std::uint32_t spent, std::int64_t then, Steps& out);
  void make_with_spares(std::int64_t rest, std::size_t at, std::uint32_t left, State state, std::uint32_t spent,
                        std::int64_t then, Steps& out);
  void make_of_open(std::int64_t rest, std::size_t group, State state, std::uint32_t spent, std::int64_t then,
                    Steps& out);

  const Binding& binding_;
  std::span<const OperationId> ids_;
  std::vector<Op> ops_;
  std::int64_t initial_ = 0;
  bool applies_ = true;
  bool only_grows_ = true;
  std::vector<std::uint8_t> slot_;  ///< by operation: of additions that are open
  std::vector<std::uint8_t> free_;
  std::vector<Index> open_;                                  ///< additions, by amount, then by return
  absl::flat_hash_map<std::int64_t, std::uint32_t> spares_;  ///< additions that never return, by amount
  std::vector<Group> groups_;
  std::vector<Spare> unspent_;
  std::vector<std::vector<bool>> sums_;  ///< by group: what it and the later ones can add, from their least on
  std::size_t most_steps_ = 0;
  bool was_limited_ = false;
  std::uint32_t nodes_ = 0;  ///< looked at for one step
  Counts<std::int64_t, std::less<>, Amount> spent_;
};

}  // namespace muster
