// The frontier search alone, without the monitors before it: against brute force on small histories that overlap much,
// and against the general search on longer ones, on which it goes back and on with more frontiers.

#include "judge/frontier/frontier_search.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <deque>
#include <sstream>

#include "../../bench/judge/log_rows.hpp"
#include "history/read.hpp"
#include "judge/core/linearizability.hpp"
#include "judge/core/parts.hpp"
#include "judge/core/search.hpp"
#include "spec/builtin.hpp"
#include "support/brute_force.hpp"
#include "support/histories.hpp"
#include "support/property.hpp"

namespace muster {
namespace {

class Frontiers : public testing::TestWithParam<std::string_view> {};
class LongFrontiers : public testing::TestWithParam<std::string_view> {};

SpecPtr spec_called(std::string_view name) {
  if (name == "priority-queue-largest") return priority_queue_spec(First::largest);
  if (name == "bounded-queue") return bounded_queue_spec(2);
  if (name == "semaphore") return semaphore_spec(1);
  return find_spec(name);
}

struct Agreements {
  int passing = 0, failing = 0;
};

void require_same(const History& history, const Spec& spec, bool truth, const Verdict& verdict, Agreements& answers) {
  ++(truth ? answers.passing : answers.failing);
  ASSERT_FALSE(is_undecided(verdict)) << spec.name() << "\n" << to_text(history);
  ASSERT_EQ(passes(verdict), truth) << spec.name() << "\n" << to_text(history);
}

void leave_out_answers(Rng& rng, History& history) {
  history.rewrite([&](Operation& operation, std::span<Value>) {
    if (rng.chance(1, 4)) operation.result = Value();
  });
}

TEST_P(Frontiers, AgreeWithBruteForce) {
  const SpecPtr spec = spec_called(GetParam());
  Rng rng{31};
  Agreements answers;
  const int count = test::cases(3'000, 100'000);
  for (int i = 0; i < count; ++i) {
    test::HistoryShape shape;
    shape.operations = 2 + rng.below(8);
    shape.values = 1 + rng.below(3);
    shape.keys = 1;
    shape.times = rng.chance(1, 2) ? 4 : 12;
    shape.distinct = rng.chance(1, 5);
    shape.peeks = rng.chance(1, 2);
    shape.changed = rng.chance(1, 2) ? 0 : 30;
    shape.pending = rng.chance(1, 3) ? 0 : rng.chance(1, 2) ? 20 : 45;
    History history = test::random_history(rng, *spec, shape);
    if (rng.chance(1, 4)) leave_out_answers(rng, history);
    const Binding binding(history, *spec);
    const auto verdict = search_frontiers(binding, all_of(history), {});
    ASSERT_TRUE(verdict.has_value());
    require_same(history, *spec, test::brute_force_linearizable(history, *spec), *verdict, answers);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(answers.passing, count / 10);
  EXPECT_GT(answers.failing, count / 50);
}

TEST_P(LongFrontiers, AgreeWithTheGeneralSearch) {
  const SpecPtr spec = spec_called(GetParam());
  Rng rng{32};
  Agreements answers;
  int left_open = 0;
  const int count = test::cases(100, 3'000);
  for (int i = 0; i < count; ++i) {
    test::HistoryShape shape;
    shape.operations = 40 + rng.below(120);
    shape.processes = 2 + rng.below(4);
    shape.values = 1 + rng.below(4);
    shape.keys = 1;
    shape.changed = rng.chance(1, 2) ? 0 : 1;
    shape.pending = rng.chance(1, 2) ? 0 : 3;
    const History history = test::random_history(rng, *spec, shape);
    const Binding binding(history, *spec);
    const Verdict general = search_intervals(binding, all_of(history), false, {.steps = 20'000});
    if (is_undecided(general)) {
      ++left_open;
      continue;
    }
    const auto verdict = search_frontiers(binding, all_of(history), {});
    ASSERT_TRUE(verdict.has_value());
    require_same(history, *spec, passes(general), *verdict, answers);
    if (HasFatalFailure()) return;
  }
  EXPECT_LT(left_open, count / 2);
  EXPECT_GT(answers.passing, count / 10);
}

std::vector<std::string_view> searched() {
  std::vector<std::string_view> names = spec_names();
  std::erase(names, "multi-register");  // it has no random calls
  std::erase(names, "bank");            // nor has it
  names.push_back("priority-queue-largest");
  return names;
}

std::vector<std::string_view> searched_at_length() {
  std::vector<std::string_view> names = searched();
  std::erase_if(names, [](std::string_view name) {
    return name == "mutex" || name == "rwlock" || name == "semaphore";  // hardly any long random history passes
  });
  return names;
}

std::string test_name(const testing::TestParamInfo<std::string_view>& info) {
  std::string name(info.param);
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Specs, Frontiers, testing::ValuesIn(searched()), test_name);
INSTANTIATE_TEST_SUITE_P(Specs, LongFrontiers, testing::ValuesIn(searched_at_length()), test_name);

/// `count` operations of a queue by 4 processes, 5 values: a history on which the general search gives up.
History long_queue(int count) {
  HistoryBuilder build("long");
  Rng rng{33};
  std::deque<std::int64_t> items;
  std::vector<std::pair<OperationId, Value>> open(4);
  std::vector<char> is_open(4);
  for (int left = count; left > 0 || std::ranges::find(is_open, 1) != is_open.end();) {
    const auto process = static_cast<std::size_t>(rng.below(4));
    if (is_open[process]) {
      build.returned(open[process].first, open[process].second);
      is_open[process] = 0;
      continue;
    }
    if (left-- <= 0) continue;
    const ProcessId name = build.process(Value::integer(static_cast<std::int64_t>(process)));
    is_open[process] = 1;
    if (rng.chance(1, 2)) {
      items.push_back(static_cast<std::int64_t>(rng.below(5)));
      open[process] = {build.call(name, build.method("enq"), {Value::integer(items.back())}), Value()};
    } else {
      open[process] = {build.call(name, build.method("deq"), {}),
                       items.empty() ? Value::nil() : Value::integer(items.front())};
      if (!items.empty()) items.pop_front();
    }
  }
  return build.finish();
}

TEST(FrontierSearch, DecidesALongQueueOfFewValues) {
  const History history = long_queue(20'000);
  EXPECT_TRUE(passes(judge_linearizability(history, *queue_spec(), {.time = std::chrono::seconds(60)})));
}

bool is_decided(const bench::LogRow& row, std::uint64_t seed, std::uint64_t steps) {
  std::ostringstream text;
  write_log(text, row, seed);
  History history = read_history_text(text.str(), row.describe());
  const SpecPtr spec = spec_for(history);
  return passes(judge_linearizability(history, *spec, {.steps = steps}));
}

// What never returns is spent as late as can be: the few frontiers that are kept are those that spent the least.
TEST(FrontierSearch, ThousandsOfRemovalsThatNeverReturnAndValuesThatRepeat) {
  for (const std::uint64_t seed : {1, 2}) {
    EXPECT_TRUE(is_decided({"queue", 10'000, 8, 5, 5, true}, seed, 300'000));
    EXPECT_TRUE(is_decided({"priority-queue", 10'000, 8, 5, 5, true}, seed, 3'000'000));
  }
  for (const std::uint64_t seed : {1, 4}) EXPECT_TRUE(is_decided({"stack", 10'000, 8, 5, 5, true}, seed, 3'000'000));
}

TEST(FrontierSearch, SumsOfManyClientsSomeOfWhomNeverReturn) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    EXPECT_TRUE(is_decided({"counter", 10'000, 24, 5, 1}, seed, 300'000));
    EXPECT_TRUE(is_decided({"fetch-and-add", 10'000, 32, 5, 1}, seed, 300'000));
  }
}

TEST(FrontierSearch, AStackOfFewValues) { EXPECT_TRUE(is_decided({"stack", 20'000, 8}, 1, 2'000'000)); }

TEST(FrontierSearch, AppendsFollowTheOrderThatReadsReveal) {
  // Any order of the forty is one in which they may have happened; the read shows which it was.
  std::string text, all;
  for (int i = 0; i < 40; ++i) text += fmt::format("p{}: append(k, \"{};\")\n", i, i);
  for (int i = 0; i < 40; ++i) {
    text += fmt::format("p{}: -> ok\n", i);
    all += fmt::format("{};", (i * 7 + 3) % 40);
  }
  const auto judged = [&](const std::string& read) {
    History history = parse_history(text + fmt::format("r: get(k) -> \"{}\"\n", read));
    const SpecPtr spec = spec_for(history, "kv");
    return judge_linearizability(history, *spec, {.steps = 5'000});
  };
  EXPECT_TRUE(passes(judged(all)));
  EXPECT_TRUE(fails(judged(all + "3;")));
  EXPECT_TRUE(fails(judged(all.substr(2))));
}

TEST(FrontierSearch, NamesWhatOverlapsWhereItGivesUp) {
  // Amounts whose sums are all different, and a read that none of them gives: every subset would have to be tried.
  std::string text;
  for (int i = 0; i < 40; ++i) text += fmt::format("p{}: add({})\n", i, 2 * i + 100'000);
  text += "r: read()\n";
  for (int i = 0; i < 40; ++i) text += fmt::format("p{}: -> ok\n", i);
  text += "r: -> 2000001\n";
  const History history = parse_history(text);
  const Verdict verdict = judge_linearizability(history, *counter_spec(), {.time = std::chrono::milliseconds(200)});
  ASSERT_FALSE(passes(verdict));
  if (const auto* undecided = std::get_if<Undecided>(&verdict)) {
    EXPECT_NE(undecided->reason.find("operations overlap"), std::string::npos) << undecided->reason;
  }
}

TEST(FrontierSearch, ManyProcessesFitIt) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += fmt::format("p{}: write({})\n", i, i % 3);
  text += "r: read() -> 2\n";
  for (int i = 0; i < 200; ++i) text += fmt::format("p{}: -> ok\n", i);
  text += "r: read() -> 3\n";
  const History history = parse_history(text);
  EXPECT_TRUE(fails(judge_linearizability(history, *register_spec(), {.time = std::chrono::seconds(60)})));
}

}  // namespace
}  // namespace muster
