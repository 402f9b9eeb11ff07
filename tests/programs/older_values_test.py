#!/usr/bin/env python3
"""older_values_test.py SOURCE BUILD: scenarios with the older values of atomics that C++ lets threads read."""
import re
import sys
import unittest

from program_case import ProgramCase, build

weak = build / "tests/subjects/subjects_weak"
c11 = ("--memory-model", "c11")
sc = ("--memory-model", "sc")

# What only older values show: with the flags it takes.
wrong = {
    "store_buffering_relaxed": (), "store_buffering_acquire": (), "message_passing_relaxed": (), "two_readers_acquire": (), "two_writers_release": (),
    "peterson_acquire": (), "dekker_flags_acquire": (), "sequence_lock_without_fences": (), "made_once_relaxed": (),
    "chase_lev_without_fence_in_take": (), "chase_lev_without_fence_in_push": (), "chase_lev_without_fence_in_steal": ("--bound", "3"),
}
right = ("store_buffering_seq_cst", "store_buffering_fences", "message_passing_release", "two_readers_seq_cst", "two_writers_seq_cst", "pair_is_whole",
         "waits_for_relaxed_flags", "peterson_seq_cst", "dekker_flags_seq_cst", "sequence_lock", "made_once", "chase_lev", "stack_release", "queue_release")
# No older value is ever left to read.
robust = ("store_buffering_seq_cst", "message_passing_release", "two_readers_seq_cst", "two_writers_seq_cst", "peterson_seq_cst", "dekker_flags_seq_cst", "made_once",
          "chase_lev", "stack_release", "queue_release")


# Of each structure the orders that must not be weakened to relaxed, by number in tests/subjects/weak/mutants.cpp,
mutants = {"treiber": (1, 2, 4), "michael_scott": (1, 4, 5, 6, 8), "michael_scott_taken": (2, 7), "michael_scott_put": (3,), "ring": (1, 4), "ring_taken": (2, 3), "deque": (1, 2, 5, 6)}
# and those that these tests do not need.
not_needed = {
    "treiber_3": "the head was acquired by the load, or by the exchange that failed before",
    "deque_3": "an exchange is atomic by any order, and the fences order the rest",
    "deque_4": "the fence after it orders what follows; it matters where cells are used again",
    "deque_7": "as 3",
}


