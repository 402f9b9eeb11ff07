"""Reduction judges the histories that plain enumeration meets: of small objects of every kind of synchronisation, all
histories, full and stuck, and all findings, without a bound and with bounds 0 to 3.

Histories are compared by their maximal real-time orders: an operation can always be called earlier and return later, so
one that orders less is possible wherever one that orders more is. Each history of one search must be refined by one of
the other. Under symmetry, the other one's histories count with every exchange of threads that are alike.

usage: same_histories_test.py BUILD [CHECK]"""

import concurrent.futures
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from histories import History, missing, read_histories, tell

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
    (checks, "small_shared_door", "enter, leave | shut, open", "stuck"),
    (checks, "small_shared_door", "enter, leave | enter, leave | shut", "stuck"),
    (checks, "small_spin_lock", "next | next", ""),
    (checks, "small_event", "wait | set, reset", "stuck"),
    (checks, "small_event", "wait | set", "stuck"),
    (checks, "small_event", "wait_a_little | set", ""),
    (checks, "small_polled", "wait | set", ""),
    (checks, "small_polled", "wait, wait | move", "stuck"),
    (checks, "counting_gate", "wait | open", ""),
    (checks, "counting_gate", "wait, wait | open", ""),
    (checks, "counting_gate", "wait", "stuck"),
    (checks, "keeping_gate", "wait | open", ""),
    (checks, "keeping_gate", "wait", "stuck"),
    (checks, "small_slot", "put(1) | take", "stuck"),
    (checks, "small_slot", "put(1), take | put(2)", "stuck"),
    (checks, "small_slot", "take | take | put(1)", "stuck"),
    (checks, "small_posix_semaphore", "acquire | acquire", "stuck"),
    (checks, "small_posix_semaphore", "acquire, release | acquire", "stuck"),
    (checks, "small_posix_semaphore", "acquire | try_acquire, release", "stuck"),
    (checks, "small_posix_semaphore", "acquire, acquire | release", "stuck"),
    (checks, "small_posix_semaphore", "try_acquire, acquire | acquire, release", "stuck"),
    (checks, "small_posix_semaphore", "try_acquire, release | try_acquire", ""),
    (checks, "small_std_semaphore", "acquire | release", "stuck"),
    (checks, "small_std_semaphore", "try_acquire | release", ""),
    (checks, "small_gate", "pass | open", "stuck"),
    (checks, "small_gate", "pass, look | open", "stuck"),
    (checks, "small_counter", "increment, get | increment, get", ""),
    (checks, "small_counter", "increment | increment | get", ""),
    (checks, "small_remembering_counter", "increment | increment | increment", "failing"),
    (checks, "small_lossy_counter", "increment, get | increment", "failing"),
    (checks, "small_stack", "push(1), pop | push(2)", ""),
    (checks, "small_stack", "push(1) | pop | push(2)", ""),
    (checks, "small_queue", "enqueue(1) | dequeue", ""),
    (checks, "small_queue", "enqueue(1) | enqueue(2)", ""),
    (checks, "small_farewell", "visit | visit", "failing"),
    (checks, "small_farewell", "visit, visit", ""),
    (checks, "small_pair", "write(1) | read", ""),
    (checks, "small_halves", "add, add | sum", ""),
    (checks, "small_halves", "add, sum | add", ""),
    (checks, "small_lazy", "get, made | get", ""),
    (checks, "pool", "acquire | acquire, acquire", ""),
    (checks, "careless_pool", "acquire | acquire, acquire", "failing"),
    (checks, "hasty_entries", 'find("k") | find("k"), visit', "failing"),
    (lineup, "counter1", "inc, get | inc", "failing"),
    (lineup, "counter2", "get | inc", "stuck"),
]


# The same, for tests in which columns are alike: with all naming of threads, and with one.
symmetric_tests = [
    (checks, "small_two_locks", "move(true), moves | move(true), moves", "threads"),
    (checks, "small_try_lock", "increment | increment | increment", "threads"),
    (checks, "small_timed_mutex", "increment | increment", "threads"),
    (checks, "small_spin_lock", "next | next | next", "threads"),
    (checks, "small_event", "wait | wait | set", "threads"),
    (checks, "small_event", "wait, set | wait, set", "threads"),
    (checks, "small_slot", "take | take | put(1)", "threads"),
    (checks, "small_slot", "put(1) | put(2) | take", "data"),
    (checks, "small_posix_semaphore", "acquire, release | acquire, release", "threads"),
    (checks, "small_std_semaphore", "acquire | acquire | release", "threads"),
    (checks, "small_gate", "pass | pass | open", "threads"),
    (checks, "small_counter", "increment, get | increment, get", "threads"),
    (checks, "small_remembering_counter", "increment | increment | increment", "threads"),
    (checks, "small_lossy_counter", "increment, get | increment, get", "threads"),
    (checks, "small_stack", "push(1), pop | push(2), pop", "data"),
    (checks, "small_stack", "push(1) | push(2) | pop | pop", "data"),
    (checks, "small_queue", "enqueue(1) | enqueue(2) | dequeue | dequeue", "data"),
    (checks, "small_queue", "dequeue | dequeue | enqueue(1)", "threads"),
    (checks, "small_halves", "add, sum | add, sum", "threads"),
    (checks, "small_lazy", "get | get | made", "threads"),
    (lineup, "counter1", "inc | inc | get", "threads"),
]


