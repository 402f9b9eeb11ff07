#!/usr/bin/env python3
"""tutorial_test.py TUTORIAL PREFIX FOLDER [--update]: does what docs/tutorial.md says, with Muster installed under PREFIX, and compares what is printed
with its ```text blocks (--update rewrites them)."""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "docs"))
from printed import same, shown  # noqa: E402

page, prefix, folder = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
update = "--update" in sys.argv
blocks = re.findall(r"^```(\w*)\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
codes = [text for language, text in blocks if language in ("cpp", "cmake")]
outputs = [text for language, text in blocks if language == "text"]


def run(command):
    result = subprocess.run(command, shell=True, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return result.returncode, result.stdout


def build():
    code, out = run(f"cmake -G Ninja -B build -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_PREFIX_PATH={prefix} && cmake --build build")
    if code != 0:
        sys.exit(out)


def expect(command, code, expected):
    actual, out = run(command)
    if update and actual == code:
        page.write_text(page.read_text().replace(f"```text\n{expected}```", f"```text\n{shown(out)}```"))
    elif actual != code or not same(out, expected):
        sys.exit(f"`{command}` ended with {actual} and gave\n{out}\nwhere the tutorial has {code} and\n{expected}")


folder.mkdir(parents=True, exist_ok=True)
for text in codes:
    if name := re.match(r"(?://|#) (\S+\.\w+)\n", text):
        (folder / name[1]).write_text(text)
build()
expect("build/mailbox_check", 1, outputs[0])

header = folder / "mailbox.hpp"
repaired = next(text for text in codes if text.startswith("  void put"))
header.write_text(re.sub(r"  void put\(.*?^  }\n", lambda _: repaired, header.read_text(), flags=re.MULTILINE | re.DOTALL))
build()
expect("build/mailbox_check --recheck mailbox-1", 0, outputs[1])
