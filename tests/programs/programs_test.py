#!/usr/bin/env python3
"""programs_test.py SOURCE BUILD: command lines as people and CI servers use them: reports in every form, shards and their merging, stopping and
resuming, suggestions, completion, manual pages. Needs python3-jsonschema for the schema; says so where it is missing."""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

from terminal import on_terminal

source, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
muster = build / "muster"
checks = build / "tests/subjects/subjects_checks"
lost_update = build / "examples/lost_update"
work_queue = build / "examples/work_queue"
subjects = build / "tests/programs_subjects"

try:
    import jsonschema
except ImportError:
    jsonschema = None
    print("python3-jsonschema is missing: reports are not compared with their schema")


class Programs(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.addCleanup(self.temporary.cleanup)

    def run_in_folder(self, *command, expect=None, **environment):
        done = subprocess.run([str(word) for word in command], cwd=self.folder, capture_output=True, text=True, env={**os.environ, **environment}, timeout=120)
        if expect is not None:
            self.assertEqual(done.returncode, expect, f"{command}:\n{done.stdout}{done.stderr}")
        return done

    def report(self, name):
        document = json.loads((self.folder / name).read_text())
        if jsonschema:
            schema = json.loads((source / "docs/reference/report.schema.json").read_text())
            jsonschema.Draft202012Validator(schema).validate(document)
        return document

    def sarif(self, path):
        document = json.loads(path.read_text())
        if jsonschema:
            jsonschema.Draft202012Validator(json.loads((source / "tests/report/sarif.schema.json").read_text())).validate(document)
        rules = [rule["id"] for rule in document["runs"][0]["tool"]["driver"]["rules"]]
        for result in document["runs"][0]["results"]:
            self.assertIn(result["ruleId"], rules)
        return document

    def test_all_forms_of_a_report(self):
        flags = ("--json", "r.json", "--junit", "r.xml", "--sarif", "r.sarif", "--html", "r.html")
        self.run_in_folder(lost_update, *flags, expect=1)
        results = self.report("r.json")["results"]
        self.assertEqual([(result["subject"], result["outcome"]) for result in results], [("lost_update", "failed"), ("lost_update_fixed", "passed")])
        self.assertTrue(any(step.get("why") for step in results[0]["findings"][0]["steps"]))
        suite = xml.parse(self.folder / "r.xml").getroot()
        self.assertEqual((suite.get("tests"), suite.get("failures"), suite.get("errors")), ("2", "1", "0"))
        sarif = self.sarif(self.folder / "r.sarif")
        found = sarif["runs"][0]["results"][0]
        self.assertEqual(found["level"], "error")
        self.assertTrue(found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].endswith("lost_update.cpp"))
        self.assertIn("<!doctype html>", (self.folder / "r.html").read_text())

    def test_a_replayed_check_shows_what_each_call_answered(self):
        found = self.run_in_folder(work_queue, "work_queue", expect=1).stdout
        replayed = self.run_in_folder(work_queue, "--replay", "work_queue-1", expect=1).stdout
        matrix = "    first   Add(400)\n    A       Add(400)\n    B       TryTake() → nothing\n"
        self.assertIn(matrix, found)
        self.assertIn(matrix, replayed)
        self.assertIn("TryTake()  returns nothing", replayed)
        self.assertIn("Serial runs, the nearest first:", replayed)

    def test_a_replayed_check_is_judged(self):
        test = ("--matrix", "first: Add(400) | Add(400) | TryTake")
        self.assertIn("PASS work_queue_fixed", self.run_in_folder(work_queue, "work_queue_fixed", *test, "--replay", "1--gCse", expect=0).stdout)
        self.assertIn("--matrix", self.run_in_folder(work_queue, "work_queue_fixed", "--replay", "1--gCse", expect=2).stderr)
        found = self.run_in_folder(work_queue, "work_queue", expect=1).stdout
        schedule = re.search(r"Schedule (\S+)", found)[1]
        self.assertIn("FAIL work_queue", self.run_in_folder(work_queue, "work_queue", *test, "--replay", schedule, expect=1).stdout)
        saved = self.folder / ".muster/work_queue-1"
        kept = saved.read_text()
        # A schedule that shows nothing is no failure, whatever the file says; nor is one of a class that was repaired since.
        saved.write_text(kept.replace(schedule, "1--gCse"))
        self.assertIn("UNDECIDED", self.run_in_folder(work_queue, "--replay", "work_queue-1", expect=3).stdout)
        saved.write_text(re.sub(r"build: .*", "build: another", kept).replace("subject: work_queue", "subject: work_queue_fixed"))
        self.assertNotIn("FAIL", self.run_in_folder(work_queue, "--replay", "work_queue-1").stdout)

    def test_each_race_of_a_check_is_saved_and_replays(self):
        program = build / "tests/documentation_snippets"
        for test in ("get, get | add, add", "add | add", "add, get | get, add"):
            found = self.run_in_folder(program, "racy_counter", "--matrix", test, expect=1).stdout
            sentences = re.findall(r"FAIL racy_counter: (.*)", found)
            saved = re.findall(r"Saved +\.muster/(\S+)", found)
            self.assertEqual(len(set(saved)), len(sentences), found)
            for name, sentence in zip(saved, sentences):
                replayed = self.run_in_folder(program, "--replay", name, expect=1).stdout
                self.assertIn(f"FAIL racy_counter: {sentence}", replayed)

    def test_a_saved_failure_that_still_fails_says_that_no_other_test_was_run(self):
        first = self.run_in_folder(work_queue, "work_queue", expect=1).stdout
        self.assertNotIn("No test was run but that of", first)
        again = self.run_in_folder(work_queue, "work_queue", expect=1).stdout
        self.assertIn("No test was run but that of", again)
        self.assertIn("work_queue-1", again)
        everything = self.run_in_folder(work_queue, "work_queue", "--all-tests", "--tests", "20", expect=1).stdout
        self.assertRegex(everything, r"of 20 tests fail")

    def test_a_failure_that_a_search_with_other_flags_misses_is_told_again(self):
        program = build / "tests/documentation_snippets"
        for name, flags in (("needs_five_preemptions", ()), ("check_needs_three", ("--size", "2x1"))):
            found = self.run_in_folder(program, name, "--unbounded", *flags, expect=1).stdout
            sentence = found.splitlines()[0]
            for command in ((program, "--replay", f"{name}-1"), (program, "--recheck", f"{name}-1"), (program, name)):
                self.assertEqual(self.run_in_folder(*command, expect=1).stdout.splitlines()[0], sentence)

    def test_samples_that_are_all_drawn_leave_nothing_to_resume(self):
        flags = (work_queue, "work_queue_fixed", "--strategy", "random", "--executions", "200", "--tests", "3", "--size", "2x2", "--checkpoint", "c")
        text = self.run_in_folder(*flags, expect=0).stdout
        self.assertIn("covered: 600 executions of strategy random (not exhausted)", text)
        self.assertNotIn("Resume", text)
        self.assertFalse((self.folder / "c").exists())

    def test_what_a_failure_was_judged_by_is_saved_with_it(self):
        program = build / "tests/documentation_snippets"
        test = ("--matrix", "add() | get()", "--suppress", ".")
        self.run_in_folder(program, "racy_counter", *test, "--observations", "o.xml", expect=0)
        record = self.folder / "o.xml"
        record.write_text(record.read_text().replace('result="1"', 'result="7"'))
        found = self.run_in_folder(program, "racy_counter", "--suppress", ".", "--against", "o.xml", expect=1).stdout
        name = re.search(r"--replay (\S+)", found)[1]
        for command in ("--replay", "--recheck"):
            again = self.run_in_folder(program, command, name, "--suppress", ".", expect=1).stdout
            self.assertEqual(again.splitlines()[0], found.splitlines()[0])

    def test_blocking_that_is_right_is_no_failure_of_a_replay(self):
        program = build / "tests/documentation_snippets"
        test = ("--matrix", "acquire()")
        self.run_in_folder(program, "gate", *test, expect=0)
        self.assertIn("PASS gate", self.run_in_folder(program, "gate", *test, "--replay", "1--gCse", expect=0).stdout)

    def steps_of(self, *command):
        """The lines of the interleaving, without what stands between words."""
        text = self.run_in_folder(*command, expect=1, COLUMNS="140").stdout
        lines = text.split("How it happened")[1].split("\n\n")[1].splitlines()[1:]
        return text.splitlines()[0], [" ".join(line.split()) for line in lines if not line.endswith("left out)")]

    def test_a_race_shows_both_accesses_and_nothing_after_them(self):
        program = build / "examples/relaxed_publication"
        expected = ["writes message relaxed_publication.cpp:13", "writes ready relaxed_publication.cpp:14", "ends", "reads ready relaxed_publication.cpp:16",
                    "reads message relaxed_publication.cpp:16 ◄ here"]
        for command in ((program, "relaxed_publication"), (program, "--replay", "relaxed_publication-1")):
            sentence, steps = self.steps_of(*command)
            self.assertIn("race: main reads message at relaxed_publication.cpp:16, A writes it at relaxed_publication.cpp:13", sentence)
            self.assertEqual(steps, expected)
        # Saved failures are tried first, and one that is named by its path is told by that path.
        self.assertIn("one execution, replayed", self.run_in_folder(program, "relaxed_publication", expect=1).stdout)
        path = self.folder / ".muster/relaxed_publication-1"
        self.assertIn(f"--replay {path}", self.run_in_folder(program, "--recheck", path, expect=1, COLUMNS="300").stdout)

    def test_memory_that_is_freed_while_another_reads_it_shows_who_frees(self):
        _, steps = self.steps_of(build / "examples/use_after_free", "use_after_free")
        self.assertTrue(steps[-1].startswith("reads block#2") and steps[-1].endswith("◄ here"), steps)
        self.assertTrue(any(step.startswith("frees block#2") for step in steps), steps)
        sentence, steps = self.steps_of(build / "examples/use_after_free", "--replay", "use_after_free-2")
        self.assertIn("race: A frees block#2", sentence)
        self.assertTrue(steps[-1].startswith("frees block#2") and steps[-1].endswith("◄ here"), steps)

    def test_a_block_that_is_freed_twice_shows_both(self):
        _, steps = self.steps_of(build / "tests/subjects/subjects_broken", "double_free")
        self.assertEqual([step.startswith("frees block#1") for step in steps].count(True), 2, steps)
        self.assertTrue(steps[-1].startswith("frees block#1") and steps[-1].endswith("◄ here"), steps)

    def test_a_race_in_a_check_has_test_schedule_and_replay(self):
        program = build / "tests/documentation_snippets"
        for command in ((program, "racy_flag"), (program, "--replay", "racy_flag-1")):
            sentence, steps = self.steps_of(*command)
            self.assertRegex(sentence, r"race: B writes raised at snippets.cpp:\d+, A writes it at snippets.cpp:\d+")
            self.assertTrue(steps[-1].endswith("◄ here"), steps)
        text = self.run_in_folder(program, "racy_flag", expect=1).stdout
        self.assertIn("    A       raise()\n", text)
        self.assertIn("--replay racy_flag-1", text)

    def test_reports_of_logs_and_traces(self):
        self.run_in_folder(muster, "check", source / "examples/09-log/queue.jsonl", "--json", "log.json", expect=1)
        finding = self.report("log.json")["results"][0]["findings"][0]
        self.assertEqual(sum(operation.get("blamed", False) for operation in finding["timeline"]["operations"]), 1)
        self.assertTrue(all(attempt["why"] for attempt in finding["timeline"]["attempts"]))
        self.run_in_folder(muster, "predict", source / "examples/10-prediction/deposit.std", "--json", "trace.json", "--sarif", "trace.sarif", expect=0)
        prediction = self.report("trace.json")["results"][0]["findings"][0]
        self.assertIn(prediction["grade"], ("certified", "feasible"))
        self.assertEqual(self.sarif(self.folder / "trace.sarif")["runs"][0]["results"][0]["level"], "warning")
        self.run_in_folder(build / "examples/relaxed_publication", "relaxed_publication", "--sarif", "race.sarif", "--json", "race.json", expect=1)
        self.assertEqual(self.report("race.json")["results"][0]["coverage"]["weak_orders"], ["relaxed_publication.cpp:14", "relaxed_publication.cpp:16"])
        self.assertIn("Weak orders not explored: relaxed_publication.cpp:14", self.run_in_folder(muster, "merge", "race.json", expect=1).stdout)
        self.assertEqual(self.sarif(self.folder / "race.sarif")["runs"][0]["results"][0]["ruleId"], "race")
        self.sarif(source / "tests/report/golden/report.sarif")

    def test_what_can_have_synchronised_is_joined_and_what_has_no_partner_is_not(self):
        self.run_in_folder(build / "tests/subjects/subjects_synchronisation", "exchanger_third_enters", "--json", "r.json", expect=1)
        timeline = self.report("r.json")["results"][0]["findings"][0]["timeline"]
        joined = [number for join in timeline["joins"] for number in join]
        blamed = [number for number, operation in enumerate(timeline["operations"]) if operation.get("blamed")]
        self.assertEqual((len(joined), len(set(joined)), len(blamed)), (2, 2, 1))
        self.assertFalse(set(joined) & set(blamed))

    def test_goldens_follow_the_schema(self):
        golden = json.loads((source / "tests/report/golden/report.json").read_text())
        (self.folder / "golden.json").write_text(json.dumps(golden))
        self.report("golden.json")

    def test_shards_are_the_whole(self):
        settings = ("locked_queue", "--tests", "10", "--size", "2x2", "--bound", "1")
        self.run_in_folder(checks, *settings, "--json", "whole.json", expect=0)
        for number in "123":
            self.run_in_folder(checks, *settings, "--shard", f"{number}/3", "--json", f"{number}.json", expect=0)
        merged = self.run_in_folder(muster, "merge", "1.json", "2.json", "3.json", "--json", "merged.json", expect=0)
        self.assertIn("PASS locked_queue: 10 random tests", merged.stdout.replace("10 of 10", "10"))
        whole, parts = (self.report(name)["results"][0]["coverage"] for name in ("whole.json", "merged.json"))
        for name in ("executions", "histories", "tests_run", "exhausted"):
            self.assertEqual(whole[name], parts[name], name)

    def test_shards_as_test_runners_ask_for_them(self):
        seen = []
        for index in "01":
            out = self.run_in_folder(lost_update, "--json", f"{index}.json", GTEST_TOTAL_SHARDS="2", GTEST_SHARD_INDEX=index, GTEST_SHARD_STATUS_FILE=str(self.folder / f"status{index}"))
            self.assertIn(out.returncode, (0, 1))
            self.assertTrue((self.folder / f"status{index}").exists())
            seen += [result["subject"] for result in self.report(f"{index}.json")["results"]]
        self.assertEqual(sorted(seen), ["lost_update", "lost_update_fixed"])
        self.run_in_folder(muster, "merge", "0.json", expect=1 if "lost_update" == seen[0] else 3)
        self.assertIn("no part of a whole", self.run_in_folder(lost_update, expect=2, GTEST_TOTAL_SHARDS="2", GTEST_SHARD_INDEX="2").stderr)

    def test_a_missing_shard_is_undecided(self):
        self.run_in_folder(checks, "locked_queue", "--tests", "4", "--size", "1x2", "--shard", "1/2", "--json", "1.json", expect=0)
        self.assertIn("shard 2 of 2 is in none", self.run_in_folder(muster, "merge", "1.json", expect=3).stdout)

    def stop_and_resume(self, *command):
        """Runs to the end in one go, and again in pieces; gives both reports."""
        self.run_in_folder(*command, "--json", "whole.json", expect=0)
        pieces = 0
        resume = ()
        for pieces in range(1, 200):
            done = self.run_in_folder(*command, *resume, "--budget", f"{50 + 10 * pieces}ms", "--checkpoint", "c", "--json", "pieces.json")
            self.assertIn(done.returncode, (0, 3), done.stdout + done.stderr)
            if "Resume" not in done.stdout:
                break
            resume = ("--resume", "c")
        self.assertGreater(pieces, 1, "never stopped")
        return self.report("whole.json")["results"][0], self.report("pieces.json")["results"][0]

    def test_a_search_resumed_is_the_search(self):
        subject = build / "tests/subjects/subjects_correct"
        for jobs in ("1", "2"):
            whole, pieces = self.stop_and_resume(subject, "bakery", "--bound", "3", "-j", jobs)
            self.assertEqual(whole["coverage"]["executions"], pieces["coverage"]["executions"])
            self.assertTrue(pieces["coverage"]["exhausted"])

    def test_a_check_resumed_is_the_check(self):
        whole, pieces = self.stop_and_resume(checks, "locked_queue", "--tests", "60", "--size", "3x3")
        self.assertEqual(whole["coverage"]["tests_run"], pieces["coverage"]["tests_run"])

    def test_the_command_that_is_printed_resumes(self):
        def printed(done):
            self.assertIn(done.returncode, (0, 3), done.stdout + done.stderr)
            return shlex.split(re.search("^Resume   (.*)", done.stdout, re.MULTILINE)[1])
        command = printed(self.run_in_folder(checks, "late_counter", *self.late, "--budget", "30ms", "--checkpoint=a file"))
        self.assertEqual(command[-4:], ["--resume", "a file", "--checkpoint", "a file"])
        self.assertEqual(printed(self.run_in_folder(*command)), command)

    late = ("--bound", "3", "--matrix", "add, add | add, add | add, add | add, add", "--minimise", "0")

    def test_several_workers_at_one_test_make_the_search_of_one(self):
        def search(jobs):
            self.run_in_folder(checks, "late_counter", *self.late, "-j", jobs, "--json", "r.json", "--histories", "h", expect=0)
            coverage = self.report("r.json")["results"][0]["coverage"]
            counts = {name: coverage[name] for name in ("executions", "serial_executions", "complete", "histories", "steps")}
            return counts, (self.folder / "h").read_text()
        alone = search("1")
        self.assertEqual(alone[0]["executions"], alone[0]["serial_executions"] + alone[0]["complete"])
        for jobs in ("2", "3"):
            self.assertEqual(alone, search(jobs))

    def test_several_workers_at_a_reduced_search_make_that_of_one(self):
        """How many executions end early depends on who comes first; nothing else does."""
        small = (checks, "small_queue", "--matrix", "enqueue(1) | enqueue(2) | dequeue | dequeue", "--minimise", "0")
        stuck = (checks, "small_slot", "--matrix", "put(1), take | put(2), take | take", "--minimise", "0")
        failing = (checks, "small_lossy_counter", "--matrix", "increment, get | increment, get | increment, increment", "--minimise", "0")
        scenario = (build / "tests/subjects/subjects_correct", "latch_count", "--strategy", "dpor")
        def search(command, jobs):
            report, told, histories = f"{jobs}.json", self.folder / f"{jobs}.histories", []
            expect = 1 if command is failing else 0
            if command is not scenario:
                command = (*command, "--histories", told.name)
            self.run_in_folder(*command, "--unbounded", "-j", jobs, "--json", report, expect=expect)
            if told.exists():  # how often one was met depends on who met it
                histories = sorted(re.sub(r"met \d+ times", "", text) for text in told.read_text().split("\n\n"))
            result = self.report(report)["results"][0]
            names = ("serial_executions", "complete", "classes", "histories", "stuck_histories", "exhausted")
            return {name: result["coverage"].get(name) for name in names}, [f["kind"] for f in result["findings"]], histories
        for command in (small, stuck, failing, scenario):
            alone = search(command, "1")
            for jobs in ("2", "3"):
                self.assertEqual(alone, search(command, jobs), command)

    def test_several_workers_at_one_test_find_what_one_finds(self):
        def finding(subject, jobs):
            self.run_in_folder(checks, subject, *self.late, "-j", jobs, "--json", "r.json", "--folder", "saved" + jobs, expect=1)
            found = self.report("r.json")["results"][0]["findings"][0]
            return {name: found.get(name) for name in ("kind", "sentence", "matrix", "schedule")}
        for subject in ("late_answer", "late_crash", "late_death"):
            alone = finding(subject, "1")
            for jobs in ("2", "3", "6"):
                self.assertEqual(alone, finding(subject, jobs))

    def test_a_crash_is_made_small_like_any_failure(self):
        command = (checks, "late_crash", "--bound", "3", "--matrix", "add, add | add, add | add | add")
        out = self.run_in_folder(*command, expect=1).stdout
        self.assertIn("(3 preemptions, ", out)
        self.assertIn("shrunk from 6 operations to 4", out)
        self.assertNotIn("Not shown to be minimal", out)

    def test_a_model_that_crashes_is_no_failure_of_the_class(self):
        program = build / "tests/programs_subjects"
        out = self.run_in_folder(program, "model_crashes", "--size", "2x2", expect=3).stdout
        self.assertIn("outside any execution: in a model", " ".join(out.split()))

    def test_a_crash_that_ends_the_process_is_told_as_it_was(self):
        out = self.run_in_folder(checks, "late_death", "--bound", "3", "--matrix", "add | add | add | add", expect=1).stdout
        self.assertIn("(3 preemptions, ", out)
        self.assertNotIn("one after the other", out)
        reduced = self.run_in_folder(build / "tests/subjects/subjects_broken", "segfault", "--unbounded", expect=1).stdout
        self.assertIn("crashes at segfault.cpp:12", reduced)

    def test_a_crash_under_reduction_is_told_by_calls_and_switches(self):
        command = (checks, "late_crash", "--unbounded", "--matrix", "add | add | add | add")
        out = self.run_in_folder(*command, expect=1).stdout
        self.assertRegex(out, r"add\(\)  reads value_")
        self.assertIn("is preempted)", out)
        self.assertNotIn("waits in a loop", out)
        self.assertIn("add() never returns", out)

    def test_threads_are_named_by_columns_whatever_the_object_started_before(self):
        command = (checks, "late_owner", "--matrix", "add | add")
        for words in (command, (checks, "--replay", "late_owner-1")):
            out = self.run_in_folder(*words, expect=1).stdout
            self.assertRegex(out, r"(?m)^    C +A +B *$")
            self.assertIn("(A is preempted)", out)
            self.assertIn("Threads that are not in the test are the object's own.", out)

    def test_a_check_stopped_in_the_middle_of_a_test_goes_on_there(self):
        for jobs in ("1", "2"):
            whole, pieces = self.stop_and_resume(checks, "late_counter", *self.late, "-j", jobs)
            for count in ("executions", "complete", "histories", "steps", "tests_run"):
                self.assertEqual(whole["coverage"][count], pieces["coverage"][count], count)
            self.assertTrue(pieces["coverage"]["exhausted"])

    def test_a_reduced_search_resumed_is_the_search(self):
        subject = build / "tests/subjects/subjects_libraries"
        whole, pieces = self.stop_and_resume(subject, "std_barrier_two_phases", "--strategy", "dpor", "-j", "2")
        for count in ("complete", "exhausted", "all_schedules"):
            self.assertEqual(whole["coverage"].get(count), pieces["coverage"].get(count), count)

    retrying = (checks, "small_queue", "--unbounded", "--matrix", "enqueue(1), dequeue | enqueue(2), dequeue | enqueue(1), dequeue")

    def test_a_reduced_check_of_code_that_retries_resumed_is_the_check(self):
        """What was learned about failed attempts is learned again by each process; a first one may not be recognised."""
        whole, pieces = (result["coverage"] for result in self.stop_and_resume(*self.retrying))
        self.assertGreater(whole["retries_cut"], 0)
        for count in ("classes", "histories", "exhausted", "all_schedules"):
            self.assertEqual(whole.get(count), pieces.get(count), count)
        self.assertTrue(whole["complete"] <= pieces["complete"] < 1.1 * whole["complete"], f'{whole["complete"]} and {pieces["complete"]}')

    def test_a_search_says_before_about_how_many_executions_it_makes(self):
        bakery = (build / "tests/subjects/subjects_correct", "bakery", "--bound", "3")
        for command, words, count in ((bakery, "executions\n", "executions"), (self.retrying, "complete executions, 90 serial ones for 1 given test\n", "complete")):
            text = self.run_in_folder(*command, "--estimate", expect=0).stdout
            told = re.fullmatch(rf"\w+: about ([\d,]+) {words}", text)
            self.assertTrue(told, text)
            self.run_in_folder(*command, "--json", "r.json", expect=0)
            ratio = int(told[1].replace(",", "")) / self.report("r.json")["results"][0]["coverage"][count]
            self.assertTrue(1 / 5 < ratio < 5, f"{text} is {ratio} of what there is")

    def test_before_a_reduced_search_with_a_bound_plain_search_is_told(self):
        program, check, _, *matrix = self.retrying
        plain = self.run_in_folder(program, check, *matrix, "--bound", "2", "--late-yields", "0", "--estimate", expect=0).stdout
        reduced = self.run_in_folder(program, check, *matrix, "--strategy", "dpor", "--bound", "2", "--estimate", expect=0).stdout
        self.assertEqual(reduced, plain.replace("\n", " by plain search with this bound, of which reduction leaves some out\n"))

    def test_a_search_that_ends_early_says_how_much_is_left(self):
        bakery = (build / "tests/subjects/subjects_correct", "bakery", "--bound", "4")
        large = (checks, "small_queue", "--unbounded", "--matrix", "enqueue(1), dequeue | enqueue(2), dequeue | enqueue(1), dequeue | dequeue, enqueue(2)")
        for command in (bakery, large):
            text = self.run_in_folder(*command, "--budget", "100ms", "--json", "r.json", expect=0).stdout
            self.assertRegex(text, r"\(not exhausted; about [\d,]+ executions left\)")
            self.assertGreater(self.report("r.json")["results"][0]["coverage"]["executions_left"], 0)

    def test_a_checkpoint_fits_only_where_it_was_made(self):
        subject = build / "tests/subjects/subjects_correct"
        self.run_in_folder(subject, "bakery", "--bound", "3", "--budget", "30ms", "--checkpoint", "c")
        self.assertIn("other settings", self.run_in_folder(subject, "bakery", "--bound", "1", "--resume", "c", expect=2).stderr)
        text = (self.folder / "c").read_text()
        (self.folder / "c").write_text(re.sub("build: .*", "build: 0", text))
        self.assertIn("another build", self.run_in_folder(subject, "bakery", "--bound", "3", "--resume", "c", expect=2).stderr)
        (self.folder / "c").write_text(text + "job: 1.2\n")
        self.assertIn("is no part of a checkpoint", self.run_in_folder(subject, "bakery", "--bound", "3", "--resume", "c", expect=2).stderr)

    def on_terminal(self, command, interrupt_at=None):
        try:
            return on_terminal(command, interrupt_at=interrupt_at, cwd=self.folder)
        except OSError as problem:
            self.skipTest(f"there are no pseudo-terminals here: {problem}")

    def test_ctrl_c_says_what_was_found_and_how_to_go_on(self):
        text, code = self.on_terminal([checks, "locked_queue", "--tests", "100000", "--size", "3x3", "--checkpoint", "c"], b" finding yet")
        self.assertEqual(code, 3)
        self.assertRegex(text, r"about \d+ %, no finding yet; [\d,]+ executions, [\d,]+ a second")
        self.assertIn("stopped before it was done", text)
        self.assertIn(f"Resume   {checks} locked_queue --tests 100000 --size 3x3 --resume c --checkpoint c", re.sub(r"\s*\\\n\s*", " ", text))
        self.assertTrue((self.folder / "c").exists())

    def test_ctrl_c_ends_the_judging_of_a_log(self):
        lines = ['{"object":"queue"}']
        lines += [f'{{"process":{i},"op":"enqueue","args":[{i % 3}],"start":{i},"end":{i + 1000}}}' for i in range(34)]
        lines += [f'{{"process":{100 + i},"op":"dequeue","result":{i * i % 3},"start":{2000 + i},"end":{3000 + i}}}' for i in range(30)]
        (self.folder / "hard.jsonl").write_text("\n".join(lines) + "\n")
        text, code = self.on_terminal([muster, "check", "--general", "hard.jsonl", "next.jsonl"], b"steps of search")
        self.assertEqual(code, 3, text)
        self.assertIn("undecided: stopped; explained up to the first", text)
        self.assertIn("1 file was not looked at, from next.jsonl on", text)

    def test_ctrl_c_ends_stress(self):
        text, code = self.on_terminal([lost_update, "lost_update_fixed", "--stress", "--runs", "100000000"], b" a second, ")
        self.assertEqual(code, 3, text)
        self.assertIn("stopped before it was done", text)

    def test_stress_programs_write_reports(self):
        program = build / "tests/subjects/stress_synchronisation"
        name = self.run_in_folder(program, "--list", expect=0).stdout.split()[0]
        self.run_in_folder(program, name, "--tests", "2", "--runs", "5", "--json", "r.json", "--html", "r.html")
        self.assertEqual(self.report("r.json")["results"][0]["subject"], name)
        self.assertIn("did you mean --runs?", self.run_in_folder(program, "--rusn", "5", expect=2).stderr)

    def test_limits_are_undecided(self):
        program = build / "tests/documentation_snippets"
        self.assertIn("may allocate at most 64 MB", self.run_in_folder(program, "more_than_the_heap", expect=3).stdout)
        too_deep = (program, "more_than_the_stack", "--all-tests")
        for threads in ("fiber", "kernel"):
            for search in ((), ("--unbounded",)):
                told = self.run_in_folder(*too_deep, *search, expect=3, MUSTER_THREADS=threads).stdout
                self.assertIn("more than the 256 KB of its stack", told, (threads, search))

    def test_narrow_terminals_and_colours(self):
        for width in ("40", "60"):
            text = self.run_in_folder(build / "examples/lock_order", "lock_order", COLUMNS=width).stdout
            interleaving = text.split("How it happened")[1].split("Schedule")[0].splitlines()[2:]
            self.assertLessEqual(max(map(len, interleaving)), max(int(width), 56))  # names of places stay whole
            self.assertNotIn("\x1b", text)

    def test_no_word_of_an_interleaving_is_cut(self):
        for width in range(40, 120, 8):
            text = self.run_in_folder(build / "examples/use_after_free", "use_after_free", COLUMNS=str(width)).stdout
            self.assertNotIn("…", text, width)

    def test_colours_end_where_they_began(self):
        text, _ = self.on_terminal([build / "examples/relaxed_publication", "relaxed_publication"])
        codes = re.findall(r"\x1b(\[[0-9;?]*[a-zA-Z])?", text)
        self.assertIn("Weak orders not explored", text)
        self.assertTrue(codes and all(codes), codes)

    def test_wrong_words_suggest_right_ones(self):
        self.assertIn("did you mean --budget?", self.run_in_folder(lost_update, "--bugdet", "3s", expect=2).stderr)
        for budget in ("0s", "-1s", "soon"):
            self.assertIn(f"'{budget}' is no duration", self.run_in_folder(lost_update, f"--budget={budget}", expect=2).stderr)
        self.assertIn("did you mean --explain?", self.run_in_folder(muster, "check", "--explian", "x", expect=2).stderr)
        self.assertIn("did you mean check?", self.run_in_folder(muster, "chekc", expect=2).stderr)
        self.assertIn("did you mean 'lost_update'?", self.run_in_folder(lost_update, "lost_updat", expect=2).stderr)
        unknown = self.run_in_folder(muster, "check", "--spec", "queu", source / "examples/09-log/queue.jsonl", expect=2).stderr
        for spec in ("queue", "stack", "priority-queue", "semaphore", "channel", "terminating-queue"):
            self.assertIn(spec, unknown)

    def line_of(self, text):
        """Where it stands in the subjects of these tests."""
        lines = (source / "tests/programs/subjects.cpp").read_text().splitlines()
        return next(number for number, line in enumerate(lines, 1) if text in line)

    def test_flags_that_mean_nothing_are_refused(self):
        for flags, words in (
            (("lost_update", "--suppress", "["), "--suppress: '[' is no regular expression"),
            (("lost_update", "--strategy", "random", "--executions", "0"), "--executions"),
            (("lost_update", "--unbounded", "--bound", "1"), "--strategy dpor --bound 1"),
            (("lost_update", "--runs", "5"), "--stress"),
            (("lost_update", "--matrix", "add | add"), "--matrix is for checks"),
        ):
            self.assertIn(words, self.run_in_folder(lost_update, *flags, expect=2).stderr)
        for flags, words in (
            (("flag", "--judge", "search"), "--judge is for checks with a synchronisation spec"),
            (("flag", "--spec", "register"), "add --quasi"),
            (("channel", "--quasi", "2"), "--quasi is for checks without a synchronisation spec"),
            (("flag", "--quasi", "unset=2"), "unset"),
            (("passes", "--judge", "search"), "--judge is for checks"),
            (("flag", "--verify-replay", "5"), "--verify-replay is for scenarios, and flag is a check"),
        ):
            self.assertIn(words, self.run_in_folder(subjects, *flags, expect=2).stderr)
        self.run_in_folder(lost_update, "lost_update_fixed", "--unbounded", "--bound", "unbounded", expect=0)
        # One command line for all that is chosen.
        self.run_in_folder(subjects, "flag", "channel", "--judge", "search", "--size", "2x1", expect=0)
        self.run_in_folder(subjects, "flag", "passes", "--matrix", "set | get", expect=0)

    def test_the_environment_names_known_threads(self):
        for threads in ("fiber", "kernel", ""):
            self.run_in_folder(lost_update, "lost_update_fixed", expect=0, MUSTER_THREADS=threads)
        wrong = self.run_in_folder(lost_update, "lost_update_fixed", expect=2, MUSTER_THREADS="bogus").stderr
        self.assertIn("MUSTER_THREADS in the environment is 'fiber' or 'kernel', not 'bogus'", wrong)

    def test_a_verification_says_how_many_schedules_were_drawn(self):
        self.assertIn("passes: 20 schedules drawn", self.run_in_folder(subjects, "passes", "--verify-replay", "20", expect=0).stdout)
        self.assertIn("crashes: 0 of 20 schedules drawn", self.run_in_folder(subjects, "crashes", "--verify-replay", "20", expect=3).stdout)
        every = self.run_in_folder(subjects, "--verify-replay", "20", expect=3)
        self.assertIn("passes: 20 schedules drawn", every.stdout)
        self.assertIn("the checks of this program are left out", every.stderr)

    def test_variables_keep_their_names(self):
        found = self.run_in_folder(subjects, "variables_named_like_types", expect=1).stdout
        for words in ("reads i ", "reads b ", "reads Pi "):
            self.assertIn(words, found)

    def test_a_spec_that_throws_is_named(self):
        channel = f"subjects.cpp:{self.line_of('MUSTER_CHECK(channel)')}: check channel: the spec's function for mode {{send, receive}} throws"
        for flags in (("--list",), ("flag",), ("channel",)):
            self.assertIn(channel + " something that is no std::exception", self.run_in_folder(subjects, *flags, expect=2, THROW_IN_SPEC="1").stderr)
        self.run_in_folder(subjects, "--list", expect=0, THROW_LATER="1")
        blocked = "receive, receive, receive | send(1), send(1), receive | receive"  # where everything waits, an execution is still going on
        for test in ("send(1), send(1) | receive, receive", blocked):
            later = self.run_in_folder(subjects, "channel", "--matrix", test, expect=2, THROW_LATER="1").stderr
            self.assertIn(channel + " std::runtime_error: twice", later)
        body = f"subjects.cpp:{self.line_of('MUSTER_CHECK(flag)')}: check flag cannot be defined: its body throws std::runtime_error: no file"
        self.assertIn(body, self.run_in_folder(subjects, "--list", expect=2, THROW_IN_BODY="1").stderr)
        self.assertIn("check flag: suppress_races: '['", self.run_in_folder(subjects, "--list", expect=2, SUPPRESS_A_BRACKET="1").stderr)

    def test_a_constructor_that_throws_loses_no_other_check(self):
        done = self.run_in_folder(subjects, "never_made", "flag", "--size", "2x1", "--json", "r.json", "--junit", "r.xml", expect=2)
        place = f"subjects.cpp:{self.line_of('MUSTER_CHECK(never_made)')}: check never_made: its objects cannot be made"
        self.assertIn(place, done.stderr)
        self.assertIn("std::runtime_error: no licence", done.stderr)
        self.assertIn("PASS flag", done.stdout)
        results = self.report("r.json")["results"]
        self.assertEqual([(result["subject"], result["outcome"]) for result in results], [("never_made", "undecided"), ("flag", "passed")])
        self.assertIn("no licence", results[0]["summary"])
        self.assertEqual(xml.parse(self.folder / "r.xml").getroot().get("errors"), "1")
        for command in ((subjects, "--stress"), (build / "tests/stress_programs_subjects",)):
            stressed = self.run_in_folder(*command, "never_made", "flag", "--size", "2x1", "--tests", "3", expect=2)
            self.assertIn(place, stressed.stderr)
            self.assertIn("PASS flag", stressed.stdout)

    def test_a_crash_in_a_destructor_is_shown_where_it_is(self):
        found = self.run_in_folder(subjects, "crashes_when_destroyed", "--size", "2x1", "--sarif", "r.sarif", expect=1).stdout
        line = self.line_of("crashes here")
        self.assertIn(f"main crashes at subjects.cpp:{line}", found)
        shown = self.sarif(self.folder / "r.sarif")["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
        self.assertEqual(shown["region"]["startLine"], line)

    def test_traces_without_events_are_errors(self):
        for content in ("", "# nothing\n"):
            (self.folder / "e.std").write_text(content)
            for command in (("predict",), ("trace", "validate")):
                wrong = self.run_in_folder(muster, *command, "e.std", "--format", "std", expect=2).stderr
                self.assertIn("e.std", wrong)

    def commands(self):
        listed = self.run_in_folder(muster, "--help", expect=0).stdout.split("Subcommands:")[1].split("Example")[0]
        return re.findall(r"^  ([a-z-]+) ", listed, re.MULTILINE)

    def test_every_help_shows_an_example(self):
        self.assertGreaterEqual(len(self.commands()), 8)
        for words in [[], *([command] for command in self.commands()), ["trace", "convert"], ["trace", "count"], ["trace", "validate"]]:
            self.assertRegex(self.run_in_folder(muster, *words, "--help", expect=0).stdout, r"Examples?:\n  muster " + " ".join(words), words)
        self.assertIn("Examples:", self.run_in_folder(lost_update, "--help", expect=0).stdout)

    def test_completion_and_manual(self):
        script = self.run_in_folder(muster, "completion", "bash", expect=0).stdout
        (self.folder / "c.bash").write_text(script)

        def complete(*words):
            quoted = " ".join(f"'{word}'" for word in words)
            ask = f"source c.bash; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _muster; printf '%s\\n' \"${{COMPREPLY[@]}}\""
            return self.run_in_folder("bash", "-c", ask, expect=0).stdout.split()

        self.assertIn("predict", complete("muster", "pre"))
        self.assertIn("--explain", complete("muster", "check", "--ex"))
        self.assertEqual(complete("muster", "check", "--property", "se"), ["sequential"])
        self.assertEqual(complete("muster", "trace", "con"), ["convert"])
        self.assertEqual(complete("muster", "trace", "convert", "--t"), ["--to"])
        self.assertEqual(complete("muster", "completion", "fi"), ["fish"])
        for shell in ("zsh", "fish"):
            self.assertIn("explain", self.run_in_folder(muster, "completion", shell, expect=0).stdout)
        self.assertIn("--replay", self.run_in_folder(lost_update, "--completion", "bash", expect=0).stdout)
        self.run_in_folder(muster, "manual", "man", expect=0)
        for command in self.commands():
            page = (self.folder / f"man/muster-{command}.1").read_text()
            self.assertIn(".SH EXAMPLES", page)
            self.assertIn(".SH OPTIONS", page)


unittest.main(argv=sys.argv[:1], verbosity=2)
