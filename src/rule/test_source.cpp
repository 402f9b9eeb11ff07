#include "rule/test_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "base/error.hpp"
#include "base/rng.hpp"
#include "rule/balanced_tests.hpp"
#include "rule/check_specs.hpp"
#include "rule/column_roles.hpp"
#include "spec/quasi_factors.hpp"

namespace muster {
namespace {

constexpr std::uint64_t most = std::uint64_t{1} << 62;

std::uint64_t power(std::uint64_t base, std::uint64_t exponent) {
  std::uint64_t result = 1;
  for (std::uint64_t i = 0; i < exponent; ++i) {
    if (base != 0 && result > most / base) return most;
    result *= base;
  }
  return result;
}

class Sampler {
 public:
  Sampler(const CheckDefinition& check, unsigned columns, unsigned rows, std::uint64_t seed)
      : check_(check), rows_(rows), rng_(seed) {
    for (const int role : column_roles(check, columns)) {
      choices_.push_back(choices(check, role));
      require_calls(check, choices_.back().empty());
    }
    first_ = parse_sequence(check, check.initial);
    last_ = parse_sequence(check, check.last);
  }

  std::vector<Test> sample(std::uint64_t count) {
    std::vector<Test> tests;
    std::set<std::vector<Sequence>> seen;
    // Where nearly all tests are wanted, drawing the last ones would take for ever: all are listed, then shuffled.
    if (plain() && total() <= 4 * count) {
      for (std::uint64_t number = 0; number < total(); ++number) tests.push_back(nth(number));
      for (std::size_t i = tests.size(); i > 1; --i) std::swap(tests[i - 1], tests[rng_.below(i)]);
      tests.resize(std::min<std::size_t>(tests.size(), count));
      return tests;
    }
    for (std::uint64_t tries = 0; tests.size() < count && tries < 100 * count; ++tries) {
      Test test = draw();
      if (!test.columns.empty() && seen.insert(test.columns).second) tests.push_back(std::move(test));
    }
    return tests;
  }

 private:
  bool plain() const {
    return check_.sequences.empty() && check_.slots.empty() &&
           std::all_of(check_.operations.begin(), check_.operations.end(), [](const auto& o) { return o.weight == 1; });
  }
  std::uint64_t total() const {
    std::uint64_t result = 1;
    for (const auto& column : choices_)
      result =
          std::min(most, result > most / power(column.size(), rows_) ? most : result * power(column.size(), rows_));
    return result;
  }
  Test nth(std::uint64_t number) const {
    Test test{first_, {}, last_};
    for (const auto& column : choices_) {
      test.columns.emplace_back();
      for (unsigned row = 0; row < rows_; ++row, number /= column.size())
        test.columns.back().push_back(column[number % column.size()][0]);
    }
    return test;
  }
  Test draw() {
    Test test{first_, {}, last_};
    for (const auto& column : choices_) {
      Sequence& calls = test.columns.emplace_back();
      while (calls.size() < rows_) {
        const Sequence& next = column[rng_.below(column.size())];
        calls.insert(calls.end(), next.begin(), next.end());
      }
    }
    if (check_.slots.empty()) return test;
    return with_handles(check_, test, [this](std::size_t count) { return rng_.below(count); });
  }

