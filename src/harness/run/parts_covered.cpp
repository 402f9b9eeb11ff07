#include "harness/run/parts_covered.hpp"

#include <fmt/format.h>

#include <map>

namespace muster {

std::string parts_covered(const CheckRun& run, unsigned bound) {
  std::map<int, std::uint64_t, std::greater<>> exhausted;  // tests by bound; -1: only drawn executions
  std::uint64_t unbounded = 0, all = 0;
  for (const TestResult& result : run.results) {
    if (result.failure) return "";
    ++all;
    unbounded += result.verdict == TestVerdict::passed && result.all_schedules;
    if (result.verdict == TestVerdict::passed)
      ++exhausted[static_cast<int>(bound)];
    else if (result.rest && result.rest->begun)
      ++exhausted[result.rest->some_bound_exhausted ? static_cast<int>(result.rest->exhausted.preemptions) : -1];
  }
  const bool says_more = exhausted.size() > 1 ||
                         (exhausted.size() == 1 && exhausted.begin()->first != static_cast<int>(bound)) ||
                         (unbounded > 0 && unbounded < all);
  if (!says_more || all < 2) return "";
  std::string text;
  for (const auto& [at, tests] : exhausted) {
    text +=
        fmt::format("{}{}{}", text.empty() ? "" : ", ", tests, text.empty() ? (tests == 1 ? " test" : " tests") : "");
    text += at < 0                                        ? " only in drawn executions"
            : text.find("exhausted") == std::string::npos ? fmt::format(" exhausted at bound {}", at)
                                                          : fmt::format(" at bound {}", at);
    if (at == static_cast<int>(bound) && unbounded > 0) text += fmt::format(", {} of them without a bound", unbounded);
  }
  return text;
}

}  // namespace muster
