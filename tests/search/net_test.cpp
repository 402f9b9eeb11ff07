// Small programs of what hides errors, judged several times: by a walk through all their states that knows nothing of
// the engine, and by its searches. All must find the same outcomes: what was read, the final memory, who is stuck, and
// findings by place.

#include <gtest/gtest.h>

#include <optional>

#include "search/findings.hpp"
#include "search/net_generator.hpp"
#include "search/program_generator.hpp"
#include "search/shrink.hpp"
#include "support/property.hpp"

namespace muster::test {
namespace {

bool on_fibers() { return preferred_context_mode() == ContextMode::fiber; }

/// Programs with more are not compared: a plain search goes through whole trees where others see what they know.
constexpr std::uint64_t most_states = 100'000;
std::uint64_t most_reduced() { return on_fibers() ? 20'000 : 500; }
std::uint64_t most_plain() { return on_fibers() ? cases(4'000, 20'000) : 500; }

Outcomes reduced_search(const SmallProgram& program, const ReductionConfig& config, bool from_start = false) {
  return explore_all(program, [&] { return std::make_unique<ReductionStrategy>(config); }, most_reduced(),
                     {.from_start = from_start});
}

Outcomes plain_search(const SmallProgram& program) {
  constexpr DepthFirstBounds all{DepthFirstBounds::unbounded, DepthFirstBounds::unbounded};
  return explore_all(program, [&] { return std::make_unique<DepthFirstStrategy>(all); }, most_plain(),
                     {.step_limit = 400});
}

bool shows_use_of_freed_memory(const Outcomes& outcomes) {
  return std::ranges::any_of(outcomes.set, is_about_freed_memory);
}

/// In a plain search a free comes with what its thread did before. So it may find less where one comes too early, but
/// not nothing.
std::string difference_to_plain(const Outcomes& all, const Outcomes& found) {
  if (!found.exhausted || found.cut > 0) return "";
  if (!shows_use_of_freed_memory(all)) return difference(all, found);
  return shows_use_of_freed_memory(found) ? "" : "missed: any use of freed memory\n";
}

bool has_threads_alike(const SmallProgram& program) {
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    if (first_alike(program, t) != t) return true;
  }
  return false;
}

std::string under(const char* search, const std::string& difference) {
  return difference.empty() ? "" : fmt::format("{}:\n{}", search, difference);
}

/// Where the searches find something else than there is; nothing if the program is too large, or no program.
std::optional<std::string> disagreement(const SmallProgram& program) {
  const Outcomes all = walked(program, most_states);
  if (!all.exhausted || all.set.contains(misuse)) return std::nullopt;
  const Outcomes reduced = reduced_search(program, {});
  if (!reduced.exhausted) return std::nullopt;
  std::string text = under("reduced", difference(all, reduced));
  text += under("reduced, from start", difference(all, reduced_search(program, {}, true)));
  text += under("plain", difference_to_plain(all, plain_search(program)));
  if (!has_threads_alike(program)) return text;
  const Outcomes named_once = reduced_search(program, {.symmetry = Symmetry::threads});
  return text + under("under symmetry", difference(without_names(program, all), without_names(program, named_once)));
}

std::string smallest(const SmallProgram& program) {
  const SmallProgram small =
      shrunk(program, [](const SmallProgram& other) { return !disagreement(other).value_or("").empty(); });
  return "smallest:\n" + disagreement(small).value_or("") + to_text(small);
}

struct Compared {
  int programs = 0, skipped = 0;
};

/// Adds up how many programs could be compared.
void compare(const SmallProgram& program, Compared& compared) {
  const std::optional<std::string> text = disagreement(program);
  ++(text ? compared.programs : compared.skipped);
  ASSERT_EQ(text.value_or(""), "") << to_text(program) << smallest(program);
}

int wanted(int slice) { return on_fibers() ? cases(slice, 2500) : cases(slice / 8, 250); }

class Net : public ::testing::TestWithParam<unsigned> {};

TEST_P(Net, EverySearchFindsAllThatThereIs) {
  Compared compared;
  for (int seed = 1; compared.programs < wanted(60); ++seed) {
    SCOPED_TRACE(seed);
    ASSERT_NO_FATAL_FAILURE(
        compare(NetGenerator(static_cast<std::uint64_t>(seed)).program(static_cast<Theme>(GetParam())), compared));
  }
  EXPECT_LT(compared.skipped, compared.programs);
}

INSTANTIATE_TEST_SUITE_P(Themes, Net, ::testing::Range(0u, static_cast<unsigned>(theme_names.size())),
                         [](const auto& info) { return std::string(theme_names[info.param]); });

/// The walk knows the rest of the language, too, but for the clock.
TEST(NetOfOldPrograms, EverySearchFindsAllThatThereIs) {
  Compared compared;
  for (int seed = 1; compared.programs < wanted(60); ++seed) {
    const SmallProgram program = Generator(static_cast<std::uint64_t>(seed)).program();
    if (program.uses(Op::clock)) continue;
    SCOPED_TRACE(seed);
    ASSERT_NO_FATAL_FAILURE(compare(program, compared));
  }
}

}  // namespace
}  // namespace muster::test
