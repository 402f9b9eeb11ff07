#pragma once
// What a class may do, in terms of serial histories: learned by running it (ObservationSet), or told by a sequential
// model (ModelledSpec). Phase 2 of a check asks it about every history.

#include <absl/functional/function_ref.h>

#include <functional>
#include <optional>

#include "rule/history_class.hpp"

namespace muster {

/// What can be said about all histories of a class at once.
struct ClassRuling {
  enum class Kind : std::uint8_t { unknown, passes, fails };
  Kind kind = Kind::unknown;
  std::optional<Recorded> failing;  // one of them that fails, if any does
};

class SerialSpec {
 public:
  virtual ~SerialSpec() = default;

  /// Whether a full history has a serial witness (Line-Up, Definition 1).
  virtual bool explains(const Recorded& history) const = 0;
  /// The same for all histories of a class; nothing is known if it takes too long, or `go_on` says so.
  virtual ClassRuling explains_all(const HistoryClass& classed, absl::FunctionRef<bool()> go_on) const = 0;
  /// Whether H[operation] has a stuck serial witness (Definition 2).
  virtual bool explains_stuck(const Recorded& history, unsigned operation) const = 0;
  /// Definition 1 alone, for a history with pending operations: they may have taken effect with any answer, or not.
  virtual bool explains_classic(const Recorded& history) const = 0;

  /// Tells serial histories that keep the order of operations that do not overlap in `history`, whatever they answered,
  /// until `tell` returns false. False if there may be others that were not told.
  virtual bool each_order(const Recorded& history, const std::function<bool(const SerialHistory&)>& tell) const = 0;
};

}  // namespace muster
