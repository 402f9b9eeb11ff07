#pragma once
// Is there a way to bring the operations of a history together, legal for the spec, such that each synchronisation lies
// within all of its participants? And may the object block after it? (Lawrence and Lowe, "Understanding
// Synchronisation", sections 2.2, 2.4 and 6.)
//
//   const SyncVerdict verdict = judge_synchronisation(history, *channel_spec());

#include <string>
#include <variant>
#include <vector>

#include "judge/core/options.hpp"
#include "judge/core/verdict.hpp"
#include "spec/synchronisation.hpp"

namespace muster {

struct Synchronisation {
  unsigned mode = 0;
  std::vector<OperationId> participants;  ///< in the order of the mode
};

/// Synchronisations, in order, that explain the history.
struct SyncWitness {
  std::vector<Synchronisation> synchronisations;
};

enum class SyncFault : std::uint8_t {
  unexplained,        ///< no synchronisations explain what returned
  could_synchronise,  ///< progress: operations that could synchronise wait for ever
  cannot_return,      ///< progress: an operation has synchronised and never returns
};

struct SyncCounterexample {
  SyncFault fault = SyncFault::unexplained;
  std::vector<OperationId> operations;  ///< the one without explanation, or those that wait
  std::string reason;
};

using SyncVerdict = std::variant<SyncWitness, SyncCounterexample, Undecided>;

inline bool passes(const SyncVerdict& verdict) { return std::holds_alternative<SyncWitness>(verdict); }
inline bool fails(const SyncVerdict& verdict) { return std::holds_alternative<SyncCounterexample>(verdict); }
inline bool is_undecided(const SyncVerdict& verdict) { return std::holds_alternative<Undecided>(verdict); }

enum class SyncJudge : std::uint8_t {
  automatic,  ///< by the shape of the spec
  search,     ///< configurations, for all specs (section 6.1)
  matching,   ///< stateless specs of arity at most two (sections 6.3, 6.4)
  cover,      ///< stateless specs: operation by operation, fewest candidates first (section 6.5)
  two_step,   ///< as linearizability, with two steps for each operation (sections 3 and 5)
};

struct SyncOptions {
  SyncJudge judge = SyncJudge::automatic;
  bool as_soon_as_possible = true;  ///< of the search: a reduction that changes no verdict (section 6.1, Lemma 13)
  JudgeOptions limits = {};
};

/// What `automatic` chooses for a spec.
SyncJudge judge_for(const SyncSpec& spec);

/// Synchronisation-linearizable. A pending operation may have synchronised, with any response, or not.
SyncVerdict judge_synchronisation(const History& history, const SyncSpec& spec, const SyncOptions& options = {});

/// How the operations that are not blamed can have synchronised, for a picture of the failure; empty if that has no
/// explanation either, or none was found within the limits.
std::vector<Synchronisation> explain_the_rest(const History& history, const SyncSpec& spec,
                                              const SyncCounterexample& failing, const SyncOptions& options = {});

/// Whether the object may block after the history, for ever (Definition 2): some explanation in which no pending
/// operation takes part leaves none that could synchronise. Two steps do not decide this: with them the search does.
SyncVerdict judge_progress(const History& history, const SyncSpec& spec, const SyncOptions& options = {});

/// Whether these synchronisations really explain the history. Shares no code with the judges.
bool is_witness(const History& history, const SyncSpec& spec, std::span<const Synchronisation> synchronisations);

}  // namespace muster
