#include "division/divide.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.hpp"
#include "division/join_nodes.hpp"

namespace muster {
namespace {

using Numbers = std::vector<std::pair<std::string, std::uint64_t>>;

/// Those that say whether something is so, and those of executions that each process makes for itself, are no sums.
bool is_sum(const std::string& name) {
  return name != "serial_executions" && name != "more_histories" && name != "leaves_out";
}

void add_counts(Numbers& sums, const Numbers& parts) {
  for (const auto& [name, count] : parts) {
    const auto sum = std::ranges::find(sums, name, &Numbers::value_type::first);
    if (sum == sums.end())
      sums.emplace_back(name, count);
    else
      sum->second = name == "all_schedules" ? sum->second & count
                    : is_sum(name)          ? sum->second + count
                                            : std::max(sum->second, count);
  }
}

void add_missing(std::vector<std::string>& all, const std::vector<std::string>& more) {
  std::set<std::string> known(all.begin(), all.end());
  for (const std::string& text : more) {
    if (known.insert(text).second) all.push_back(text);
  }
}

std::vector<TestRange> together(std::vector<TestRange> ranges) {
  std::ranges::sort(ranges);
  std::vector<TestRange> joined;
  for (const TestRange& range : ranges) {
    if (!joined.empty() && range.first <= joined.back().second)
      joined.back().second = std::max(joined.back().second, range.second);
    else
      joined.push_back(range);
  }
  return joined;
}

/// A search that several parts were at.
struct Search {
  std::vector<const CheckpointText*> parts;
  std::vector<const BegunText*> at;  // beside `parts`
};

std::vector<std::string> facts_of(const BegunText& search) {
  std::vector<std::string> facts = search.facts;
  if (const auto stacks = search.number("shared_stacks"); stacks > 1)
    facts.push_back(fmt::format("stacks of threads {:#x} are shared", stacks));
  if (search.number("outside_is_written")) facts.push_back("memory outside the program is written");
  if (search.number("starts_late")) facts.push_back("threads are started late");
  if (search.number("sleeps")) facts.push_back("threads sleep");
  if (search.number("looks_at_clock")) facts.push_back("threads look at the clock");
  return facts;
}

/// What some know and not all: it changes what executions do.
std::vector<std::string> learned_facts(const Search& search) {
  std::map<std::string, std::size_t> known;
  for (const BegunText* part : search.at) {
    for (const std::string& fact : facts_of(*part)) ++known[fact];
  }
  std::vector<std::string> learned;
  for (const auto& [fact, times] : known) {
    if (times < search.at.size()) learned.push_back(fact);
  }
  return learned;
}

void note_learned(Joined& joined, const Search& search, const std::vector<std::string>& facts) {
  for (const std::string& fact : facts) {
    auto& learned = joined.learned.emplace_back(Joined::Learned{fact, {}, true});
    for (std::size_t i = 0; i < search.at.size(); ++i) {
      const auto known = facts_of(*search.at[i]);
      if (std::ranges::find(known, fact) != known.end()) learned.parts.push_back(search.parts[i]->number);
    }
  }
  if (!facts.empty()) return;
  Joined::Learned set_up{"a library sets itself up in the middle of an execution", {}, false};
  for (std::size_t i = 0; i < search.at.size(); ++i) {
    if (search.at[i]->number("learned") != 0) set_up.parts.push_back(search.parts[i]->number);
  }
  if (!set_up.parts.empty()) joined.learned.push_back(std::move(set_up));
}

BegunText join_search(Joined& joined, const Search& search, bool everything) {
  BegunText whole = *search.at.front();
  std::vector<const std::vector<NodeText>*> trees;
  for (const BegunText* part : search.at) {
    trees.push_back(&part->nodes);
    if (part == search.at.front()) continue;
    add_counts(whole.counts, part->counts);
    add_missing(whole.met, part->met);
    add_missing(whole.facts, part->facts);
    add_missing(whole.set_ups, part->set_ups);
    whole.jobs.insert(whole.jobs.end(), part->jobs.begin(), part->jobs.end());
    for (const char* cut : {"cut_by_preemptions", "cut_by_late_yields", "shared_stacks", "outside_is_written",
                            "starts_late", "sleeps", "looks_at_clock"})
      whole.set_number(cut, whole.number(cut) | part->number(cut));
  }
  whole.set_number("part", 0);
  whole.set_number("learned", 0);
  whole.nodes = join_nodes(trees, everything);
  const std::vector<std::string> facts = learned_facts(search);
  note_learned(joined, search, facts);
  if (facts.empty()) return whole;
  // What was counted was counted of executions that did not know it.
  whole.set_number("is_begun", 0);
  for (auto& [name, count] : whole.counts) count = 0;
  whole.jobs.clear();
  whole.nodes.clear();
  whole.met.clear();
  return whole;
}

void demand_one_division(const std::vector<CheckpointText>& parts) {
  std::set<unsigned> seen;
  for (const CheckpointText& part : parts) {
    const CheckpointText& first = parts.front();
    if (part.count == 0) fail("{}: is no part of a search; muster split makes parts of a checkpoint", part.name);
    if (part.division != first.division || part.count != first.count)
      fail("{} and {} are parts of different searches", first.name, part.name);
    if (part.build != first.build || part.libraries != first.libraries)
      fail("{} and {} were made by different builds, or with different libraries", first.name, part.name);
    if (!seen.insert(part.number).second) fail("part {} is in two of the files: a part counts once", part.number);
  }
}

}  // namespace

Joined join_all(const std::vector<const CheckpointText*>& parts, bool everything) {
  Joined joined;
  CheckpointText& rest = joined.rest;
  rest = *parts.front();
  rest.number = rest.count = 0;
  rest.division.clear();
  rest.outcome.clear();
  rest.report.clear();
  rest.tests.clear();
  rest.totals.clear();
  rest.begun.clear();
  rest.elsewhere.clear();
  std::map<std::string, Search> searches;
  for (const CheckpointText* part : parts) {
    if (part->outcome == "failed") joined.failed.push_back(part->number);
    if (part->outcome == "undecided") joined.undecided.push_back(part->number);
    if (part->outcome == "stopped") joined.stopped.push_back(part->number);
    rest.tests.insert(rest.tests.end(), part->tests.begin(), part->tests.end());
    add_counts(rest.totals, part->totals);
    for (const BegunText& begun : part->begun) {
      searches[begun.test].parts.push_back(part);
      searches[begun.test].at.push_back(&begun);
    }
  }
  rest.tests = together(rest.tests);
  for (const auto& [test, search] : searches) rest.begun.push_back(join_search(joined, search, everything));
  return joined;
}

Joined join(const std::vector<CheckpointText>& parts) {
  demand_one_division(parts);
  std::vector<const CheckpointText*> ordered;
  for (const CheckpointText& part : parts) ordered.push_back(&part);
  std::ranges::sort(ordered, {}, &CheckpointText::number);
  Joined joined = join_all(ordered, false);
  unsigned next = 1;
  const auto leave_out = [&](unsigned until) {
    for (; next < until; ++next) {
      joined.missing.push_back(next);
      joined.all_given = false;
    }
  };
  for (const CheckpointText* part : ordered) {
    leave_out(part->number);
    if (part->outcome.empty()) joined.missing.push_back(part->number);
    next = part->number + 1;
  }
  leave_out(ordered.front()->count + 1);
  return joined;
}

}  // namespace muster
