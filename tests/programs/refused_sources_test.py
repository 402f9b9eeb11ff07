#!/usr/bin/env python3
"""refused_sources_test.py SOURCE COMPILER: what a check cannot mean does not compile, with one sentence that says what to write."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

source, compiler = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]

before = """
#include <muster/check.hpp>
struct Queue {
  void push(int) {}
  int pop() { return 0; }
  bool operator==(const Queue&) const = default;
};
MUSTER_CHECK(refused) {
"""

no_projection = 'leave .seen_as out, and pass what tells handles apart to the slot, object.slot<Handle>(name, projection)'


class RefusedSources(unittest.TestCase):
    def compile(self, body):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "refused.cpp")
            file.write_text(before + body + "}\n")
            return subprocess.run([compiler, "-std=c++20", f"-I{source}/include", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", file], capture_output=True, text=True)

    def refused(self, body, sentence):
        said = self.compile(body).stderr
        self.assertEqual(said.count("error:"), 1, said)
        self.assertIn(sentence, said)

    def test_the_same_written_rightly_compiles(self):
        done = self.compile("""
          auto queue = check.object<Queue>().at_rest("always", [](const Queue&) { return true; }).model<Queue>();
          queue.operation("push", &Queue::push, &Queue::push).with(1);
          auto other = check.object<Queue>();
          auto item = other.slot<int>("item", [](int value) { return value + 1; });
          other.operation("pop", &Queue::pop).gives(item);
          other.operation("look", [](Queue&, int& value) { return value; }).borrows(item).seen_as([](int value) { return value > 0; });
        """)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_model_is_no_statement_of_its_own(self):
        self.refused("auto queue = check.object<Queue>(); queue.model<Queue>();", "write auto x = check.object<T>(...).model<M>(...);")
        self.refused("auto queue = check.object<Queue>(); queue.golden<Queue>();", "write auto x = check.object<T>(...).golden<G>(...);")

    def test_a_handle_is_not_seen_as_something_else(self):
        declare = 'auto queue = check.object<Queue>(); auto item = queue.slot<int>("item"); auto project = [](int value) { return value; };'
        self.refused(declare + 'queue.operation("pop", &Queue::pop).gives(item).seen_as(project);', no_projection)
        self.refused(declare + 'queue.operation("pop", &Queue::pop).seen_as(project).gives(item);', no_projection)

    def test_what_an_operation_is_called_with_fits_it(self):
        object_ = "auto queue = check.object<Queue>(); "
        takes_object_first = "a lambda takes the object first"
        self.refused(object_ + 'queue.operation("push", &Queue::push).with("text");', takes_object_first)
        self.refused(object_ + 'queue.operation("push", &Queue::push).with(1, 2);', takes_object_first)
        self.refused(object_ + 'queue.operation("push", [](int) {}).with(1);', takes_object_first)
        self.refused(object_ + 'queue.operation("size", [] { return 1; });', takes_object_first)
        self.refused(object_ + 'queue.operation("give", [](Queue&, std::unique_ptr<int>) {}).with(std::make_unique<int>(1));', 'pass muster::make("text", [] { return …; })')

    def test_an_overloaded_member_is_named_first(self):
        said = self.compile('struct Two { void add(int) {} void add(long) {} }; auto two = check.object<Two>(); two.operation("add", &Two::add).with(1);').stderr
        self.assertEqual(said.count("error:"), 1, said)
        self.assertIn("overloaded function", said)

    def test_names_are_words(self):
        for macro, sentence in (("CHECK", "a check is called by a word"), ("SCENARIO", "a scenario is called by a word")):
            for name in ('"two words"', "1st"):
                said = self.compile(f"}}\nMUSTER_{macro}({name}) {{").stderr
                self.assertIn(sentence, said.split("error:")[1], said)


unittest.main(argv=sys.argv[:1], verbosity=2)
