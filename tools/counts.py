#!/usr/bin/env python3
"""What searches of the subjects count, as a table: a change that only moves code leaves each row as it is.

usage: counts.py table BUILD OUT.tsv [--runtime FOLDER] [--seconds N] [--jobs N] [--mode NAME]... [PROGRAM]...
       counts.py compare BEFORE.tsv AFTER.tsv

`table` runs each scenario and check of the test programs under BUILD/tests/subjects in each mode, and writes a row each:
outcome, executions, classes, histories, decisions. `--runtime` takes libmuster.so from another folder: the same programs then run on an
older build. Rows that took longer than `--seconds` (20) say `timeout`, and are compared with nothing. `compare` prints the rows that
differ, and exits with 1 if there are any."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

MODES = {
    "dfs": [],
    "unbounded": ["--unbounded"],
    "keep-going": ["--keep-going"],
    "pct": ["--strategy", "pct", "--executions", "200"],
}
COUNTS = ("executions", "classes", "histories", "decisions")
FIRST_SIZE = ["--size", "2x2", "--tests", "20"]  # of checks


def names(program, environment):
    done = subprocess.run([program, "--list"], capture_output=True, text=True, env=environment)
    return [line.split()[0] for line in done.stdout.splitlines() if line.strip()]


def row(program, name, mode, seconds, environment):
    key = [program.name, name, mode]
    with tempfile.TemporaryDirectory() as place:
        report = pathlib.Path(place, "report.json")
        command = [program, name, *MODES[mode], *FIRST_SIZE, "--jobs", "1", "--quiet", "--json", report]
        try:
            done = subprocess.run(command, cwd=place, capture_output=True, timeout=seconds, env=environment)
        except subprocess.TimeoutExpired:
            return [*key, "timeout"]
        if not report.exists():
            return [*key, f"exit {done.returncode}"]
        results = json.loads(report.read_text()).get("results", [])
    told = [f"{result['outcome']} " + " ".join(str(result.get("coverage", {}).get(count, 0)) for count in COUNTS) for result in results]
    return [*key, " | ".join(told)]


def table(arguments):
    folder = pathlib.Path(arguments.build, "tests/subjects").resolve()
    programs = [folder / name for name in arguments.programs] or sorted(p for p in folder.glob("subjects_*") if os.access(p, os.X_OK))
    environment = dict(os.environ)
    if arguments.runtime:
        environment["LD_LIBRARY_PATH"] = str(pathlib.Path(arguments.runtime).resolve())
    work = [(program, name, mode) for program in programs for name in names(program, environment) for mode in arguments.mode or MODES]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        with open(arguments.out, "w", buffering=1) as out:  # what was made is there if this is stopped
            for each in pool.map(lambda one: row(*one, arguments.seconds, environment), work):
                out.write("\t".join(each) + "\n")


def compare(arguments):
    def read(path):
        rows = (line.rsplit("\t", 1) for line in pathlib.Path(path).read_text().splitlines())
        return dict(rows)

    before, after = read(arguments.before), read(arguments.after)
    both = [key for key in before if key in after and "timeout" not in (before[key], after[key])]
    different = [key for key in both if before[key] != after[key]]
    for key in different:
        print(f"{key}\n  before {before[key]}\n  after  {after[key]}")
    print(f"{len(both)} rows compared, {len(different)} differ; {len(before.keys() | after.keys()) - len(both)} are in one table alone, or took too long")
    if not both:
        sys.exit("nothing was compared")
    sys.exit(bool(different))


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
commands = parser.add_subparsers(required=True)
one = commands.add_parser("table")
one.add_argument("build")
one.add_argument("out")
one.add_argument("programs", nargs="*")
one.add_argument("--runtime")
one.add_argument("--seconds", type=float, default=20)
one.add_argument("--jobs", type=int, default=os.cpu_count())
one.add_argument("--mode", action="append", choices=MODES)
one.set_defaults(run=table)
two = commands.add_parser("compare")
two.add_argument("before")
two.add_argument("after")
two.set_defaults(run=compare)
arguments = parser.parse_args()
arguments.run(arguments)
