#pragma once
// Three answers, each with its evidence.

#include <string>
#include <variant>
#include <vector>

#include "history/history.hpp"

namespace muster {

/// The history is explained. `order` is a serial order that explains it (pending operations that did not happen are
/// left out); empty unless JudgeOptions::explain asked for it, because near-linear monitors decide without finding one.
struct Witness {
  std::vector<OperationId> order;
};

/// No serial order explains the history.
struct Counterexample {
  std::vector<OperationId> operations;  ///< that show it; all of them where nothing was left out
  std::vector<OperationId> misfits;     ///< with no place; the first is the one to look at
  std::string reason;
};

/// A limit was hit: neither a pass nor a fail.
struct Undecided {
  std::string reason;
  std::size_t explained = 0;  ///< operations that returned within the longest prefix that was explained
};

using Verdict = std::variant<Witness, Counterexample, Undecided>;

inline bool passes(const Verdict& verdict) { return std::holds_alternative<Witness>(verdict); }
inline bool fails(const Verdict& verdict) { return std::holds_alternative<Counterexample>(verdict); }
inline bool is_undecided(const Verdict& verdict) { return std::holds_alternative<Undecided>(verdict); }

}  // namespace muster
