#!/usr/bin/env python3
"""programs_test.py SOURCE BUILD: command lines as people and CI servers use them: reports in every form, replays, terminals, suggestions, completion, manual pages. Needs
python3-jsonschema for the schema; says so where it is missing."""
import json
import re
import sys
import unittest
import xml.etree.ElementTree as xml

from program_case import ProgramCase, source, build, muster, checks, lost_update, work_queue, subjects
from terminal import on_terminal


class Programs(ProgramCase):
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
        matrix = "    first   Add(200)\n    A       Add(400)\n    B       TryTake() → nothing\n"
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
        # Without the source beside them.
        lines = [re.sub(r"^(.*  \S+:\d+(?: from \S+)?)((?: +◄ (?:decides, here|decides|here|shows|races))?).*$", r"\1\2", line) for line in lines]
        return text.splitlines()[0], [" ".join(line.split()) for line in lines if not line.endswith("left out)")]

    def test_a_race_shows_both_accesses_and_nothing_after_them(self):
        program = build / "examples/relaxed_publication"
        expected = ["writes message 0 → 42 relaxed_publication.cpp:13 ◄ races", "writes ready false → true relaxed_publication.cpp:14", "ends",
                    "reads ready = true relaxed_publication.cpp:16 from :22", "reads message = 42 relaxed_publication.cpp:16 from :22 ◄ shows"]
        for command in ((program, "relaxed_publication"), (program, "--replay", "relaxed_publication-1")):
            sentence, steps = self.steps_of(*command)
            self.assertIn("race: main reads message at relaxed_publication.cpp:16, A writes it at relaxed_publication.cpp:13", sentence)
            self.assertEqual(steps, expected)
        # Saved failures are tried first, and one that is named by its path is told by that path.
        self.assertIn("one execution, replayed", self.run_in_folder(program, "relaxed_publication", expect=1).stdout)
        path = self.folder / ".muster/relaxed_publication-1"
        self.assertIn(f"--replay {path}", self.run_in_folder(program, "--recheck", path, expect=1, COLUMNS="300").stdout)

    def test_memory_that_is_freed_while_another_reads_it_shows_who_frees(self):
        _, steps = self.steps_of(build / "examples/use_after_free", "use_after_free", "--strategy", "dfs")
        self.assertTrue(steps[-1].startswith("reads n2.next") and steps[-1].endswith("◄ shows"), steps)
        self.assertTrue(any(step.startswith("frees n2 ") for step in steps), steps)
        sentence, steps = self.steps_of(build / "examples/use_after_free", "--replay", "use_after_free-2")
        self.assertIn("race: A frees n2 ", sentence)
        self.assertTrue(steps[-1].startswith("frees n2 ") and steps[-1].endswith("◄ shows"), steps)

    def test_values_are_told_in_the_words_of_their_types(self):
        _, steps = self.steps_of(build / "examples/use_after_free", "use_after_free", "--strategy", "dfs")
        for step in ("exchanges stack.head_ null → n1 use_after_free.cpp:19 from :37", "writes n2.next null → n1 use_after_free.cpp:18 from :38",
                     "exchanges stack.head_ n2 → n1 use_after_free.cpp:24 from :39 ◄ here"):
            self.assertIn(step, steps)
        text = self.run_in_folder(build / "examples/use_after_free", "--replay", "use_after_free-1", expect=1).stdout
        self.assertIn("n1: Node (use_after_free.cpp:37); n2: Node (use_after_free.cpp:38)", text)
        _, steps = self.steps_of(build / "examples/lost_update", "lost_update")
        self.assertIn("writes counter 0 → 1 lost_update.cpp:10", steps)
        self.assertIn("writes counter 1 → 1 lost_update.cpp:10", steps)

    def test_an_exchange_that_fails_tells_what_it_tried_and_what_it_met(self):
        _, steps = self.steps_of(build / "examples/semaphore", "semaphore", "--strategy", "dfs")
        self.assertTrue(any(step.startswith("tries slots 1 → 0: fails, slots is 0") for step in steps), steps)

    def test_who_wakes_up_is_told_why(self):
        text = " ".join(self.run_in_folder(build / "examples/channel", "channel", expect=1, COLUMNS="200").stdout.split())
        self.assertIn("wakes up on changed_: notified by C", text)
        text = self.run_in_folder(build / "examples/missed_notification", "missed_notification", expect=1, COLUMNS="200").stdout
        self.assertRegex(text, r"notifies one waiter of mailbox.arrived_: +missed_notification.cpp:16 from :45 .*\n +nobody waits\n")

    def test_a_block_that_is_freed_twice_shows_both(self):
        _, steps = self.steps_of(build / "tests/subjects/subjects_broken", "double_free")
        self.assertEqual([step.startswith("frees i1 ") for step in steps].count(True), 2, steps)
        self.assertTrue(steps[-1].startswith("frees i1 ") and steps[-1].endswith("◄ shows"), steps)

    def test_a_race_in_a_check_has_test_schedule_and_replay(self):
        program = build / "tests/documentation_snippets"
        for command in ((program, "racy_flag"), (program, "--replay", "racy_flag-1")):
            sentence, steps = self.steps_of(*command)
            self.assertRegex(sentence, r"race: B writes raised at snippets.cpp:\d+, A writes it at snippets.cpp:\d+")
            self.assertTrue(steps[-1].endswith("◄ shows"), steps)
        text = self.run_in_folder(program, "racy_flag", expect=1).stdout
        self.assertIn("    A       raise()\n", text)
        self.assertIn("--replay racy_flag-1", text)

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
        out = self.run_in_folder(checks, "late_death", "--strategy", "dfs", "--bound", "3", "--matrix", "add | add | add | add", expect=1).stdout
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
        self.assertIn("add() crashes", out)
        self.assertNotIn("never returns", out)

    def test_threads_are_named_by_columns_whatever_the_object_started_before(self):
        command = (checks, "late_owner", "--strategy", "dfs", "--matrix", "add | add")
        for words in (command, (checks, "--replay", "late_owner-1")):
            out = self.run_in_folder(*words, expect=1, COLUMNS="160").stdout
            self.assertRegex(out, r"(?m)^    C +A +B *$")
            self.assertIn("(A is preempted)", out)
            self.assertIn("Threads that are not in the test are the object's own.", out)

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
        self.assertIn("undecided: stopped; explained up to the first", re.sub(r"\x1b\[[0-9;]*m", "", text))
        self.assertIn("1 file was not looked at, from next.jsonl on", text)

    def test_ctrl_c_ends_stress(self):
        text, code = self.on_terminal([lost_update, "lost_update_fixed", "--stress", "--runs", "100000000"], b" a second, ")
        self.assertEqual(code, 3, text)
        self.assertIn("stopped before it was done", " ".join(text.split()))

    def test_stress_programs_write_reports(self):
        program = build / "tests/subjects/stress_synchronisation"
        name = self.run_in_folder(program, "--list", expect=0).stdout.split()[0]
        self.run_in_folder(program, name, "--tests", "2", "--runs", "5", "--json", "r.json", "--html", "r.html")
        self.assertEqual(self.report("r.json")["results"][0]["subject"], name)
        self.assertIn("did you mean --runs?", self.run_in_folder(program, "--rusn", "5", expect=2).stderr)

    def test_limits_are_undecided(self):
        program = build / "tests/documentation_snippets"
        self.assertIn("more than 512 places race", self.run_in_folder(program, "more_races_than_points", "--no-races", "--bound", "0", expect=3).stdout)
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
        for budget in ("-1s", "soon", "5 parsecs"):
            self.assertIn(f"--budget takes a time such as 500ms, 60s, 5m or 2h, not '{budget}'", self.run_in_folder(lost_update, f"--budget={budget}", expect=2).stderr)
        self.assertIn("--budget takes a time above 0", self.run_in_folder(lost_update, "--budget=0s", expect=2).stderr)
        for program, *flags in ((lost_update, "--budget"), (build / "tests/subjects/stress_synchronisation", "--budget"), (muster, "check", "x", "--time")):
            self.assertIn(f"{flags[-1]} 5 has no unit: write 5s or 5ms", self.run_in_folder(program, *flags, "5", expect=2).stderr)
        for flag, value in (("--jobs", "0"), ("--seed", "-1"), ("--seed", "99999999999999999999"), ("--executions", "0"), ("--hang", "-1"), ("--spurious", "99999999999"), ("--depth", "x")):
            said = self.run_in_folder(lost_update, f"{flag}={value}", expect=2).stderr
            self.assertRegex(said, rf"{flag} takes a (whole )?number .*, not '{value}'\n$")
        self.assertIn("--strategy takes portfolio, dfs, ", self.run_in_folder(lost_update, "--strategy", "dsf", expect=2).stderr)
        self.assertIn("did you mean --explain?", self.run_in_folder(muster, "check", "--explian", "x", expect=2).stderr)
        self.assertIn("did you mean check?", self.run_in_folder(muster, "chekc", expect=2).stderr)
        self.assertIn("did you mean 'lost_update'?", self.run_in_folder(lost_update, "lost_updat", expect=2).stderr)
        unknown = self.run_in_folder(muster, "check", "--spec", "queu", source / "examples/09-log/queue.jsonl", expect=2).stderr
        self.assertIn("did you mean 'queue'?", unknown)
        for spec in ("queue", "stack", "priority-queue", "semaphore", "channel", "terminating-queue"):
            self.assertIn(spec, unknown)

    def test_a_flag_that_is_repeated_takes_one_argument(self):
        program = build / "examples/work_queue"
        told = self.run_in_folder(program, "--matrix", "Add(200) | TryTake", "--suppress", "nothing", "work_queue_fixed", expect=0).stdout
        self.assertIn("1 given test", told)
        self.assertNotIn("work_queue:", told)

    def test_only_failures_of_this_program_are_proposed(self):
        self.run_in_folder(lost_update, "lost_update", expect=1)
        self.assertIn("saved are lost_update-1", self.run_in_folder(lost_update, "--replay", "other-1", expect=2).stderr)
        self.assertIn("nothing of this program is saved there", self.run_in_folder(build / "examples/work_queue", "--replay", "other-1", expect=2).stderr)

    def test_what_is_no_trace_gets_no_verdict(self):
        (self.folder / "noise").write_bytes(b"\x7fELF\x02\0\0 noise\n")
        for command in ("predict", "check"):
            done = self.run_in_folder(muster, command, "noise", expect=2)
            self.assertEqual(done.stdout, "")
            self.assertTrue(done.stderr.replace("\n", "").isprintable(), done.stderr)

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
