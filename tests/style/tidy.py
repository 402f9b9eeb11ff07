"""Sources hold to a few checks of clang-tidy: what they find is nearly always a mistake, or a copy that nobody wants.

All of src/ is looked at with MUSTER_TEST_FULL; else a quarter, another one in each commit. Where files are compiled one at
a time, and so take longer, it is a sixteenth.

usage: tidy.py PROJECT_DIR BUILD_DIR"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

project, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
checks = [
    "bugprone-use-after-move",
    "bugprone-dangling-handle",
    "bugprone-infinite-loop",
    "bugprone-sizeof-expression",
    "bugprone-string-constructor",
    "bugprone-suspicious-memset-usage",
    "bugprone-undelegated-constructor",
    "modernize-use-override",
    "performance-for-range-copy",
    "performance-unnecessary-copy-initialization",
    "performance-unnecessary-value-param",
    "readability-container-size-empty",
    "readability-redundant-smartptr-get",
]


def commands():
    """What is compiled of src/, in words that clang++ knows, too."""
    entries = []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["file"])
        if not any(file.is_relative_to(folder) for folder in (project / "src", build / "src")):
            continue
        for unknown in ("-fno-gnu-unique", "-Wno-restrict", "-Wno-subobject-linkage"):
            entry["command"] = entry["command"].replace(unknown, "")
        entries.append(entry)
    return entries


def sample(entries):
    if os.environ.get("MUSTER_TEST_FULL"):
        return entries
    head = subprocess.run(["git", "-C", project, "rev-parse", "HEAD"], capture_output=True, text=True).stdout.strip()
    together = any("Unity" in pathlib.Path(entry["file"]).parts for entry in entries)
    parts = 4 if together else 16
    return entries[int(head[:6] or "0", 16) % parts :: parts]


def tidy(folder, file):
    run = subprocess.run(
        ["clang-tidy", "--quiet", "-p", folder, f"--checks=-*,{','.join(checks)}", "--warnings-as-errors=*",
         "--header-filter=.*/(src|include-roots|include)/.*", "--extra-arg=-w", file],
        capture_output=True, text=True)
    # What clang++ refuses and g++ does not, such as other exception specifications of the C library, is no complaint here.
    complaints = re.findall(r".*(?:error|warning): .*\[(?!clang-diagnostic)[^\]]*\]", run.stdout)
    return "\n".join(complaints)


entries = commands()
if len(entries) < 10:
    sys.exit(f"{build}/compile_commands.json has hardly anything of src/: {len(entries)} files")
with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
    mistaken = pathlib.Path(folder, "mistaken.cpp")
    mistaken.write_text("struct A { virtual void f(); }; struct B : A { virtual void f(); };\n")
    entry = {"directory": folder, "command": f"c++ -c {mistaken}", "file": str(mistaken)}
    pathlib.Path(folder, "compile_commands.json").write_text(json.dumps([*entries, entry]))
    if "modernize-use-override" not in tidy(folder, str(mistaken)):
        sys.exit("clang-tidy does not find a mistake that is one")
    files = [entry["file"] for entry in sample(entries)]
    complaints = [text for text in pool.map(lambda file: tidy(folder, file), files) if text]
print(f"{len(files)} files of {len(entries)}")
for text in complaints:
    print(text)
sys.exit(1 if complaints else 0)
