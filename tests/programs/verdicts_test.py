#!/usr/bin/env python3
"""verdicts_test.py SOURCE BUILD: what runs say that came to no end, how long they take, what they end with, and what becomes of files that are damaged or cannot be written."""
import os
import random
import re
import shutil
import sys
import time
import unittest
import xml.etree.ElementTree as xml

from program_case import ProgramCase, source, build, muster, checks, lost_update, subjects, work_queue

stress_subjects = build / "tests/stress_programs_subjects"
snippets = build / "tests/documentation_snippets"


class Words(ProgramCase):
    def one_case(self, *command, expect):
        """What the command prints, and its result and its case in the reports."""
        done = self.run_in_folder(*command, "--json", "r.json", "--junit", "r.xml", expect=expect)
        result = self.report("r.json")["results"][0]
        return done.stdout, result, xml.parse(self.folder / "r.xml").getroot().find(".//testcase")

    def expect_no_finding(self, *command):
        out, result, case = self.one_case(*command, expect=0)
        self.assertRegex(out, r"(?m)^NO FINDING ")
        self.assertNotIn("PASS", out)
        self.assertEqual((result["outcome"], result["coverage"].get("exhausted", False)), ("no-finding", False))
        self.assertEqual([(p.get("name"), p.get("value")) for p in case.iter("property")], [("exhausted", "false")])
        self.assertIsNone(case.find("failure"))
        self.assertIsNone(case.find("error"))
        if "--stress" not in command and command[0] != stress_subjects:
            self.expect_undecided(*command, "--require-exhausted")
        return out, result

    def expect_undecided(self, *command):
        out, result, case = self.one_case(*command, expect=3)
        self.assertRegex(out, r"(?m)^UNDECIDED ")
        self.assertEqual(result["outcome"], "undecided")
        self.assertTrue(case.find("error").get("message"))

    def test_a_budget_that_ended_a_search_is_told(self):
        bakery = (build / "tests/subjects/subjects_correct", "bakery", "--strategy", "dfs", "--bound", "4")
        queue = (checks, "small_queue", "--unbounded", "--matrix", "enqueue(1), dequeue | enqueue(2), dequeue | enqueue(1), dequeue | dequeue, enqueue(2)")
        for command in (bakery, queue):
            out, result = self.expect_no_finding(*command, "--budget", "50ms")
            self.assertEqual(result["stopped"], "stopped by the budget")
            self.assertTrue(re.search(r"stopped by the budget\.$", out, re.MULTILINE), out)

    def test_tests_that_a_budget_cut_short_do_not_count(self):
        out, result = self.expect_no_finding(checks, "locked_queue", "--tests", "400", "--size", "3x4", "--budget", "300ms")
        told = re.search(r"^NO FINDING locked_queue: (\d+) of 400 random tests of 3×4; .*; stopped by the budget\.$", out, re.MULTILINE)
        self.assertTrue(told, out)
        self.assertLess(int(told[1]), 400)
        large = ("late_counter", "--bound", "3", "--matrix", "add, add | add, add | add, add | add, add")
        self.assertIn("NO FINDING late_counter: 0 of 1 given test; ", self.expect_no_finding(checks, *large, "--budget", "50ms")[0])

    def test_a_sample_is_no_pass(self):
        for command in ((lost_update, "lost_update_fixed"), (work_queue, "work_queue_fixed", "--tests", "3", "--size", "2x2")):
            out, result = self.expect_no_finding(*command, "--strategy", "random", "--executions", "50")
            self.assertRegex(out, r"covered: [\d]+ executions of strategy random \(not exhausted\)")
            self.assertTrue(result["coverage"]["sampled"])
            self.assertNotIn("stopped", result)

    def test_a_sample_that_is_complete_writes_no_checkpoint(self):
        self.run_in_folder(lost_update, "lost_update_fixed", "--strategy", "random", "--executions", "50", "--checkpoint", "c", expect=0)
        self.assertFalse((self.folder / "c").exists())

    def test_runs_on_real_threads_are_no_pass(self):
        for command in ((subjects, "--stress"), (stress_subjects,)):
            self.expect_no_finding(*command, "flag", "--size", "2x1", "--tests", "3")
            self.expect_no_finding(*command, "passes")
        self.expect_undecided(subjects, "--stress", "flag", "--size", "2x1", "--tests", "3", "--require-exhausted")

    def test_a_test_that_takes_more_than_its_own_budget_is_told(self):
        large = ("--matrix", "add, add | add, add | add, add | add, add", "--matrix", "add | add")
        out, result = self.expect_no_finding(checks, "late_counter", "--bound", "3", *large, "--test-budget", "50ms")
        self.assertIn("1 test took more than --test-budget", out)
        self.assertNotIn("stopped", result)

    def test_an_open_question_is_not_hidden_by_a_test_budget(self):
        slow, open_question = ("--matrix", "add, add, add | add, add, add | add, add, add"), ("--matrix", "dive | add")
        command = (subjects, "diver", "--bound", "3", "--test-budget", "1ms")
        self.expect_no_finding(*command, *slow)
        self.expect_undecided(*command, *slow, *open_question)

    def test_what_was_covered_is_a_pass(self):
        out, result, case = self.one_case(lost_update, "lost_update_fixed", "--budget", "60s", "--require-exhausted", expect=0)
        self.assertRegex(out, r"(?m)^PASS lost_update_fixed")
        self.assertEqual((result["outcome"], result["coverage"]["exhausted"]), ("passed", True))
        self.assertEqual(list(case), [])

    def test_a_shard_that_nothing_falls_to_says_so(self):
        settings = ("locked_queue", "--tests", "3", "--size", "1x2")
        reports = []
        for number in range(1, 6):
            out, result, case = self.one_case(checks, *settings, "--shard", f"{number}/5", expect=0)
            os.rename(self.folder / "r.json", self.folder / f"{number}.json")
            reports.append(f"{number}.json")
            self.assertEqual("NO FINDING locked_queue: nothing was run; no test fell to shard" in out, number > 3, out)
            self.assertEqual(case.find("skipped") is not None, number > 3)
            self.assertEqual(result["outcome"], "passed" if number <= 3 else "no-finding")
        self.assertIn("1 of 3 random tests of 1×2 in shard 3 of 5", self.run_in_folder(checks, *settings, "--shard", "3/5", expect=0).stdout)
        for order in (reports, reports[::-1]):
            self.assertIn("PASS locked_queue: 3 random tests of 1×2; ", self.run_in_folder(muster, "merge", *order, expect=0).stdout)
        alone = self.run_in_folder(lost_update, "lost_update_fixed", "--shard", "2/2", "--json", "none.json", expect=0).stdout
        self.assertEqual(alone, "Nothing fell to shard 2 of 2: nothing was run.\n")
        self.assertEqual(self.report("none.json")["results"], [])

    def test_shards_that_a_budget_ended_are_no_pass_together(self):
        settings = (checks, "locked_queue", "--tests", "400", "--size", "3x4", "--budget", "200ms")
        for number in "12":
            self.run_in_folder(*settings, "--shard", f"{number}/2", "--json", f"{number}.json", expect=0)
        merged = self.run_in_folder(muster, "merge", "1.json", "2.json", expect=0).stdout
        self.assertRegex(merged, r"(?m)^NO FINDING locked_queue: \d+ of 400 random tests of 3×4; .*; stopped by the budget\.$")

    def test_every_limit_names_what_changes_it(self):
        loop = build / "tests/subjects/subjects_broken"
        for command, words in (
            ((subjects, "polls", "--step-limit", "100"), "the step limit (--step-limit 100)"),
            ((subjects, "flag", "--matrix", "set | get", "--step-limit", "3"), "the step limit (--step-limit 3)"),
            ((loop, "infinite_loop", "--hang", "1"), "(--hang 1)"),
            ((snippets, "more_releases_than_a_clock_counts"), "at most 65534 times in an execution, a fixed limit"),
            ((snippets, "more_than_the_heap"), "may allocate at most 64 MB in an execution, a fixed limit"),
            ((snippets, "more_than_the_stack"), "more than the 256 KB of its stack, a fixed limit"),
        ):
            self.assertIn(words, " ".join(self.run_in_folder(*command, expect=3).stdout.split()))
        self.assertIn("makes no step for 1 s (--hang)", self.run_in_folder(loop, "infinite_loop", "--hang", "1", "--verify-replay", "1", expect=3).stdout)


