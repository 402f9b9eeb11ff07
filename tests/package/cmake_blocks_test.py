#!/usr/bin/env python3
"""cmake_blocks_test.py SOURCE PREFIX FOLDER: every ```cmake block of the documentation is configured, with Muster installed under PREFIX, or, where the
block brings Muster along as a folder or fetches it, with this tree. The sources it names are made up."""
import pathlib
import re
import subprocess
import sys

source, prefix, folder = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
scenario = '#include <muster/scenario.hpp>\nMUSTER_SCENARIO(nothing) {}\n'
before = """cmake_minimum_required(VERSION 3.25)
project(block LANGUAGES CXX)
find_package(TBB)
find_package(GTest)
if(NOT TARGET mylib)
  add_library(mylib INTERFACE)
endif()
"""


def configure(name, block):
    here = folder / name
    here.mkdir(parents=True)
    for file in re.findall(r"[\w.]+\.cpp", block):
        (here / file).write_text(scenario)
    as_folder = "add_subdirectory(third_party/muster)" in block
    if as_folder:
        (here / "third_party").mkdir()
        (here / "third_party/muster").symlink_to(source)
    text = "" if "cmake_minimum_required" in block else before
    fetched = "FetchContent_MakeAvailable(muster)" in block
    if "find_package(muster" not in block and not as_folder and not fetched:
        text += "find_package(muster REQUIRED)\n"
    for library in re.findall(r"INSTRUMENT (\w+)", block):
        if library != "mylib" and f"add_library({library}" not in block:
            (here / "library.cpp").write_text("void nothing() {}\n")
            text += f"add_library({library} STATIC library.cpp)\n"
    (here / "CMakeLists.txt").write_text(text + block)
    ways = [f"-DFETCHCONTENT_SOURCE_DIR_MUSTER={source}"] if fetched else [f"-DCMAKE_PREFIX_PATH={prefix}"]
    done = subprocess.run(["cmake", "-G", "Ninja", "-S", here, "-B", here / "build", *ways], capture_output=True, text=True)
    return "" if done.returncode == 0 else f"{name}:\n{block}{done.stdout}{done.stderr}"


wrong, count = [], 0
for page in [source / "README.md", *sorted((source / "docs").glob("**/*.md"))]:
    for block in re.findall(r"^```cmake\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL):
        count += 1
        wrong += filter(None, [configure(f"{page.stem}-{count}", block)])
print("\n".join(wrong) or f"{count} blocks are right")
sys.exit(1 if wrong or count < 5 else 0)
