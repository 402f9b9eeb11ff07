#!/usr/bin/env python3
"""legal_test.py SOURCE BUILD COMPILER: what C++ allows passes in every mode, in code of g++ and of clang++: no finding, and nothing undecided.

COMPILER is the one of the build. Without MUSTER_TEST_FULL the samples are small, and the other compiler has a part of the sources."""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

source, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
compiler = sys.argv[3]
other_compiler = shutil.which("g++" if "clang" in pathlib.Path(compiler).name else "clang++")
full = "MUSTER_TEST_FULL" in os.environ
program = build / "tests/subjects/subjects_legal"
sources = sorted((source / "tests/subjects/legal").glob("*.cpp"))

samples = {strategy: ["--strategy", strategy, "--executions", "2000" if full else "50"] for strategy in ("random", "pct", "pos")}
exhaustive = {
    "bounded": [],
    "reduced": ["--unbounded"],
    "spurious failures": ["--spurious", "1", "--bound", "1"],
    "blocks used again": ["--heap", "reuse", "--bound", "1"],
    "from the start": ["--from-start", "--bound", "1"],
}
samples["random, with spurious failures, blocks used again by others"] = [*samples["random"], "--spurious", "2", "--heap", "shared-reuse"]
modes = {**exhaustive, **samples}


class Legal(unittest.TestCase):
    def what_is_wrong(self, program, mode, scenarios, environment):
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder, "r.json")
            done = subprocess.run([program, *modes[mode], "--hang", "60", "--json", report], cwd=folder, capture_output=True, text=True, timeout=900,
                                  env={**os.environ, **environment})
            results = json.loads(report.read_text())["results"] if report.exists() else []
        wanted = "passed" if mode in exhaustive else "no-finding"
        if done.returncode == 0 and [r["outcome"] for r in results] == [wanted] * scenarios:
            return ""
        return f"{mode}: exit {done.returncode}, {len(results)} of {scenarios} scenarios\n{done.stdout}{done.stderr}"

    def passes(self, program, sources, modes, **environment):
        scenarios = sum(len(re.findall(r"(?m)^MUSTER_SCENARIO", file.read_text())) for file in sources)
        self.assertGreater(scenarios, 20)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            wrong = pool.map(lambda mode: self.what_is_wrong(program, mode, scenarios, environment), modes)
            self.assertEqual("", "\n".join(filter(None, wrong)))

    def test_on_fibers(self):
        self.passes(program, sources, modes)

    def test_on_kernel_threads(self):
        self.passes(program, sources, modes if full else ["from the start", "pct"], MUSTER_THREADS="kernel")

    @unittest.skipIf(not other_compiler, "there is one compiler only")
    def test_by_the_other_compiler(self):
        mine = sources if full else [file for file in sources if file.stem in ("atomics", "library", "memory")]
        with tempfile.TemporaryDirectory() as folder:
            program = self.compiled(mine, pathlib.Path(folder))
            self.passes(program, mine, modes if full else ["bounded", "pos"])
            if full:
                self.passes(program, mine, modes, MUSTER_THREADS="kernel")

    def compiled(self, sources, folder):
        """The flags are those of the package, the libraries those of the build."""
        package = (build / "package/muster.pc").read_text().replace("-I${includedir}", "")
        flags = re.search(r"(?m)^clang_cflags=(.*)" if "clang" in other_compiler else r"(?m)^Cflags: (.*)", package)[1].split()
        compile = [other_compiler, "-std=c++20", "-O2", f"-I{source}/include", *flags, "-c"]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda file: subprocess.run([*compile, file, "-o", folder / f"{file.stem}.o"], check=True), sources))
        link = [other_compiler, *(folder / f"{file.stem}.o" for file in sources), "-o", folder / "legal", build / "src/libmuster_main.a", build / "libmuster.so",
                build / "src/libmuster_standard_library.a", "-Wl,--exclude-libs,libmuster_standard_library.a", f"-Wl,-rpath,{build}", "-Wl,-z,now", "-pthread"]
        subprocess.run(link, check=True)
        return folder / "legal"


unittest.main(argv=sys.argv[:1], verbosity=2)
