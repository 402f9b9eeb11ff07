#pragma once
// A history as the judges of synchronisation see it: operations with their roles, and who may meet whom with which
// outcome.

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "judge/synchronisation/synchronisation.hpp"
#include "spec/synchronisation.hpp"

namespace muster {

/// Index of an operation among those of a Meeters.
using Meeter = std::uint32_t;

/// The operations of a history, with what a spec says about them.
class Meeters {
 public:
  Meeters(const History& history, const SyncSpec& spec);

  std::size_t size() const { return meeters_.size(); }
  OperationId id(Meeter m) const { return m; }
  MethodIndex operation(Meeter m) const { return meeters_[m].operation; }
  bool is_pending(Meeter m) const { return meeters_[m].pending; }
  Position call(Meeter m) const { return meeters_[m].call; }
  Position ret(Meeter m) const { return meeters_[m].ret; }
  Arguments arguments(Meeter m) const { return meeters_[m].arguments; }

  /// Equal for operations that no synchronisation tells apart: same call, same response or both pending.
  std::uint32_t kind(Meeter m) const { return meeters_[m].kind; }

  /// Whether a participant's recorded response is this one; a pending one may get any.
  bool fits(Meeter m, Value response) const { return meeters_[m].pending || same_answer(response, meeters_[m].result); }
  bool all_fit(std::span<const Meeter> participants, std::span<const Value> responses) const;
  bool overlap(Meeter a, Meeter b) const {
    return meeters_[a].call < meeters_[b].ret && meeters_[b].call < meeters_[a].ret;
  }

  const History& history() const { return history_; }
  const SyncSpec& spec() const { return spec_; }

 private:
  struct One {
    MethodIndex operation;
    bool pending;
    std::uint32_t kind;
    Position call, ret;
    Value result;
    Arguments arguments;
  };
  const History& history_;
  const SyncSpec& spec_;
  std::vector<One> meeters_;
};

/// Ways to fill the roles of a mode with different operations out of `available`. Operations of one kind are
/// interchangeable, so they fill roles in rising order only. With `must` not negative that one of them takes part.
class Fillings {
 public:
  using Found = std::function<bool(std::span<const Meeter>)>;  ///< false ends the enumeration

  explicit Fillings(const Meeters& meeters) : meeters_(meeters) {}

  /// False if `found` ended it.
  bool of(const SyncMode& mode, std::span<const Meeter> available, std::int64_t must, const Found& found);

 private:
  bool fill(const SyncMode& mode, std::span<const Meeter> available, std::int64_t must, const Found& found);
  bool may_join(const SyncMode& mode, Meeter m) const;
  std::ptrdiff_t usable_after(std::span<const Meeter> available, Meeter m) const;

  const Meeters& meeters_;
  std::vector<Meeter> chosen_;
};

/// The outcomes of synchronisations, remembered.
class Outcomes {
 public:
  explicit Outcomes(const Meeters& meeters) : meeters_(meeters), states_(meeters.spec().states()) {}

  StateId initial() { return states_->initial(); }
  /// The states after each outcome that fits what the participants answered; may repeat.
  std::span<const StateId> after(StateId state, unsigned mode, std::span<const Meeter> participants);
  std::size_t bytes() const { return states_->bytes() + known_.size() * 64; }

 private:
  const Meeters& meeters_;
  std::unique_ptr<SyncStates> states_;
  std::vector<std::uint32_t> key_;
  std::vector<Arguments> arguments_;
  absl::flat_hash_map<std::vector<std::uint32_t>, std::vector<StateId>> known_;
};

/// One of each judge's own files.
SyncVerdict search_synchronisations(const Meeters& meeters, bool progress, const SyncOptions& options);
SyncVerdict match_synchronisations(const Meeters& meeters, bool progress, const SyncOptions& options);
SyncVerdict cover_synchronisations(const Meeters& meeters, bool progress, const SyncOptions& options);
SyncVerdict judge_in_two_steps(const Meeters& meeters, const SyncOptions& options);

/// Pending operations that could synchronise in the only state of a stateless spec; empty if there are none.
std::vector<OperationId> could_synchronise(const Meeters& meeters, Outcomes& outcomes, StateId state,
                                           std::span<const Meeter> waiting);

/// Synchronisations of a stateless spec in an order in which each can take place: by the latest call of a participant.
SyncWitness in_order(const Meeters& meeters, std::vector<Synchronisation> synchronisations);

SyncCounterexample waiting_for_ever(const Meeters& meeters, std::vector<OperationId> waiting);
SyncCounterexample unexplained(const Meeters& meeters, Meeter misfit);

}  // namespace muster
