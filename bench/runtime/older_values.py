#!/usr/bin/env python3
"""older_values.py BUILD: what --memory-model c11 costs beside sc, for each scenario of tests/subjects/weak: executions of depth-first search and of a search by classes,
and the time that an execution takes."""
import json
import pathlib
import subprocess
import sys
import tempfile

program = pathlib.Path(sys.argv[1]).resolve() / "tests/subjects/subjects_weak"
scenarios = ("stack_release", "queue_release", "chase_lev", "ring_0", "made_once", "message_passing_release", "peterson_seq_cst", "sequence_lock", "pair_is_whole", "waits_for_relaxed_flags",
             "store_buffering_acquire", "message_passing_relaxed", "two_readers_acquire", "two_writers_release", "peterson_acquire", "dekker_flags_acquire", "sequence_lock_without_fences",
             "made_once_relaxed", "chase_lev_without_fence_in_take", "chase_lev_without_fence_in_push")


def coverage(scenario, *words):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, scenario, "--keep-going", "--json", "r.json", *words], cwd=folder, capture_output=True, check=False, timeout=600)
        return json.loads((pathlib.Path(folder) / "r.json").read_text())["results"][0]["coverage"]


def each(coverage):
    return 1e6 * coverage["seconds"] / max(coverage["executions"], 1)


for name, words, count in (("depth-first, bound 2", (), "executions"), ("by classes", ("--unbounded",), "complete")):
    print(f"{name:32}{'sc':>10}{'c11':>10}{'ratio':>8}{'us sc':>9}{'us c11':>9}")
    for scenario in scenarios:
        sc, c11 = (coverage(scenario, "--memory-model", model, *words) for model in ("sc", "c11"))
        print(f"{scenario:32}{sc[count]:>10}{c11[count]:>10}{c11[count] / max(sc[count], 1):>8.2f}{each(sc):>9.1f}{each(c11):>9.1f}", flush=True)
