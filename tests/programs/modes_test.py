#!/usr/bin/env python3
"""modes_test.py SOURCE BUILD: what is known to be right or wrong is so in every mode: drawn by each random strategy, and searched on kernel threads. (With and without a bound, on fibers:
runtime_test and reduced_subjects_test.py.)

A sample need not find what is wrong. What it tells must be true, and one sample at least finds it."""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

source, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
full = "MUSTER_TEST_FULL" in os.environ

searched = {"with a bound": ["--bound", "2"], "by classes": ["--unbounded"]}
drawn = {strategy: ["--strategy", strategy, "--executions", "2000" if full else "200"] for strategy in ("random", "pct", "pos")}

# Verdicts of mistakes in synchronisation and memory, and of what the standard library does. Of the other folders, what was once judged wrongly.
folders = ("misuse", "standard_library")
others = {"stopped_worker", "std_weak_ptr", "scoped_locks", "private_polling", "sleeping_polling", "outside_randomness", "absl_synchronization"}

too_large = "scoped_locks_of_three"  # by classes


def rows():
    for line in (source / "tests/subjects/EXPECTED.tsv").read_text().splitlines():
        folder, name, scenario, verdict, heap, _, *flags = line.split("\t")
        if scenario != too_large and heap == "quarantine" and not any(flags) and (folder in folders or name in others):
            yield folder, scenario, verdict


class Modes(unittest.TestCase):
    maxDiff = None

    def found(self, folder, scenarios, mode, threads):
        """The kinds of findings of each scenario; none if there is no finding."""
        with tempfile.TemporaryDirectory() as place:
            report = pathlib.Path(place, "r.json")
            done = subprocess.run([build / f"tests/subjects/subjects_{folder}", *scenarios, *mode, "--hang", "60", "--json", report], cwd=place, capture_output=True, text=True,
                                  timeout=1800, env={**os.environ, "MUSTER_THREADS": threads})
            self.assertIn(done.returncode, (0, 1), f"{folder} {mode} on {threads} threads\n{done.stdout}{done.stderr}")
            results = json.loads(report.read_text())["results"]
        return {result["subject"]: {finding["kind"] for finding in result["findings"]} for result in results}

    def in_modes(self, modes, threads, complete):
        expected = list(rows())
        self.assertGreater(len(expected), 200)
        jobs = [(folder, name) for folder in sorted({row[0] for row in expected}) for name in modes]
        named = {folder: [row[1] for row in expected if row[0] == folder] for folder, _ in jobs}
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            told = dict(zip(jobs, pool.map(lambda job: self.found(job[0], named[job[0]], modes[job[1]], threads), jobs)))
        wrong = []
        for folder, scenario, verdict in expected:
            kinds = {name: told[folder, name][scenario] for name in modes}
            allowed = set() if verdict == "pass" else set(verdict.split("|"))
            wrong += [(scenario, name, verdict, found) for name, found in kinds.items() if found and not found & allowed]
            missed = [name for name, found in kinds.items() if not found]
            if allowed and missed and (complete or len(missed) == len(modes)):
                wrong.append((scenario, missed, verdict, "missed"))
        self.assertEqual(wrong, [])

    def test_drawn(self):
        self.in_modes(drawn, "fiber", False)

    def test_drawn_on_kernel_threads(self):
        self.in_modes(drawn if full else {"random": drawn["random"]}, "kernel", False)

    def test_searched_on_kernel_threads(self):
        self.in_modes(searched, "kernel", True)


unittest.main(argv=sys.argv[:1], verbosity=2)
