#pragma once
// Objects whose operations meet: channels, exchangers, barriers (Lawrence and Lowe, "Understanding Synchronisation",
// section 2). A synchronisation spec has a function for each mode of synchronisation, which takes the arguments of the
// participants and gives the responses of all of them. Linearizability is the case of one participant.
//
//   struct Nothing { bool operator==(const Nothing&) const = default; };
//   auto channel = synchronised<Nothing>("channel", {}, {{"send", 1}, {"receive", 0}},
//       {{"transfer", {0, 1}, [](const Nothing& s, Participants p) { return Meetings<Nothing>{{s, {Value(), p[0][0]}}};
//       }}});

#include <absl/container/flat_hash_map.h>

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "history/history.hpp"
#include "spec/modelled.hpp"
#include "spec/spec.hpp"

namespace muster {

struct SyncOperation {
  std::string name;
  unsigned arguments = 0;
  std::vector<std::string> aliases = {};
  bool answers = false;  ///< gives something back: where a log has nothing, it was not recorded
};

/// A way to synchronise: which operation each participant calls.
struct SyncMode {
  std::string name;
  std::vector<MethodIndex> participants;

  std::size_t arity() const { return participants.size(); }
};

/// The arguments of each participant.
using Participants = std::span<const Arguments>;

/// What a synchronisation may give: a response for each participant, and the state it leaves behind.
struct SyncOutcome {
  StateId next = 0;
  std::vector<Value> responses;
};

/// The states met while judging one history, as numbers.
class SyncStates {
 public:
  virtual ~SyncStates() = default;
  virtual StateId initial() = 0;
  /// Every outcome that `mode` allows in `state`; none where its precondition does not hold.
  virtual std::vector<SyncOutcome> outcomes(StateId state, unsigned mode, Participants participants) = 0;
  virtual std::size_t bytes() const = 0;
};

class SyncSpec {
 public:
  virtual ~SyncSpec() = default;
  virtual std::string_view name() const = 0;
  virtual std::span<const SyncOperation> operations() const = 0;
  virtual std::span<const SyncMode> modes() const = 0;
  virtual bool is_stateless() const = 0;
  virtual std::unique_ptr<SyncStates> states() const = 0;

  std::size_t largest_arity() const;
  /// Index of the operation with this name or alias; -1 if there is none.
  int find_operation(std::string_view name) const;
};

using SyncSpecPtr = std::shared_ptr<const SyncSpec>;

/// Tells a history which of its methods answer, and of a positional one which value is an argument and which the
/// response; throws Error for an operation that the spec does not know, or one with too few or too many arguments.
void arrange(History& history, const SyncSpec& spec);

/// One outcome of a mode, before states are numbered.
template <class State>
struct Meeting {
  State next;
  std::vector<Value> responses;
};
template <class State>
using Meetings = std::vector<Meeting<State>>;

template <class State>
struct ModeFunction {
  std::string name;
  std::vector<MethodIndex> participants;
  std::function<Meetings<State>(const State&, Participants)> meet;
};

template <class State>
class SynchronisedSpec final : public SyncSpec {
 public:
  SynchronisedSpec(std::string name, State initial, std::vector<SyncOperation> operations,
                   std::vector<ModeFunction<State>> modes)
      : name_(std::move(name)),
        initial_(std::move(initial)),
        operations_(std::move(operations)),
        functions_(std::move(modes)) {
    for (const auto& mode : functions_) modes_.push_back({mode.name, mode.participants});
  }

  std::string_view name() const override { return name_; }
  std::span<const SyncOperation> operations() const override { return operations_; }
  std::span<const SyncMode> modes() const override { return modes_; }
  bool is_stateless() const override { return std::is_empty_v<State>; }
  std::unique_ptr<SyncStates> states() const override { return std::make_unique<States>(*this); }

 private:
  class States final : public SyncStates {
   public:
    explicit States(const SynchronisedSpec& spec) : spec_(spec) {}
    StateId initial() override { return number(spec_.initial_); }
    std::vector<SyncOutcome> outcomes(StateId state, unsigned mode, Participants participants) override {
      std::vector<SyncOutcome> outcomes;
      for (auto& [next, responses] : spec_.functions_[mode].meet(states_[state], participants))
        outcomes.push_back({number(std::move(next)), std::move(responses)});
      return outcomes;
    }
    std::size_t bytes() const override { return bytes_; }

   private:
    StateId number(State state) {
      if constexpr (std::is_empty_v<State>) {
        if (states_.empty()) states_.push_back(std::move(state));
        return 0;
      } else {
        std::uint64_t hash = 0;
        if constexpr (HasHash<State>) hash = state.hash();
        auto& same_hash = by_hash_[hash];
        for (const StateId known : same_hash) {
          if (states_[known] == state) return known;
        }
        same_hash.push_back(static_cast<StateId>(states_.size()));
        states_.push_back(std::move(state));
        bytes_ += sizeof(State) + 64;
        return static_cast<StateId>(states_.size() - 1);
      }
    }

    const SynchronisedSpec& spec_;
    std::deque<State> states_;
    absl::flat_hash_map<std::uint64_t, std::vector<StateId>> by_hash_;
    std::size_t bytes_ = 0;
  };

  std::string name_;
  State initial_;
  std::vector<SyncOperation> operations_;
  std::vector<ModeFunction<State>> functions_;
  std::vector<SyncMode> modes_;
};

template <class State>
SyncSpecPtr synchronised(std::string name, State initial, std::vector<SyncOperation> operations,
                         std::vector<ModeFunction<State>> modes) {
  return std::make_shared<SynchronisedSpec<State>>(std::move(name), std::move(initial), std::move(operations),
                                                   std::move(modes));
}

}  // namespace muster
