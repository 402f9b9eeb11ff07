#!/usr/bin/env python3
"""portfolio_test.py SOURCE BUILD: the default search: what it looks at first, what it says, and that it is the same with the same seed."""
import itertools
import re
import sys
import unittest

from program_case import ProgramCase, build, checks, subjects

correct, broken = (build / f"tests/subjects/subjects_{kind}" for kind in ("correct", "broken"))
# Two tests: one that is right and long, then one in which a single preemption shows that something is taken twice.
late = ("late_fault", "--minimise", "0")


class Portfolio(ProgramCase):
    folders = itertools.count()

    def coverage(self, *command, expect=0):
        # What an earlier run has saved would be tried first.
        self.run_in_folder(*command, "--json", "report.json", "--folder", f"saved{next(self.folders)}", expect=expect)
        return self.report("report.json")["results"][0]["coverage"]

    def test_a_later_test_does_not_wait_for_the_bounds_of_those_before_it(self):
        first, test_by_test = (self.coverage(subjects, *late, *how, expect=1)["executions"] for how in ((), ("--strategy", "dfs")))
        self.assertLess(10 * first, test_by_test)

    def test_the_same_seed_is_the_same_run(self):
        for program, *command in ((broken, "producer_consumer"), (subjects, *late), (correct, "bakery"), (checks, "locked_queue", "--tests", "10", "--size", "2x2")):
            runs = []
            for _ in range(2):
                saved = ("--folder", f"saved{next(self.folders)}")
                done = self.run_in_folder(program, *command, *saved, "--seed", "5", "--json", "report.json")
                self.assertIn(done.returncode, (0, 1))
                result = self.report("report.json")["results"][0]
                runs.append((result["coverage"]["executions"], [finding.get("schedule") for finding in result.get("findings", [])]))
            self.assertEqual(*runs)

    def test_it_covers_what_a_search_without_drawing_does(self):
        for jobs in ("1", "2"):
            for program, *command in ((correct, "bakery"), (correct, "lost_update"), (checks, "locked_queue", "--tests", "20", "--size", "2x2")):
                drawn = self.coverage(program, *command, "-j", jobs)
                plain = self.coverage(program, *command, "-j", jobs, "--strategy", "dfs")
                self.assertTrue(drawn["exhausted"])
                if not drawn.get("reduced"):
                    self.assertEqual(drawn.get("preemptions"), plain.get("preemptions"))
                self.assertGreaterEqual(drawn.get("all_schedules", False), plain.get("all_schedules", False))

    def test_time_that_is_left_never_makes_a_pass_less(self):
        whole = self.run_in_folder(correct, "lock_order", "--budget", "5s", expect=0).stdout
        self.assertTrue(whole.startswith("PASS lock_order"), whole)
        deeper = self.run_in_folder(correct, "bakery", "--budget", "3s", expect=0).stdout
        self.assertTrue(deeper.startswith("PASS bakery"), deeper)
        more = self.run_in_folder(checks, "locked_queue", "--tests", "5", "--size", "2x2", "--budget", "3s", expect=0).stdout
        self.assertTrue(more.startswith("PASS locked_queue"), more)
        self.assertIn("Beyond that", more)

    def test_a_run_that_finds_nothing_says_what_is_likely_next(self):
        done = self.run_in_folder(correct, "bakery", expect=0).stdout
        self.assertRegex(done, "Likely next: --(unbounded|bound 3), .*executions, in ")
        self.assertNotIn("Likely next", self.run_in_folder(correct, "lost_update", expect=0).stdout)

    def test_what_stops_between_two_rounds_goes_on_there(self):
        command = (checks, "locked_queue", "--tests", "40", "--size", "3x3")
        whole = self.coverage(*command)
        resume, pieces = (), 0
        for pieces in range(1, 100):
            done = self.run_in_folder(*command, *resume, "--budget", f"{100 * pieces}ms", "--checkpoint", "c", "--json", "pieces.json")
            self.assertIn(done.returncode, (0, 3), done.stdout + done.stderr)
            if "Resume" not in done.stdout:
                break
            resume = ("--resume", "c")
        self.assertGreater(pieces, 1, "never stopped")
        resumed = self.report("pieces.json")["results"][0]["coverage"]
        self.assertTrue(resumed["exhausted"])
        self.assertEqual(whole["tests_run"], resumed["tests_run"])

    def test_races_that_are_alike_are_one_report(self):
        one = self.run_in_folder(subjects, "map_without_lock", expect=1).stdout
        self.assertEqual(one.count("map_without_lock: race"), 1, one)
        self.assertRegex(one, r"And \d+ more like it: --all-findings")
        each = self.run_in_folder(subjects, "map_without_lock", "--all-findings", expect=1).stdout
        self.assertGreater(each.count("map_without_lock: race"), 1)

    def test_the_race_of_a_check_is_made_small(self):
        out = self.run_in_folder(subjects, "races_and_spins", "--size", "3x3", "--tests", "5", expect=1).stdout
        calls = re.findall(r"^    [A-Z] +add\(\)", out, re.MULTILINE)
        self.assertLessEqual(len(calls), 2, out)

    def test_tests_may_be_drawn_with_the_same_chance_for_all(self):
        def listed(*how):
            return self.run_in_folder(checks, "locked_queue", "--list-tests", *how, expect=0).stdout.splitlines()
        self.assertNotEqual(listed("--tests", "7"), listed("--tests", "uniform:7"))
        self.assertIn("--tests takes", self.run_in_folder(checks, "locked_queue", "--tests", "some", expect=2).stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
