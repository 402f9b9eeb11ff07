#!/usr/bin/env python3
"""findings_test.py SOURCE BUILD: every kind of finding, made by a real program and drawn on terminals of several widths and in a pipe."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from terminal import on_terminal

source, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
broken, misuse, checks = (build / "tests/subjects" / name for name in ("subjects_broken", "subjects_misuse", "subjects_checks"))
roundup, synchronisation = (build / "tests/subjects" / name for name in ("subjects_roundup", "subjects_synchronisation"))
log = [build / "muster", "check", "--explain"]

# First words of the sentence, and the command that shows it.
findings = {
    "race": ("race: main reads message", [build / "examples/relaxed_publication", "relaxed_publication"]),
    "deadlock": ("deadlock: A waits for bob.mutex, held by B", [build / "examples/lock_order", "lock_order"]),
    "crash": ("main crashes at segfault.cpp:12", [broken, "segfault"]),
    "abort": ("main aborts at abort.cpp:20", [broken, "abort"]),
    "terminate": ("main aborts at forgotten_join.cpp:12", [broken, "forgotten_join"]),
    "exception": ("an exception leaves B: std::underflow_error", [broken, "uncaught_exception"]),
    "requirement": ("requirement not met in main", [build / "examples/lost_update", "lost_update"]),
    "use after free": ("use after free: main uses memory at use_after_free.cpp:24, freed by A at use_after_free.cpp:39", [build / "examples/use_after_free", "use_after_free"]),
    "double free": ("A frees a block a second time", [broken, "double_free"]),
    "invalid free": ("A at invalid_free.cpp:18: free of an address", [broken, "invalid_free"]),
    "leak": ("leak: a block of 4 bytes is never freed", [broken, "leak"]),
    "misuse": ("A at locks.cpp:46 unlocks a mutex that another thread", [misuse, "unlocks_what_another_locked"]),
    "livelock": ("livelock: every thread that can run repeats", [broken, "try_lock_polling"]),
    "hang": ("possible hang: for a long time nothing was done", [broken, "infinite_loop", "--hang", "1"]),
    "not linearizable": ("B's TryTake() returned nothing", [build / "examples/work_queue", "work_queue"]),
    "stuck": ("B's wait() never returns", [checks, "forgotten_notify"]),
    "at rest": ('"fewer than two" does not hold', [checks, "broken_at_rest"]),
    "quasi": ("no order within dequeue=2 explains", [roundup, "quasi_queue_b1"]),
    "synchronisation": ("A's exchange(3) returned 2; no synchronisation", [synchronisation, "exchanger_third_enters"]),
    "progress": ("C's send(2) has synchronised", [synchronisation, "channel_wakes_one"]),
    "limit": ("a thread may allocate at most 64 MB", [build / "tests/documentation_snippets", "more_than_the_heap"]),
    "log": ('"order 18" came out before "order 17"', [*log, source / "examples/09-log/queue.jsonl"]),
    "prediction": ("read-write-write: reads at bank.cpp:22, writes at bank.cpp:42 in between, writes at bank.cpp:26", [build / "muster", "predict", source / "examples/10-prediction/deposit.std"]),
}


def is_one_word(line):
    """Words that are wider than the terminal stay whole: paths, schedules. Before them stands at most what they are for, behind them what a command goes on after."""
    return len(re.sub(r"^(FAIL|Schedule|Saved|Replay|Debug|Picture|Fixed\?|Resume) ", "", line).removesuffix(" \\").split()) == 1


class Findings(unittest.TestCase):
    def setUp(self):
        try:
            on_terminal(["true"])
        except OSError as problem:
            self.skipTest(f"there are no pseudo-terminals here: {problem}")

    def test_every_kind_fits_every_terminal(self):
        with tempfile.TemporaryDirectory() as folder:
            for kind, (sentence, command) in findings.items():
                with self.subTest(kind):
                    report = pathlib.Path(folder) / "report.json"
                    report.unlink(missing_ok=True)
                    done = subprocess.run([str(word) for word in command] + ["--json", str(report)], cwd=folder, capture_output=True, text=True, timeout=120)
                    self.assertIn(done.returncode, (0, 1, 3), done.stderr)
                    again = [build / "muster", "merge", report]
                    plain = subprocess.run([str(word) for word in again], capture_output=True, text=True, timeout=30).stdout
                    self.assertNotIn("\x1b", plain + done.stdout)
                    self.assertIn(sentence, re.sub(r"\s+", " ", plain))
                    for width in (40, 60, 80, 140):
                        text, _ = on_terminal(again, columns=width)
                        self.assertIn("\x1b[", text)
                        text = re.sub(r"\x1b\[[0-9;]*m", "", text)
                        for line in text.splitlines():
                            self.assertTrue(len(line) <= width or is_one_word(line), f"{width}: {line}")
                        # Whatever the width, the same words: none is cut, none is lost.
                        self.assertIn(sentence, re.sub(r"\s+", " ", text))
                        self.assertNotIn("…", re.sub(r"…$", "", text, flags=re.MULTILINE))  # source beside a step may be cut


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
