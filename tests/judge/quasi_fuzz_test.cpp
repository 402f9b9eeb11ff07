// `--quasi` as a command asks for it, on logs of every object, one or several of them: verdict, smallest factor and
// what no factor explains agree with brute force, object by object.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "history/read.hpp"
#include "judge/core/explain.hpp"
#include "judge/core/parts.hpp"
#include "judge/quasi/quasi.hpp"
#include "spec/builtin.hpp"
#include "spec/relaxed.hpp"
#include "support/brute_force.hpp"
#include "support/histories.hpp"
#include "support/log_models.hpp"
#include "support/log_writer.hpp"
#include "support/property.hpp"
#include "support/relaxed_brute_force.hpp"
#include "support/relaxed_histories.hpp"
#include "support/window_brute_force.hpp"

namespace muster {
namespace {

/// "2", or factors of some operations, alone or in a class of two.
std::string random_factors(Rng& rng, const Spec& spec) {
  if (rng.chance(1, 3)) return fmt::format("{}", rng.below(3));
  std::vector<std::string_view> names;
  for (const Method& method : spec.methods()) names.push_back(method.name);
  std::string out;
  for (std::size_t at = 0; at < names.size(); ++at) {
    if (rng.chance(1, 3) && !(at + 1 == names.size() && out.empty())) continue;
    const bool joins_next = at + 1 < names.size() && rng.chance(1, 5);
    out += fmt::format("{}{}{}={}", out.empty() ? "" : ",", names[at],
                       joins_next ? fmt::format("+{}", names[at + 1]) : "", rng.below(3));
    at += joins_next;
  }
  return out;
}

/// Of removals alone, said in one way or the other.
std::string removal_factors(Rng& rng, const Spec& spec) {
  const std::uint64_t factor = rng.below(4);
  if (rng.chance(1, 2)) return fmt::format("{}", factor);
  const bool tells_others = factor > 0 && rng.chance(1, 2);
  return fmt::format("{}{}={}", tells_others ? fmt::format("{}=0,", spec.methods()[0].name) : "",
                     spec.methods()[1].name, factor);
}

template <class Model>
History logged(Rng& rng, const Model& object, std::size_t count) {
  test::LoggedCalls calls = test::random_calls(rng, object, count);
  give_processes(calls);
  ReadOptions options;
  options.ties = rng.chance(1, 2) ? Ties::overlap : Ties::precede;
  return read_history_text(test::LogWriter(rng, test::Form::json_intervals, false).write(calls), "log", options);
}

/// Two operations of one kind change places.
void displace(Rng& rng, History& history) {
  std::vector<std::pair<Operation*, std::span<Value>>> returned;
  history.rewrite([&](Operation& operation, std::span<Value> arguments) {
    if (!operation.is_pending() && !operation.result.is_none()) returned.emplace_back(&operation, arguments);
  });
  for (int tries = 0; tries < 5 && returned.size() > 1; ++tries) {
    auto &a = returned[rng.below(returned.size())], &b = returned[rng.below(returned.size())];
    if (a.first->method != b.first->method || a.second.size() != b.second.size() || a.first == b.first) continue;
    std::swap(a.first->result, b.first->result);
    std::ranges::swap_ranges(a.second, b.second);
    return;
  }
}

/// A spec, a small history of it, and factors to judge it by.
struct Subject {
  SpecPtr spec;
  History history;
  std::string factors = {};
};

SpecPtr random_container(Rng& rng) {
  const SpecPtr specs[] = {queue_spec(), stack_spec(), priority_queue_spec(), priority_queue_spec(First::largest)};
  return specs[rng.below(std::size(specs))];
}

History out_of_order(Rng& rng, const Spec& spec, std::size_t count) {
  return test::random_relaxed_history(rng, spec,
                                      {.operations = count,
                                       .reach = rng.below(5),
                                       .pending = rng.chance(2, 3) ? 0u : 15u,
                                       .changed = rng.chance(3, 4) ? 0u : 15u,
                                       .values = rng.chance(3, 4) ? 0u : 3u,
                                       .width = 1 + rng.below(rng.chance(1, 2) ? 2 : 7)});
}

Subject of_any_object(Rng& rng) {
  const std::size_t count = 2 + rng.below(4);
  switch (rng.below(6)) {
    case 0:
      return {multi_register_spec(), logged(rng, test::TransactionModel(), count)};
    case 1:
      return {mutex_spec(), logged(rng, test::LockModel(), count)};
    case 2: {
      test::SemaphoreModel semaphore;
      semaphore.permits = static_cast<std::int64_t>(rng.below(3));
      return {semaphore_spec(semaphore.permits), logged(rng, semaphore, count)};
    }
    case 3: {
      const SpecPtr spec = random_container(rng);
      return {spec, out_of_order(rng, *spec, 3 + rng.below(3))};
    }
    default:
      break;
  }
  static constexpr std::string_view names[] = {"kv",           "set",     "map",   "rwlock",        "register",
                                               "cas-register", "counter", "deque", "fetch-and-add", "bounded-queue"};
  const SpecPtr spec = find_spec(names[rng.below(std::size(names))], {.initial = {}, .capacity = 2, .first = {}});
  test::HistoryShape shape;
  shape.operations = count;
  shape.changed = rng.chance(1, 2) ? 0 : 25;
  shape.pending = rng.chance(1, 2) ? 0 : 15;
  return {spec, test::random_history(rng, *spec, shape)};
}

Subject with_displaced_operations(Rng& rng) {
  Subject subject = of_any_object(rng);
  if (rng.chance(1, 2)) displace(rng, subject.history);
  subject.factors = random_factors(rng, *subject.spec);
  return subject;
}

Subject with_relaxed_removals(Rng& rng) {
  const SpecPtr spec = random_container(rng);
  const History history = out_of_order(rng, *spec, 5 + rng.below(5));
  return {spec, history, removal_factors(rng, *spec)};
}

/// Says of each operation which of two objects it is on.
void give_keys(Rng& rng, History& history) {
  history.rewrite([&](Operation& operation, std::span<Value>) {
    operation.key = Value::integer(static_cast<std::int64_t>(rng.below(2)));
  });
}

class QuasiFuzz {
 public:
  explicit QuasiFuzz(std::uint64_t seed) : rng_(seed) {}

