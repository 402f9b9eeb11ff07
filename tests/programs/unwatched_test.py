#!/usr/bin/env python3
"""unwatched_test.py SOURCE BUILD: libraries that are not instrumented: what their calls may order, and what descriptions say of them."""
import re
import sys
import unittest

from program_case import ProgramCase, build

libraries = build / "tests/subjects/subjects_libraries"


class Unwatched(ProgramCase):
    def explore(self, *words, expect):
        return self.run_in_folder(libraries, *words, expect=expect).stdout

    def describe(self, text):
        (self.folder / "library.txt").write_text(text)
        return "--describe", "library.txt"

    def test_a_possible_race_is_undecided_and_names_what_was_called(self):
        self.explore("unwatched_lock", "--json", "r.json", "--junit", "r.xml", "--sarif", "r.sarif", "--html", "r.html", expect=3)
        result = self.report("r.json")["results"][0]
        self.assertEqual(result["outcome"], "undecided")
        finding = result["findings"][0]
        self.assertEqual((finding["kind"], finding["proven"]), ("possible-race", False))
        self.assertRegex(finding["sentence"], r"^possible race: .* unwatched_library.cpp:\d+, .* only unwatched::unlock \(libunwatched.so\) and unwatched::lock \(libunwatched.so\) may order the two")
        self.assertIn("INSTRUMENT", finding["notes"][0])
        self.assertEqual(result["coverage"]["unwatched_calls"], ["unwatched::lock (libunwatched.so)", "unwatched::unlock (libunwatched.so)"])
        self.assertIn('<error type="possible-race"', (self.folder / "r.xml").read_text())
        self.assertEqual(self.sarif(self.folder / "r.sarif")["runs"][0]["results"][0]["level"], "warning")
        self.assertIn("possible-race", (self.folder / "r.html").read_text())
        self.explore("--replay", "unwatched_lock-1", expect=3)

    def test_a_pass_says_that_not_all_is_watched(self):
        said = self.explore("unwatched_beside_threads", expect=0)
        self.assertIn("covered: all schedules of what is watched", said)
        self.assertIn("Called, and not watched: unwatched::nothing (libunwatched.so)", said)
        self.assertNotIn("of what is watched", self.explore("std_latch", expect=0))

    def test_reduction_finds_the_same(self):
        for scenario, expect in (("unwatched_lock", 3), ("unwatched_lock_forgotten", 1), ("unwatched_lock_left_too_early", 1), ("unwatched_flag", 3),
                                 ("unwatched_flag_set_too_early", 1), ("unwatched_callback", 3), ("unwatched_worker_not_waited_for", 1)):
            with self.subTest(scenario):
                said = self.explore(scenario, "--unbounded", "--no-leaks", expect=expect)
                self.assertIn("possible race: " if expect == 3 else "FAIL", said)

    def test_described_locks_are_locks(self):
        words = self.describe("library libunwatched\nunwatched::lock: locks argument 1, is not called\nunwatched::unlock: unlocks argument 1, is not called\n")
        for more in ((), ("--unbounded",)):
            self.assertNotIn("of what is watched", self.explore("unwatched_lock", *words, *more, expect=0))
            self.assertIn("nothing orders the two", self.explore("unwatched_lock_left_too_early", *words, *more, expect=1))

    def test_what_is_described_and_called(self):
        words = self.describe("unwatched::lock: acquires argument 1\nunwatched::unlock: releases argument 1\n"
                              "unwatched::set: releases argument 1\nunwatched::is_set: acquires argument 1 if it returns non-zero\n")
        for scenario, expect in (("unwatched_lock", 0), ("unwatched_lock_forgotten", 1), ("unwatched_flag", 0), ("unwatched_flag_set_too_early", 1)):
            with self.subTest(scenario):
                self.explore(scenario, *words, expect=expect)

    def test_described_flags_and_harmless_functions(self):
        words = self.describe("unwatched::set: sets argument 1, is not called\nunwatched::await: blocks until argument 1 is set, is not called\n")
        self.explore("unwatched_await", *words, expect=0)
        words = self.describe("unwatched::nothing: harmless\n")
        self.assertNotIn("not watched", self.explore("unwatched_beside_threads", *words, expect=0).replace("Not watched inside", ""))

    def test_described_memory_races(self):
        copies = "unwatched::copy: reads argument 3 bytes of argument 2, writes argument 3 bytes of argument 1\n"
        self.explore("unwatched_copies", expect=0)
        self.assertRegex(self.explore("unwatched_copies", *self.describe(copies), expect=1), r"race: .* unwatched_library.cpp:\d+")

    def test_described_in_the_program(self):
        self.explore("described_in_the_program", expect=0)
        self.assertIn("possible race", self.explore("unwatched_await", expect=3))

    def test_calls_that_no_stub_sees(self):
        """Through pointers, virtual functions of hidden classes, and functions that were looked up."""
        for scenario in ("unwatched_pointers", "unwatched_hidden_class", "unwatched_looked_up"):
            for more in ((), ("--unbounded",), ("--strategy", "random", "--executions", "200")):
                with self.subTest(scenario=scenario, more=more):
                    said = self.explore(scenario, *more, expect=3)
                    self.assertRegex(" ".join(said.split()), r"possible race: .* only code of libunwatched.so may order the two")
                    self.assertNotIn("FAIL", said)
        self.explore("--replay", "unwatched_pointers-1", expect=3)
        self.assertIn("nothing orders the two", " ".join(self.explore("unwatched_pointers_let_go_too_early", expect=1).split()))

    def test_a_pass_names_libraries_whose_calls_no_stub_sees(self):
        for more in ((), ("--unbounded",), ("--strategy", "random", "--executions", "20")):
            with self.subTest(more=more):
                self.assertIn("Called, and not watched: code of libunwatched.so", " ".join(self.explore("unwatched_looked_up_apart", *more, expect=0).split()))
        self.assertIn("all schedules of what is watched", self.explore("unwatched_looked_up_apart", expect=0))
        self.assertNotIn("Called, and not watched", self.explore("described_in_the_program", expect=0))

    def test_what_is_described_may_order_threads_besides(self):
        text = "unwatched::lock: reads 4 bytes of argument 1, may order threads\nunwatched::unlock: reads 4 bytes of argument 1, may order threads\n"
        said = self.explore("unwatched_lock", *self.describe(text), expect=3)
        self.assertIn("only unwatched::unlock (libunwatched.so) and unwatched::lock (libunwatched.so) may order the two", " ".join(said.split()))

    def test_sizes_that_only_the_function_knows(self):
        for size, races in (("argument 2 times argument 3 bytes", True), ("the result bytes", True), ("the result times argument 3 bytes", True), ("argument 3 times argument 3 bytes", False)):
            for condition, holds in (("", True), (" if it returns non-zero", True), (" if it returns 0", False)):
                with self.subTest(size=size, condition=condition):
                    words = self.describe(f"unwatched::fill: writes {size} of argument 1{condition}\n")
                    self.explore("unwatched_fill", *words, "--folder", f"{size}{condition}", expect=1 if races and holds else 0)

    def test_inline_assembly_and_the_time_stamp_counter(self):
        program = build / "tests/subjects/subjects_assembly"
        caches = {"XDG_CACHE_HOME": str(self.folder / "cache")}
        said = self.run_in_folder(program, "assembly_counts", expect=0, **caches).stdout
        self.assertRegex(said, r"Not watched inside: .*atomic instructions in .*increment\(int\*\).*the time stamp counter, read in .*is_odd_time\(\)")
        done = self.run_in_folder(program, "assembly_looks_at_time", expect=3, **caches).stdout
        done = " ".join(done.split())
        self.assertIn("not reproducible", done)
        self.assertRegex(done, r"Not watched, so it may be the cause: .*the time stamp counter, read in .*is_odd_time\(\)")
        # It was found once: the second time it was read from where it was kept.
        (kept,) = (self.folder / "cache/muster").iterdir()
        text = kept.read_text()
        self.assertIn("increment(int*)", text)
        for content, name in ((text.replace("increment", "planted"), "planted"), (text.replace("end\n", ""), "increment"), (text[1:], "increment"), ("", "increment")):
            kept.write_text(content)
            self.assertIn(f"{name}(int*)", self.run_in_folder(program, "assembly_counts", expect=0, **caches).stdout)
        self.assertIn("increment(int*)", self.run_in_folder(program, "assembly_counts", expect=0, XDG_CACHE_HOME="/dev/null").stdout)

    def test_what_is_not_supported(self):
        said = self.explore("unwatched_beside_threads", *self.describe("unwatched::nothing: is not supported\n"), expect=3)
        self.assertIn("unwatched::nothing is described as not supported", said)

    def test_mistakes_are_told_with_their_line(self):
        for text, complaint in (
            ("unwatched::lock\n", "library.txt:1: 'unwatched::lock' is not 'NAME: what it does'"),
            ("# a comment\n\nlock: lokcs argument 1\n", "library.txt:3: 'lokcs' is nothing that a function does"),
            ("lock: locks argument 7\n", "library.txt:1: arguments are counted from 1 to 6, and 7 is none of them"),
            ("lock: locks argument one\n", "library.txt:1: what follows 'argument' is a number, not 'one'"),
            ("lock: locks\n", "library.txt:1: something is missing at the end of the line"),
            ("lock: harmless, locks argument 1\n", "library.txt:1: what is harmless, or not supported, does nothing else"),
            ("lock: reads 4 of argument 1\n", "library.txt:1: 'bytes' is missing after a size, before 'of'"),
            ("lock: locks argument 1,\n", "library.txt:1: what lock does is missing"),
            ("lock: locks argument 1 unlocks argument 1\n", "library.txt:1: nothing is expected before 'unlocks'"),
            ("lock: blocks until ready is over\n", "library.txt:1: one waits until something 'is set' or 'is left'"),
            ("lock: acquires argument 1 if it returns 1\n", "library.txt:1: 'non-zero' is missing after 'if it returns', before '1'"),
            ("lock: releases the result\n", "library.txt:1: only what is acquired can be what the function returns"),
            ("library\n", "library.txt:1: something is missing at the end of the line"),
            ("lock: may order threads, is not called\n", "library.txt:1: what is not called does nothing that is not known"),
            ("lock: reads the result of argument 1\n", "library.txt:1: 'bytes' is missing after a size, before 'of'"),
            ("lock: writes 4 bytes of argument 1 if it fails\n", "library.txt:1: nothing is expected before 'if'"),
            (": harmless\n", "library.txt:1: there is no name before the colon"),
        ):
            with self.subTest(text):
                done = self.run_in_folder(libraries, "unwatched_lock", *self.describe(text), expect=2)
                self.assertIn(complaint, done.stderr)
        done = self.run_in_folder(libraries, "unwatched_lock", "--describe", "nowhere.txt", expect=2)
        self.assertIn("nowhere.txt: cannot be read", done.stderr)

    def explore_packaged(self, name, package, scenarios, flags=((), ("--unbounded",)), all_is_watched=True):
        program = build / f"tests/subjects/subjects_{name}"
        if not program.exists():
            self.skipTest(f"{package} is not installed")
        for more in flags:
            for scenario, expect, words in scenarios:
                with self.subTest(scenario=scenario, more=more):
                    said = self.run_in_folder(program, scenario, *more, "--folder", f"saved{len(more)}", expect=expect).stdout
                    self.assertTrue(re.search(words, said), said)
                    if all_is_watched:
                        self.assertNotIn("of what is watched", said)

    def test_userspace_rcu(self):
        self.explore_packaged("rcu", "liburcu-dev", (
            ("rcu_synchronize", 0, "PASS"), ("rcu_without_synchronize", 1, "race|after it was freed"), ("rcu_reads_too_late", 1, "race|after it was freed"),
            ("rcu_call", 0, "PASS"), ("rcu_waits_for_itself", 1, "deadlock"), ("rcu_begins_later", 0, "PASS")))

    def test_concurrency_kit(self):
        self.explore_packaged("ck", "libck-dev", (
            ("ck_spinlock", 0, "PASS"), ("ck_spinlock_forgotten", 1, "race"), ("ck_fences", 0, "PASS"), ("ck_barrier", 0, "PASS")))

    def test_libcds(self):
        """Its hazard pointers are watched, what looks at them is not: that orders threads, as far as anybody knows."""
        program = build / "tests/subjects/subjects_cds"
        if not program.exists():
            self.skipTest("libcds-dev is not installed")
        done = self.run_in_folder(program, "--budget", "20s")
        self.assertIn(done.returncode, (0, 3), done.stdout)
        self.assertIn("Called, and not watched: cds::", done.stdout)

    def test_boost_timed_queue(self):
        """Its library sets itself up in the executions in which a thread waits first."""
        drawn = ("--strategy", "random", "--executions", "200")
        self.explore_packaged("boost", "libboost-thread-dev", (
            ("boost_one_consumer", 0, "PASS"), ("boost_not_closed", 0, "PASS"), ("boost_closed_only", 0, "PASS"), ("boost_never_closed", 1, "deadlock")), all_is_watched=False)
        self.explore_packaged("boost", "libboost-thread-dev", (("boost_closed_only", 0, "NO FINDING"), ("boost_never_closed", 1, "deadlock")), (drawn,), all_is_watched=False)

    def test_openmp(self):
        self.explore_packaged("openmp", "libgomp", (
            ("openmp_barrier", 0, "PASS"), ("openmp_barrier_forgotten", 1, "race|not met"), ("openmp_critical", 0, "PASS"), ("openmp_critical_of_two_names", 1, "race"),
            ("openmp_single", 0, "PASS"), ("openmp_loop", 0, "PASS"), ("openmp_alone", 0, "PASS"), ("openmp_loops", 0, "PASS"),
            ("openmp_master", 0, "PASS"), ("openmp_dynamic_loop", 3, "GOMP_.* is described as not supported")))


unittest.main(argv=sys.argv[:1], verbosity=2)
