#pragma once
// Recording a run on real threads, as MUSTER_RECORD asks for, and what a recording says of itself.

#include <optional>
#include <string>
#include <vector>

#include "rule/registry.hpp"

namespace muster {

/// What was run: an ordinary main with its arguments, a scenario, or a test of a check; and which functions were
/// transactions.
struct RunDescription {
  std::vector<std::string> arguments;
  std::string scenario, check, test, atomic;

  std::string to_text() const;
  static RunDescription parse(const std::string& text);
};

/// What `muster predict --confirm` left in a folder beside its plans.
RunDescription read_run_description(const std::string& folder);

/// The file that MUSTER_RECORD names, once: programs that this one starts are not recorded into it.
std::optional<std::string> take_recording_request();
std::string requested_transaction_functions();  // MUSTER_ATOMIC

/// Records from here to `end_recording`, or to the end of the process. Throws Error if the file cannot be written.
void begin_recording(const std::string& file, const RunDescription& about);
void end_recording();

}  // namespace muster
