#pragma once
// The verdict on a log as a result that reports can draw.

#include <functional>
#include <optional>
#include <string>

#include "finding/finding.hpp"
#include "judge/core/explain.hpp"
#include "judge/core/linearizability.hpp"

namespace muster::cli {

/// What a log is judged for.
struct Property {
  std::string_view flag, adjective;
  FindingKind fault;  ///< of a log that is not so
};

struct LogVerdict {
  const History& history;
  const Spec& spec;
  const Property& property;
  const KeySummary& summary;
  const JudgeOptions& judging;
  bool every_key = false;  ///< tell all that fail, not only the first
  bool in_full = false;    ///< timelines with all operations, for pictures
  bool explain = false;    ///< the few operations that show a failure, or the order that explains the log
};

struct ToldLog {
  Result result;
  std::optional<History> core;  ///< of the first failure, if it was to be explained
};

ToldLog to_result(const LogVerdict& log);

/// "6 operations, 3 processes, 1 pending".
std::string size_of(const History& history);

/// What a verdict on one of its objects is about: the log, and the key where there are several.
std::string object_of(const History& history, Value key);

/// The operations that `shown` accepts as bars; `numbers` says where each stands, `nowhere` if it does not.
Timeline to_timeline(const History& history, const std::function<bool(OperationId)>& shown,
                     std::vector<std::uint32_t>& numbers);
constexpr std::uint32_t nowhere = ~std::uint32_t{0};

}  // namespace muster::cli
