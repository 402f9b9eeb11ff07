#!/usr/bin/env python3
"""parts_test.py SOURCE BUILD: searches that are divided into parts, and what comes of them once they are joined."""
import glob
import os
import random
import re
import signal
import subprocess
import sys
import time
import unittest

from program_case import ProgramCase, build, checks, muster, source

full = os.environ.get("MUSTER_TEST_FULL") == "1"
correct = build / "tests/subjects/subjects_correct"
structures = build / "bench/bench_runtime_subjects"
small_queue = (checks, "small_queue", "--unbounded", "--matrix", "enqueue(1), dequeue | enqueue(2), dequeue | enqueue(1), dequeue")
late_counter = (checks, "late_counter", "--bound", "3", "--matrix", "add, add | add, add | add, add | add, add", "--minimise", "0")


class Parts(ProgramCase):
    def begin(self, *command, budget="30ms"):
        done = self.run_in_folder(*command, "--budget", budget, "--checkpoint", "c")
        self.assertTrue((self.folder / "c").exists(), f"ended before it was stopped: {done.stdout}{done.stderr}")

    def run_part(self, command, name, kill_after=None):
        """True if it came to an end of its own."""
        with subprocess.Popen([str(word) for word in (*command, "--resume", name)], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
            if kill_after is not None:
                time.sleep(kill_after)
                process.send_signal(signal.SIGKILL)
            out = process.communicate(timeout=600)[0]
        if process.returncode < 0:
            return False
        self.assertIn(process.returncode, (0, 3), out)
        return True

    def search_in_parts(self, *command, count=5, budget="30ms", kills=0, seed=1):
        """Begins a search, does what is left in parts, and again, until nothing is left. Gives the report, and the parts that were run."""
        rng = random.Random(seed)
        resume, ran = (), 0
        for _ in range(60):
            done = self.run_in_folder(*command, *resume, "--budget", budget, "--checkpoint", "c", "--json", "pieces.json")
            self.assertIn(done.returncode, (0, 3), done.stdout + done.stderr)
            if "Resume" not in done.stdout:
                self.assertEqual(kills, 0, "it ended before enough was killed")
                return self.report("pieces.json")["results"][0], ran
            resume = ("--resume", "c")
            for old in glob.glob(str(self.folder / "part-*")):
                os.unlink(old)
            divided = self.run_in_folder(muster, "split", "c", count)
            if divided.returncode == 2:
                self.assertIn("nothing is left", divided.stderr)
                continue
            parts = sorted(path.name for path in self.folder.glob("part-*"))
            rng.shuffle(parts)
            for name in parts:
                if len(parts) > 1 and rng.random() < 0.2:
                    continue  # it is left for the next round
                while kills > 0 and not self.run_part(command, name, kill_after=rng.random() * 0.5):
                    kills -= 1
                if not (self.folder / f"{name}.done").exists():
                    self.run_part(command, name)
                ran += 1
            merged = self.run_in_folder(muster, "merge", *(path.name for path in self.folder.glob("part-*")), "--rest", "c")
            self.assertIn(merged.returncode, (0, 3), merged.stdout + merged.stderr)
        self.fail("it never ends")

    def assert_same(self, whole, parts, counts):
        for count in (*counts, "exhausted", "all_schedules"):
            self.assertEqual(whole["coverage"].get(count), parts["coverage"].get(count), count)
        self.assertEqual(whole["outcome"], parts["outcome"])
        self.assertEqual([finding["sentence"] for finding in whole["findings"]], [finding["sentence"] for finding in parts["findings"]])

    def whole(self, *command):
        self.run_in_folder(*command, "--json", "whole.json", expect=0)
        return self.report("whole.json")["results"][0]

    def test_a_plain_search_of_a_scenario(self):
        command = (correct, "bakery", "--bound", "3")
        parts, ran = self.search_in_parts(*command)
        self.assertGreater(ran, 1)
        self.assert_same(self.whole(*command), parts, ("executions", "complete", "steps"))

    def test_a_plain_search_of_one_test(self):
        parts, ran = self.search_in_parts(*late_counter, budget="60ms")
        self.assertGreater(ran, 1)
        self.assert_same(self.whole(*late_counter), parts, ("executions", "histories", "tests_run"))

    def test_many_tests(self):
        command = (checks, "locked_queue", "--tests", "60", "--size", "3x3")
        parts, ran = self.search_in_parts(*command)
        self.assertGreater(ran, 1)
        self.assert_same(self.whole(*command), parts, ("executions", "histories", "tests_run"))

    def test_a_reduced_search_of_a_scenario(self):
        command = (correct, "std_barrier_two_phases", "--strategy", "dpor")
        parts, ran = self.search_in_parts(*command, "-j", "2")
        self.assertGreater(ran, 1)
        self.assert_same(self.whole(*command), parts, ("complete",))

    def test_a_reduced_search_of_one_test(self):
        """As after any stop, what was known about failed attempts is learned again."""
        parts, ran = self.search_in_parts(*small_queue)
        self.assertGreater(ran, 1)
        whole = self.whole(*small_queue)
        self.assert_same(whole, parts, ("classes", "histories"))
        complete, again = whole["coverage"]["complete"], parts["coverage"]["complete"]
        self.assertTrue(complete <= again < 1.1 * complete, f"{complete} and {again}")

    def test_parts_that_are_killed_are_done_again(self):
        self.run_in_folder(*late_counter, "--json", "whole.json", expect=0)
        resume = self.search_in_parts(*late_counter, budget="60ms", count=8, kills=3)
        self.assert_same(self.report("whole.json")["results"][0], resume[0], ("executions", "histories"))

    def test_what_is_missing_is_told_and_nothing_is_lost(self):
        self.begin(*late_counter)
        self.run_in_folder(muster, "split", "c", "4", expect=0)
        self.run_part(late_counter, "part-2")
        told = self.run_in_folder(muster, "merge", "part-2.done", expect=3).stdout
        self.assertIn("1 of 4 parts", told)
        self.assertIn("missing: parts 1, 3, 4", told)
        self.assertIn("would be lost", self.run_in_folder(muster, "merge", "part-2.done", "--rest", "r", expect=2).stderr)
        self.run_in_folder(muster, "merge", *(f"part-{i}" for i in (1, 2, 3, 4)), "part-2.done", "--rest", "r", expect=3)
        self.run_in_folder(*late_counter, "--resume", "r", "--json", "pieces.json", expect=0)
        self.assert_same(self.whole(*late_counter), self.report("pieces.json")["results"][0], ("executions", "histories"))

    def test_parts_of_other_searches_are_refused(self):
        self.begin(*late_counter)
        self.run_in_folder(muster, "split", "c", "2", expect=0)
        self.begin(*late_counter, budget="90ms")
        self.run_in_folder(muster, "split", "c", "2", "--to", "other-", expect=0)
        self.assertIn("different searches", self.run_in_folder(muster, "merge", "part-1", "other-2", expect=2).stderr)
        self.assertIn("is a part already", self.run_in_folder(muster, "split", "part-1", "2", expect=2).stderr)
        for name, words in (("build", "another build"), ("libraries", "other libraries")):
            text = re.sub(rf"^{name}: .*", f"{name}: 0000000000000000", (self.folder / "part-1").read_text(), flags=re.MULTILINE)
            (self.folder / "changed").write_text(text)
            self.assertIn(words, self.run_in_folder(*late_counter, "--resume", "changed", expect=2).stderr)

    def test_a_part_that_fails_is_a_failure_of_all(self):
        command = (checks, "late_counter", "--bound", "3", "--matrix", "add, add | add, add | add, get", "--minimise", "0")
        done = self.run_in_folder(*command, "--budget", "5ms", "--checkpoint", "c")
        if not (self.folder / "c").exists():
            self.skipTest("it failed or ended before it was stopped: " + done.stdout)

    def test_a_part_that_learns_something_stops_and_says_what(self):
        self.begin(*late_counter)
        self.run_in_folder(muster, "split", "c", "2", expect=0)
        for i in (1, 2):
            self.run_part(late_counter, f"part-{i}")
        done = (self.folder / "part-2.done").read_text()
        (self.folder / "part-2.done").write_text(done.replace("outcome: done", "outcome: learned").replace("is_begun: 1", "is_begun: 1", 1).replace("met:", "point: libx+0x12\nmet:", 1) if "point:" not in done else done)
        told = self.run_in_folder(muster, "merge", "part-1.done", "part-2.done", "--rest", "r", expect=3).stdout
        self.assertIn("learned by part 2: libx+0x12; all parts of this search are to be run again", told)
        self.assertIn("the search begins again", told)

    def test_shards_of_job_arrays(self):
        def tests_in(shard, **environment):
            out = self.run_in_folder(checks, "locked_queue", "--tests", "10", "--size", "1x2", "--bound", "0", "--shard", shard, expect=0, **environment).stdout
            return re.search(r"in shard (\d+ of \d+)", out)[1]
        self.assertEqual(tests_in("env", SLURM_ARRAY_TASK_ID="7", SLURM_ARRAY_TASK_MIN="5", SLURM_ARRAY_TASK_COUNT="4"), "3 of 4")
        self.assertEqual(tests_in("env", SLURM_ARRAY_TASK_ID="9", SLURM_ARRAY_TASK_MIN="1", SLURM_ARRAY_TASK_STEP="4", SLURM_ARRAY_TASK_COUNT="3"), "3 of 3")
        self.assertEqual(tests_in("env/5", JOB_COMPLETION_INDEX="4"), "5 of 5")
        self.assertEqual(tests_in("env", GTEST_TOTAL_SHARDS="2", GTEST_SHARD_INDEX="1"), "2 of 2")
        for shard, environment, words in (("env", {}, "has none of"), ("env", {"JOB_COMPLETION_INDEX": "1"}, "does not tell how many"),
                                          ("env/2", {"JOB_COMPLETION_INDEX": "2"}, "there is no such part"), ("env/x", {}, "number of parts")):
            self.assertIn(words, self.run_in_folder(checks, "locked_queue", "--shard", shard, expect=2, **environment).stderr)
        self.assertNotIn("in shard", self.run_in_folder(checks, "locked_queue", "--tests", "2", "--size", "1x2", expect=0, SLURM_ARRAY_TASK_ID="7", JOB_COMPLETION_INDEX="1").stdout)

    @unittest.skipUnless(full and structures.exists(), "searches of over a million executions, with --full")
    def test_large_searches_killed_at_random(self):
        push_pop = ("--matrix", "push(1) | push(2) | push(3) | pop | pop | pop")
        for structure in ("treiber", "michael_scott"):
            for flags in (("--unbounded",), ("--unbounded", "--symmetry", "threads")):
                command = (structures, structure, *flags, *push_pop)
                parts, _ = self.search_in_parts(*command, budget="2s", count=12, kills=20)
                self.assert_same(self.whole(*command), parts, ("complete", "classes", "histories"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
