// What the run itself showed: serializability against a graph of transactions, and races.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/rng.hpp"
#include "predict/races.hpp"
#include "predict/serializability.hpp"
#include "support/memory_trace.hpp"
#include "support/property.hpp"

namespace muster::predict {
namespace {

using test::MemoryTrace;
using trace::Event;
using trace::Kind;

std::vector<Violation> violations(const MemoryTrace& trace) {
  SerializabilityChecker checker(Transactions::marked);
  checker.consume(trace.events());
  return {checker.violations().begin(), checker.violations().end()};
}

std::vector<Race> races(std::string_view text) {
  const MemoryTrace trace(text);
  RaceDetector detector;
  detector.consume(trace.events());
  return {detector.races().begin(), detector.races().end()};
}

TEST(Serializability, AWriteBetweenTwoReadsIsAViolation) {
  const auto found = violations(MemoryTrace("A begin\nA r x\nB begin\nB w x\nB end\nA r x\nA end\n"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].thread, 0u);
  EXPECT_EQ(found[0].other, 1u);
  EXPECT_EQ(found[0].other_transaction, 1u);
  EXPECT_EQ(found[0].line, 6u);
}

TEST(Serializability, ACycleThroughThreeTransactionsIsAViolation) {
  EXPECT_EQ(
      violations(
          MemoryTrace("A begin\nA w x\nB begin\nB r x\nB w y\nB end\nC begin\nC r y\nC w z\nC end\nA r z\nA end\n"))
          .size(),
      1u);
}

TEST(Serializability, ACycleClosedByAThirdTransactionIsFoundAtItsEnd) {
  // A before B by x; then B before C by y; then C before A by z, which A's later event shows only at its end to B.
  EXPECT_FALSE(
      violations(
          MemoryTrace("B begin\nB w y\nA begin\nA w x\nB r x\nC begin\nC r y\nC w z\nC end\nA r z\nA end\nB end\n"))
          .empty());
}

TEST(Serializability, EachPairAndLocationIsReportedOnce) {
  EXPECT_EQ(violations(MemoryTrace("A begin\nA r x\nA r y\nB begin\nB w x\nB w y\nB end\nA r x\nA r x\nA r y\nA end\n"))
                .size(),
            2u);
}

/// Transactions as nodes, conflicts as edges; single events outside of transactions are nodes too.
struct Graph {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> node_of;  // thread and transaction number; 0 outside
  std::vector<std::vector<bool>> reach;

  explicit Graph(const MemoryTrace& trace) {
    std::vector<std::size_t> node;
    std::map<std::uint32_t, std::size_t> open;
    std::map<std::uint32_t, std::uint32_t> count;
    const auto add = [&](std::uint32_t thread, std::uint32_t number) {
      node_of.emplace_back(thread, number);
      return node_of.size() - 1;
    };
    for (const Event& event : trace.events()) {
      if (event.kind == Kind::begin) open[event.thread] = add(event.thread, ++count[event.thread]);
      node.push_back(open.contains(event.thread) ? open[event.thread] : add(event.thread, 0));
      if (event.kind == Kind::end) open.erase(event.thread);
    }
    reach.assign(node_of.size(), std::vector<bool>(node_of.size()));
    const auto& events = trace.events();
    for (std::size_t i = 0; i < events.size(); ++i)
      for (std::size_t j = i + 1; j < events.size(); ++j)
        if (node[i] != node[j] && ordered(events[i], events[j])) reach[node[i]][node[j]] = true;
    for (std::size_t k = 0; k < reach.size(); ++k)
      for (std::size_t i = 0; i < reach.size(); ++i)
        if (reach[i][k])
          for (std::size_t j = 0; j < reach.size(); ++j)
            if (reach[k][j]) reach[i][j] = true;
  }

  static bool ordered(const Event& a, const Event& b) {
    if (a.thread == b.thread) return true;
    if (is_access(a.kind) && is_access(b.kind)) return a.object == b.object && (is_write(a.kind) || is_write(b.kind));
    if (a.kind == Kind::unlock && b.kind == Kind::lock) return a.object == b.object;
    return false;
  }

  bool cyclic() const {
    for (std::size_t i = 0; i < reach.size(); ++i)
      if (reach[i][i]) return true;
    return false;
  }