def search(program, check, test, *flags):
    """Histories and kinds of findings of one test."""
    with tempfile.TemporaryDirectory() as place:
        command = [program, check, "--matrix", test, "--minimise", "0", "--histories", "h", *flags]
        done = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=300)
        return read_histories(pathlib.Path(place, "h")), done.returncode, done.stdout


def compare_in_one_run():
    """What a search of one test learned about failed attempts says nothing about the next test."""
    matrices = [f"increment({tells}) | increment({tells}) | increment({tells})" for tells in ("false", "true")]
    alone = {}
    for matrix in matrices:
        alone |= search(checks, "small_retrying_counter", matrix, "--strategy", "dfs", "--unbounded", "--late-yields", "20")[0]
    together, _, _ = search(checks, "small_retrying_counter", matrices[0], "--matrix", matrices[1], "--unbounded", "--all-tests")
    wrong = tell("missed", missing(alone, together)) + tell("made up", missing(together, alone))
    return ["\n".join(["small_retrying_counter: two tests in one run"] + wrong)] if wrong else []


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


def exchanges(matrix, symmetry):
    """Every exchange of alike columns, as maps of threads and of values."""
    columns = [column.strip() for column in matrix.split("|")]
    shape = [re.sub(r"\d+", "_", column) if symmetry == "data" else column for column in columns]
    for order in itertools.permutations(range(len(columns))):
        if any(shape[i] != shape[j] for i, j in enumerate(order)):
            continue
        values = {}
        for i, j in enumerate(order):
            values.update(zip(re.findall(r"\d+", columns[i]), re.findall(r"\d+", columns[j])))
        yield {chr(65 + i): chr(65 + j) for i, j in enumerate(order)}, values


def renamed(history, threads, values):
    copy = History(False, [])
    name = lambda operation: threads.get(operation[0], operation[0]) + operation[1:]
    told = lambda text: re.sub(r"\d+", lambda value: values.get(value.group(), value.group()), text)
    copy.answers = {name(o): told(answer) for o, answer in history.answers.items()}
    copy.before = {name(o): frozenset(map(name, order)) for o, order in history.before.items()}
    copy.stuck = history.stuck
    copy.finish()
    return copy


def compare_symmetric(test):
    program, check, matrix, symmetry = test
    everything, failing, _ = search(program, check, matrix, "--unbounded")
    some, also_failing, said = search(program, check, matrix, "--unbounded", "--symmetry", symmetry)
    all_names = {}
    for threads, values in exchanges(matrix, symmetry):
        for history in some.values():
            copy = renamed(history, threads, values if symmetry == "data" else {})
            all_names[copy.key] = copy
    wrong = tell("missed", missing(everything, all_names)) + tell("made up", missing(some, everything))
    if failing != also_failing:
        wrong.append(f"  verdicts differ: {failing} with all names, {also_failing} with one\n{said}")
    if len(some) > len(everything) or (len(some) == len(everything)) != (matrix == "wait, set | wait, set"):
        wrong.append(f"  one naming has {len(some)} of {len(everything)} histories")
    return "\n".join([f"{check}: {matrix} under --symmetry {symmetry}"] + wrong) if wrong else None


if len(sys.argv) > 2:
    symmetric_tests = [test for test in symmetric_tests if test[1] == sys.argv[2]]
    tests = [test for test in tests if test[1] == sys.argv[2]]
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    wrong = [message for message in pool.map(compare, tests) if message] + compare_in_one_run()
    wrong_symmetric = [message for message in pool.map(compare_symmetric, symmetric_tests) if message]
print("\n".join(wrong))
print(f"{len(tests) + 1 - len(wrong)} of {len(tests) + 1} tests have the same histories with reduction and without")
print("\n".join(wrong_symmetric))
print(f"{len(symmetric_tests) - len(wrong_symmetric)} of {len(symmetric_tests)} have them with one naming of threads and with all")
sys.exit(bool(wrong or wrong_symmetric))
