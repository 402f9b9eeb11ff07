#pragma once
// Objects known by a spec's state space alone, for the frontier search.

#include <absl/container/flat_hash_map.h>

#include <vector>

#include "judge/core/transitions.hpp"
#include "judge/frontier/frontier_object.hpp"
#include "spec/counts.hpp"

namespace muster {

class FrontierStates : public FrontierObject {
 public:
  struct State {
    StateId id = 0;
    Position covered = 0;  ///< when something last overwrote all: what was called before and is open can be before that
    bool operator==(const State&) const = default;
    std::uint64_t hash() const { return id; }
  };
  using Steps = std::vector<std::pair<State, std::uint32_t>>;

  FrontierStates(const Binding& binding, std::span<const OperationId> ids)
      : binding_(binding), ids_(ids), transitions_(binding, ids, false), traits_(ids.size()) {
    traceable_ = binding.spec().shows_what_was_put();
    for (Index op = 0; op < ids.size(); ++op) {
      const Method& method = binding.described(operation(op));
      traits_[op] = {binding.never_changes(operation(op)),
                     method.overwrites && (!method.answers || operation(op).result.is_none())};
      traceable_ = traceable_ && !method.computes;
    }
  }

  State initial() { return {transitions_.initial(), 0}; }
  void restart() {}
  std::uint32_t kind(Index op) const { return transitions_.kind(op); }
  bool is_observer(Index op) const { return traits_[op].observes; }
  bool is_hidden(State state, Index op) const { return traits_[op].overwrites && operation(op).call < state.covered; }
  bool includes(State a, State b) const { return a.id == b.id && a.covered >= b.covered; }
  std::uint64_t cost(const State&, std::uint32_t spent) const { return spent_.weight(spent); }
  bool spends_no_more(std::uint32_t a, std::uint32_t b) { return spent_.is_within(a, b); }
  bool is_useful(Index op) const {
    return !traits_[op].overwrites || anything_ || std::ranges::find(wanted_, product(op)) != wanted_.end();
  }
  bool is_free(State state, Index op) {
    const auto next = transitions_.from(state.id, op);
    return !next.empty() && next.front() == state.id;
  }

  void called_for_ever(Index op) {
    if (traits_[op].observes) return;  // it can be left out of every explanation
    const auto [found, fresh] = by_kind_.try_emplace(kind(op), static_cast<std::uint32_t>(spares_.size()));
    if (fresh) {
      spares_.push_back({op, kind(op), 0});
      by_product_[product(op)].push_back(found->second);
    }
    ++spares_[found->second].called;
  }
  void uncalled_for_ever(Index op) {
    if (!traits_[op].observes) --spares_[by_kind_.at(kind(op))].called;
  }

  /// What never returns, or overwrites all, is used before it must be only where something open needs what it leaves.
  template <class Open>
  void begin(Position now, const Open& open) {
    now_ = now;
    useful_.clear();
    wanted_.clear();
    anything_ = !traceable_;
    for (const auto& opened : open) {
      if (anything_) break;
      const Call call = binding_.call(operation(opened.op));
      if (call.result.is_none() && !binding_.spec().methods()[call.method].answers) continue;
      anything_ = call.result.is_none() || call.result.is_false();
      want(call.arguments.size() == 2 ? call.arguments[0] : call.result);
    }
    if (spares_.empty()) return;
    if (anything_) {
      useful_.resize(spares_.size());
      for (std::uint32_t number = 0; number < spares_.size(); ++number) useful_[number] = number;
    } else {
      want(Value());
    }
  }

  void step(const Place&, State state, std::uint32_t spent, Index op, Steps& out) {
    const Position covered = traits_[op].overwrites ? now_ : state.covered;
    for (const StateId next : transitions_.from(state.id, op)) out.push_back({{next, covered}, spent});
  }

  void spend(const Place&, State state, std::uint32_t spent, Steps& out) {
    for (const std::uint32_t number : useful_) {
      const Spare& spare = spares_[number];
      if (spent_.count(spent, spare.kind) >= spare.called) continue;
      const Position covered = traits_[spare.op].overwrites ? now_ : state.covered;
      for (const StateId next : transitions_.from(state.id, spare.op)) {
        if (next != state.id || covered > state.covered)
          out.push_back({{next, covered}, spent_.more(spent, spare.kind)});
      }
    }
  }

  /// Of the moment of the last overwriting only matters what it hides.
  template <class Layer>
  void settle(Layer& layer, const auto& open, auto&& is_marked) {
    for (auto& at : layer) {
      if (at.state.covered == 0) continue;
      Position latest = 0;
      for (const auto& opened : open) {
        if (is_hidden(at.state, opened.op) && !is_marked(at, opened.op))
          latest = std::max(latest, operation(opened.op).call + 1);
      }
      at.state.covered = latest;
    }
  }

  /// States that lead nowhere any more go, once they may be most of them.
  template <class Visit>
  void collect(const Visit& visit_states) {
    if (!transitions_.forgets() || transitions_.bytes() < 2 * bytes_kept_ + fewest_bytes) return;
    kept_.clear();
    visit_states([&](const State& state) { kept_.push_back(state.id); });
    transitions_.keep(kept_);
    std::size_t next = 0;
    visit_states([&](State& state) { state.id = kept_[next++]; });
    bytes_kept_ = transitions_.bytes();
  }

  std::size_t bytes() const { return transitions_.bytes() + spent_.bytes(); }

 private:
  static constexpr std::size_t fewest_bytes = std::size_t{1} << 18;  ///< to collect

  /// Operations of a kind that never return.
  struct Spare {
    Index op;
    std::uint32_t kind;
    std::uint32_t called;  ///< so many by now
  };

  const Operation& operation(Index op) const { return binding_.history()[ids_[op]]; }
  Value product(Index op) const {
    const auto arguments = binding_.arguments(operation(op));
    if (!arguments.empty()) return arguments.back();
    return traits_[op].overwrites ? Value::nil() : Value();
  }
  void want(Value value) {
    if (std::ranges::find(wanted_, value) != wanted_.end()) return;
    wanted_.push_back(value);
    if (value.kind() == Value::Kind::text && value.letters().empty()) want(Value::nil());  // stores answer so
    const auto found = by_product_.find(value);
    if (found == by_product_.end()) return;
    for (const std::uint32_t number : found->second) {
      useful_.push_back(number);
      // What compares needs what it compares with.
      const auto arguments = binding_.arguments(operation(spares_[number].op));
      if (arguments.size() == 2) want(arguments[0]);
    }
  }

  const Binding& binding_;
  std::span<const OperationId> ids_;
  Transitions transitions_;
  struct Traits {
    bool observes = false, overwrites = false;
  };
  std::vector<Traits> traits_;
  bool traceable_ = false;  ///< what is put in is noticed only by those that name it
  Position now_ = 0;
  bool anything_ = true;       ///< may be needed
  std::vector<Value> wanted_;  ///< by what is open
  std::vector<Spare> spares_;
  absl::flat_hash_map<std::uint32_t, std::uint32_t> by_kind_;
  absl::flat_hash_map<Value, std::vector<std::uint32_t>> by_product_;  ///< spares by what they leave; none: they take
  std::vector<std::uint32_t> useful_;
  Counts<std::uint32_t, std::less<>, EachOne> spent_;
  std::size_t bytes_kept_ = 0;  ///< at the last collection
  std::vector<StateId> kept_;
};

}  // namespace muster
