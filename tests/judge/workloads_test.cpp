// Jepsen's workloads that are read as a whole.

#include <gtest/gtest.h>

#include "base/rng.hpp"
#include "history/read.hpp"
#include "judge/core/linearizability.hpp"
#include "spec/builtin.hpp"
#include "support/brute_force.hpp"
#include "support/property.hpp"

namespace muster {
namespace {

Verdict judge_log(const std::string& text, std::string_view name) {
  History history = read_history_text(text, "log");
  const SpecPtr spec = spec_for(history, name);
  const Verdict verdict = judge_linearizability(history, *spec);
  EXPECT_EQ(passes(verdict), test::brute_force_linearizable(history, *spec)) << text;
  const Verdict general = judge_linearizability(history, *spec, {.monitors = false, .explain = true});
  EXPECT_EQ(passes(general), passes(verdict)) << text;
  return verdict;
}

TEST(Workloads, ASetIsReadAsAWhole) {
  const std::string added =
      "{:process 0, :type :invoke, :f :add, :value 1}\n{:process 0, :type :ok, :f :add, :value 1}\n"
      "{:process 0, :type :invoke, :f :add, :value 2}\n{:process 1, :type :invoke, :f :read, :value nil}\n";
  EXPECT_TRUE(passes(judge_log(added + "{:process 1, :type :ok, :f :read, :value #{1}}\n", "set")));
  EXPECT_TRUE(passes(judge_log(added + "{:process 1, :type :ok, :f :read, :value #{2 1}}\n", "set-full")));
  EXPECT_TRUE(fails(judge_log(added + "{:process 1, :type :ok, :f :read, :value #{2}}\n", "set")));
  EXPECT_TRUE(fails(judge_log(added + "{:process 1, :type :ok, :f :read, :value #{1 3}}\n", "set")));
}

TEST(Workloads, ASetLosesNothing) {
  const std::string seen =
      "{:process 0, :type :invoke, :f :add, :value 1}\n{:process 0, :type :info, :f :add, :value 1}\n"
      "{:process 1, :type :invoke, :f :read}\n{:process 1, :type :ok, :f :read, :value [1]}\n"
      "{:process 1, :type :invoke, :f :read}\n{:process 1, :type :ok, :f :read, :value [";
  EXPECT_TRUE(passes(judge_log(seen + "1]}\n", "set")));
  EXPECT_TRUE(fails(judge_log(seen + "]}\n", "set")));
}

TEST(Workloads, TheFirstReadSaysWhatTheAccountsHold) {
  const std::string begin =
      "{:process 0, :type :invoke, :f :read}\n{:process 0, :type :ok, :f :read, :value {0 10, 1 0}}\n"
      "{:process 1, :type :invoke, :f :transfer, :value {:from 0, :to 1, :amount 4}}\n"
      "{:process 0, :type :invoke, :f :read}\n{:process 0, :type :ok, :f :read, :value ";
  EXPECT_TRUE(passes(judge_log(begin + "{0 10, 1 0}}\n", "bank")));
  EXPECT_TRUE(passes(judge_log(begin + "{0 6, 1 4}}\n", "bank")));
  EXPECT_TRUE(fails(judge_log(begin + "{0 6, 1 0}}\n", "bank")));
}

/// Transfers among three accounts, and reads that now and then are wrong by one.
History random_bank(Rng& rng) {
  HistoryBuilder build;
  std::int64_t held[3] = {5, 5, 5};
  const std::size_t count = 1 + rng.below(7);
  for (std::size_t i = 0; i < count; ++i) {
    const auto start = static_cast<std::int64_t>(i * 3 + rng.below(5)),
               end = start + static_cast<std::int64_t>(rng.below(10));
    const bool pending = rng.chance(1, 6);
    const ProcessId process = build.process(Value::integer(static_cast<std::int64_t>(i)));
    if (rng.chance(1, 2)) {
      const std::uint64_t from = rng.below(3), to = rng.below(3);
      const auto amount = static_cast<std::int64_t>(rng.below(4));
      held[from] -= amount;
      held[to] += amount;
      const Value said = Value::map(std::vector{Value::symbol(":from"), Value::integer(static_cast<std::int64_t>(from)),
                                                Value::symbol(":to"), Value::integer(static_cast<std::int64_t>(to)),
                                                Value::symbol(":amount"), Value::integer(amount)});
      build.interval(process, build.method("transfer"), std::span(&said, 1), Value(), start,
                     pending ? HistoryBuilder::still_pending : end);
    } else {
      std::vector<Value> read;
      for (std::int64_t account = 0; account < 3; ++account) {
        const std::int64_t wrong = rng.chance(1, 20) ? 1 : 0;
        read.push_back(Value::integer(account));
        read.push_back(Value::integer(held[account] + wrong));
      }
      build.interval(process, build.method("read"), {}, pending ? Value() : Value::map(read), start,
                     pending ? HistoryBuilder::still_pending : end);
    }
  }
  return build.finish();
}

TEST(Workloads, BanksAgreeWithBruteForce) {
  const SpecPtr spec = bank_spec();
  Rng rng{41};
  int passing = 0, failing = 0;
  const int count = test::cases(3'000, 100'000);
  for (int i = 0; i < count; ++i) {
    const History history = random_bank(rng);
    const bool truth = test::brute_force_linearizable(history, *spec);
    ++(truth ? passing : failing);
    ASSERT_EQ(passes(judge_linearizability(history, *spec)), truth) << to_text(history);
  }
  EXPECT_GT(passing, count / 10);
  EXPECT_GT(failing, count / 50);
}

}  // namespace
}  // namespace muster
