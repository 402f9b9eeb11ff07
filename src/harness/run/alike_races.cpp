#include "harness/run/alike_races.hpp"

#include <optional>
#include <tuple>

namespace muster {
namespace {

using Line = std::pair<std::string, int>;

/// The lines of the two accesses; nothing if the steps do not show them.
std::optional<std::pair<Line, Line>> lines_of(const Finding& race) {
  const auto first = std::ranges::find_if(race.steps, &Step::races);
  const auto second = std::ranges::find_if(race.steps, &Step::decisive);
  if (first == race.steps.end() || second == race.steps.end() || first->line == 0 || second->line == 0) return {};
  return std::minmax(Line(first->file, first->line), Line(second->file, second->line));
}

bool same_lines(const Finding& a, const Finding& b) {
  const auto lines = lines_of(a);
  return lines && a.kind == b.kind && lines == lines_of(b);
}

auto cost_of(const Finding& race) { return std::tuple(race.preemptions, race.steps.size()); }

}  // namespace

std::vector<Finding> tell_alike(std::vector<ToldRace> races, bool each) {
  std::vector<ToldRace> shown;
  for (ToldRace& race : races) {
    const auto like = std::ranges::find_if(
        shown, [&](const ToldRace& other) { return !each && same_lines(other.finding, race.finding); });
    if (like == shown.end()) {
      shown.push_back(std::move(race));
      continue;
    }
    like->more += 1 + race.more;
    if (cost_of(race.finding) < cost_of(like->finding)) like->finding = std::move(race.finding);
  }
  std::vector<Finding> findings;
  for (ToldRace& race : shown) {
    Finding& finding = findings.emplace_back(std::move(race.finding));
    if (race.more > 0)
      finding.notes.push_back(fmt::format("And {} more like it: --all-findings reports each.", race.more));
  }
  return findings;
}

}  // namespace muster
