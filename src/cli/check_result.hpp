#pragma once
// The verdict on a log as a result that reports can draw.

#include <functional>

#include "finding/finding.hpp"
#include "judge/explain.hpp"
#include "judge/linearizability.hpp"

namespace muster::cli {

struct LogVerdict {
  const History& history;
  const Spec& spec;
  std::string_view property;  ///< "linearizable", "sequentially consistent" …
  const KeySummary& summary;
  const JudgeOptions& judging;
  bool every_key = false;  ///< tell all that fail, not only the first
};

Result to_result(const LogVerdict& log);

/// The operations that `shown` accepts as bars; `numbers` says where each stands, `nowhere` if it does not.
Timeline to_timeline(const History& history, const std::function<bool(const Operation&)>& shown,
                     std::vector<std::uint32_t>& numbers);
constexpr std::uint32_t nowhere = ~std::uint32_t{0};

}  // namespace muster::cli
