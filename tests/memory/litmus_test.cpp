// Litmus tests by name, and small locks: what RC11 allows, by the axioms and by the machine.

#include <gtest/gtest.h>

#include <algorithm>

#include "memory/oracle.hpp"
#include "memory/search.hpp"

namespace muster::weak {
namespace {

/// All outcomes, by the axioms; the machine agrees.
Outcomes outcomes_of(const Program& program) {
  const OracleAnswer oracle = ask_oracle(program);
  EXPECT_TRUE(oracle.complete) << to_string(program);
  for (const Reduction reduction : {Reduction::sleep, Reduction::source}) {
    const Found found = search(program, {.reduction = reduction, .check_graphs = true});
    EXPECT_TRUE(found.complete);
    EXPECT_EQ(found.refuted, 0u);
    EXPECT_EQ(found.outcomes, oracle.outcomes) << to_string(program);
  }
  return oracle.outcomes;
}

template <class Test>
bool allows(const Program& program, Test test) {
  return std::ranges::any_of(outcomes_of(program), test);
}

Value got(const Outcome& outcome, unsigned thread, Register reg) {
  return outcome.threads[thread].at.regs[static_cast<unsigned>(reg)];
}
bool is_stuck(const Outcome& outcome) {
  return std::ranges::any_of(outcome.threads, [](const Outcome::Thread& thread) { return thread.stuck; });
}

// ---- two threads ----

bool both_miss(Order store_order, Order load_order, const Code& between = {}) {
  const Program program{{store(x, 1, store_order) + between + load(a, y, load_order),
                         store(y, 1, store_order) + between + load(a, x, load_order)}};
  return allows(program, [](const Outcome& o) { return got(o, 0, a) == 0 && got(o, 1, a) == 0; });
}
TEST(Litmus, StoreBuffering) {
  EXPECT_TRUE(both_miss(rlx, rlx));
  EXPECT_TRUE(both_miss(rel, acq));
  EXPECT_FALSE(both_miss(sc, sc));
  EXPECT_TRUE(both_miss(sc, acq));
  EXPECT_TRUE(both_miss(rlx, rlx, fence(acq_rel)));
  EXPECT_FALSE(both_miss(rlx, rlx, fence(sc)));
}

bool message_is_lost(const Code& sender, const Code& receiver) {
  return allows({{sender, receiver}}, [](const Outcome& o) { return got(o, 1, a) == 1 && got(o, 1, b) == 0; });
}
TEST(Litmus, MessagePassing) {
  const auto send = [](Order order) { return store(x, 1, rlx) + store(y, 1, order); };
  const auto receive = [](Order order) { return load(a, y, order) + load(b, x, rlx); };
  EXPECT_TRUE(message_is_lost(send(rlx), receive(rlx)));
  EXPECT_TRUE(message_is_lost(send(rel), receive(rlx)));
  EXPECT_TRUE(message_is_lost(send(rlx), receive(acq)));
  EXPECT_FALSE(message_is_lost(send(rel), receive(acq)));
  EXPECT_FALSE(message_is_lost(send(sc), receive(sc)));
  const Code fenced_send = store(x, 1, rlx) + fence(rel) + store(y, 1, rlx);
  const Code fenced_receive = load(a, y, rlx) + fence(acq) + load(b, x, rlx);
  EXPECT_FALSE(message_is_lost(fenced_send, fenced_receive));
  EXPECT_FALSE(message_is_lost(send(rel), fenced_receive));
  EXPECT_FALSE(message_is_lost(fenced_send, receive(acq)));
  EXPECT_TRUE(message_is_lost(fenced_send, receive(rlx)));
}

TEST(Litmus, LoadBufferingIsForbidden) {
  const Program program{{load(a, x, rlx) + store(y, 1, rlx), load(a, y, rlx) + store(x, 1, rlx)}};
  EXPECT_FALSE(allows(program, [](const Outcome& o) { return got(o, 0, a) == 1 && got(o, 1, a) == 1; }));
}

TEST(Litmus, TwoPlusTwoWrites) {
  const auto both_first = [](Order order) {
    const Program program{{store(x, 1, order) + store(y, 2, order), store(y, 1, order) + store(x, 2, order)}};
    return allows(program, [](const Outcome& o) { return o.memory[x] == 1 && o.memory[y] == 1; });
  };
  EXPECT_TRUE(both_first(rlx));
  EXPECT_TRUE(both_first(rel));
  EXPECT_FALSE(both_first(sc));
}

TEST(Litmus, StoresThatAreReadInTurn) {
  const auto test_s = [](Order release, Order acquire) {
    const Program program{{store(x, 2, rlx) + store(y, 1, release), load(a, y, acquire) + store(x, 1, rlx)}};
    return allows(program, [](const Outcome& o) { return got(o, 1, a) == 1 && o.memory[x] == 2; });
  };
  EXPECT_TRUE(test_s(rlx, rlx));
  EXPECT_FALSE(test_s(rel, acq));
  const auto test_r = [](Order order) {
    const Program program{{store(x, 1, order) + store(y, 1, order), store(y, 2, order) + load(a, x, order)}};
    return allows(program, [](const Outcome& o) { return o.memory[y] == 2 && got(o, 1, a) == 0; });
  };
  EXPECT_TRUE(test_r(rlx));
  EXPECT_FALSE(test_r(sc));
}

// ---- one location ----

TEST(Litmus, CoherenceOfReads) {
  const Program program{
      {store(x, 1, rlx), store(x, 2, rlx), load(a, x, rlx) + load(b, x, rlx), load(a, x, rlx) + load(b, x, rlx)}};
  EXPECT_FALSE(allows(program, [](const Outcome& o) {
    return got(o, 2, a) == 1 && got(o, 2, b) == 2 && got(o, 3, a) == 2 && got(o, 3, b) == 1;
  }));
  const Program alone{{store(x, 1, rlx) + load(a, x, rlx), store(x, 2, rlx)}};
  EXPECT_FALSE(allows(alone, [](const Outcome& o) { return got(o, 0, a) == 0; }));
  EXPECT_FALSE(allows(alone, [](const Outcome& o) { return got(o, 0, a) == 2 && o.memory[x] == 1; }));
}

TEST(Litmus, UpdatesAreAtomic) {
  const Program program{{fetch_add(a, x, 1, rlx), fetch_add(a, x, 1, rlx), fetch_add(a, x, 1, rlx)}};
  const Outcomes outcomes = outcomes_of(program);
  EXPECT_EQ(outcomes.size(), 6u);
  EXPECT_TRUE(std::ranges::all_of(outcomes, [](const Outcome& o) { return o.memory[x] == 3; }));
}

TEST(Litmus, AnExchangeThatSucceedsReadsTheValueBeforeIts) {
  const Program program{{compare_exchange(a, x, 0, 1, rlx), compare_exchange(a, x, 0, 2, rlx)}};
  EXPECT_FALSE(allows(program, [](const Outcome& o) { return got(o, 0, a) == got(o, 1, a); }));
  const Program weak{{weak_compare_exchange(a, x, 0, 1, rlx)}};
  EXPECT_TRUE(allows(weak, [](const Outcome& o) { return got(o, 0, a) == 0; }));
}

// ---- release sequences ----

TEST(Litmus, ReleaseSequencesAreUpdatesOnly) {
  const auto lost = [](const Code& in_between, const Code& by_sender) {
    const Program program{
        {store(x, 1, rlx) + store(y, 1, rel) + by_sender, in_between, load(a, y, acq) + load(b, x, rlx)}};
    return allows(program, [](const Outcome& o) { return got(o, 2, a) == 2 && got(o, 2, b) == 0; });
  };
  EXPECT_FALSE(lost(compare_exchange(c, y, 1, 2, rlx), {}));
  EXPECT_TRUE(lost(load(c, y, rlx) + when(c, 1, store(y, 2, rlx)), {}));
  EXPECT_TRUE(lost({}, store(y, 2, rlx)));  // C++20: not even the sender's own
  EXPECT_FALSE(lost({}, fetch_add(nowhere, y, 1, rlx)));
}

TEST(Litmus, AChainOfUpdatesCarriesAllReleases) {
  const Program program{{store(x, 1, rlx) + fetch_add(a, z, 1, rel), store(y, 1, rlx) + fetch_add(a, z, 1, rel),
                         load(a, z, acq) + load(b, x, rlx) + load(c, y, rlx)}};
  EXPECT_FALSE(allows(program, [](const Outcome& o) { return got(o, 2, a) == 2 && got(o, 2, b) + got(o, 2, c) < 2; }));
  EXPECT_FALSE(allows(program, [](const Outcome& o) { return got(o, 2, a) == 1 && got(o, 2, b) + got(o, 2, c) == 0; }));
}

// ---- three and four threads ----

TEST(Litmus, CausalityIsTransitiveWhereOrdersSaySo) {
  const auto wrc = [](Order release, Order acquire) {
    const Program program{
        {store(x, 1, rlx), load(a, x, rlx) + store(y, 1, release), load(a, y, acquire) + load(b, x, rlx)}};
    return allows(program,
                  [](const Outcome& o) { return got(o, 1, a) == 1 && got(o, 2, a) == 1 && got(o, 2, b) == 0; });
  };
  EXPECT_TRUE(wrc(rlx, rlx));
  EXPECT_FALSE(wrc(rel, acq));
  const auto isa2 = [](Order release, Order acquire) {
    const Program program{{store(x, 1, rlx) + store(y, 1, release), load(a, y, acquire) + store(z, 1, release),
                           load(a, z, acquire) + load(b, x, rlx)}};
    return allows(program,
                  [](const Outcome& o) { return got(o, 1, a) == 1 && got(o, 2, a) == 1 && got(o, 2, b) == 0; });
  };
  EXPECT_TRUE(isa2(rel, rlx));
  EXPECT_FALSE(isa2(rel, acq));
}

TEST(Litmus, IndependentReadsOfIndependentWrites) {
  const auto disagree = [](Order stores, Order loads, const Code& between = {}) {
    const Program program{{store(x, 1, stores), store(y, 1, stores), load(a, x, loads) + between + load(b, y, loads),
                           load(a, y, loads) + between + load(b, x, loads)}};
    return allows(program, [](const Outcome& o) {
      return got(o, 2, a) == 1 && got(o, 2, b) == 0 && got(o, 3, a) == 1 && got(o, 3, b) == 0;
    });
  };
  EXPECT_TRUE(disagree(rel, acq));
  EXPECT_FALSE(disagree(sc, sc));
  EXPECT_TRUE(disagree(sc, acq));
  EXPECT_FALSE(disagree(rlx, rlx, fence(sc)));
  EXPECT_TRUE(disagree(rlx, rlx, fence(acq_rel)));
}

TEST(Litmus, ReadToWriteCausality) {
  const auto rwc = [](const Code& middle, const Code& last) {
    const Program program{
        {store(x, 1, rlx), load(a, x, acq) + middle + load(b, y, rlx), store(y, 1, rlx) + last + load(b, x, rlx)}};
    return allows(program,
                  [](const Outcome& o) { return got(o, 1, a) == 1 && got(o, 1, b) == 0 && got(o, 2, b) == 0; });
  };
  EXPECT_TRUE(rwc({}, {}));
  EXPECT_TRUE(rwc({}, fence(sc)));
  EXPECT_FALSE(rwc(fence(sc), fence(sc)));
  const auto w_rwc = [](const Code& last) {
    const Program program{{store(x, 1, rlx) + store(y, 1, rel), load(a, y, acq) + fence(sc) + load(b, z, rlx),
                           store(z, 1, rlx) + last + load(b, x, rlx)}};
    return allows(program,
                  [](const Outcome& o) { return got(o, 1, a) == 1 && got(o, 1, b) == 0 && got(o, 2, b) == 0; });
  };
  EXPECT_FALSE(w_rwc(fence(sc)));
  EXPECT_TRUE(w_rwc(fence(acq_rel)));
}

/// Figure 1 of the paper: a seq_cst order that agrees with happens-before would forbid it, and compilers to POWER do
/// not keep it.
TEST(Litmus, SeqCstNeedNotAgreeWithHappensBefore) {
  const Program program{
      {store(x, 1, sc) + store(y, 1, rel), fetch_add(a, y, 1, sc) + load(b, y, rlx), store(y, 3, sc) + load(a, x, sc)}};
  EXPECT_TRUE(
      allows(program, [](const Outcome& o) { return got(o, 1, a) == 1 && got(o, 1, b) == 3 && got(o, 2, a) == 0; }));
}

// ---- locks ----

/// Two threads that each add 1 to w, which neither does by an update. Whether one is lost.
const Code add_to_w = load(c, w, rlx) + store(w, value_of(c, 1), rlx);
bool loses_an_addition(const Code& first, const Code& second) {
  const Outcomes outcomes = outcomes_of({{first, second}});
  EXPECT_TRUE(std::ranges::none_of(outcomes, is_stuck));
  return std::ranges::any_of(outcomes, [](const Outcome& o) { return o.memory[w] != 2; });
}

Code with_spinlock(Order lock_order, Order unlock_order) {
  return repeat_while(exchange(a, x, 1, lock_order), a, 1) + add_to_w + store(x, 0, unlock_order);
}
TEST(Locks, Spinlock) {
  EXPECT_FALSE(loses_an_addition(with_spinlock(acq, rel), with_spinlock(acq, rel)));
  EXPECT_TRUE(loses_an_addition(with_spinlock(acq, rlx), with_spinlock(acq, rlx)));
  EXPECT_TRUE(loses_an_addition(with_spinlock(rlx, rel), with_spinlock(rlx, rel)));
}

Code with_attempts(Order failure) {
  return repeat_until(load(b, x, rlx) + weak_compare_exchange(a, x, 0, 1, acq, failure), a, 1) + add_to_w +
         store(x, 0, rel);
}
TEST(Locks, LockByCompareExchange) { EXPECT_FALSE(loses_an_addition(with_attempts(rlx), with_attempts(acq))); }

Code with_ticket(Order acquire, Order release) {
  return fetch_add(a, x, 1, rlx) + await(b, y, acquire, value_of(a)) + add_to_w + store(y, value_of(a, 1), release);
}
TEST(Locks, TicketLock) {
  EXPECT_FALSE(loses_an_addition(with_ticket(acq, rel), with_ticket(acq, rel)));
  EXPECT_TRUE(loses_an_addition(with_ticket(rlx, rel), with_ticket(rlx, rel)));
  EXPECT_TRUE(loses_an_addition(with_ticket(acq, rlx), with_ticket(acq, rlx)));
}

/// Waits while the other one wants to enter and it is its turn.
Code with_peterson(Location mine, Location other, Value others_turn, const Code& give_way, Order stores, Order loads) {
  return store(mine, 1, stores) + give_way +
         repeat_while(load(a, other, loads) + when(a, 1, load(a, z, loads)), a, others_turn) + add_to_w +
         store(mine, 0, rel);
}
TEST(Locks, Peterson) {
  const auto fails = [](auto give_way, Order stores, Order loads) {
    return loses_an_addition(with_peterson(x, y, 2, give_way(2), stores, loads),
                             with_peterson(y, x, 1, give_way(1), stores, loads));
  };
  EXPECT_FALSE(fails([](Value turn) { return store(z, turn, sc); }, sc, sc));
  EXPECT_TRUE(fails([](Value turn) { return store(z, turn, rel); }, rel, acq));
  EXPECT_TRUE(fails([](Value turn) { return store(z, turn, rlx); }, rlx, rlx));
  // The two stores of turns may still come in the other order than the fences.
  EXPECT_TRUE(fails([](Value turn) { return store(z, turn, rlx) + fence(sc); }, rlx, acq));
  // Whoever gives way later knows what the other one wants.
  EXPECT_FALSE(fails([](Value turn) { return exchange(nowhere, z, turn, acq_rel); }, rlx, acq));
}

TEST(Locks, SequenceLock) {
  const auto torn = [](const Code& writers_fence, const Code& readers_fence) {
    const Code writer = store(z, 1, rlx) + writers_fence + store(x, 1, rlx) + store(y, 1, rlx) + store(z, 2, rel);
    const Code reader = repeat_until(
        load(a, z, acq) + load(b, x, rlx) + load(c, y, rlx) + readers_fence + load(d, z, rlx), d, value_of(a));
    return allows({{writer, reader}},
                  [](const Outcome& o) { return got(o, 1, a) != 1 && got(o, 1, b) != got(o, 1, c); });
  };
  EXPECT_FALSE(torn(fence(rel), fence(acq)));
  EXPECT_TRUE(torn({}, fence(acq)));
  EXPECT_TRUE(torn(fence(rel), {}));
}

/// From A, which came first, to B: the tail is w, x tells A who comes next, y tells B that it is its turn.
TEST(Locks, HandoverOfAnMcsLock) {
  const auto loses = [](Order announce, Order hand_over) {
    const Code add_to_z = load(c, z, rlx) + store(z, value_of(c, 1), rlx);
    const Code first = exchange(a, w, 1, acq_rel) + when(a, 0,
                                                         add_to_z + compare_exchange(b, w, 1, 0, rel) +
                                                             when(b, 0, await(b, x, acq, 2) + store(y, 1, hand_over)));
    const Code second = exchange(a, w, 2, acq_rel) + when(a, 1, store(x, 2, announce) + await(b, y, acq, 1) + add_to_z);
    const Outcomes outcomes = outcomes_of({{first, second}});
    EXPECT_TRUE(std::ranges::none_of(outcomes, is_stuck));
    return std::ranges::any_of(outcomes, [](const Outcome& o) { return got(o, 1, a) == 1 && o.memory[z] != 2; });
  };
  EXPECT_FALSE(loses(rel, rel));
  EXPECT_FALSE(loses(rlx, rel));
  EXPECT_TRUE(loses(rel, rlx));
}

}  // namespace
}  // namespace muster::weak
