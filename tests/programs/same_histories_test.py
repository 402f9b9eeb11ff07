"""Reduction judges the histories that plain enumeration meets: of small objects of every kind of synchronisation, all
histories, full and stuck, and all findings, without a bound and with bounds 0 to 3.

Histories are compared by their maximal real-time orders: an operation can always be called earlier and return later, so
one that orders less is possible wherever one that orders more is. Each history of one search must be refined by one of
the other.

usage: same_histories_test.py BUILD [CHECK]"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

build = pathlib.Path(sys.argv[1]).resolve()
checks = build / "tests/subjects/subjects_checks"
lineup = build / "tests/subjects/subjects_lineup"

# Program, check, test, and what its histories must show: stuck ones, a failing one.
tests = [
    (checks, "small_two_locks", "move(true) | move(false)", "stuck failing"),
    (checks, "small_two_locks", "move(true), moves | move(true)", ""),
    (checks, "small_try_lock", "increment, get | increment", "failing"),
    (checks, "small_timed_mutex", "increment | increment", "failing"),
    (checks, "small_shared_mutex", "set(1), get | set(2), get", ""),
    (checks, "small_shared_mutex", "set(1) | get | get", ""),
    (checks, "small_spin_lock", "next | next", ""),
    (checks, "small_event", "wait | set, reset", "stuck"),
    (checks, "small_event", "wait | set", "stuck"),
    (checks, "small_event", "wait_a_little | set", ""),
    (checks, "small_slot", "put(1) | take", "stuck"),
    (checks, "small_slot", "put(1), take | put(2)", "stuck"),
    (checks, "small_slot", "take | take | put(1)", "stuck"),
    (checks, "small_posix_semaphore", "acquire | acquire", "stuck"),
    (checks, "small_posix_semaphore", "try_acquire, release | try_acquire", ""),
    (checks, "small_std_semaphore", "acquire | release", "stuck"),
    (checks, "small_std_semaphore", "try_acquire | release", ""),
    (checks, "small_gate", "pass | open", "stuck"),
    (checks, "small_gate", "pass, look | open", "stuck"),
    (checks, "small_counter", "increment, get | increment, get", ""),
    (checks, "small_counter", "increment | increment | get", ""),
    (checks, "small_lossy_counter", "increment, get | increment", "failing"),
    (checks, "small_stack", "push(1), pop | push(2)", ""),
    (checks, "small_stack", "push(1) | pop | push(2)", ""),
    (checks, "small_queue", "enqueue(1) | dequeue", ""),
    (checks, "small_queue", "enqueue(1) | enqueue(2)", ""),
    (checks, "small_pair", "write(1) | read", ""),
    (checks, "small_halves", "add, add | sum", ""),
    (checks, "small_halves", "add, sum | add", ""),
    (checks, "small_lazy", "get, made | get", ""),
    (lineup, "counter1", "inc, get | inc", "failing"),
    (lineup, "counter2", "get | inc", "stuck"),
]


class History:
    """Operations by name of thread and place, with their answers and who had returned when each was called."""

    def __init__(self, stuck, lines):
        self.answers, self.before = {}, {}
        calls, returned, pending = {}, set(), {}
        for line in lines:
            thread, what = line.split(": ", 1)
            if not what.startswith("-> "):
                name = f"{thread}{calls.setdefault(thread, 0)}"
                calls[thread] += 1
                self.before[name] = frozenset(returned)
                pending[thread], (call, _, answer) = name, what.partition(" -> ")
                self.answers[name] = call
            if "-> " in what:
                self.answers[pending[thread]] += " " + what[what.index("-> "):]
                returned.add(pending[thread])
        self.outcome = (stuck, tuple(sorted(self.answers.items())))
        self.key = (self.outcome, tuple(sorted((name, tuple(sorted(order))) for name, order in self.before.items())))

    def refines(self, other):
        return self.outcome == other.outcome and all(other.before[name] <= order for name, order in self.before.items())


def read_histories(path):
    histories = {}
    for block in re.split(r"\n\n", path.read_text().rstrip("\n")):
        lines = [line for line in block.split("\n") if line and not line.startswith("#")]
        if not lines:
            continue
        history = History(lines[0].startswith("stuck"), lines[1:])
        histories[history.key] = history
    return histories


def search(program, check, test, *flags):
    """Histories and kinds of findings of one test."""
    with tempfile.TemporaryDirectory() as place:
        command = [program, check, "--matrix", test, "--minimise", "0", "--histories", "h", *flags]
        done = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=300)
        return read_histories(pathlib.Path(place, "h")), done.returncode, done.stdout


def missing(wanted, there):
    """Histories of `wanted` that no history of `there` refines."""
    by_outcome = {}
    for history in there.values():
        by_outcome.setdefault(history.outcome, []).append(history)
    return [h for h in wanted.values() if not any(g.refines(h) for g in by_outcome.get(h.outcome, []))]


def tell(kind, histories):
    return [f"  {kind}: {h.outcome} {dict(h.before)}" for h in histories]


def compare(test):
    program, check, matrix, shows = test
    flags = ("--late-yields", "20")
    everything, failing, said = search(program, check, matrix, "--strategy", "dfs", "--unbounded", *flags)
    wrong = [] if "covered: all schedules" in said or failing else [f"  plain enumeration left something out: {said}"]
    classes, also_failing, said = search(program, check, matrix, "--unbounded")
    wrong += tell("missed", missing(everything, classes))
    wrong += tell("made up", missing(classes, everything))
    if failing != also_failing:
        wrong.append(f"  verdicts differ: {failing} plain, {also_failing} reduced\n{said}")
    if any(h.outcome[0] for h in everything.values()) != ("stuck" in shows) or failing != ("failing" in shows):
        wrong.append(f"  shows not what it should, {shows or 'nothing special'}")
    for bound in "0123":
        within, _, _ = search(program, check, matrix, "--bound", bound, *flags)
        bounded, _, _ = search(program, check, matrix, "--strategy", "dpor", "--bound", bound)
        wrong += tell(f"missed at bound {bound}", missing(within, bounded))
        wrong += tell(f"made up at bound {bound}", missing(bounded, everything))
    return "\n".join([f"{check}: {matrix}"] + wrong) if wrong else None


if len(sys.argv) > 2:
    tests = [test for test in tests if test[1] == sys.argv[2]]
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    wrong = [message for message in pool.map(compare, tests) if message]
print("\n".join(wrong))
print(f"{len(tests) - len(wrong)} of {len(tests)} tests have the same histories with reduction and without")
sys.exit(bool(wrong))