class Budgets(ProgramCase):
    def in_time(self, seconds, *command, expect, **environment):
        """Kept within two seconds, by one of three runs: what else the machine does is not the program's fault."""
        for attempt in range(3):
            shutil.rmtree(self.folder / ".muster", ignore_errors=True)
            begin = time.monotonic()
            done = self.run_in_folder(*command, "--budget", f"{seconds}s", expect=expect, **environment)
            taken = time.monotonic() - begin
            if taken < seconds + 2:
                return done
        self.fail(f"{command} took {taken} s")

    def test_executions_that_never_end(self):
        for command in ((subjects, "may_never_end"), (subjects, "may_never_end", "-j", "4"), (subjects, "may_never_end", "--unbounded"),
                        (subjects, "ends_if_large", "--matrix", "add | add"), (subjects, "ends_if_large", "--size", "2x1", "--unbounded", "-j", "4"),
                        (stress_subjects, "may_never_end", "--patience", "60"), (stress_subjects, "ends_if_large", "--patience", "60", "--matrix", "add | add")):
            out = self.in_time(0.5, *command, expect=0, NEVER_ENDS="1").stdout
            self.assertRegex(out, r"(?m)^NO FINDING \w+: .*stopped by the budget\.$")

    def test_executions_that_end_their_processes(self):
        for jobs in ("1", "8"):
            out = self.in_time(0.5, subjects, "overflows", "--bound", "3", "-j", jobs, expect=3).stdout
            self.assertIn("; stopped by the budget.", out)

    def test_what_was_found_before_is_told(self):
        out = self.in_time(0.5, subjects, "races_and_spins", "--matrix", "add | add", expect=1, NEVER_ENDS="1").stdout
        self.assertIn("FAIL races_and_spins: race: ", out)

    def test_making_a_failure_small_ends_in_time_too(self):
        out = self.in_time(0.5, subjects, "ends_if_large", "--matrix", "add, add | add, add", expect=1, NEVER_ENDS="1").stdout
        self.assertIn("Not shown to be minimal: stopped by the budget.", out)
        self.assertIn("A       add()", out)

    def test_all_searches_share_it(self):
        out = self.in_time(0.6, subjects, "overflows", "may_never_end", "--strategy", "dfs", "--bound", "3", expect=3, NEVER_ENDS="1").stdout
        self.assertEqual(out.count("stopped by the budget"), 2, out)
        self.assertRegex(out, r"(?m)^NO FINDING may_never_end: \d+ executions? ")

    def test_what_its_turn_did_not_come_for_is_told(self):
        self.run_in_folder(subjects, "may_never_end", "passes", "--budget", "100ms", "--checkpoint", "c", "--json", "r.json", expect=0, NEVER_ENDS="1")
        results = self.report("r.json")["results"]
        self.assertEqual([(r["subject"], r["outcome"], r["stopped"]) for r in results],
                         [(name, "no-finding", "stopped by the budget") for name in ("may_never_end", "passes")])

    def test_a_search_goes_on_with_the_execution_in_which_it_was_killed(self):
        self.run_in_folder(subjects, "may_never_end", "--strategy", "dfs", "--json", "whole.json", expect=0)
        self.run_in_folder(subjects, "may_never_end", "--strategy", "dfs", "--budget", "100ms", "--checkpoint", "c", expect=0, NEVER_ENDS="1")
        self.run_in_folder(subjects, "may_never_end", "--strategy", "dfs", "--resume", "c", "--json", "rest.json", expect=0)
        whole, rest = (self.report(name)["results"][0] for name in ("whole.json", "rest.json"))
        self.assertEqual(rest["outcome"], "passed")
        for count in ("executions", "preemptions", "exhausted", "all_schedules"):
            self.assertEqual(whole["coverage"].get(count), rest["coverage"].get(count), count)


