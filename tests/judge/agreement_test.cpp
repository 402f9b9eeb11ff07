// Monitors, general search and brute force agree on generated histories of every spec.

#include <gtest/gtest.h>

#include "judge/core/linearizability.hpp"
#include "judge/monitor/monitor.hpp"
#include "spec/builtin.hpp"
#include "support/brute_force.hpp"
#include "support/histories.hpp"
#include "support/property.hpp"

namespace muster {
namespace {

class Agreement : public testing::TestWithParam<std::string_view> {};

struct Tally {
  int passing = 0, failing = 0, monitored = 0;
};

SpecPtr spec_of(std::string_view name) {
  if (name == "priority-queue-largest") return priority_queue_spec(First::largest);
  if (name == "bounded-queue") return bounded_queue_spec(2);
  if (name == "semaphore") return semaphore_spec(1);
  return find_spec(name);
}

void compare(const History& history, const Spec& spec, Tally& tally) {
  const bool truth = test::brute_force_linearizable(history, spec);
  (truth ? tally.passing : tally.failing)++;
  const Verdict general = judge_linearizability(history, spec, {.monitors = false, .explain = true});
  ASSERT_EQ(passes(general), truth) << spec.name() << "\n" << to_text(history);
  if (truth) {
    ASSERT_TRUE(is_witness(history, spec, std::get<Witness>(general).order)) << to_text(history);
  }
  const Verdict chosen = judge_linearizability(history, spec);
  ASSERT_EQ(passes(chosen), truth) << spec.name() << "\n" << to_text(history);
  const Verdict whole = judge_linearizability(history, spec, {.monitors = false, .split = false});
  ASSERT_EQ(passes(whole), truth) << spec.name() << " unsplit\n" << to_text(history);
  if (const auto* failing = std::get_if<Counterexample>(&chosen)) {
    ASSERT_FALSE(failing->misfits.empty());
    // What a counterexample names is enough to fail.
    std::vector<OperationId> ids = failing->operations;
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    ASSERT_FALSE(test::brute_force_linearizable(history.restricted_to(ids), spec)) << spec.name() << "\n"
                                                                                   << to_text(history);
  }
  const Binding binding(history, spec);
  std::vector<OperationId> ids(history.size());
  for (OperationId id = 0; id < ids.size(); ++id) ids[id] = id;
  Limits limits{JudgeOptions{}};
  tally.monitored +=
      monitor_keys(binding, limits).has_value() || (!binding.has_keys() && monitor(binding, ids, limits).has_value());
}

TEST_P(Agreement, OfAllJudges) {
  const SpecPtr spec = spec_of(GetParam());
  Rng rng{20};
  Tally tally;
  const int count = test::cases(4'000, 100'000);
  for (int i = 0; i < count; ++i) {
    test::HistoryShape shape;
    shape.operations = 1 + rng.below(8);
    shape.distinct = rng.chance(2, 3);
    shape.peeks = rng.chance(1, 2);
    shape.changed = rng.chance(1, 2) ? 0 : 20;
    shape.pending = rng.chance(1, 2) ? 0 : 20;
    compare(test::random_history(rng, *spec, shape), *spec, tally);
    if (HasFatalFailure()) return;
  }
  // Both answers are common, or the comparison says little.
  EXPECT_GT(tally.passing, count / 10);
  EXPECT_GT(tally.failing, count / 20);
  if (spec->family() != Family::other) {
    EXPECT_GT(tally.monitored, count / 4);
  }
}

/// Reads and writes of two registers, one or two at a time, with the answers that some order gives, or others.
History random_transactions(Rng& rng) {
  HistoryBuilder build;
  std::int64_t held[2] = {0, 0};
  const std::size_t count = 1 + rng.below(5);
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<Value> asked, answered;
    for (std::size_t step = 0; step <= rng.below(2); ++step) {
      const std::uint64_t name = rng.below(2);
      const Value reg = Value::symbol(name ? ":x" : ":y");
      if (rng.chance(1, 2)) {
        held[name] = static_cast<std::int64_t>(rng.below(3));
        asked.push_back(Value::list({Value::symbol(":write"), reg, Value::integer(held[name])}));
        answered.push_back(asked.back());
      } else {
        const std::int64_t seen = rng.chance(1, 6) ? static_cast<std::int64_t>(rng.below(3)) : held[name];
        asked.push_back(Value::list({Value::symbol(":read"), reg, Value::nil()}));
        answered.push_back(Value::list({Value::symbol(":read"), reg, Value::integer(seen)}));
      }
    }
    const Value argument = Value::list(asked);
    const auto start = static_cast<std::int64_t>(i * 3 + rng.below(4)),
               end = start + static_cast<std::int64_t>(rng.below(9));
    const bool pending = rng.chance(1, 8);
    build.interval(build.process(Value::integer(static_cast<std::int64_t>(i))), build.method("txn"),
                   std::span(&argument, 1), pending ? Value() : Value::list(answered), start,
                   pending ? HistoryBuilder::still_pending : end);
  }
  return build.finish();
}

TEST(Agreement, OnTransactionsOverRegisters) {
  const SpecPtr spec = multi_register_spec();
  Rng rng{21};
  Tally tally;
  const int count = test::cases(4'000, 100'000);
  for (int i = 0; i < count; ++i) {
    compare(random_transactions(rng), *spec, tally);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tally.passing, count / 10);
  EXPECT_GT(tally.failing, count / 20);
}

class WeakerProperties : public testing::TestWithParam<std::string_view> {};

TEST_P(WeakerProperties, AgreeWithBruteForce) {
  const SpecPtr spec = spec_of(GetParam());
  Rng rng{22};
  const int count = test::cases(1'000, 20'000);
  for (int i = 0; i < count; ++i) {
    test::HistoryShape shape;
    shape.operations = 1 + rng.below(6);
    shape.processes = 2;
    const History history = test::random_history(rng, *spec, shape);
    ASSERT_EQ(passes(judge_sequential_consistency(history, *spec)), test::brute_force_sequential(history, *spec))
        << to_text(history);
    ASSERT_EQ(passes(judge_quiescent_consistency(history, *spec)), test::brute_force_quiescent(history, *spec))
        << to_text(history);
  }
}

INSTANTIATE_TEST_SUITE_P(Specs, WeakerProperties, testing::Values("register", "queue", "stack", "set", "kv", "mutex"));

std::vector<std::string_view> all_specs() {
  std::vector<std::string_view> names = spec_names();
  std::erase(names, "multi-register");  // its transactions have a generator of their own
  std::erase(names, "bank");            // so have its transfers (workloads_test.cpp)
  names.push_back("priority-queue-largest");
  return names;
}

INSTANTIATE_TEST_SUITE_P(Specs, Agreement, testing::ValuesIn(all_specs()), [](const auto& info) {
  std::string name(info.param);
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace muster
