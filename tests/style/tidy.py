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
        found.setdefault(command, set()).add(file)
    return {command: sorted(files) for command, files in found.items()}


class Tidy:
    """Looks at sources that a folder of its own has the commands of."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.entries = []

    def source(self, name, text, command):
        source = self.folder / name
        source.write_text(text)
        self.entries.append({"directory": str(build), "command": f"{command} -c {source}", "file": str(source)})
        (self.folder / "compile_commands.json").write_text(json.dumps(self.entries))
        return source

    def output(self, source):
        return subprocess.run(
            ["clang-tidy", "--quiet", "-p", self.folder, f"--checks=-*,{','.join(checks)}", "--warnings-as-errors=*",
             "--header-filter=.*/(src|include-roots|include)/.*", "--extra-arg=-w", "--extra-arg=-ferror-limit=0",
             source],
            capture_output=True, text=True).stdout

    def module(self, sources):
        """Of a module as one file; those whose names clash, file by file."""
        together, *alone = sources
        output = self.output(together)
        if "redefinition of" in output:
            output = "".join(self.output(source) for source in alone)
        # What clang++ refuses and g++ does not, such as other types of what it knows itself, is no complaint here.
        return re.findall(r".*(?:error|warning): .*\[(?!clang-diagnostic)[^\]]*\]", output)


modules = groups()
if len(modules) < 10:
    sys.exit(f"{build}/compile_commands.json has hardly anything of src/: {len(modules)} modules")
with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
    tidy = Tidy(folder)
    no_override = "struct A { virtual void f(); }; struct B : A { virtual void f(); };\n"
    mistaken = tidy.source("mistaken.cpp", no_override, "c++")
    sources = []
    for number, (command, files) in enumerate(sorted(modules.items(), key=lambda module: -len(module[1]))):
        includes = [f'#include "{file}"\n' for file in files]
        sources.append([tidy.source(f"module_{number}.cpp", "".join(includes), command)])
        sources[-1] += [tidy.source(f"file_{number}_{i}.cpp", line, command) for i, line in enumerate(includes)]
    if "modernize-use-override" not in "".join(tidy.module([mistaken, mistaken])):
        sys.exit("clang-tidy does not find a mistake that is one")
    complaints = sorted({line for found in pool.map(tidy.module, sources) for line in found})
print(f"{sum(len(files) for files in modules.values())} files in {len(modules)} modules")
for complaint in complaints:
    print(complaint)
sys.exit(1 if complaints else 0)