  bool on_one_cycle(std::pair<std::uint32_t, std::uint32_t> a, std::pair<std::uint32_t, std::uint32_t> b) const {
    for (std::size_t i = 0; i < node_of.size(); ++i)
      for (std::size_t j = 0; j < node_of.size(); ++j)
        if (node_of[i] == a && node_of[j] == b && reach[i][j] && reach[j][i]) return true;
    return false;
  }
};

MemoryTrace random_run(Rng& rng) {
  MemoryTrace trace;
  const unsigned threads = 2 + static_cast<unsigned>(rng.below(2));
  std::vector<bool> inside(threads);
  std::vector<int> owner(2, -1);
  for (int step = 0; step < 22; ++step) {
    const auto thread = static_cast<unsigned>(rng.below(threads));
    const std::string name(1, static_cast<char>('A' + thread));
    const auto choice = rng.below(8);
    if (choice == 0) {
      trace.add(name, inside[thread] ? Kind::end : Kind::begin, "", "0");
      inside[thread] = !inside[thread];
    } else if (choice <= 2) {
      const auto lock = rng.below(owner.size());
      if (owner[lock] == -1) {
        owner[lock] = static_cast<int>(thread);
        trace.add(name, Kind::lock, lock == 0 ? "m" : "n", "0");
      } else if (owner[lock] == static_cast<int>(thread)) {
        owner[lock] = -1;
        trace.add(name, Kind::unlock, lock == 0 ? "m" : "n", "0");
      }
    } else {
      static constexpr const char* variables[] = {"x", "y", "z"};
      trace.add(name, rng.chance(1, 2) ? Kind::read : Kind::write, variables[rng.below(3)], "0");
    }
  }
  for (unsigned thread = 0; thread < threads; ++thread)
    if (inside[thread]) trace.add(std::string(1, static_cast<char>('A' + thread)), Kind::end, "", "0");
  return trace;
}

TEST(Serializability, AgreesWithTheGraphOfTransactions) {
  Rng rng{4};
  int violated = 0;
  const int count = test::cases(3000, 30000);
  for (int i = 0; i < count; ++i) {
    const MemoryTrace trace = random_run(rng);
    const Graph graph(trace);
    const auto found = violations(trace);
    ASSERT_EQ(!found.empty(), graph.cyclic()) << i;
    for (const Violation& violation : found)
      ASSERT_TRUE(
          graph.on_one_cycle({violation.thread, violation.transaction}, {violation.other, violation.other_transaction}))
          << i;
    violated += !found.empty();
  }
  EXPECT_GT(violated, count / 10);
  EXPECT_LT(violated, count * 9 / 10);
}

TEST(Races, UnorderedAccessesRaceAndOrderedOnesDoNot) {
  EXPECT_EQ(races("A w x\nB r x\n").size(), 1u);
  EXPECT_EQ(races("A r x\nB r x\n").size(), 0u);
  EXPECT_EQ(races("A w x\nA fork B\nB r x\nB w x\nA join B\nA r x\n").size(), 0u);
  EXPECT_EQ(races("A acq m\nA w x\nA rel m\nB acq m\nB w x\nB rel m\n").size(), 0u);
  EXPECT_EQ(races("A w x\nA signal s\nB await s\nB r x\n").size(), 0u);
  EXPECT_EQ(races("A racq m\nA w x\nA rrel m\nB racq m\nB w x\nB rrel m\n").size(), 1u);
  EXPECT_EQ(races("A racq m\nA r x\nA rrel m\nB acq m\nB w x\nB rel m\n").size(), 0u);
}

TEST(Races, ReadsOfSeveralThreadsAllRaceWithAWrite) { EXPECT_EQ(races("A r x\nB r x\nC w x\n").size(), 2u); }

TEST(Races, AtomicAccessesRaceOnlyWithPlainOnes) {
  EXPECT_EQ(races("A aw f\nB ar f\nC au f\n").size(), 0u);
  EXPECT_EQ(races("A w f\nB ar f\n").size(), 1u);
  EXPECT_EQ(races("A w x\nA aw f\nB ar f\nB r x\n").size(), 0u);
}

}  // namespace
}  // namespace muster::predict
