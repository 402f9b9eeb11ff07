#include "spec/builtin.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

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

}  // namespace
}  // namespace muster