class OlderValues(ProgramCase):
    told = (r"\w+ (reads|writes|updates|exchanges|tries) .*? at \w+\.cpp:\d+ \(\w+\): (stale. \w+ had written .* at \w+\.cpp:\d+ \(\w+\), and nothing makes that visible"
            r"|before .*, which \w+ had written at \w+\.cpp:\d+ \(\w+\))")

    def explore(self, *words, expect):
        return self.run_in_folder(weak, *words, expect=expect).stdout

    def coverage(self, *words, expect=0):
        return self.coverage_of("subjects_weak", *words, expect=expect)

    def coverage_of(self, program, *words, expect=0):
        self.run_in_folder(build / "tests/subjects" / program, *words, "--json", "r.json", expect=expect)
        return self.report("r.json")["results"][0]["coverage"]

    def test_everything_passes_where_values_are_sequentially_consistent(self):
        self.explore(*wrong, *right, *sc, expect=0)

    def test_what_older_values_show_is_found_and_shown_again(self):
        for scenario, flags in wrong.items():
            with self.subTest(scenario):
                said = self.explore(scenario, *c11, *flags, expect=1)
                self.assertIn("requirement not met", said)
                self.assertRegex(" ".join(said.split()), self.told)
                self.assertRegex(said, r"1w-")
                again = self.explore("--replay", f"{scenario}-1", expect=1)
                self.assertRegex(" ".join(again.split()), self.told)
                self.explore("--recheck", f"{scenario}-1", expect=1)

    def test_a_search_by_classes_finds_the_same(self):
        for scenario in wrong:
            with self.subTest(scenario):
                said = self.explore(scenario, *c11, "--unbounded", expect=1)
                self.assertRegex(said, r"1rw-")
                self.assertRegex(" ".join(self.explore("--replay", f"{scenario}-1", expect=1).split()), self.told)
        for scenario in right:
            with self.subTest(scenario):
                self.assertTrue(self.coverage(scenario, *c11, "--unbounded")["all_schedules"])
        for scenario in robust:
            with self.subTest(scenario):
                older, newest = self.coverage(scenario, *c11, "--unbounded"), self.coverage(scenario, *sc, "--unbounded")
                self.assertEqual(older.get("older_values", 0), 0)
                for count in ("complete", "classes", "histories"):
                    self.assertEqual(older.get(count), newest.get(count))
        whole = self.coverage("pair_is_whole", *c11, "--unbounded")
        for how in (("--from-start",), ("--jobs", "2")):
            with self.subTest(how):
                self.assertEqual(self.coverage("pair_is_whole", *c11, "--unbounded", *how)["complete"], whole["complete"])
        self.assertIn("older values in", self.explore("pair_is_whole", *c11, "--unbounded", expect=0))

    def test_what_callers_cannot_know_fails_no_check(self):
        ways = ((), ("--unbounded",), ("--strategy", "random", "--executions", "2000"))
        pairs = {"flags": "SetFirst, Second | SetSecond, First", "board": "Post(1), Post(2) | Last, Last"}
        for name, matrix in pairs.items():
            wrong_one, right_one = [f"{name}_{order}" for order in (("acquire", "seq_cst") if name == "flags" else ("relaxed", "release"))]
            self.explore(wrong_one, *sc, "--matrix", matrix, expect=0)
            for way in ways:
                with self.subTest((name, way)):
                    said = self.explore(wrong_one, *c11, "--matrix", matrix, *way, expect=1)
                    self.assertIn(f"FAIL {wrong_one}", said)
                    self.explore("--replay", f"{wrong_one}-1", expect=1)
                    self.explore(right_one, *c11, "--matrix", matrix, *way, expect=0)
        for way in ways:
            with self.subTest(way):
                self.explore("lazy_flag", *c11, "--matrix", "Set, Ping | Ping, Get | Get", *way, expect=0)
                self.explore("stack_by_release", *c11, "--size", "2x2", "--tests", "20", *way, expect=0)
        self.assertGreater(self.coverage("lazy_flag", *c11, "--matrix", "Set, Ping | Ping, Get").get("older_values", 0), 0)

    def test_other_judges_take_what_callers_can_know_too(self):
        """Synchronisations, quasi-linearizable objects, handles: by what happens before what, and what callers may add."""
        missed = "SetFirst, Second | SetSecond, First"
        late = "Set, Ping | Ping, Get | Get"
        for way in (("--strategy", "dfs"), ("--unbounded",), ("--strategy", "random", "--executions", "2000")):
            with self.subTest(way):
                for name, matrix, flags in (("flags_acquire", missed, ("--quasi", "0")), ("flags_meet_acquire", missed, ()), ("desk_acquire", f"Take, {missed}, Take", ())):
                    self.explore(name, *sc, "--matrix", matrix, *flags, *way, expect=0)
                    self.explore(name, *c11, "--matrix", matrix, *flags, *way, expect=1)
                    self.explore("--replay", f"{name}-1", expect=1)
                    self.explore(name.replace("acquire", "seq_cst"), *c11, "--matrix", matrix, *flags, *way, expect=0)
                for name, matrix, flags in (("lazy_flag", late, ("--quasi", "0")), ("lazy_flag_meets", late, ()), ("lazy_desk", "Set, Take | Take, Get", ())):
                    self.explore(name, *c11, "--matrix", matrix, *flags, *way, expect=0)
                    self.assertGreater(self.coverage(name, *c11, "--matrix", matrix, *flags, *way, expect=0)["older_values"], 0)

    def test_callers_add_what_seq_cst_allows(self):
        """Two of these three fail only where a caller makes Last wait for Count; with fences it cannot have been so."""
        matrix = ("--matrix", "Post(1) | Count | Last")
        for way in (("--strategy", "dfs"), ("--unbounded",)):
            for name, code in (("counted", 1), ("counted_strong_elsewhere", 1), ("counted_between_fences", 0)):
                with self.subTest((name, way)):
                    self.explore(name, *sc, *matrix, *way, expect=0)
                    self.explore(name, *c11, *matrix, *way, expect=code)
        self.assertGreater(self.coverage("counted_between_fences", *c11, *matrix)["older_values"], 0)

    def test_what_the_kernel_compared_is_not_forgotten(self):
        """A futex that compares reads for its thread: else a waiter would read the old value again and be sent back for ever."""
        older = self.coverage_of("subjects_correct", "atomic_wait_notify", *c11, "--unbounded")
        self.assertTrue(older["all_schedules"])
        self.assertLess(older["steps"] / older["executions"], 40)

    def test_a_loop_that_counts_its_turns_reads_old_values_within_the_bound(self):
        """The library polls sixteen times before it waits: each of these reads could be of the old value once more."""
        counts = [self.coverage_of("subjects_legal", "semaphores_to_and_fro", "--strategy", "dfs", *model)["executions"] for model in (sc, c11)]
        self.assertLess(counts[1], 10 * counts[0])

    def test_reports_say_which_orders_would_have_helped(self):
        told = lambda scenario: " ".join(self.explore(scenario, *c11, expect=1).split())
        self.assertRegex(told("message_passing_relaxed"), r"It would be if \S+:\d+ \(relaxed\) released and \S+:\d+ \(relaxed\) acquired\.")
        self.assertIn("No acquire and release would", told("store_buffering_acquire"))

    def test_weakened_orders_are_found(self):
        for structure, found in mutants.items():
            self.assertEqual(self.coverage(f"{structure}_0", *c11, "--unbounded").get("older_values", 0), 0)
            for number in found:
                with self.subTest(f"{structure}_{number}"):
                    self.explore(f"{structure}_{number}", *c11, "--unbounded", expect=1)
        for name, why in not_needed.items():
            with self.subTest(f"{name}: {why}"):
                self.explore(name, *c11, "--unbounded", expect=0)

    def test_onetbb_says_that_a_queue_is_empty_which_is_not(self):
        queue = (build / "tests/subjects/subjects_checks", "tbb_concurrent_queue", "--matrix", "first: push(1) | push(2), try_pop | try_pop")
        self.run_in_folder(*queue, *sc, expect=0)
        for way in ((), ("--unbounded",)):
            said = self.run_in_folder(*queue, *c11, *way, expect=1).stdout
            self.assertIn("B's try_pop() returned nothing", said)
            self.assertRegex(" ".join(said.split()), "stale: A wrote 2")

    def test_searches_are_gone_on_with(self):
        whole = self.coverage("sequence_lock", *c11, "--strategy", "dfs", "--bound", "3")
        pieces, resume = 0, ()
        while True:
            done = self.run_in_folder(weak, "sequence_lock", *c11, "--strategy", "dfs", "--bound", "3", *resume, "--budget", "100ms", "--checkpoint", "c", "--json", "r.json")
            coverage = self.report("r.json")["results"][0]["coverage"]
            if coverage.get("exhausted"):
                break
            pieces, resume = pieces + 1, ("--resume", "c")
            self.assertIn(done.returncode, (0, 3), done.stdout)
        self.assertEqual(coverage["executions"], whole["executions"])

    def test_threads_may_be_the_kernels(self):
        for scenario, code in (("peterson_acquire", 1), ("peterson_seq_cst", 0), ("chase_lev", 0)):
            with self.subTest(scenario):
                self.run_in_folder(weak, scenario, *c11, expect=code, MUSTER_THREADS="kernel")

    def test_what_is_right_passes(self):
        for scenario in right:
            with self.subTest(scenario):
                coverage = self.coverage(scenario, *c11)
                self.assertTrue(coverage["exhausted"])
                self.assertNotIn("weak_orders", coverage)

    def test_a_robust_scenario_has_the_executions_of_sequential_consistency(self):
        for scenario in robust:
            with self.subTest(scenario):
                older, newest = self.coverage(scenario, *c11), self.coverage(scenario, *sc)
                self.assertEqual(older.get("older_values", 0), 0)
                self.assertEqual(older["executions"], newest["executions"])
        said = self.explore("made_once", *c11, "--bound", "unbounded", "--late-yields", "9", expect=0)
        self.assertIn("Robust: no thread ever has an older value of an atomic to read", said)

    def test_all_ways_to_search_find_the_same(self):
        scenario = "pair_is_whole"
        whole = self.coverage(scenario, *c11, "--bound", "3")
        self.assertGreater(whole["older_values"], 0)
        for how in (("--from-start",), ("--jobs", "2")):
            with self.subTest(how):
                other = self.coverage(scenario, *c11, "--bound", "3", *how)
                for count in ("executions", "older_values"):
                    self.assertEqual(other[count], whole[count])

    def test_random_strategies_find_older_values_too(self):
        for strategy in ("random", "pct", "pos"):
            with self.subTest(strategy):
                self.explore("two_readers_acquire", *c11, "--strategy", strategy, "--executions", "5000", expect=1)

    def test_schedules_drawn_at_random_replay(self):
        for scenario in ("peterson_acquire", "chase_lev", "sequence_lock", "waits_for_relaxed_flags"):
            with self.subTest(scenario):
                self.assertRegex(self.explore(scenario, *c11, "--verify-replay", "300", expect=0), r"300")

    def test_where_there_are_no_older_values_they_are_refused(self):
        for words in (("--strategy", "predict"), ("--stress",)):
            with self.subTest(words):
                self.assertIn("--memory-model", self.run_in_folder(weak, "made_once", *c11, *words, expect=2).stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
