#pragma once
// The tests of a run: given ones, a random sample (RandomCheck, Figure 8), or all that grow from the first invocations
// (AutoCheck, Figure 6). A test is known by its number, so that workers need no list.

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "rule/test.hpp"

namespace muster {

struct TestSource {
  std::uint64_t count = 0;
  std::function<Test(std::uint64_t)> test;
  std::string description;  // "100 random tests of 3x3"
};

/// Which tests a run shall have.
struct TestChoice {
  std::vector<std::string> matrices;  // these, or those that the check states itself
  bool automatic = false;             // AutoCheck
  std::string size = {};              // of random ones: threads x operations; empty: what fits the check
  std::uint64_t tests = 100;
  std::uint64_t seed = 1;
  bool uniform = false;  // random ones with the same chance for all, as Line-Up draws them
  std::string displacement =
      {};  // factors by which displaced operations are judged: everything is taken out at the end
};
TestSource choose_tests(const CheckDefinition& check, const TestChoice& choice);

/// Threads and operations of "3x3". Throws Error.
std::pair<unsigned, unsigned> parse_size(const std::string& text);

TestSource given_tests(std::vector<Test> tests);
/// The same tests, which were drawn.
TestSource drawn_tests(std::vector<Test> tests, unsigned columns, unsigned rows, std::uint64_t seed);

/// A uniform sample of `count` tests with so many columns and rows, none twice; all of them if there are no more.
/// Operations with a role go to columns that have it, weights and blocks of calls shift the odds.
TestSource random_tests(const CheckDefinition& check, unsigned columns, unsigned rows, std::uint64_t count,
                        std::uint64_t seed);

/// Tells the calls of a quasi check that put something in from those that take it out: insertions are calls with
/// arguments, removals calls without of operations that have a factor. Where removals answer out of turn, only the end,
/// with everything taken out, shows whose turn it was.
class Removals {
 public:
  Removals(const CheckDefinition& check, const std::string& factors);

  /// Whether the final sequence takes everything out, even if all removals before it found nothing.
  bool drain(const Test& test) const;
  /// The same test with such a final sequence.
  Test drained(Test test) const;
  /// The same, with at least as many insertions as removals in the columns (Round-Up, section V-D).
  Test well_formed(Test test) const;

 private:
  enum class Kind : std::uint8_t { insertion, removal, other };
  std::optional<Invocation> first(Kind kind) const;
  std::size_t count(const Sequence& calls, Kind kind) const;
  std::size_t count(const Test& test, Kind kind) const;

  std::vector<Kind> kinds_;  // by invocation
};

/// All 1 x 1 tests over the first invocation, all 2 x 2 over the first two, and so on. It has no end worth waiting for:
/// give a budget.
TestSource growing_tests(const CheckDefinition& check);

}  // namespace muster
