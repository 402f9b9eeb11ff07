"""Small classes at random, judged three times: by plain enumeration without a bound, by reduction, and by a walk through all
interleavings that knows nothing of the engine. All must see the same histories, and say the same of the class.

usage: generated_classes_test.py BUILD [SEED]"""

import concurrent.futures
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from generated_class import GeneratedClass, Seen, TooLarge, generated
from histories import missing, read_histories, tell

build = pathlib.Path(sys.argv[1]).resolve()
program = build / "tests/subjects/subjects_checks"
full = "MUSTER_TEST_FULL" in os.environ
wanted = 2000 if full else 100

# What searches once saw otherwise: an operation at the start of a thread that does nothing others can notice.
named = [
    GeneratedClass({"a": ["F01"], "b": ["I0"]}, [["b", "a"], ["a"]]),
    GeneratedClass({"a": ["R1"], "b": ["C002"]}, [["a", "b"], ["b"]]),
]

plain = ("--strategy", "dfs", "--unbounded", "--late-yields", "20", "--budget", "20s")


def search(made, *flags):
    """Histories, the exit code, and what was said."""
    with tempfile.TemporaryDirectory() as place:
        command = [program, "generated_class", "--matrix", made.matrix(), "--minimise", "0", "--histories", "h", *flags]
        done = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=300, env={**os.environ, "GENERATED_CLASS": made.text()})
        path = pathlib.Path(place, "h")
        return read_histories(path) if path.exists() else {}, done.returncode, done.stdout + done.stderr


def disagreement(made):
    """What the searches see otherwise; empty if nothing, and nothing at all if the class is too large."""
    try:
        seen = Seen(made)
    except TooLarge:
        return None
    wrong = []
    for name, flags in (("plain", plain), ("reduced", ("--unbounded",))):
        histories, code, said = search(made, "--suppress", ".*", *flags)
        if "stopped by the budget" in said:
            return None
        wrong += [f"  {name} {line.strip()}" for line in tell("missed", missing(seen.told, histories)) + tell("made up", missing(histories, seen.histories))]
        if code not in (seen.fails, seen.may_fail):
            wrong.append(f"  {name}: exit {code}, not {int(seen.fails)}\n{said}")
    _, code, said = search(made, "--unbounded")
    if code not in (seen.fails or seen.races, seen.may_fail or seen.races):
        wrong.append(f"  with races: exit {code}, not {int(seen.fails or seen.races)}\n{said}")
    return "\n".join(wrong)


def smaller(made):
    """The class with a call less, or with a step less."""
    for i, column in enumerate(made.columns):
        for j in range(len(column)):
            columns = [c[:] for c in made.columns]
            del columns[i][j]
            if any(columns):
                yield GeneratedClass(made.operations, [c for c in columns if c])
    for name, steps in made.operations.items():
        for j in range(len(steps)):
            left = steps[:j] + steps[j + 1:]
            if steps[j] in "LU" or "?" in "".join(steps) or not left:
                continue
            yield GeneratedClass({**made.operations, name: left}, made.columns)


def shrunk(made):
    for other in smaller(made):
        if disagreement(other):
            return shrunk(other)
    return made


def compare(made):
    wrong = disagreement(made)
    if not wrong:
        return wrong
    small = shrunk(made)
    return f"{made}\nsmallest: {small}\n{disagreement(small)}"


seeds = [int(sys.argv[2])] if len(sys.argv) > 2 else range(1, wanted + 1)
classes = [generated(random.Random(seed)) for seed in seeds]
if len(sys.argv) == 2:
    classes = named + classes
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    results = list(pool.map(compare, classes))
wrong = [result for result in results if result]
compared = sum(result is not None for result in results)
print("\n".join(wrong))
print(f"{compared - len(wrong)} of {compared} classes are judged alike; {len(classes) - compared} were too large")
sys.exit(bool(wrong) or compared < len(classes) // 2)
