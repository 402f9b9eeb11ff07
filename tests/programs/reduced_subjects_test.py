"""Every subject has its verdict under reduction without a bound, too: nothing is missed, nothing is made up.

usage: reduced_subjects_test.py BUILD EXPECTED.tsv"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

build, table = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])

# Whose verdict needs more than reduction can tell: a loop without a scheduling point.
undecided = {("broken", "infinite_loop")}

# Which has too many classes to go through without a bound: threads that write in each of many turns, and three that take two locks
# in vain (900,000 classes, by a count that knows nothing of the engine).
too_large = {"bounded_attempts", "scoped_locks_of_three"}


def run(row):
    folder, _, scenario, verdict, heap, _, *flags = row
    wanted = 3 if (folder, scenario) in undecided else 0 if verdict == "pass" else 1
    others = re.sub(r"--bound \S+", "", " ".join(flags)).split()  # of the search with a bound
    command = [build / f"tests/subjects/subjects_{folder}", scenario, "--heap", heap, "--strategy", "dpor", "--unbounded",
               "--hang", "2", *others]
    with tempfile.TemporaryDirectory() as place:
        done = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=120)
    return None if done.returncode == wanted else f"{folder} {scenario}: exit {done.returncode}, not {wanted}\n{done.stdout}{done.stderr}"


def run_check(name):
    """A correct class passes small tests without a bound."""
    command = [build / "tests/subjects/subjects_lineup", name, "--unbounded", "--size", "2x2", "--tests", "40"]
    with tempfile.TemporaryDirectory() as place:
        done = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=120)
    return None if done.returncode == 0 else f"{name}: exit {done.returncode}, not 0\n{done.stdout}{done.stderr}"


checks = ["concurrent_dictionary", "concurrent_queue", "concurrent_stack", "lazy_initialization", "manual_reset_event", "semaphore_slim"]
rows = [line.rstrip("\n").split("\t") for line in table.read_text().splitlines() if line and not line.startswith("#")]
rows = [row for row in rows if row[0] in ("correct", "broken", "misuse", "standard_library") and row[2] not in too_large]
if len(rows) < 60:
    sys.exit("the table of subjects has too few rows")
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    wrong = [message for message in pool.map(run, rows) if message]
    wrong_checks = [message for message in pool.map(run_check, checks) if message]
print("\n".join(wrong + wrong_checks))
print(f"{len(rows) - len(wrong)} of {len(rows)} subjects have their verdict")
print(f"{len(checks) - len(wrong_checks)} of {len(checks)} checks pass")
sys.exit(bool(wrong or wrong_checks))
