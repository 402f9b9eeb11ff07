"""Sources hold to a few checks of clang-tidy: what they find is nearly always a mistake, or a copy that nobody wants.

All of src/ is looked at, a module at a time, as if it were one file: most of the time would else go into headers, which
are looked at again for each file.

usage: tidy.py PROJECT_DIR BUILD_DIR"""

import concurrent.futures
import json
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


def groups():
    """What is compiled of src/ by the same command, which is a module: a list of files a command, in words that clang++
    knows, too."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["file"])
        if not any(file.is_relative_to(folder) for folder in (project / "src", build / "src")):
            continue
        command = re.sub(r" -o \S+ -c \S+$", "", entry["command"])
        for unknown in ("-fno-gnu-unique", "-Wno-restrict", "-Wno-subobject-linkage"):
            command = command.replace(unknown, "")
        found.setdefault(command, []).append(file)
    return found


def write_together(folder, modules):
    """A source for each module, which is all of them: their headers are read, and looked at, once. Largest first."""
    entries = []
    for number, (command, files) in enumerate(sorted(modules.items(), key=lambda module: -len(module[1]))):
        source = pathlib.Path(folder, f"module_{number}.cpp")
        source.write_text("".join(f'#include "{file}"\n' for file in files))
        entries.append({"directory": str(build), "command": f"{command} -c {source}", "file": str(source)})
    return entries


def tidy(folder, file):
    run = subprocess.run(
        ["clang-tidy", "--quiet", "-p", folder, f"--checks=-*,{','.join(checks)}", "--warnings-as-errors=*",
         "--header-filter=.*/(src|include-roots|include)/.*", "--extra-arg=-w", file],
        capture_output=True, text=True)
    # What clang++ refuses and g++ does not, such as other exception specifications of the C library, is no complaint here.
    complaints = re.findall(r".*(?:error|warning): .*\[(?!clang-diagnostic)[^\]]*\]", run.stdout)
    return "\n".join(complaints)


modules = groups()
if len(modules) < 10:
    sys.exit(f"{build}/compile_commands.json has hardly anything of src/: {len(modules)} modules")
with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
    entries = write_together(folder, modules)
    mistaken = pathlib.Path(folder, "mistaken.cpp")
    mistaken.write_text("struct A { virtual void f(); }; struct B : A { virtual void f(); };\n")
    entry = {"directory": folder, "command": f"c++ -c {mistaken}", "file": str(mistaken)}
    pathlib.Path(folder, "compile_commands.json").write_text(json.dumps([*entries, entry]))
    if "modernize-use-override" not in tidy(folder, str(mistaken)):
        sys.exit("clang-tidy does not find a mistake that is one")
    complaints = [text for text in pool.map(lambda entry: tidy(folder, entry["file"]), entries) if text]
print(f"{sum(len(files) for files in modules.values())} files in {len(modules)} modules")
for text in complaints:
    print(text)
sys.exit(1 if complaints else 0)
