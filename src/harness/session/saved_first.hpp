#pragma once
// Failures that were saved are run first: one that still fails is the result.

#include <optional>

#include "finding/finding.hpp"
#include "harness/options/options.hpp"
#include "harness/saved/saved.hpp"
#include "rule/registry.hpp"
#include "symbols/symbolizer.hpp"

namespace muster {

class SavedFirst {
 public:
  SavedFirst(const HarnessOptions& options, Symbolizer& symbolizer) : options_(options), symbolizer_(symbolizer) {}

  /// What a saved schedule shows now, if that is a failure: a search with other flags may not come to it. Races of a
  /// check may be suppressed since, and predictions have a command of their own: both are left to the search.
  std::optional<Result> fails_again(const SavedFailure& saved);

  /// The first that still fails, of this very build. A file that cannot be used any more is skipped, and a line says
  /// so.
  std::optional<Result> of(const Scenario& scenario);
  /// The same of a check, whose tests are searched again; nothing if all tests are asked for.
  std::optional<Result> of(const CheckDefinition& check);

 private:
  template <class Try>
  std::optional<Result> first_of(const std::string& subject, const Try& try_one);
  std::optional<Result> search_again(const CheckDefinition& check, const SavedFailure& saved);
  const std::vector<SavedFailure>& all();
  void skip(const std::string& why) const;
  std::string file_of(const SavedFailure& saved) const;

  const HarnessOptions& options_;
  Symbolizer& symbolizer_;
  std::optional<std::vector<SavedFailure>> all_;
};

}  // namespace muster
