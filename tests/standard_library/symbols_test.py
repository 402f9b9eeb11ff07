#!/usr/bin/env python3
"""symbols_test.py RUNTIME LIST[,LIST] PROGRAM...: whatever the programs, which use all of the standard library, call in libraries that are not instrumented is interposed, or
is on a list: of what is harmless, described (a source with descriptions is a list, too), or told. Of the last list, everything must be called."""
import pathlib
import re
import subprocess
import sys
import unittest

runtime, lists, programs = sys.argv[1], [pathlib.Path(file) for file in sys.argv[2].split(",")], sys.argv[3:]


def names(*command, kinds=None):
    """The names that nm tells, without versions, as the linker knows them: all, or of some kinds."""
    said = subprocess.run(["nm", *command], capture_output=True, text=True, check=True).stdout
    words = [line.split() for line in said.splitlines()]
    return {line[-1].split("@")[0] for line in words if len(line) > 1 and (not kinds or line[-2] in kinds)}


def readable(mangled):
    return subprocess.run(["c++filt", *mangled], capture_output=True, text=True, check=True).stdout.splitlines() if mangled else []


def libraries(program):
    """The files of the libraries that are searched, all but Muster's."""
    found = re.findall(r"=> (/\S+)", subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout)
    return [file for file in found if re.search(r"/lib(stdc\+\+|c\+\+|c\+\+abi|unwind|gcc_s|c|m)\.so", file)]


def patterns(file):
    lines = file.read_text().splitlines()
    if file.suffix == ".cpp":
        described = [found[1] for found in (re.match(r"(\S.*?): (?:reads|writes) ", line) for line in lines) if found]
        return [name + "(*" if name == described_name else name for described_name, name in zip(described, readable(described))]
    return [line for line in lines if line and not line.startswith("#")]


def expression(pattern):
    return re.compile(".*".join(re.escape(part) for part in pattern.split("*")))


class Symbols(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        interposed = names("-D", "--defined-only", runtime)
        cls.called = set()
        for program in programs:
            provided = set().union(*(names("-D", "--defined-only", library) for library in libraries(program)))
            cls.called |= (names("-D", program, kinds="UwB") & provided) - interposed  # B: copied from a library
        cls.called = set(readable(sorted(cls.called)))

    def test_nothing_that_matters_is_out_of_sight(self):
        self.assertGreater(len(self.called), 100)
        harmless = [expression(pattern) for file in lists for pattern in patterns(file)]
        unwatched = sorted(name for name in self.called if not any(one.fullmatch(name) for one in harmless))
        self.assertEqual(unwatched, [], "neither watched nor on the list of what is harmless")

    def test_the_list_of_what_is_harmless_is_true(self):
        unused = [pattern for pattern in patterns(lists[-1]) if not any(expression(pattern).fullmatch(name) for name in self.called)]
        self.assertEqual(unused, [], "fits nothing any more")


unittest.main(argv=sys.argv[:1], verbosity=2)