  void run(int count, Subject (*draw)(Rng&)) {
    for (int i = 0; i < count; ++i) {
      Subject subject = draw(rng_);
      if (subject.history.empty()) continue;
      if (!subject.spec->is_keyed() && rng_.chance(1, 4)) give_keys(rng_, subject.history);
      compare(subject);
      if (testing::Test::HasFatalFailure()) return;
    }
    EXPECT_GT(passing_, count / 10);
    EXPECT_GT(failing_, count / 20);
    EXPECT_GT(quasi_only_, count / 50);
    EXPECT_GT(unexplainable_, count / 20);
  }

 private:
  void compare(const Subject& subject) {
    const QuasiFactors factors = parse_factors(subject.factors, *subject.spec);
    const Binding binding(subject.history, *subject.spec);
    const std::vector<Part> parts = split_by_key(binding);
    const auto verdicts = judge_quasi_keys(subject.history, subject.spec, factors);
    ASSERT_EQ(verdicts.size(), parts.size());
    bool all = true;
    for (std::size_t at = 0; at < parts.size(); ++at) {
      shown_ = fmt::format("{} with {}\n{}", subject.spec->name(), subject.factors, to_text(subject.history));
      ASSERT_EQ(verdicts[at].key, parts[at].key) << shown_;
      const History part = subject.history.restricted_to(parts[at].ids);
      compare_object(verdicts[at], part, *subject.spec, factors);
      if (testing::Test::HasFatalFailure()) return;
      all &= passes(verdicts[at].verdict);
    }
    ASSERT_EQ(passes(judge_factors(subject.history, subject.spec, factors)), all) << shown_;
  }

  static bool explained(const History& part, const Spec& spec, const QuasiFactors& factors) {
    if (factors.largest() == 0) return test::brute_force_linearizable(part, spec);
    if (relaxes_removals_only(factors, spec)) return test::brute_force_relaxed(part, spec, factors.largest());
    return test::brute_force_window(part, spec, factors);
  }

  void compare_object(const QuasiVerdict& verdict, const History& part, const Spec& spec, const QuasiFactors& factors) {
    const bool linearizable = test::brute_force_linearizable(part, spec), truth = explained(part, spec, factors);
    ASSERT_EQ(verdict.linearizable, linearizable) << shown_;
    ASSERT_EQ(passes(verdict.verdict), truth) << shown_;
    ASSERT_FALSE(is_undecided(verdict.verdict)) << shown_;
    (truth ? passing_ : failing_)++;
    quasi_only_ += truth && !linearizable;
    unsigned smallest = 0;
    while (smallest <= part.size() && !explained(part, spec, factors.with(smallest))) ++smallest;
    unexplainable_ += smallest > part.size();
    ASSERT_EQ(verdict.unexplainable(), smallest > part.size()) << shown_;
    if (smallest <= part.size()) {
      ASSERT_EQ(verdict.smallest, smallest) << shown_;
    }
  }

  Rng rng_;
  int passing_ = 0, failing_ = 0, quasi_only_ = 0, unexplainable_ = 0;
  std::string shown_;
};

TEST(QuasiFuzz, DisplacedOperationsOfEveryObject) {
  QuasiFuzz(50).run(test::cases(8'000, 400'000), with_displaced_operations);
}

TEST(QuasiFuzz, RelaxedRemovals) { QuasiFuzz(51).run(test::cases(8'000, 400'000), with_relaxed_removals); }

}  // namespace
}  // namespace muster
