// The lemma about turns that leave all as it was, on executions: without such a turn an execution is still one that the
// axioms allow, in which everybody else reads the same, and the machine can be led through it.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "memory/generator.hpp"
#include "memory/search.hpp"
#include "support/property.hpp"

namespace muster::weak {
namespace {

using Events = std::vector<EventIndex>;

bool is_in(const Events& events, EventIndex event) { return std::ranges::find(events, event) != events.end(); }

/// The first turn after which a thread is back where it was, having changed nothing; empty if there is none.
Events silent_turn(const ThreadCode& code, const Graph& graph, unsigned thread) {
  Local local = code.settle({});
  std::vector<Local> since{code.live(local)};
  Events made;
  for (std::size_t e = 0; e < graph.events.size(); ++e) {
    const Event& event = graph.events[e];
    if (event.thread != thread) continue;
    local = code.after(local, event.access);
    made.push_back(static_cast<EventIndex>(e));
    if (!event.access.is_silent()) {
      since.clear();
      made.clear();
    }
    const Local live = code.live(local);
    const auto before = std::ranges::find(since, live);
    if (before != since.end() && !code.at_end(local)) return {made.begin() + (before - since.begin()), made.end()};
    since.push_back(live);
  }
  return {};
}

/// Whoever read what an update of the turn wrote reads what that read.
Graph without(const Graph& graph, const Events& turn) {
  const auto source = [&](EventIndex event) {
    while (is_in(turn, event)) event = graph.events[static_cast<std::size_t>(event)].source;
    return event;
  };
  std::vector<EventIndex> renamed;
  EventIndex kept = 0;
  for (EventIndex e = 0; e < static_cast<EventIndex>(graph.events.size()); ++e)
    renamed.push_back(is_in(turn, e) ? initial : kept++);
  const auto name = [&](EventIndex event) {
    return event == initial ? initial : renamed[static_cast<std::size_t>(event)];
  };
  Graph result;
  for (EventIndex e = 0; e < static_cast<EventIndex>(graph.events.size()); ++e) {
    if (is_in(turn, e)) continue;
    result.events.push_back(graph.events[static_cast<std::size_t>(e)]);
    result.events.back().source = name(source(result.events.back().source));
  }
  for (Location at = 0; at < location_count; ++at) {
    for (const EventIndex event : graph.order[at]) {
      if (!is_in(turn, event)) result.order[at].push_back(name(event));
    }
  }
  return result;
}

/// Whether so much of a graph as was made is the same, in the order of the events.
bool begins(const Graph& graph, const Graph& beginning) {
  const std::size_t size = beginning.events.size();
  const Event &made = beginning.events.back(), &wanted = graph.events[size - 1];
  if (made.source != wanted.source || made.access.writes != wanted.access.writes) return false;
  for (Location at = 0; at < location_count; ++at) {
    std::vector<EventIndex> order;
    std::ranges::copy_if(graph.order[at], std::back_inserter(order),
                         [&](EventIndex event) { return event < static_cast<EventIndex>(size); });
    if (order != beginning.order[at]) return false;
  }
  return true;
}

/// Leads the machine through the events of a graph, in their order, by the messages that they read.
bool can_be_led(const std::vector<ThreadCode>& code, const Graph& graph, Rule rule) {
  Machine machine(code, rule, Loops::wait);
  for (const Event& event : graph.events) {
    std::optional<Machine> next;
    for (const Choice& choice : machine.choices(event.thread)) {
      Machine after = machine;
      after.step(event.thread, choice);
      if (begins(graph, after.graph())) next = after;
    }
    if (!next) return false;
    machine = std::move(*next);
  }
  return true;
}

struct Turns {
  unsigned left_out = 0, against_the_rule = 0;
};

void leave_turns_out(const std::vector<ThreadCode>& code, const Graph& graph, Turns& turns) {
  for (unsigned t = 0; t < code.size(); ++t) {
    const Events turn = silent_turn(code[t], graph, t);
    if (turn.empty()) continue;
    const Graph rest = without(graph, turn);
    ++turns.left_out;
    ASSERT_TRUE(allowed(rest));
    // Further turns of it may need an old value where this one would have caught up.
    if (!silent_turn(code[t], rest, t).empty()) continue;
    ASSERT_TRUE(can_be_led(code, rest, Rule::all));
    turns.against_the_rule += !can_be_led(code, rest, Rule::essential);
  }
}

TEST(SilentTurns, WithoutThemAnExecutionIsStillOne) {
  Turns turns;
  for (std::uint64_t seed = 1; seed <= (test::full_run() ? 10'000u : 400u); ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const Program program = random_program(rng, {.statements = 6, .strong = 40, .loops = 40});
    const std::vector<ThreadCode> code = threads_of(program);
    unsigned executions = 0;
    search(program, {.reduction = Reduction::sleep, .loops = Loops::wait, .most_executions = 200},
           [&](const Machine& machine) {
             if (++executions <= 200) leave_turns_out(code, machine.graph(), turns);
           });
    if (testing::Test::HasFatalFailure()) FAIL() << to_string(program);
  }
  RecordProperty("left_out", static_cast<int>(turns.left_out));
  RecordProperty("against_the_rule", static_cast<int>(turns.against_the_rule));
  EXPECT_GT(turns.left_out, 500u);
  EXPECT_GT(turns.against_the_rule, 0u);  // so whoever looks at such an execution may not go by the rule
}

}  // namespace
}  // namespace muster::weak
