#include "spec/builtin.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/rng.hpp"

namespace muster {
namespace {

TEST(Builtin, EveryNameHasASpecOfThatName) {
  for (const std::string_view name : spec_names()) {
    const SpecPtr spec = find_spec(name);
    ASSERT_TRUE(spec) << name;
    EXPECT_EQ(spec->name(), name);
    EXPECT_FALSE(spec->methods().empty());
  }
  EXPECT_EQ(find_spec("atomic-queue")->name(), "queue");
  EXPECT_FALSE(find_spec("teapot"));
}

TEST(Builtin, MethodNamesIgnoreCaseAndAcceptAliases) {
  EXPECT_EQ(find_method(*queue_spec(), "ENQ"), 0);
  EXPECT_EQ(find_method(*deque_spec(), "push-front"), 0);
  EXPECT_EQ(find_method(*queue_spec(), "fly"), -1);
}

TEST(Builtin, TooFewArgumentsAreNamed) {
  const History history = parse_history("A: write() -> ok\n", "r.txt");
  EXPECT_THROW(Binding(history, *register_spec()), Error);
}

// The states of queues and stacks share content; a vector beside them says what they must be.
TEST(Builtin, SequencesBehaveLikeTheTextbook) {
  for (const bool queue : {true, false}) {
    const SpecPtr spec = queue ? queue_spec() : stack_spec();
    const auto states = spec->states();
    Rng rng{queue ? 1u : 2u};
    std::vector<std::pair<StateId, std::vector<Value>>> known{{states->initial(), {}}};
    for (int i = 0; i < 20'000; ++i) {
      auto [state, items] = known[rng.below(known.size())];
      const Value value = Value::integer(static_cast<std::int64_t>(rng.below(3)));
      Call call{static_cast<MethodIndex>(rng.below(3)), {}, {}, false, 0, {}};
      if (call.method == 0) {
        call.arguments = std::span(&value, 1);
        items.push_back(value);
      } else {
        call.result = items.empty() ? Value::nil() : queue ? items.front() : items.back();
        if (call.method == 1 && !items.empty()) items.erase(queue ? items.begin() : items.end() - 1);
      }
      std::vector<StateId> next;
      Call wrong = call;
      wrong.result = Value::integer(9);
      states->step(state, wrong, next);
      EXPECT_EQ(next.size(), call.method == 0 ? 1u : 0u);
      next.clear();
      states->step(state, call, next);
      ASSERT_EQ(next.size(), 1u);
      for (const auto& [other, content] : known) ASSERT_EQ(other == next[0], content == items);
      if (known.size() < 300 && items.size() < 9) known.emplace_back(next[0], items);
    }
  }
}

}  // namespace
}  // namespace muster
