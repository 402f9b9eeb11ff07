#!/usr/bin/env python3
"""compilers_test.py SOURCE BUILD GNU_FLAGS CLANG_FLAGS: programs have the same verdicts whichever compiler and standard library they are built with. All of the subjects,
and what programs call, with MUSTER_TEST_FULL; compilers and libraries that are not installed are passed over, saying so."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

source, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
flags = {"GNU": sys.argv[3].split(), "Clang": sys.argv[4].split()}
here, subjects = source / "tests/standard_library", source / "tests/subjects"
full = "MUSTER_TEST_FULL" in os.environ


class Compiler:
    def __init__(self, command, kind, *options):
        self.command, self.kind, self.options = command, kind, options

    def is_installed(self):
        if not shutil.which(self.command):
            return False
        done = subprocess.run([self.command, *self.options, "-xc++", "-fsyntax-only", "-"], input="#include <version>\\n", text=True, capture_output=True)
        return done.returncode == 0

    def compile(self, file, into, *options):
        done = subprocess.run([self.command, *flags[self.kind], "-std=c++20", "-O1", "-w", f"-I{source}/include", *self.options, *options, "-c", file, "-o", into], capture_output=True, text=True)
        assert done.returncode == 0, f"{file}: {done.stderr}"

    def link(self, objects, program):
        libraries = [build / "src/libmuster_main.a", build / "libmuster.so", "-Wl,--exclude-libs,libmuster_standard_library.a", build / "src/libmuster_standard_library.a"]
        done = subprocess.run([self.command, *self.options, "-pthread", "-Wl,-z,now", "-Wl,--no-as-needed", build / "libmuster.so", "-Wl,--as-needed", *objects, *libraries,
                               f"-Wl,-rpath,{build}", "-o", program], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


class Compilers(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def compiler(self, *description):
        compiler = Compiler(*description)
        if not compiler.is_installed():
            self.skipTest(f"{' '.join(description[:1] + description[2:])} is not installed")
        return compiler

    def build(self, compiler, sources, *options):
        objects = [self.folder / f"{file.stem}.o" for file in sources]
        for file, into in zip(sources, objects):
            compiler.compile(file, into, *options, *(["-std=c++17"] if file.stem.endswith("cxx17") else []))
        compiler.link(objects, self.folder / "program")
        return self.folder / "program"

    def kinds(self, program, *names):
        """The kinds of findings of each scenario."""
        done = subprocess.run([program, *names, "--json", "report.json"], cwd=self.folder, capture_output=True, text=True)
        self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
        results = json.loads((self.folder / "report.json").read_text())["results"]
        return {result["subject"]: {finding["kind"] for finding in result["findings"]} for result in results}

    def any_library(self, *description):
        found = self.kinds(self.build(self.compiler(*description), [here / "any_library.cpp"]))
        self.assertGreater(len(found), 20)
        wrong = {name: kinds for name, kinds in found.items() if (name.startswith("bad_") and "race" not in kinds) or (name.startswith("ok_") and kinds)}
        self.assertEqual(wrong, {})

    def all_subjects(self, *description):
        rows = [line.split("\t") for line in (subjects / "EXPECTED.tsv").read_text().splitlines() if line.startswith("standard_library\t")]
        found = self.kinds(self.build(self.compiler(*description), sorted((subjects / "standard_library").glob("*.cpp"))))
        wrong = {row[2]: found.get(row[2]) for row in rows if found.get(row[2]) is None or (row[3] == "pass") != (not found[row[2]]) or (row[3] != "pass" and row[3] not in found[row[2]])}
        self.assertEqual(wrong, {})

    def test_clang_with_libstdcxx(self):
        self.any_library("clang++", "Clang")

    def test_clang_with_libcxx(self):
        self.any_library("clang++", "Clang", "-stdlib=libc++")

    def test_openmp_with_clang(self):
        compiler = self.compiler("clang++", "Clang", "-fopenmp")
        found = subprocess.run(["clang++", "-print-file-name=libomp.so"], capture_output=True, text=True, check=True).stdout.strip()
        if not os.path.exists(found):
            self.skipTest("libomp-dev is not installed")
        program = self.build(compiler, [subjects / "libraries/with_packages/openmp.cpp"])
        for scenario, expect, words in (
            ("openmp_barrier", 0, "PASS"), ("openmp_barrier_forgotten", 1, "race|not met"), ("openmp_critical", 0, "PASS"), ("openmp_critical_of_two_names", 1, "race"),
            ("openmp_single", 0, "PASS"), ("openmp_loop", 0, "PASS"), ("openmp_alone", 0, "PASS"), ("openmp_loops", 0, "PASS"), ("openmp_master", 0, "PASS"),
            ("openmp_dynamic_loop", 3, "__kmpc_dispatch_init_4 is described as not supported")):
            with self.subTest(scenario):
                done = subprocess.run([program, scenario], cwd=self.folder, capture_output=True, text=True)
                self.assertEqual(done.returncode, expect, done.stdout)
                self.assertRegex(" ".join(done.stdout.split()), words)

    @unittest.skipUnless(full, "MUSTER_TEST_FULL is not set")
    def test_libstdcxx_11(self):
        self.any_library("g++-11", "GNU")

    @unittest.skipUnless(full, "MUSTER_TEST_FULL is not set")
    def test_all_subjects_with_clang(self):
        self.all_subjects("clang++", "Clang")

    @unittest.skipUnless(full, "MUSTER_TEST_FULL is not set")
    def test_all_subjects_with_libstdcxx_11(self):
        self.all_subjects("g++-11", "GNU")

    @unittest.skipUnless(full, "MUSTER_TEST_FULL is not set")
    def test_what_is_called(self):
        harmless, here_told = source / "src/instrument/harmless", here / "libcxx_told.txt"
        gnu, clang = [harmless / "libstdcxx.txt"], [harmless / "libstdcxx.txt", harmless / "libstdcxx_clang.txt"]
        llvm = [harmless / "libstdcxx.txt", harmless / "libcxx.txt", source / "src/instrument/libcxx_descriptions.cpp", here_told]
        nothing = self.folder / "nothing.txt"  # what must be used is known for the other compilers only
        nothing.write_text("")
        for description, lists, optimised in ((("clang++", "Clang"), clang, "-O0"), (("clang++", "Clang", "-stdlib=libc++"), llvm, "-O0"),
                                              (("g++-11", "GNU"), [*gnu, nothing], "-O0"), (("g++", "GNU"), [*gnu, nothing], "-O2")):
            with self.subTest(description=description):
                programs = []
                for file in ("everything.cpp", "everything_cxx17.cpp"):
                    program = self.build(self.compiler(*description), [here / file], optimised, "-g0")
                    programs.append(program.rename(self.folder / file[:-4]))
                done = subprocess.run([sys.executable, here / "symbols_test.py", build / "libmuster.so", ",".join(map(str, lists)), *programs], capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)


unittest.main(argv=sys.argv[:1], verbosity=2)
