#!/usr/bin/env python3
"""mistakes_test.py SOURCE BUILD: what is wrong with flags, checks and the environment is said, and loses nothing else."""
import sys
import unittest
import xml.etree.ElementTree as xml

from program_case import ProgramCase, source, build, muster, checks, lost_update, subjects


class Mistakes(ProgramCase):
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

    def test_models_that_do_not_fit_are_refused(self):
        place = f"subjects.cpp:{self.line_of('MUSTER_CHECK(counter)')}: operation add of check counter"
        self.assertIn(f"{place} gives or takes a handle: a model does not know it; leave .golden out",
                      self.run_in_folder(subjects, "counter", expect=2, GOLDEN_HANDLES="1").stderr)
        self.assertIn(f"{place} was declared on the object without its model: declare it on what .model<…>() gives",
                      self.run_in_folder(subjects, "counter", expect=2, LATE_MODEL="1").stderr)
        self.run_in_folder(subjects, "counter", "--size", "2x1", expect=0)

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
            self.assertIn("NO FINDING flag", stressed.stdout)

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

    def trace(self, name, *lines):
        (self.folder / name).write_text("".join(f"{line}|t.cpp:{number}\n" for number, line in enumerate(lines, 1)))

    def test_a_damaged_trace_hides_nothing_that_others_show(self):
        racy = ("A|fork(B)", "A|w(x)", "B|w(x)")
        self.trace("right.std", "A|w(x)", "A|r(x)")
        self.trace("racy.std", *racy)
        self.trace("damaged.std", "A|w(x)", "A|rel(m)")
        self.trace("both.std", *racy, "A|rel(m)")
        for traces, code in (
            (("right.std",), 0),
            (("damaged.std",), 2),
            (("missing.std",), 2),
            (("both.std",), 1),
            (("right.std", "damaged.std"), 2),
            (("damaged.std", "missing.std", "racy.std", "right.std"), 1),
        ):
            seen = self.run_in_folder(muster, "predict", *traces, "--json", "r.json", expect=code)
            for trace in traces:
                self.assertIn(trace, seen.stderr if trace == "missing.std" else seen.stdout)
            told = [result["subject"] for result in self.report("r.json")["results"]]
            self.assertEqual(told, [trace for trace in traces if trace != "missing.std"])


unittest.main(argv=sys.argv[:1], verbosity=2)
