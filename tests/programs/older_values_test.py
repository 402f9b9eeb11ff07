#!/usr/bin/env python3
"""older_values_test.py SOURCE BUILD: scenarios with the older values of atomics that C++ lets threads read."""
import re
import sys
import unittest

from program_case import ProgramCase, build

weak = build / "tests/subjects/subjects_weak"
c11 = ("--memory-model", "c11")

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


class OlderValues(ProgramCase):
    def explore(self, *words, expect):
        return self.run_in_folder(weak, *words, expect=expect).stdout

    def coverage(self, *words, expect=0):
        self.explore(*words, "--json", "r.json", expect=expect)
        return self.report("r.json")["results"][0]["coverage"]

    def test_everything_passes_where_values_are_sequentially_consistent(self):
        self.explore(*wrong, *right, expect=0)

    def test_what_older_values_show_is_found_and_shown_again(self):
        for scenario, flags in wrong.items():
            with self.subTest(scenario):
                said = self.explore(scenario, *c11, *flags, expect=1)
                self.assertIn("requirement not met", said)
                self.assertRegex(" ".join(said.split()), r"\w+ at \w+\.cpp:\d+ need not see what \w+ wrote at \w+\.cpp:\d+\.")
                self.assertRegex(" ".join(said.split()), r"(reads|updates) an older value|writes before a newer value")
                self.assertRegex(said, r"1w-")
                again = self.explore("--replay", f"{scenario}-1", expect=1)
                self.assertIn("need not see", again)
                self.explore("--recheck", f"{scenario}-1", expect=1)

    def test_what_is_right_passes(self):
        for scenario in right:
            with self.subTest(scenario):
                coverage = self.coverage(scenario, *c11)
                self.assertTrue(coverage["exhausted"])
                self.assertNotIn("weak_orders", coverage)

    def test_a_robust_scenario_has_the_executions_of_sequential_consistency(self):
        for scenario in robust:
            with self.subTest(scenario):
                older, newest = self.coverage(scenario, *c11), self.coverage(scenario)
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
        for words in (("--unbounded",), ("--strategy", "dpor"), ("--strategy", "predict"), ("--stress",)):
            with self.subTest(words):
                self.assertIn("--memory-model", self.run_in_folder(weak, "made_once", *c11, *words, expect=2).stderr)
        checks = build / "tests/subjects/subjects_checks"
        self.assertIn("is a check", self.run_in_folder(checks, "treiber_stack", *c11, expect=2).stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
