#include "cli/merge_parts.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "division/divide.hpp"
#include "merge/read_report.hpp"
#include "report/terminal.hpp"

namespace muster::cli {
namespace {

std::string numbers(const std::vector<unsigned>& parts) {
  return fmt::format("part{} {}", parts.size() == 1 ? "" : "s", fmt::join(parts, ", "));
}

/// Of a part and its result the result counts.
std::vector<CheckpointText> read_parts(const std::vector<std::string>& files) {
  std::vector<CheckpointText> parts;
  for (const std::string& file : files) {
    CheckpointText part = read_checkpoint(file);
    const auto known = std::ranges::find_if(parts, [&](const CheckpointText& p) {
      return p.number == part.number && p.division == part.division && (p.outcome.empty() != part.outcome.empty());
    });
    if (known == parts.end())
      parts.push_back(std::move(part));
    else if (known->outcome.empty())
      *known = std::move(part);
  }
  return parts;
}

void draw_findings(const std::vector<CheckpointText>& parts) {
  for (const CheckpointText& part : parts) {
    if (part.outcome != "failed" && part.outcome != "undecided") continue;
    const Report report = parse_report(part.report, part.name);
    const TerminalStyle style = TerminalStyle::for_file(stdout, report.program);
    for (const Result& result : report.results) fmt::print("{}", draw(result, style));
  }
}

void tell(const Joined& joined, unsigned count, const PartsToMerge& how) {
  fmt::print("{} of {} parts of {} are there\n", count - joined.missing.size(), count, joined.rest.subject);
  if (!joined.missing.empty()) {
    fmt::print("missing: {}; run the program with --resume on {}\n", numbers(joined.missing),
               joined.missing.size() == 1 ? "it" : "each");
  }
  for (const Joined::Learned& learned : joined.learned) {
    fmt::print("learned by {}: {}; {} again, with that known\n", numbers(learned.parts), learned.what,
               learned.everything_again
                   ? "all parts of this search are to be run"
                   : numbers(learned.parts) + (learned.parts.size() == 1 ? " is" : " are") + " to be run");
  }
  if (!joined.stopped.empty()) fmt::print("stopped before the end: {}\n", numbers(joined.stopped));
  if (!joined.failed.empty()) return;
  const std::size_t pieces = joined.rest.pieces_left();
  const bool again = std::ranges::any_of(joined.rest.begun, [](const BegunText& search) { return !search.begun(); });
  if (!joined.all_given) return;
  if (pieces > 0)
    fmt::print("{} piece{} left", pieces, pieces == 1 ? " is" : "s are");
  else
    fmt::print("{}", again ? "the search begins again" : "nothing is left of these parts");
  if (how.rest.empty())
    fmt::print("; --rest FILE writes what is known now, to be divided again or gone on with\n");
  else
    fmt::print("{}\n",
               pieces > 0 ? fmt::format(": muster split {0} divides them, and --resume {0} goes on with them", how.rest)
               : again    ? fmt::format(": --resume {} does it", how.rest)
                          : fmt::format(": --resume {} goes on with what comes next, or prints the report", how.rest));
}

}  // namespace

ExitCode merge_parts(const PartsToMerge& how) {
  const std::vector<CheckpointText> parts = read_parts(how.files);
  const Joined joined = join(parts);
  if (!how.quiet) draw_findings(parts);
  if (!how.rest.empty()) {
    if (!joined.all_given)
      fail("{}: not written, as {} would be lost; give the files that muster split wrote, too", how.rest,
           numbers(joined.missing));
    write_checkpoint(how.rest, joined.rest);
  }
  if (!how.quiet) tell(joined, parts.front().count, how);
  if (!joined.failed.empty()) return ExitCode::finding;
  const bool done =
      joined.missing.empty() && joined.learned.empty() && joined.undecided.empty() && joined.rest.pieces_left() == 0;
  return done ? ExitCode::no_finding : ExitCode::undecided;
}

}  // namespace muster::cli
