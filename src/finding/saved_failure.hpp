#pragma once
// A failure as a file: what is needed to run it again, and to know whether the program is still the same.

#include <string>
#include <string_view>
#include <vector>

#include "finding/reproduction.hpp"

namespace muster {

struct SavedFailure : Reproduction {
  std::string id;  // "queue-1"
  std::string heap;
  unsigned spurious_failures = 0;
  bool races = true;                 // are told
  std::string against, quasi, spec;  // of a check: what it was judged by, if other than what the check says
  bool classic = false;
  std::vector<std::string> arguments;  // of an ordinary main
  std::string build;                   // fingerprint of the program that failed

  bool operator==(const SavedFailure&) const = default;
};

/// Each value is a line: what breaks lines becomes a space.
std::string one_line(std::string_view text);

/// The beginning of what stands in a file that may be damaged, for a message.
std::string excerpt(std::string_view text);

/// All but its id, which is the name of the file.
std::string to_text(const SavedFailure& saved);

/// Throws Error, naming `name` and the line, for what `to_text` does not write.
SavedFailure parse_saved_failure(std::string_view text, const std::string& name);

}  // namespace muster