  const CheckDefinition& check_;
  unsigned rows_;
  Rng rng_;
  std::vector<std::vector<Sequence>> choices_;
  Sequence first_, last_;
};

TestSource plain_tests(const CheckDefinition& check, const TestChoice& choice) {
  std::vector<Test> given;
  for (const std::string& text : choice.matrices.empty() ? check.tests : choice.matrices)
    given.push_back(parse_test(check, text));
  if (!given.empty()) return given_tests(std::move(given));
  if (choice.automatic) return growing_tests(check);
  const auto [columns, rows] = choice.size.empty() ? default_size(check) : parse_size(choice.size);
  // Where displaced operations are judged, what is put in and taken out is evened afterwards.
  if (choice.uniform || !choice.displacement.empty())
    return random_tests(check, columns, rows, choice.tests, choice.seed);
  return balanced_tests(check, columns, rows, choice.tests, choice.seed);
}

}  // namespace

std::pair<unsigned, unsigned> parse_size(const std::string& text) {
  const auto x = text.find('x');
  const auto number = [&](const std::string& part) {
    if (part.empty() || part.size() > 2 || part.find_first_not_of("0123456789") != std::string::npos ||
        std::stoul(part) == 0) {
      fail("--size takes threads x operations, such as 3x3, not '{}'", text);
    }
    return static_cast<unsigned>(std::stoul(part));
  };
  if (x == std::string::npos) fail("--size takes threads x operations, such as 3x3, not '{}'", text);
  return {number(text.substr(0, x)), number(text.substr(x + 1))};
}

TestSource choose_tests(const CheckDefinition& check, const TestChoice& choice) {
  TestSource source = plain_tests(check, choice);
  if (choice.displacement.empty()) return source;
  const bool given = !choice.matrices.empty() || !check.tests.empty();
  if (!given) source.description += ", well-formed";
  source.test = [plain = source.test, given, removals = Removals(check, choice.displacement)](std::uint64_t number) {
    return given ? removals.drained(plain(number)) : removals.well_formed(plain(number));
  };
  return source;
}

TestSource given_tests(std::vector<Test> tests) {
  auto shared = std::make_shared<std::vector<Test>>(std::move(tests));
  return {shared->size(), [shared](std::uint64_t number) { return (*shared)[number]; },
          fmt::format("{} given test{}", shared->size(), shared->size() == 1 ? "" : "s")};
}

TestSource drawn_tests(std::vector<Test> tests, unsigned columns, unsigned rows, std::uint64_t seed) {
  TestSource source = given_tests(std::move(tests));
  source.description =
      fmt::format("{} random test{} of {}×{}", source.count, source.count == 1 ? "" : "s", columns, rows);
  if (seed != 1) source.description += fmt::format(", seed {}", seed);
  return source;
}

TestSource random_tests(const CheckDefinition& check, unsigned columns, unsigned rows, std::uint64_t count,
                        std::uint64_t seed) {
  return drawn_tests(Sampler(check, columns, rows, seed).sample(count), columns, rows, seed);
}

Removals::Removals(const CheckDefinition& check, const std::string& factors) {
  const QuasiFactors relaxed = parse_factors(factors, *modelled_spec(check));
  for (std::size_t i = 0; i < check.invocations.size(); ++i) {
    const auto method = static_cast<MethodIndex>(check.invocations[i].operation);
    const bool has_factor = std::ranges::any_of(relaxed.classes, [&](const QuasiFactors::Class& each) {
      return std::ranges::find(each.methods, method) != each.methods.end();
    });
    const bool inserts = !check.invocations[i].arguments.empty();
    kinds_.push_back(inserts ? Kind::insertion : has_factor ? Kind::removal : Kind::other);
  }
}

std::optional<Invocation> Removals::first(Kind kind) const {
  const auto found = std::ranges::find(kinds_, kind);
  if (found == kinds_.end()) return std::nullopt;
  return static_cast<Invocation>(found - kinds_.begin());
}

std::size_t Removals::count(const Sequence& calls, Kind kind) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(calls, [&](const TestCall& call) { return kinds_[call.invocation] == kind; }));
}

std::size_t Removals::count(const Test& test, Kind kind) const {
  std::size_t sum = count(test.first, kind) + count(test.last, kind);
  for (const Sequence& column : test.columns) sum += count(column, kind);
  return sum;
}

bool Removals::drain(const Test& test) const {
  return !first(Kind::removal) || count(test.last, Kind::removal) >= count(test, Kind::insertion);
}

Test Removals::drained(Test test) const {
  while (!drain(test)) test.last.emplace_back(*first(Kind::removal));
  return test;
}

Test Removals::well_formed(Test test) const {
  const auto insertion = first(Kind::insertion);
  while (insertion && count(test, Kind::insertion) < count(test, Kind::removal)) test.first.emplace_back(*insertion);
  return drained(std::move(test));
}

TestSource growing_tests(const CheckDefinition& check) {
  const std::uint64_t invocations = check.invocations.size();
  const auto level_size = [invocations](std::uint64_t n) { return power(std::min(n, invocations), n * n); };
  const auto test = [&check, level_size, invocations](std::uint64_t number) {
    std::uint64_t n = 1;
    for (; number >= level_size(n); ++n) number -= level_size(n);
    Test made;
    for (std::uint64_t column = 0; column < n; ++column) {
      made.columns.emplace_back();
      for (std::uint64_t row = 0; row < n; ++row, number /= std::min(n, invocations))
        made.columns.back().push_back(static_cast<Invocation>(number % std::min(n, invocations)));
    }
    return check.slots.empty() ? made : with_handles(check, made);
  };
  return {most, test, "all tests of 1×1, 2×2, …"};
}

}  // namespace muster
