#include "rule/balanced_tests.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/rng.hpp"
#include "rule/column_roles.hpp"

namespace muster {
namespace {

/// What a call does, as far as its form tells: one with arguments puts something in, one without takes something out.
enum class Kind : std::uint8_t { puts, takes };

class BalancedSampler {
 public:
  BalancedSampler(const CheckDefinition& check, unsigned columns, unsigned rows, std::uint64_t seed)
      : check_(check), rows_(rows), rng_(seed) {
    for (const int role : column_roles(check, columns)) {
      choices_.push_back(choices(check, role));
      require_calls(check, choices_.back().empty());
    }
    first_ = parse_sequence(check, check.initial);
    last_ = parse_sequence(check, check.last);
    for (Invocation i = 0; i < check.invocations.size(); ++i) {
      const auto& operation = check.operations[check.invocations[i].operation];
      if (operation.role < 0 && operation.weight > 0) (kind_of(i) == Kind::puts ? putting_ : taking_).push_back(i);
    }
    evens_ = evens();
  }

  std::vector<Test> sample(std::uint64_t count) {
    std::vector<Test> tests;
    if (lists_all(count)) {
      std::vector<Test> all = all_tests();
      while (!all.empty() && tests.size() < count) tests.push_back(take_best(all));
    } else {
      std::set<std::vector<Sequence>> seen;
      constexpr std::uint64_t most_tries = 100;
      for (std::uint64_t tries = 0; tests.size() < count && tries < most_tries * count; ++tries) {
        Test test = draw_best();
        if (!test.columns.empty() && seen.insert(test.columns).second) tests.push_back(std::move(test));
      }
    }
    for (Test& test : tests) complete(test);
    return tests;
  }

 private:
  Kind kind_of(Invocation invocation) const {
    return check_.invocations[invocation].arguments.empty() ? Kind::takes : Kind::puts;
  }
  /// Weights and blocks shift the odds: then it is not for us to even them.
  bool is_plain() const {
    return check_.sequences.empty() && check_.slots.empty() &&
           std::ranges::all_of(check_.operations, [](const auto& o) { return o.weight <= 1; });
  }
  /// Where most operations have arguments, these are keys rather than items, and it matters that they are the same.
  bool evens() const {
    std::set<unsigned> put, take;
    for (const Invocation i : putting_) put.insert(check_.invocations[i].operation);
    for (const Invocation i : taking_) take.insert(check_.invocations[i].operation);
    return is_plain() && !put.empty() && !take.empty() && put.size() <= take.size() + 1;
  }

  // ---- all tests, where there are few ----

  bool lists_all(std::uint64_t count) const {
    double total = 1;
    for (const auto& column : choices_) {
      for (unsigned row = 0; row < rows_; ++row) total *= static_cast<double>(column.size());
    }
    return is_plain() && total <= 4 * static_cast<double>(count);
  }

  std::vector<Test> all_tests() {
    std::vector<Test> tests(1);
    for (const auto& column : choices_) {
      for (Test& test : tests) test.columns.emplace_back();
      for (unsigned row = 0; row < rows_; ++row) {
        std::vector<Test> longer;
        for (const Test& test : tests) {
          for (const Sequence& call : column) {
            longer.push_back(test);
            longer.back().columns.back().push_back(call[0]);
          }
        }
        tests = std::move(longer);
      }
    }
    for (std::size_t i = tests.size(); i > 1; --i) std::swap(tests[i - 1], tests[rng_.below(i)]);
    return tests;
  }

  Test take_best(std::vector<Test>& tests) {
    auto best = tests.begin();
    if (some_pair_is_new(tests)) {
      best = std::ranges::max_element(tests, {}, [this](const Test& test) { return new_pairs(test); });
    }
    Test test = std::move(*best);
    tests.erase(best);
    note_pairs(test);
    return test;
  }

  bool some_pair_is_new(const std::vector<Test>& tests) const {
    return std::ranges::any_of(tests, [this](const Test& test) { return new_pairs(test) > 0; });
  }

  // ---- drawing ----

  /// Of a few drawn tests the one with most pairs that are new.
  Test draw_best() {
    constexpr unsigned candidates = 8;
    Test best = draw();
    std::size_t most = new_pairs(best);
    for (unsigned i = 1; i < candidates && !all_pairs_seen(); ++i) {
      Test other = draw();
      const std::size_t pairs = new_pairs(other);
      if (pairs <= most) continue;
      best = std::move(other);
      most = pairs;
    }
    note_pairs(best);
    return best;
  }

  Test draw() {
    Test test;
    std::vector<unsigned> used(check_.invocations.size(), 0);
    std::vector<Kind> kinds = shuffled_kinds(choices_.size() * rows_);
    for (const auto& column : choices_) {
      Sequence& calls = test.columns.emplace_back();
      while (calls.size() < rows_) {
        const Sequence next = draw_call(column, kinds, used);
        for (const TestCall& call : next) ++used[call.invocation];
        calls.insert(calls.end(), next.begin(), next.end());
      }
    }
    if (check_.slots.empty()) return test;
    test.first = first_;
    test.last = last_;
    return with_handles(check_, test, [this](std::size_t count) { return rng_.below(count); });
  }

  /// As many of each; of an odd number, chance decides about one.
  std::vector<Kind> shuffled_kinds(std::size_t count) {
    std::vector<Kind> kinds(count, Kind::takes);
    const std::size_t puts = count / 2 + (count % 2 != 0 && rng_.chance(1, 2));
    std::fill_n(kinds.begin(), puts, Kind::puts);
    for (std::size_t i = kinds.size(); i > 1; --i) std::swap(kinds[i - 1], kinds[rng_.below(i)]);
    return kinds;
  }

