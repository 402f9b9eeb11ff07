#pragma once
// Races between the same two lines, or about the same variable, are one report: `map[k] = v` in two threads has as many
// pairs of accesses as the map's tree has fields.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/incident.hpp"
#include "finding/finding.hpp"
#include "symbols/symbolizer.hpp"

namespace muster {

template <class T>
struct Alike {
  T shown;  // the one with the fewest preemptions, then the shortest schedule
  std::vector<T> others;
};

/// Where a race is: lines, or addresses of code where there are none.
class RacePlaces {
 public:
  RacePlaces(const Incident& race, Symbolizer& symbolizer)
      : lines_(std::minmax(line_of(symbolizer, race.place.site),
                           line_of(symbolizer, symbolizer.widen(static_cast<std::uint32_t>(race.earlier.site))))),
        address_(race.address) {}

  bool same_lines(const RacePlaces& other) const { return lines_ == other.lines_; }
  bool is_like(const RacePlaces& other) const {
    return same_lines(other) || (address_ != 0 && address_ == other.address_);
  }

 private:
  static std::string line_of(Symbolizer& symbolizer, SiteId site) {
    const SourcePlace& place = symbolizer.locate(site);
    return place.line > 0 ? fmt::format("{}:{}", place.file, place.line) : fmt::format("{:x}", site);
  }

  std::pair<std::string, std::string> lines_;
  std::uint64_t address_;
};

/// `race_of` gives the incident of one, `cost_of` what the one that is shown has least of. What may be a race is left
/// out where an execution proves one between the same lines. With `each`, only those are alike that are the same.
template <class T, class RaceOf, class CostOf>
std::vector<Alike<T>> alike_races(std::vector<T> races, const RaceOf& race_of, const CostOf& cost_of,
                                  Symbolizer& symbolizer, bool each) {
  std::ranges::stable_sort(races, {}, [&](const T& race) { return race_of(race).kind == IncidentKind::possible_race; });
  std::vector<Alike<T>> groups;
  std::vector<RacePlaces> places;
  const auto same_accesses = [&](const T& a, const T& b) {
    const auto sites = [&](const T& race) {
      return std::pair(static_cast<std::uint32_t>(race_of(race).place.site),
                       static_cast<std::uint32_t>(race_of(race).earlier.site));
    };
    return race_of(a).kind == race_of(b).kind && sites(a) == sites(b);
  };
  const auto take = [&](T& shown, T& other) {
    if (cost_of(other) < cost_of(shown)) std::swap(shown, other);
  };
  std::vector<T> different;
  for (T& race : races) {
    const auto same = std::ranges::find_if(different, [&](const T& other) { return same_accesses(other, race); });
    if (same == different.end())
      different.push_back(std::move(race));
    else
      take(*same, race);
  }
  for (T& race : different) {
    const RacePlaces here(race_of(race), symbolizer);
    const bool may_be = race_of(race).kind == IncidentKind::possible_race;
    std::size_t i = 0;
    bool proven = false;
    for (; i < groups.size(); ++i) {
      const bool other_kind = race_of(groups[i].shown).kind != race_of(race).kind;
      proven |= may_be && other_kind && here.same_lines(places[i]);
      if (!each && !other_kind && here.is_like(places[i])) break;
    }
    if (proven) continue;
    if (i == groups.size()) {
      places.push_back(here);
      groups.push_back({std::move(race), {}});
    } else {
      take(groups[i].shown, race);
      groups[i].others.push_back(std::move(race));
    }
  }
  return groups;
}

/// A race as it is told, and how many others are like it.
struct ToldRace {
  Finding finding;
  std::uint64_t more = 0;
};

/// One of them for all. A race that is run again may turn out to be one that code which is not watched may order: then
/// those like it are asked, of which one may be a race for certain. `explain` makes the finding of one.
template <class T, class Explain>
ToldRace tell_one(Alike<T> alike, const Explain& explain) {
  const std::uint64_t more = alike.others.size();
  Finding told = explain(std::move(alike.shown));
  for (T& other : alike.others) {
    if (told.kind == FindingKind::race) break;
    Finding finding = explain(std::move(other));
    if (finding.kind == FindingKind::race) told = std::move(finding);
  }
  return {std::move(told), more};
}

/// Of those that a reader sees at the same two lines, the one with the fewest preemptions and steps is left: code of
/// headers and libraries is told at the program's line, which is known only once a race was followed. With `each`, all
/// are.
std::vector<Finding> tell_alike(std::vector<ToldRace> races, bool each);

}  // namespace muster
