#pragma once
// What a run has to say: printed at once, and kept for the reports that are written at its end.

#include <functional>
#include <optional>

#include "finding/finding.hpp"
#include "harness/options/options.hpp"
#include "report/terminal.hpp"

namespace muster {

/// With --require-exhausted, a search that left something is undecided.
void require_exhausted(Result& result, const HarnessOptions& options);

class Output {
 public:
  explicit Output(const HarnessOptions& options);

  /// Throws Error where a file that is to be written at the end cannot be.
  void require_files() const;

  ExitCode tell(const Result& result);
  /// The same, and saves each finding that can be replayed once it is printed. Where that fails, a line says so, and
  /// the finding counts all the same.
  ExitCode tell_and_save(Result result);

  /// Something was wrong with one subject, which must not lose what others show. Reports tell it as undecided.
  ExitCode complain(const std::string& subject, SubjectKind source, const Error& error);
  /// Reports tell it, and nothing is printed.
  void keep(const Result& result) { report_.results.push_back(result); }

  /// Writes the reports.
  ExitCode write();

 private:
  ExitCode tell(Result result, const std::function<void(Finding&)>& save);

  const HarnessOptions& options_;
  TerminalStyle style_;
  Report report_;
};

}  // namespace muster