  Sequence draw_call(const std::vector<Sequence>& column, std::vector<Kind>& kinds, const std::vector<unsigned>& used) {
    if (!evens_) return column[rng_.below(column.size())];
    // A role may leave no choice: then the kind that was to come here goes to another column.
    const auto fits = [&](Kind kind) {
      return std::ranges::any_of(column, [&](const Sequence& call) { return kind_of(call[0].invocation) == kind; });
    };
    auto next = std::ranges::find_if(kinds, fits);
    const Kind kind = next != kinds.end() ? *next : kind_of(column[0][0].invocation);
    if (next != kinds.end()) kinds.erase(next);
    std::vector<Sequence> of_kind;
    std::ranges::copy_if(column, std::back_inserter(of_kind),
                         [&](const Sequence& call) { return kind_of(call[0].invocation) == kind; });
    return fresh_argument(of_kind[rng_.below(of_kind.size())], of_kind, used);
  }

  /// The same operation with arguments that the test has least often.
  Sequence fresh_argument(const Sequence& call, const std::vector<Sequence>& column,
                          const std::vector<unsigned>& used) {
    if (call.size() != 1) return call;
    const unsigned operation = check_.invocations[call[0].invocation].operation;
    Sequence best = call;
    for (const Sequence& other : column) {
      const bool same = other.size() == 1 && check_.invocations[other[0].invocation].operation == operation;
      if (same && used[other[0].invocation] < used[best[0].invocation]) best = other;
    }
    return best;
  }

  // ---- before and after the columns ----

  std::size_t count(const Test& test, Kind kind) const {
    std::size_t sum = 0;
    for (const Sequence& column : test.columns)
      sum += static_cast<std::size_t>(
          std::ranges::count_if(column, [&](const TestCall& call) { return kind_of(call.invocation) == kind; }));
    return sum;
  }

  /// Half of the tests begin with something in the object; what was put in and not taken out is taken out at the end.
  void complete(Test& test) {
    if (!check_.slots.empty()) return;
    test.first = first_;
    test.last = last_;
    if (!evens_ || check_.synchronisation) return;
    if (first_.empty() && rng_.chance(1, 2)) {
      const std::size_t items = 1 + rng_.below(2);
      const std::size_t from = rng_.below(putting_.size());
      for (std::size_t i = 0; i < items; ++i) test.first.emplace_back(putting_[(from + i) % putting_.size()]);
    }
    if (!last_.empty()) return;
    const std::size_t in = test.first.size() + count(test, Kind::puts), out = count(test, Kind::takes);
    for (std::size_t i = 0; i + out < in && test.size() < max_operations; ++i)
      test.last.emplace_back(taking_[i % taking_.size()]);
  }

  // ---- pairs of operations side by side ----

  using Pair = std::pair<unsigned, unsigned>;

  std::set<Pair> pairs_of(const Test& test) const {
    std::set<Pair> pairs;
    const auto operation = [&](const TestCall& call) { return check_.invocations[call.invocation].operation; };
    for (std::size_t a = 0; a < test.columns.size(); ++a) {
      for (std::size_t b = a + 1; b < test.columns.size(); ++b) {
        for (const TestCall& x : test.columns[a]) {
          for (const TestCall& y : test.columns[b]) pairs.insert(std::minmax(operation(x), operation(y)));
        }
      }
    }
    return pairs;
  }
  std::size_t new_pairs(const Test& test) const {
    if (all_pairs_seen()) return 0;
    const auto pairs = pairs_of(test);
    return static_cast<std::size_t>(std::ranges::count_if(pairs, [&](const Pair& p) { return !seen_.contains(p); }));
  }
  void note_pairs(const Test& test) {
    if (!all_pairs_seen()) seen_.merge(pairs_of(test));
  }
  bool all_pairs_seen() const {
    const std::size_t operations = check_.operations.size();
    return seen_.size() >= operations * (operations + 1) / 2;
  }

  const CheckDefinition& check_;
  unsigned rows_;
  Rng rng_;
  std::vector<std::vector<Sequence>> choices_;
  Sequence first_, last_;
  std::vector<Invocation> putting_, taking_;  // that anybody may call
  bool evens_ = false;
  std::set<Pair> seen_;
};

}  // namespace

TestSource balanced_tests(const CheckDefinition& check, unsigned columns, unsigned rows, std::uint64_t count,
                          std::uint64_t seed) {
  return drawn_tests(BalancedSampler(check, columns, rows, seed).sample(count), columns, rows, seed);
}

std::pair<unsigned, unsigned> default_size(const CheckDefinition& check) {
  constexpr unsigned usual = 3;
  constexpr std::uint64_t most_orders = 3'000;
  unsigned of_roles = 0, arity = 0;
  for (const auto& role : check.roles) of_roles += role.columns;
  if (check.synchronisation) {
    for (const auto& mode : check.synchronisation->modes)
      arity = std::max(arity, static_cast<unsigned>(mode->participants.size()));
  }
  // Where every operation has a role, a column without one has nothing to call.
  const bool is_open = of_roles == 0 || !choices(check, -1).empty();
  const unsigned columns = is_open ? std::max({usual, of_roles, arity > 0 ? arity + 1 : 0}) : of_roles;
  unsigned rows = usual;
  for (; rows > 1 && columns > usual; --rows) {
    Test test;
    test.columns.assign(columns, Sequence(rows));
    if (serial_orders(test) <= most_orders) break;
  }
  return {columns, rows};
}

}  // namespace muster
