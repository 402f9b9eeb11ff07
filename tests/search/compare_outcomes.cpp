#include <algorithm>

#include "search/small_program.hpp"

namespace muster::test {

namespace {

std::string each_not_in(const Outcomes& outcomes, const Outcomes& others, const char* word) {
  std::string text;
  for (const std::string& outcome : outcomes.set) {
    if (!others.set.contains(outcome)) text += fmt::format("{}: {}\n", word, outcome);
  }
  return text;
}

/// "1 | 0 1 # 2 || 0 0": what each thread read, in the order of what it is, between the ending and the memory.
std::string sorted_outcome(const SmallProgram& program, const std::string& outcome) {
  const std::size_t memory = outcome.find(" ||"), start = outcome.find(' ');
  std::vector<std::pair<std::size_t, std::string>> threads;
  for (std::size_t at = start; at < memory;) {
    const std::size_t next = std::min(outcome.find_first_of("|#", at + 2) - 1, memory);
    threads.emplace_back(first_alike(program, threads.size()), outcome.substr(at, next - at));
    at = next;
  }
  std::sort(threads.begin(), threads.end());
  std::string text = outcome.substr(0, start);
  for (const auto& [kind, reads] : threads) text += fmt::format(" {}{}", kind, reads);
  return text + outcome.substr(memory);
}

}  // namespace

Outcomes without_names(const SmallProgram& program, const Outcomes& outcomes) {
  Outcomes result = outcomes;
  result.set.clear();
  for (const std::string& outcome : outcomes.set)
    result.set.insert(outcome.starts_with("incident") ? outcome : sorted_outcome(program, outcome));
  return result;
}

std::string difference(const Outcomes& plain, const Outcomes& reduced) { return outside(plain, reduced, plain); }

std::string outside(const Outcomes& within, const Outcomes& found, const Outcomes& all) {
  return each_not_in(within, found, "missed") + each_not_in(found, all, "made up");
}

}  // namespace muster::test