class ExitCodes(ProgramCase):
    def test_a_finding_is_worse_than_bad_input(self):
        for program in ((subjects,), (subjects, "--stress"), (stress_subjects,)):
            self.run_in_folder(*program, "never_made", "crashes", expect=1)
            self.run_in_folder(*program, "crashes", "never_made", expect=1)
            self.run_in_folder(*program, "never_made", "passes", expect=2)

    def test_bad_input_is_worse_than_an_open_question(self):
        self.run_in_folder(subjects, "polls", "never_made", "--step-limit", "100", expect=2)
        self.run_in_folder(subjects, "polls", "crashes", "--step-limit", "100", expect=1)
        self.run_in_folder(subjects, "polls", "passes", "--step-limit", "100", expect=3)

    def test_a_report_that_cannot_be_written_loses_no_finding(self):
        full = self.folder / "full.json"
        full.symlink_to("/dev/full")
        self.run_in_folder(lost_update, "--json", full, expect=1)
        self.run_in_folder(lost_update, "lost_update_fixed", "--json", full, expect=2)


class Files(ProgramCase):
    def test_outputs_are_opened_before_the_search(self):
        for flag in ("--html", "--json", "--junit", "--sarif", "--checkpoint", "--summary", "--histories"):
            for path in ("nowhere/file", "."):
                done = self.run_in_folder(work_queue, "work_queue", flag, path, expect=2)
                self.assertEqual(done.stdout, "")
                self.assertRegex(done.stderr, rf"{re.escape(path)}: cannot be written: \w+")
        self.assertIn("nowhere/r.json: cannot be written", self.run_in_folder(stress_subjects, "passes", "--json", "nowhere/r.json", expect=2).stderr)
        self.assertFalse((self.folder / ".muster").exists())
        (self.folder / "old.json").write_text("kept until there is a new one")
        self.run_in_folder(work_queue, "work_queue", "--json", "old.json", "--html", "nowhere/r.html", expect=2)
        self.assertIn("kept", (self.folder / "old.json").read_text())

    def test_a_finding_is_told_whether_or_not_it_can_be_saved(self):
        (self.folder / "taken").write_text("no folder")
        saved = self.run_in_folder(work_queue, "work_queue", "--folder", "good", expect=1)
        done = self.run_in_folder(work_queue, "work_queue", "--folder", "taken", expect=1)
        self.assertEqual(done.stdout.splitlines()[:10], saved.stdout.splitlines()[:10])
        self.assertNotIn("Saved", done.stdout)
        self.assertRegex(done.stderr, r"^\S+work_queue: warning: the finding is not saved: taken.*\n$")

    def test_a_finding_is_printed_before_it_is_saved(self):
        os.mkfifo(self.folder / "pipe")
        (self.folder / ".muster").mkdir()
        reader = os.open(self.folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        # Where it is saved does not matter: whoever is stopped while saving has said what was found.
        done = self.run_in_folder("sh", "-c", f"ulimit -f 0; trap '' XFSZ; {work_queue} work_queue | cat")
        self.assertIn("FAIL work_queue: ", done.stdout)
        self.assertIn("Schedule 1-", done.stdout)
        self.assertRegex(done.stderr, r"warning: the finding is not saved: \.muster/work_queue-1: cannot be written")
        self.assertEqual(list((self.folder / ".muster").iterdir()), [])

    def damaged(self, name, content):
        """What a run says of a saved failure with this content, that it is skipped; the check runs all the same."""
        shutil.rmtree(self.folder / ".muster", ignore_errors=True)
        (self.folder / ".muster").mkdir()
        path = self.folder / ".muster" / name
        path.write_bytes(content)
        done = self.run_in_folder(lost_update, "lost_update")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("FAIL lost_update: ", done.stdout)
        self.assertTrue(path.exists())
        return done.stderr

    def test_damaged_files_are_skipped_by_name(self):
        for path in sorted((source / "tests/programs/saved").iterdir()):
            for name in ("lost_update-1", "1-1", path.name):
                told = self.damaged(name, path.read_bytes())
                self.assertRegex(told, rf"^\S+lost_update: warning: a saved failure is skipped: \.muster/{name}:.*\n$")
                wrong = self.run_in_folder(lost_update, "--recheck", name, expect=2).stderr
                self.assertIn(f".muster/{name}", wrong)

    def test_a_file_that_does_not_fit_the_check_any_more_is_skipped(self):
        self.run_in_folder(work_queue, "work_queue", expect=1)
        saved = self.folder / ".muster/work_queue-1"
        whole = saved.read_text()
        for change in (("TryTake", "TakeAll"), ("heap: quarantine", "heap: hot"), ("heap: quarantine", "heap: quarantine\nagainst: nowhere.xml"),
                       ("heap: quarantine", "heap: quarantine\nquasi: Pop=2"), ("heap: quarantine", "heap: quarantine\nspec: towel\nquasi: 2")):
            self.assertIn(change[0], whole)
            shutil.rmtree(self.folder / ".muster")
            saved.parent.mkdir()
            saved.write_text(whole.replace(*change))
            done = self.run_in_folder(work_queue, "work_queue", expect=1)
            self.assertRegex(done.stderr, r"warning: a saved failure is skipped: \.muster/work_queue-1: .+\n")
            self.assertIn("of 100 random tests", done.stdout)

    def test_whatever_a_saved_file_holds_the_check_runs(self):
        found = self.run_in_folder(lost_update, "lost_update", expect=1)
        whole = (self.folder / ".muster/lost_update-1").read_bytes()
        rng = random.Random(15)
        for _ in range(60):
            text = bytearray(whole)
            for _ in range(rng.randrange(1, 4)):
                at = rng.randrange(len(text))
                if rng.random() < 0.4:
                    text[at] = rng.randrange(256)
                elif rng.random() < 0.5:
                    del text[at:at + rng.randrange(1, 9)]
                else:
                    text[at:at] = whole[rng.randrange(len(whole)):][:rng.randrange(1, 30)]
            told = self.damaged("lost_update-1", bytes(text))
            self.assertTrue(told == "" or ".muster/lost_update-1" in told, told)


unittest.main(argv=sys.argv[:1], verbosity=2)
