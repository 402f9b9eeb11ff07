// Programs that one would think of, by kind: reduced search must find what plain enumeration finds, without a bound and
// with bounds 0 to 3. An outcome is all that each thread read, who never finished, and the final memory; findings are
// outcomes, too.

#include <gtest/gtest.h>

#include "search/small_program.hpp"

namespace muster::test {
namespace {

using enum Op;

struct Named {
  const char* name;
  SmallProgram program;
};

// Words 0 and 1 are x and y. A failed try_lock skips as many instructions as it says.
const Named programs[] = {
    // ---- memory ----
    {"store_buffering", {{{{store, 0, 1}, {load, 1}}, {{store, 1, 1}, {load, 0}}}}},
    {"message_passing", {{{{store, 0, 1}, {store, 1, 1}}, {{load, 1}, {load, 0}}}}},
    {"load_buffering", {{{{load, 0}, {store, 1, 1}}, {{load, 1}, {store, 0, 1}}}}},
    {"independent_readers", {{{{store, 0, 1}}, {{store, 1, 1}}, {{load, 0}, {load, 1}}, {{load, 1}, {load, 0}}}}},
    {"equal_stores", {{{{store, 0, 1}, {load, 0}}, {{store, 0, 1}}, {{load, 0}}}}},
    {"lost_update", {{{{load, 0}, {store, 0, 1}}, {{load, 0}, {store, 0, 2}}, {{load, 0}}}}},
    {"racing_plain_accesses", {{{{plain_store, 0, 1}, {store, 0, 1}}, {{load, 0}, {plain_load, 0}}}}},
    {"racing_plain_writers", {{{{plain_store, 0, 1}, {plain_load, 0}}, {{plain_store, 0, 2}}}}},
    // ---- locks ----
    {"locked_counter",
     {{{{lock, 0}, {add, 0, 1}, {unlock, 0}},
       {{lock, 0}, {add, 0, 1}, {unlock, 0}},
       {{lock, 0}, {load, 0}, {unlock, 0}}}}},
    {"opposite_lock_order",
     {{{{lock, 0}, {lock, 1}, {unlock, 1}, {unlock, 0}}, {{lock, 1}, {lock, 0}, {unlock, 0}, {unlock, 1}}}}},
    {"lock_never_given_back", {{{{lock, 0}, {store, 0, 1}}, {{lock, 0}, {load, 0}}, {{load, 0}}}}},
    {"two_try_locks", {{{{try_lock, 0, 2}, {add, 0, 1}, {unlock, 0}}, {{try_lock, 0, 2}, {add, 0, 1}, {unlock, 0}}}}},
    {"try_lock_beside_lock",
     {{{{lock, 0}, {add, 0, 1}, {unlock, 0}},
       {{try_lock, 0, 2}, {load, 0}, {unlock, 0}},
       {{try_lock, 0, 1}, {unlock, 0}}}}},
    {"timed_lock", {{{{timed_lock, 0, 2}, {add, 0, 1}, {unlock, 0}}, {{lock, 0}, {load, 0}, {unlock, 0}}}}},
    {"two_timed_locks",
     {{{{timed_lock, 0, 2}, {add, 0, 1}, {unlock, 0}}, {{timed_lock, 0, 2}, {add, 0, 1}, {unlock, 0}}}}},
    {"readers_and_writer",
     {{{{lock_shared, 0}, {load, 0}, {unlock_shared, 0}},
       {{lock_shared, 0}, {load, 0}, {unlock_shared, 0}},
       {{lock_exclusive, 0}, {add, 0, 1}, {unlock_shared, 0}}}}},
    {"reader_tries",
     {{{{try_lock_shared, 0, 2}, {load, 0}, {unlock_shared, 0}},
       {{lock_exclusive, 0}, {add, 0, 1}, {unlock_shared, 0}}}}},
    {"writer_keeps_readers_out", {{{{lock_exclusive, 0}}, {{lock_shared, 0}, {load, 0}}, {{try_lock_shared, 0, 0}}}}},
    {"spin_lock", {{{{spin_lock, 0}, {add, 1, 1}, {store, 0, 0}}, {{spin_lock, 0}, {add, 1, 1}, {store, 0, 0}}}}},
    {"spin_lock_kept", {{{{spin_lock, 0}, {add, 1, 1}}, {{spin_lock, 0}, {add, 1, 1}}, {{load, 1}}}}},
    // ---- condition variables ----
    {"wait_for_flag",
     {{{{lock, 0}, {load, 0}, {skip_if, 0, 1, 1}, {wait, 0, 0}, {unlock, 0}},
       {{lock, 0}, {store, 0, 1}, {notify_one, 0}, {unlock, 0}}}}},
    {"notified_too_early", {{{{lock, 0}, {wait, 0, 0}, {unlock, 0}}, {{notify_one, 0}}}}},
    {"one_notification_for_two",
     {{{{lock, 0}, {wait, 0, 0}, {unlock, 0}, {add, 0, 1}},
       {{lock, 0}, {wait, 0, 0}, {unlock, 0}, {add, 0, 1}},
       {{notify_one, 0}}}}},
    {"all_notified",
     {{{{lock, 0}, {wait, 0, 0}, {unlock, 0}}, {{lock, 0}, {wait, 0, 0}, {unlock, 0}}, {{notify_all, 0}}}}},
    {"timed_wait",
     {{{{lock, 0}, {timed_wait, 0, 0}, {unlock, 0}}, {{lock, 0}, {store, 0, 1}, {notify_one, 0}, {unlock, 0}}}}},
    {"timed_wait_takes_the_notification",
     {{{{lock, 0}, {timed_wait, 0, 0}, {unlock, 0}}, {{lock, 0}, {wait, 0, 0}, {unlock, 0}}, {{notify_one, 0}}}}},
    // ---- semaphores ----
    {"semaphore_as_mutex",
     {{{{acquire, 0}, {add, 0, 1}, {release, 0}}, {{acquire, 0}, {add, 0, 1}, {release, 0}}, {{load, 0}}}, 1}},
    {"hand_over", {{{{acquire, 0}, {load, 0}}, {{store, 0, 1}, {release, 0}}}}},
    {"one_permit_for_two", {{{{acquire, 0}, {add, 0, 1}}, {{acquire, 0}, {add, 0, 1}}, {{release, 0}}}}},
    {"two_permits_for_three", {{{{acquire, 0}, {add, 0, 1}}, {{acquire, 0}, {load, 0}}, {{acquire, 0}}}, 2}},
    {"tries_beside_a_waiter", {{{{acquire, 0}, {load, 0}}, {{try_acquire, 0}}, {{release, 0}}}}},
    // ---- futexes ----
    {"futex_wait_for_a_flag", {{{{futex_wait, 0, 0}, {load, 0}}, {{store, 0, 1}, {futex_wake_one, 0}}}}},
    {"futex_flag_without_a_wake", {{{{futex_wait, 0, 0}}, {{store, 0, 1}}}}},
    {"futex_wake_before_the_flag", {{{{futex_wait, 0, 0}}, {{futex_wake_one, 0}, {store, 0, 1}}}}},
    {"futex_one_wake_for_two",
     {{{{futex_wait, 0, 0}, {add, 1, 1}}, {{futex_wait, 0, 0}, {add, 1, 1}}, {{futex_wake_one, 0}}}}},
    {"futex_wakes_all", {{{{futex_wait, 0, 0}}, {{futex_wait, 0, 0}}, {{store, 0, 1}, {futex_wake_all, 0}}}}},
    {"futex_runs_out_of_time", {{{{timed_futex_wait, 0, 0}, {load, 0}}, {{store, 0, 1}, {futex_wake_one, 0}}}}},
    // ---- lock-free ----
    {"two_increments_by_retrying", {{{{increment_by_retrying, 0}}, {{increment_by_retrying, 0}}, {{load, 0}}}}},
    {"three_increments_by_retrying",
     {{{{increment_by_retrying, 0}}, {{increment_by_retrying, 0}}, {{increment_by_retrying, 0}}}}},
    {"increments_and_a_store",
     {{{{increment_by_retrying, 0}, {store, 1, 1}}, {{increment_by_retrying, 0}}, {{store, 0, 5}}}}},
    {"retry_that_reads_two_words", {{{{reload_and_retry, 0, 0}}, {{reload_and_retry, 0, 0}}, {{store, 1, 1}}}}},
    {"retry_that_looks_where_another_writes",
     {{{{look_and_retry, 0, 0}}, {{add, 0, 1}, {load, 1}, {plain_store, 0, 1}, {add, 0, 1}}}}},
    {"retry_beside_a_value_that_comes_back",
     {{{{increment_by_retrying, 0}}, {{store, 0, 1}, {store, 0, 0}}, {{reload_and_retry, 0, 0}}}}},
    {"two_retries_in_vain_at_once",
     {{{{reload_and_retry, 0, 0}}, {{reload_and_retry, 1, 0}}, {{store, 0, 2}}, {{store, 1, 2}}}}},
    {"retry_that_counts_failures", {{{{reload_and_retry, 0, 1}}, {{reload_and_retry, 0, 1}}}}},
    {"one_winner",
     {{{{compare_exchange, 0, 0, 1}}, {{compare_exchange, 0, 0, 2}}, {{compare_exchange, 0, 0, 3}}, {{load, 0}}}}},
    {"exchanges", {{{{exchange, 0, 1}}, {{exchange, 0, 2}}, {{exchange, 0, 3}}}}},
    {"helping",  // whoever sees a claim finishes it before it goes on
     {{{{compare_exchange, 0, 0, 1}, {compare_exchange, 1, 0, 1}, {load, 1}},
       {{compare_exchange, 0, 0, 2}, {compare_exchange, 1, 0, 1}, {add, 1, 1}}}}},
    // ---- choices ----
    {"choice_of_a_branch",
     {{{{choose, 0, 2}, {skip_if, 0, 1, 1}, {store, 0, 1}, {load, 1}}, {{store, 1, 1}, {load, 0}}}}},
    {"choices_of_two", {{{{choose, 0, 3}, {add, 0, 1}}, {{choose, 0, 2}, {add, 0, 2}}}}},
    {"choice_before_a_lock",
     {{{{choose, 0, 2}, {skip_if, 0, 0, 1}, {lock, 0}, {load, 0}}, {{lock, 0}, {store, 0, 1}, {unlock, 0}}}}},
    // ---- meeting and once ----
    {"barrier", {{{{store, 0, 1}, {barrier, 0}, {load, 1}}, {{store, 1, 1}, {barrier, 0}, {load, 0}}}}},
    {"barrier_with_a_third", {{{{barrier, 0}}, {{barrier, 0}}, {{barrier, 0}, {store, 0, 1}}}}},
    {"once", {{{{once, 0}, {load, 1}}, {{once, 0}, {store, 1, 1}}}}},
    {"once_with_a_writer", {{{{once, 0}}, {{once, 0}}, {{store, 0, 1}}}}},
    {"clock", {{{{clock}, {load, 0}}, {{store, 0, 1}, {clock}}}}},
    {"yields", {{{{yield}, {load, 0}}, {{store, 0, 1}, {yield}, {store, 0, 2}}}}},
    {"sleeps", {{{{sleep}, {load, 0}}, {{store, 0, 1}, {sleep}, {store, 0, 2}}}}},
    {"sleeps_before_a_clock", {{{{sleep}, {store, 0, 1}}, {{clock}, {load, 0}}}}},
    {"sleeps_before_a_deadline", {{{{timed_lock, 0, 2}, {add, 0, 1}, {unlock, 0}}, {{lock, 0}, {sleep}, {unlock, 0}}}}},
    // ---- spinning: what is stuck so must be told whatever the others do before, meanwhile and afterwards ----
    {"spins_beside_a_reader", {{{{spin_until, 0, 1}}, {{load, 1}}}}},
    {"spins_beside_a_writer", {{{{spin_until, 0, 1}}, {{store, 1, 1}}}}},
    {"spins_until_told", {{{{spin_until, 0, 1}}, {{store, 0, 1}}}}},
    {"spins_and_may_miss_it", {{{{spin_until, 0, 1}}, {{store, 0, 1}, {store, 0, 2}}}}},
    {"sleeps_beside_a_writer", {{{{spin_asleep, 0, 1}}, {{store, 1, 1}}}}},
    {"sleeps_until_told", {{{{spin_asleep, 0, 1}, {load, 1}}, {{store, 0, 1}, {store, 1, 1}}}}},
    {"both_sleep", {{{{spin_asleep, 0, 1}, {store, 1, 1}}, {{spin_asleep, 1, 1}, {store, 0, 1}}}}},
    {"sleep_and_spin_in_turn", {{{{spin_asleep, 0, 1}, {store, 1, 1}}, {{store, 0, 1}, {spin_until, 1, 1}}}}},
    {"both_spin", {{{{spin_until, 0, 1}, {store, 1, 1}}, {{spin_until, 1, 1}, {store, 0, 1}}}}},
    {"spin_in_turn", {{{{spin_until, 0, 1}, {store, 1, 1}}, {{store, 0, 1}, {spin_until, 1, 1}}}}},
    {"spins_after_reading", {{{{load, 1}, {spin_until, 0, 1}}, {{store, 1, 1}, {load, 1}}, {{add, 1, 1}}}}},
    {"spins_until_counted", {{{{spin_until, 0, 1}}, {{increment_by_retrying, 0}}, {{load, 0}}}}},
    {"spins_beside_a_kept_lock", {{{{spin_until, 0, 1}}, {{lock, 0}, {store, 0, 1}, {unlock, 0}}, {{lock, 0}}}}},
    {"two_spin_for_one", {{{{spin_until, 0, 1}}, {{spin_until, 0, 1}}, {{compare_exchange, 0, 0, 1}}}}},
};

class NamedProgram : public ::testing::TestWithParam<Named> {};

TEST_P(NamedProgram, HasTheOutcomesOfPlainEnumeration) {
  const SmallProgram& program = GetParam().program;
  const Outcomes all = plain(program), found = reduced(program, {});
  ASSERT_TRUE(all.exhausted && found.exhausted) << to_text(program);
  EXPECT_EQ(difference(all, found), "") << to_text(program);
  EXPECT_LE(found.complete, all.executions);
}

TEST_P(NamedProgram, WithABoundHasWhatIsWithinItAndNothingThatThereIsNot) {
  const SmallProgram& program = GetParam().program;
  const Outcomes all = plain(program);
  for (unsigned bound = 0; bound <= 3; ++bound) {
    const Outcomes within = plain(program, bound), found = reduced(program, {.preemptions = bound});
    EXPECT_EQ(outside(within, found, all), "") << "bound " << bound << "\n" << to_text(program);
  }
}

TEST_P(NamedProgram, SharedAmongWorkersOrStoppedHasTheSameOutcomesAndAsManyCompleteExecutions) {
  const SmallProgram& program = GetParam().program;
  const Outcomes alone = reduced(program, {});
  for (unsigned workers = 2; workers <= 4; ++workers) {
    for (const unsigned stop_once_in : {0, 5}) {
      const Outcomes together = shared(program, {}, workers, workers, stop_once_in);
      EXPECT_EQ(difference(alone, together), "") << workers << " workers\n" << to_text(program);
      EXPECT_EQ(alone.complete, together.complete) << workers << " workers\n" << to_text(program);
    }
  }
}

TEST_P(NamedProgram, DividedIntoPartsHasTheSameOutcomesAndAsManyCompleteExecutions) {
  const SmallProgram& program = GetParam().program;
  const Outcomes alone = reduced(program, {});
  for (const unsigned parts : {2, 7}) {
    for (const unsigned stop_once_in : {3, 20}) {
      const Outcomes together = shared(program, {}, 2, parts, stop_once_in, parts);
      EXPECT_EQ(difference(alone, together), "") << parts << " parts\n" << to_text(program);
      EXPECT_EQ(alone.complete, together.complete) << parts << " parts\n" << to_text(program);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Reduction, NamedProgram, ::testing::ValuesIn(programs),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace muster::test
