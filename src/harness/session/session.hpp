#pragma once
// One run of a test program: which scenarios and checks, how, and what becomes of it.

#include <optional>

#include "base/shared_memory.hpp"
#include "harness/run/checkpoint_file.hpp"
#include "harness/session/output.hpp"
#include "harness/session/saved_first.hpp"
#include "runtime/site_set.hpp"

namespace muster {

class Session {
 public:
  explicit Session(HarnessOptions options);

  /// Runs what was asked for, and writes the reports of it, whatever came of it.
  ExitCode run();

 private:
  struct Chosen {
    std::vector<const Scenario*> scenarios;
    std::vector<const CheckDefinition*> checks;
  };

  ExitCode run_chosen();
  Chosen choose() const;
  bool only_looks() const;
  void look_at(const Chosen& chosen);
  ExitCode verify(const Chosen& chosen);
  ExitCode verify(const Scenario& scenario);
  ExitCode recheck();
  ExitCode replay();
  Result replayed(const SavedFailure& saved);

  std::vector<Subject> to_search(const Chosen& chosen);
  ExitCode search(const std::vector<Subject>& subjects);
  ExitCode search(const Subject& subject);
  ExitCode leave_out(const Subject& subject, const char* why);
  Result explore(const Scenario& scenario);
  Result run_tests(const CheckDefinition& check);
  ExitCode finish(Result result);
  bool finished_before(const std::string& name) const;
  void keep_checkpoint(Result& result);
  void tell_limits(CoverageReport& coverage);
  void tell_suspects(Finding& finding, const CoverageReport& coverage) const;
  void begin_subject();
  bool is_part() const { return !rest_.division.empty(); }
  void keep_part(ProgramCheckpoint now, Result& result);
  bool is_interrupted() const { return options_.explore.interrupted && options_.explore.interrupted(); }
  Symbolizer& symbolizer();

  HarnessOptions options_;
  Output output_;
  std::vector<std::string> opaque_libraries_;  // before reading debug information loads more of them
  std::vector<std::string> foreign_allocators_;
  Shared<SiteSet> weak_orders_ = make_shared_memory<SiteSet>();
  std::optional<Symbolizer> symbolizer_;
  std::optional<SavedFirst> saved_;
  Halt::Clock::time_point end_ = Halt::never;  // of all searches together
  ProgramCheckpoint rest_;                     // what an earlier run has left to do, then what this one has
  bool saved_checkpoint_ = false;
};

}  // namespace muster
