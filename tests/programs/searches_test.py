#!/usr/bin/env python3
"""searches_test.py SOURCE BUILD: searches that are shared, sharded, stopped and resumed, and what they say of themselves."""
import re
import shlex
import sys
import unittest

from program_case import ProgramCase, build, muster, checks, lost_update, subjects


class Searches(ProgramCase):
    def test_what_comes_of_a_race_is_found_where_races_are_not_told(self):
        for silent in (("--no-races",), ("--suppress", ".*")):
            for more in ((), ("--unbounded",), ("--strategy", "random", "--executions", "1000")):
                out = self.run_in_folder(subjects, "written_in_two_steps", *silent, *more, expect=1).stdout
                self.assertIn("requirement not met", out)
                self.assertNotIn("race:", out)
                self.assertNotIn("race:", self.run_in_folder(subjects, "--replay", "written_in_two_steps-1", *silent, expect=1).stdout)

    def test_three_threads_that_take_locks_in_vain_come_to_no_limit(self):
        """The 2,830th execution once went on for 4,000 steps."""
        correct = build / "tests/subjects/subjects_correct"
        self.assertIn("NO FINDING", self.run_in_folder(correct, "scoped_locks_of_three", "--unbounded", "--budget", "8s", expect=0).stdout)

    def test_shards_are_the_whole(self):
        settings = ("locked_queue", "--tests", "10", "--size", "2x2", "--bound", "1")
        self.run_in_folder(checks, *settings, "--json", "whole.json", expect=0)
        for number in "123":
            self.run_in_folder(checks, *settings, "--shard", f"{number}/3", "--json", f"{number}.json", expect=0)
        merged = self.run_in_folder(muster, "merge", "1.json", "2.json", "3.json", "--json", "merged.json", expect=0)
        self.assertIn("PASS locked_queue: 10 random tests", merged.stdout.replace("10 of 10", "10"))
        whole, parts = (self.report(name)["results"][0]["coverage"] for name in ("whole.json", "merged.json"))
        for name in ("executions", "histories", "tests_run", "exhausted"):
            self.assertEqual(whole[name], parts[name], name)

    def test_shards_as_test_runners_ask_for_them(self):
        seen = []
        for index in "01":
            out = self.run_in_folder(lost_update, "--json", f"{index}.json", GTEST_TOTAL_SHARDS="2", GTEST_SHARD_INDEX=index, GTEST_SHARD_STATUS_FILE=str(self.folder / f"status{index}"))
            self.assertIn(out.returncode, (0, 1))
            self.assertTrue((self.folder / f"status{index}").exists())
            seen += [result["subject"] for result in self.report(f"{index}.json")["results"]]
        self.assertEqual(sorted(seen), ["lost_update", "lost_update_fixed"])
        self.run_in_folder(muster, "merge", "0.json", expect=1 if "lost_update" == seen[0] else 3)
        self.assertIn("no part of a whole", self.run_in_folder(lost_update, expect=2, GTEST_TOTAL_SHARDS="2", GTEST_SHARD_INDEX="2").stderr)

    def test_a_missing_shard_is_undecided(self):
        self.run_in_folder(checks, "locked_queue", "--tests", "4", "--size", "1x2", "--shard", "1/2", "--json", "1.json", expect=0)
        self.assertIn("shard 2 of 2 is in none", self.run_in_folder(muster, "merge", "1.json", expect=3).stdout)

    def stop_and_resume(self, *command):
        """Runs to the end in one go, and again in pieces; gives both reports."""
        self.run_in_folder(*command, "--json", "whole.json", expect=0)
        pieces = 0
        resume = ()
        for pieces in range(1, 200):
            done = self.run_in_folder(*command, *resume, "--budget", f"{10 * pieces}ms", "--checkpoint", "c", "--json", "pieces.json")
            self.assertIn(done.returncode, (0, 3), done.stdout + done.stderr)
            if "Resume" not in done.stdout:
                break
            resume = ("--resume", "c")
        self.assertGreater(pieces, 1, "never stopped")
        return self.report("whole.json")["results"][0], self.report("pieces.json")["results"][0]

    def test_a_search_resumed_is_the_search(self):
        subject = build / "tests/subjects/subjects_correct"
        for jobs in ("1", "2"):
            whole, pieces = self.stop_and_resume(subject, "bakery", "--strategy", "dfs", "--bound", "3", "-j", jobs)
            self.assertEqual(whole["coverage"]["executions"], pieces["coverage"]["executions"])
            self.assertTrue(pieces["coverage"]["exhausted"])

    def test_what_ended_a_search_is_met_again_when_it_is_resumed(self):
        hanging = (build / "tests/subjects/subjects_broken", "infinite_loop", "--bound", "1", "--late-yields", "0", "--hang", "1")
        self.run_in_folder(*hanging, "--checkpoint", "c", expect=3)
        self.assertIn("possible hang", self.run_in_folder(*hanging, "--resume", "c", expect=3).stdout)

    def test_a_check_resumed_is_the_check(self):
        whole, pieces = self.stop_and_resume(checks, "locked_queue", "--strategy", "dfs", "--tests", "60", "--size", "3x3")
        self.assertEqual(whole["coverage"]["tests_run"], pieces["coverage"]["tests_run"])

    def test_the_command_that_is_printed_resumes(self):
        def printed(done):
            self.assertIn(done.returncode, (0, 3), done.stdout + done.stderr)
            return shlex.split(re.search("^Resume   (.*)", done.stdout, re.MULTILINE)[1])
        command = printed(self.run_in_folder(checks, "late_counter", *self.late, "--budget", "30ms", "--checkpoint=a file"))
        self.assertEqual(command[-4:], ["--resume", "a file", "--checkpoint", "a file"])
        self.assertEqual(printed(self.run_in_folder(*command)), command)

    late = ("--strategy", "dfs", "--bound", "3", "--matrix", "add, add | add, add | add, add | add, add", "--minimise", "0")

    def test_several_workers_at_one_test_make_the_search_of_one(self):
        def search(jobs):
            self.run_in_folder(checks, "late_counter", *self.late, "-j", jobs, "--json", "r.json", "--histories", "h", expect=0)
            coverage = self.report("r.json")["results"][0]["coverage"]
            counts = {name: coverage[name] for name in ("executions", "serial_executions", "complete", "histories", "steps")}
            return counts, (self.folder / "h").read_text()
        alone = search("1")
        self.assertEqual(alone[0]["executions"], alone[0]["serial_executions"] + alone[0]["complete"])
        for jobs in ("2", "3"):
            self.assertEqual(alone, search(jobs))

    def test_several_workers_at_a_reduced_search_make_that_of_one(self):
        """How many executions end early depends on who comes first; nothing else does."""
        small = (checks, "small_queue", "--matrix", "enqueue(1) | enqueue(2) | dequeue | dequeue", "--minimise", "0")
        stuck = (checks, "small_slot", "--matrix", "put(1), take | put(2), take | take", "--minimise", "0")
        failing = (checks, "small_lossy_counter", "--matrix", "increment, get | increment, get | increment, increment", "--minimise", "0")
        scenario = (build / "tests/subjects/subjects_correct", "latch_count", "--strategy", "dpor")
        def search(command, jobs):
            report, told, histories = f"{jobs}.json", self.folder / f"{jobs}.histories", []
            expect = 1 if command is failing else 0
            if command is not scenario:
                command = (*command, "--histories", told.name)
            self.run_in_folder(*command, "--unbounded", "-j", jobs, "--json", report, expect=expect)
            if told.exists():  # how often one was met depends on who met it
                histories = sorted(re.sub(r"met \d+ times", "", text) for text in told.read_text().split("\n\n"))
            result = self.report(report)["results"][0]
            names = ("serial_executions", "complete", "classes", "histories", "stuck_histories", "exhausted")
            return {name: result["coverage"].get(name) for name in names}, [f["kind"] for f in result["findings"]], histories
        for command in (small, stuck, failing, scenario):
            alone = search(command, "1")
            for jobs in ("2", "3"):
                self.assertEqual(alone, search(command, jobs), command)

    def test_operations_that_do_not_concern_each_other(self):
        """One execution stands for all orders of them, and is not judged order by order."""
        def search(check, threads, *more, expect=0):
            command = (checks, check, "--unbounded", "--matrix", " | ".join((*(f"set({i})" for i in range(threads)), *more)), "--minimise", "0", "--json", "r.json")
            return self.run_in_folder(*command, expect=expect), self.report("r.json")["results"][0]
        coverage = search("cells", 8)[1]["coverage"]
        self.assertEqual((coverage["complete"], coverage["classes"], coverage["histories"]), (1, 1, 40320))
        self.assertNotIn("more_histories", coverage)
        done, result = search("cells_modelled", 12)
        self.assertIn("1 class, over 1,000,000 histories; covered: all schedules", done.stdout)
        self.assertTrue(result["coverage"]["more_histories"])
        found = search("cells_summed", 2, "sum", *(f"get({i})" for i in range(4, 10)), expect=1)[1]["findings"][0]
        self.assertEqual(found["sentence"], "C's sum() returned 2; in every serial order it returns 0 or returns 1 or returns 3.")
        self.assertIn("more histories than were judged", search("cells_unsure", 9, "get(11)", expect=3)[0].stdout)

    def test_what_was_left_out_stays_so_where_the_search_goes_on(self):
        matrix = " | ".join((*(f"set({i})" for i in range(9)), "get(11)", "get(0)"))
        command = (checks, "cells_unsure", "--unbounded", "--matrix", matrix, "--minimise", "0")
        self.assertIn("Resume", self.run_in_folder(*command, "--budget", "100ms", "--checkpoint", "c", expect=0).stdout)
        self.assertIn("leaves_out 1", (self.folder / "c").read_text())
        self.assertIn("more histories than were judged", self.run_in_folder(*command, "--resume", "c", expect=3).stdout)

    def test_several_workers_at_one_test_find_what_one_finds(self):
        def finding(subject, jobs):
            self.run_in_folder(checks, subject, *self.late, "-j", jobs, "--json", "r.json", "--folder", "saved" + jobs, expect=1)
            found = self.report("r.json")["results"][0]["findings"][0]
            return {name: found.get(name) for name in ("kind", "sentence", "matrix", "schedule")}
        for subject in ("late_answer", "late_crash", "late_death"):
            alone = finding(subject, "1")
            for jobs in ("2", "3", "6"):
                self.assertEqual(alone, finding(subject, jobs))

    def test_a_check_stopped_in_the_middle_of_a_test_goes_on_there(self):
        for jobs in ("1", "2"):
            whole, pieces = self.stop_and_resume(checks, "late_counter", *self.late, "-j", jobs)
            for count in ("executions", "complete", "histories", "steps", "tests_run"):
                self.assertEqual(whole["coverage"][count], pieces["coverage"][count], count)
            self.assertTrue(pieces["coverage"]["exhausted"])

    def test_a_reduced_search_resumed_is_the_search(self):
        subject = build / "tests/subjects/subjects_libraries"
        whole, pieces = self.stop_and_resume(subject, "std_barrier_two_phases", "--strategy", "dpor", "-j", "2")
        for count in ("complete", "exhausted", "all_schedules"):
            self.assertEqual(whole["coverage"].get(count), pieces["coverage"].get(count), count)

    retrying = (checks, "small_queue", "--unbounded", "--matrix", "enqueue(1), dequeue | enqueue(2), dequeue | enqueue(1), dequeue")

    def test_a_reduced_check_of_code_that_retries_resumed_is_the_check(self):
        """What was learned about failed attempts is learned again by each process; a first one may not be recognised."""
        whole, pieces = (result["coverage"] for result in self.stop_and_resume(*self.retrying))
        self.assertGreater(whole["retries_cut"], 0)
        for count in ("classes", "histories", "exhausted", "all_schedules"):
            self.assertEqual(whole.get(count), pieces.get(count), count)
        self.assertTrue(whole["complete"] <= pieces["complete"] < 1.1 * whole["complete"], f'{whole["complete"]} and {pieces["complete"]}')

    def test_a_search_says_before_about_how_many_executions_it_makes(self):
        bakery = (build / "tests/subjects/subjects_correct", "bakery", "--bound", "3")
        for command, words, count in ((bakery, "executions\n", "executions"), (self.retrying, "complete executions, 90 serial ones for 1 given test\n", "complete")):
            text = self.run_in_folder(*command, "--estimate", expect=0).stdout
            told = re.fullmatch(rf"\w+: about ([\d,]+) {words}", text)
            self.assertTrue(told, text)
            self.run_in_folder(*command, "--json", "r.json", expect=0)
            ratio = int(told[1].replace(",", "")) / self.report("r.json")["results"][0]["coverage"][count]
            self.assertTrue(1 / 5 < ratio < 5, f"{text} is {ratio} of what there is")

    def test_before_a_reduced_search_with_a_bound_plain_search_is_told(self):
        program, check, _, *matrix = self.retrying
        plain = self.run_in_folder(program, check, *matrix, "--bound", "2", "--late-yields", "0", "--estimate", expect=0).stdout
        reduced = self.run_in_folder(program, check, *matrix, "--strategy", "dpor", "--bound", "2", "--estimate", expect=0).stdout
        self.assertEqual(reduced, plain.replace("\n", " by plain search with this bound, of which reduction leaves some out\n"))

    def test_a_search_that_ends_early_says_how_much_is_left(self):
        bakery = (build / "tests/subjects/subjects_correct", "bakery", "--strategy", "dfs", "--bound", "4")
        large = (checks, "small_queue", "--unbounded", "--matrix", "enqueue(1), dequeue | enqueue(2), dequeue | enqueue(1), dequeue | dequeue, enqueue(2)")
        for command in (bakery, large):
            text = self.run_in_folder(*command, "--budget", "100ms", "--json", "r.json", expect=0).stdout
            self.assertRegex(text, r"\(not exhausted; about [\d,]+ executions left\)")
            self.assertGreater(self.report("r.json")["results"][0]["coverage"]["executions_left"], 0)

    def test_a_checkpoint_fits_only_where_it_was_made(self):
        subject = build / "tests/subjects/subjects_correct"
        self.run_in_folder(subject, "bakery", "--bound", "3", "--budget", "30ms", "--checkpoint", "c")
        self.assertIn("other settings", self.run_in_folder(subject, "bakery", "--bound", "1", "--resume", "c", expect=2).stderr)
        text = (self.folder / "c").read_text()
        (self.folder / "c").write_text(re.sub("build: .*", "build: 0", text))
        self.assertIn("another build", self.run_in_folder(subject, "bakery", "--bound", "3", "--resume", "c", expect=2).stderr)
        (self.folder / "c").write_text(text + "job: 1.2\n")
        self.assertIn("is no part of a checkpoint", self.run_in_folder(subject, "bakery", "--bound", "3", "--resume", "c", expect=2).stderr)


unittest.main(argv=sys.argv[:1], verbosity=2)
