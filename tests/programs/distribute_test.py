#!/usr/bin/env python3
"""distribute_test.py SOURCE BUILD: searches that are spread over the ranks of an MPI job."""
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

from program_case import ProgramCase, build, checks, lost_update, muster, source

full = os.environ.get("MUSTER_TEST_FULL") == "1"
structures = build / "bench/bench_runtime_subjects"
# Tests run as root in containers; OpenMPI wants to be told that this is meant.
as_root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
late_counter = (checks, "late_counter", "--bound", "3", "--matrix", "add, add | add, add | add, add | add, add", "--minimise", "0")
small_queue = (checks, "small_queue", "--unbounded", "--matrix", "enqueue(1), dequeue | enqueue(2), dequeue | enqueue(1), dequeue")


def why_not():
    if not (build / "muster-mpi").exists():
        return "muster-mpi is not built: libopenmpi-dev is missing"
    if not shutil.which("mpirun"):
        return "mpirun is missing: install openmpi-bin"
    tried = subprocess.run(["mpirun", "-n", "3", "true"], env={**os.environ, **as_root}, capture_output=True, text=True)
    return "" if tried.returncode == 0 else f"mpirun is not permitted here: {tried.stderr.strip()[:200]}"


reason = why_not()
if reason:
    print(reason)


@unittest.skipIf(reason, reason)
class Distribute(ProgramCase):
    def distribute(self, *command, ranks=3, flags=(), expect=None):
        return self.run_in_folder("mpirun", "-n", ranks, muster, "distribute", *flags, "--", *command, expect=expect, **as_root)

    def start(self, *command, ranks=3, flags=()):
        words = [str(word) for word in ("mpirun", "-n", ranks, muster, "distribute", *flags, "--", *command)]
        return subprocess.Popen(words, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **as_root})

    def programs_of(self, job):
        """Test programs that ranks of this job run on parts, and no others of this machine."""
        found, below = [], [job]
        while below:
            children = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", ",".join(map(str, below))], capture_output=True, text=True).stdout.splitlines()
            below = [int(line.split()[0]) for line in children]
            found += [int(line.split()[0]) for line in children if "--resume" in line and "muster-rank" in line and "mpirun" not in line]
        return found

    def figures(self, text):
        """What a report says of the search, without how long it took."""
        text = re.sub(r", [\d.]+ s( \([\d.]+ s CPU\))?", "", text)
        return [line for line in text.splitlines() if line and "ranks, " not in line and "waited for work" not in line]

    def test_the_report_is_that_of_one_machine(self):
        for command in (late_counter, (checks, "locked_queue", "--tests", "60", "--size", "3x3")):
            alone = self.run_in_folder(*command, expect=0)
            spread = self.distribute(*command, expect=0)
            self.assertEqual(self.figures(alone.stdout), self.figures(spread.stdout))

    def test_classes_and_histories_of_a_reduced_search(self):
        alone, spread = (re.search(r"([\d,]+) class\w*, ([\d,]+) histories", text).groups() for text in (self.run_in_folder(*small_queue, expect=0).stdout, self.distribute(*small_queue, expect=0).stdout))
        self.assertEqual(alone, spread)

    def test_what_is_found_is_told(self):
        spread = self.distribute(lost_update, "lost_update", expect=1)
        self.assertIn("FAIL lost_update", spread.stdout)

    def test_mistakes_are_told(self):
        self.assertIn("nothing here", self.distribute(lost_update, "nothing here", expect=2).stderr.replace("'", ""))
        self.assertIn("cannot be run", self.distribute(self.folder / "missing", expect=2).stderr)

    def test_logs_are_judged_by_all(self):
        log = source / "examples/09-log/queue.jsonl"
        for i in range(5):
            shutil.copy(log, self.folder / f"{i}.jsonl")
        files = [f"{i}.jsonl" for i in range(5)]
        alone = self.run_in_folder(muster, "check", *files)
        spread = self.distribute(muster, "check", *files, expect=alone.returncode)
        self.assertEqual([f"{i}.jsonl" for i in range(5)], re.findall(r"^(\d\.jsonl):", spread.stdout, re.MULTILINE))

    @unittest.skipUnless(full and structures.exists(), "searches of over a million executions, with --full")
    def test_large_searches_with_test_programs_killed_at_random(self):
        push_pop = ("--matrix", "push(1) | push(2) | push(3) | pop | pop | pop")
        rng = random.Random(3)
        for structure in ("treiber", "michael_scott"):
            command = (structures, structure, "--unbounded", *push_pop)
            alone = self.run_in_folder(*command, expect=0)
            with self.start(*command, flags=("--piece", "2")) as job:
                for _ in range(20):
                    time.sleep(rng.random() * 2)
                    running = self.programs_of(job.pid)
                    if running:
                        os.kill(rng.choice(running), signal.SIGKILL)
                out, errors = job.communicate(timeout=3600)
            self.assertEqual(job.returncode, 0, errors)
            counts = r"([\d,]+) complete.*?([\d,]+) histories"
            self.assertEqual(re.search(counts, alone.stdout).groups(), re.search(counts, out).groups())

    @unittest.skipUnless(full and structures.exists(), "long enough to be stopped, with --full")
    def test_a_checkpoint_of_some_ranks_resumes_on_others(self):
        command = (structures, "michael_scott", "--unbounded", "--matrix", "push(1) | push(2) | push(3) | pop | pop | pop")
        self.distribute(*command, ranks=4, flags=("--budget", "8s", "--checkpoint", "c"), expect=3)
        again = self.distribute(*command, ranks=2, flags=("--resume", "c"), expect=0)
        alone = self.run_in_folder(*command, expect=0)
        counts = r"([\d,]+) complete.*?([\d,]+) histories"
        self.assertEqual(re.search(counts, alone.stdout).groups(), re.search(counts, again.stdout).groups())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
