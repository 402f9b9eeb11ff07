#!/usr/bin/env python3
"""causes_test.py SOURCE BUILD: what reports say of the cause: the point of no return, what decides, and that it is told with both sides, callers and source."""
import json
import sys
import unittest

from program_case import ProgramCase, build

# Program, and what is marked: the last line is where it shows.
marked = {
    "lost_update": [("decides", "A reads counter = 0", 9), ("no_return", "B reads counter = 0", 9), ("decisive", "main reads counter = 1", 15)],
    "missed_notification": [("decides no_return", "A notifies one waiter of mailbox.arrived_ : nobody waits", 16), ("decisive", "main waits to be notified of mailbox.arrived_", 30)],
    "lock_order": [("decides no_return", "B locks bob.mutex", 14), ("decisive", "A waits for bob.mutex, held by B", 15)],
    "work_queue": [("decides", "A locks mutex_", 10), ("no_return", "B tries to lock mutex_, held by A", 15), ("decisive", "B returns nothing", 15)],
    "use_after_free": [("decides", "main reads stack.head_ = n2", 23), ("no_return", "A exchanges stack.head_ n2 → n1", 24), ("decisive", "main reads n2.next", 24)],
    "relaxed_publication": [("races", "A writes message 0 → 42", 13), ("decisive", "main reads message = 42", 16)],
}
names = ("decides", "no_return", "races", "decisive")


class Causes(ProgramCase):
    def finding(self, program, *flags):
        strategy = () if "--unbounded" in flags else ("--strategy", "dfs")
        self.run_in_folder(build / "examples" / program, program, *strategy, *flags, "--json", "report.json", expect=1)
        return json.loads((self.folder / "report.json").read_text())["results"][0]["findings"][0]

    def marks(self, finding):
        found = []
        for step in finding["steps"]:
            marks = " ".join(name for name in names if step.get(name))
            text = " ".join(word for word in (step["thread"], step["action"], step.get("object"), step.get("detail")) if word)
            if marks:
                found.append((marks, text, step.get("line")))
        return found

    def test_what_decides_and_the_point_of_no_return_are_marked(self):
        for program, expected in marked.items():
            for flags in ((), ("--unbounded",)):
                with self.subTest(program, flags=flags):
                    finding = self.finding(program, *flags)
                    found = self.marks(finding)
                    self.assertEqual([text for _, text, _ in found][-1:], [expected[-1][1]] if not flags else [found[-1][1]])
                    if not flags:
                        self.assertEqual(found, expected)
                    elif "races" not in str(expected):
                        self.assertIn("no_return", str(found))

    def test_the_cause_is_told_in_a_sentence(self):
        self.assertEqual(self.finding("lost_update")["cause"],
                         "What decides it: A reads counter = 0 at lost_update.cpp:9, before B writes counter 0 → 1 at lost_update.cpp:10. The other way round, it comes out right.")
        self.assertNotIn("cause", self.finding("relaxed_publication"))

    def test_nothing_is_looked_for_if_nobody_wants_it(self):
        finding = self.finding("lost_update", "--cause", "0")
        self.assertNotIn("cause", finding)
        self.assertEqual([marks for marks, _, _ in self.marks(finding)], ["decisive"])

    def test_a_budget_that_is_too_small_marks_no_point_of_no_return(self):
        self.assertNotIn("no_return", str(self.marks(self.finding("lost_update", "--cause", "1"))))

    def test_a_replay_tells_the_same_cause(self):
        finding = self.finding("lost_update")
        self.run_in_folder(build / "examples/lost_update", "--replay", "lost_update-1", "--json", "replay.json", expect=1)
        again = json.loads((self.folder / "replay.json").read_text())["results"][0]["findings"][0]
        self.assertEqual(again["cause"], finding["cause"])
        self.assertEqual(self.marks(again), self.marks(finding))

    def test_requirements_tell_both_sides(self):
        self.assertIn("counter == 2 (1 == 2)", self.finding("lost_update")["sentence"])

    def test_the_source_stands_beside_where_there_is_room(self):
        program = build / "examples/lost_update"
        wide = self.run_in_folder(program, "lost_update", expect=1, COLUMNS="160").stdout
        self.assertIn("lost_update.cpp:9   ◄ decides  const int seen = counter.load();", wide)
        self.assertNotIn("const int seen", self.run_in_folder(program, "lost_update", expect=1, COLUMNS="80").stdout)

    def test_a_step_in_a_helper_names_the_call(self):
        self.assertIn("ticket_lock.cpp:24 from :12", self.run_in_folder(build / "examples/ticket_lock", "ticket_lock", expect=1, COLUMNS="160").stdout)

    def broken(self, scenario):
        self.run_in_folder(build / "tests/subjects/subjects_broken", scenario, "--json", "report.json", expect=1)
        finding = json.loads((self.folder / "report.json").read_text())["results"][0]["findings"][0]
        return [(" ".join(word for word in (step["thread"], step["action"], step.get("object"), step.get("detail")) if word), step.get("line")) for step in finding["steps"]]

    def test_what_a_predicate_looks_at_under_its_lock_is_told(self):
        steps = self.broken("thread_pool_shutdown")
        self.assertIn(("main writes pool.stopping_ false → true", 18), steps)
        self.assertEqual([step for step in steps if "reads pool.stopping_" in step[0]][:1], [("A reads pool.stopping_ = true", 36)])

    def test_a_flag_that_nobody_sets_is_told(self):
        self.assertIn(("main reads done = false", 11), self.broken("patient_polling"))

    def test_calls_of_the_library_are_told_by_name(self):
        self.assertIn(("main calls notify_one", 9), self.broken("atomic_wait_notify"))

    def test_a_return_says_after_which_line(self):
        steps = [step for step in self.finding("work_queue")["steps"] if step["action"].startswith("returns")]
        self.assertEqual([step["place"] for step in steps if step["thread"] == "B"], ["after work_queue.cpp:15"])

    def test_reports_of_the_thirteen_classes_have_fewer_than_60_lines(self):
        failing = ("manual_reset_event_pre", "concurrent_queue_pre", "queue_pre", "concurrent_linked_list_pre", "blocking_collection_pre", "blocking_collection", "concurrent_bag_pre",
                   "task_completion_source_pre", "task_completion_source", "barrier")
        for name in failing:
            with self.subTest(name):
                size = "2x3" if name == "manual_reset_event_pre" else "2x2"
                # The bag locks all lists in turn: what the default search shows first of it takes 50 steps.
                draw = ("--strategy", "dfs", "--tests", "uniform:60") if name == "concurrent_bag_pre" else ("--tests", "60")
                said = self.run_in_folder(build / "tests/subjects/subjects_lineup", name, "--size", size, *draw, expect=1).stdout
                self.assertLess(said.split("\nFAIL")[0].count("\n"), 60, said)

    def test_reports_of_failing_examples_have_fewer_than_60_lines(self):
        for program in (*marked, "ticket_lock", "channel"):
            with self.subTest(program):
                self.assertLess(self.run_in_folder(build / "examples" / program, program, expect=1).stdout.split("\nFAIL")[0].count("\n"), 60)


unittest.main(argv=sys.argv[:1], verbosity=2)
