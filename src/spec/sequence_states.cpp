#include "spec/sequence_states.hpp"

#include <absl/container/flat_hash_map.h>

#include <algorithm>

#include "spec/chains.hpp"
#include "spec/modelled.hpp"

namespace muster {
namespace {

using Node = Chains::Node;

class SequenceStates final : public StateSpace {
 public:
  explicit SequenceStates(bool first_in_first_out) : first_in_first_out_(first_in_first_out) {}

  StateId initial() override { return number({0, 0}); }

  void step(StateId id, const Call& call, std::vector<StateId>& next) override {
    const State state = states_[id];
    if (call.method == 0) {
      next.push_back(number({chains_.put(state.back, call.arguments[0]), state.length + 1}));
      return;
    }
    const bool empty = state.length == 0;
    const Value given =
        empty ? Value::nil()
              : chains_.value(first_in_first_out_ ? chains_.above(state.back, state.length - 1) : state.back);
    if (!call.pending && !same_answer(given, call.result)) return;
    if (call.method == 2 || empty) {
      next.push_back(id);
    } else {
      next.push_back(number({first_in_first_out_ ? state.back : chains_.parent(state.back), state.length - 1}));
    }
  }

  std::size_t bytes() const override {
    return chains_.bytes() + states_.capacity() * sizeof(State) + by_content_.capacity() * 17;
  }

  std::string describe(StateId id) const override {
    std::vector<std::string> items;
    Node node = states_[id].back;
    for (std::uint32_t left = states_[id].length; left > 0; --left, node = chains_.parent(node))
      items.push_back(to_string(chains_.value(node)));
    std::string out = "[";
    for (auto item = items.rbegin(); item != items.rend(); ++item) (out += out.size() > 1 ? " " : "") += *item;
    return out + "]";
  }

 private:
  struct State {
    Node back;
    std::uint32_t length;
  };

  StateId number(State state) {
    if (state.length == 0) state.back = 0;
    // States with one hash form a list; in practice they are equal.
    const std::uint64_t hash = mix(chains_.hash(state.back, state.length), state.length);
    const auto [found, fresh] = by_content_.try_emplace(hash, static_cast<StateId>(states_.size()));
    for (StateId known = found->second; !fresh && known != nobody; known = next_alike_[known]) {
      if (states_[known].length == state.length && chains_.same(states_[known].back, state.back, state.length))
        return known;
    }
    states_.push_back(state);
    next_alike_.push_back(fresh ? nobody : std::exchange(found->second, static_cast<StateId>(states_.size() - 1)));
    return static_cast<StateId>(states_.size() - 1);
  }

  static constexpr StateId nobody = ~StateId{0};

  bool first_in_first_out_;
  Chains chains_;
  std::vector<State> states_;
  std::vector<StateId> next_alike_;
  absl::flat_hash_map<std::uint64_t, StateId> by_content_;
};

}  // namespace

std::unique_ptr<StateSpace> queue_states() { return std::make_unique<SequenceStates>(true); }
std::unique_ptr<StateSpace> stack_states() { return std::make_unique<SequenceStates>(false); }

}  // namespace muster
