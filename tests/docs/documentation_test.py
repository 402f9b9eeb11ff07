#!/usr/bin/env python3
"""documentation_test.py SOURCE BUILD [--update]: the documentation says what happens.

Every relative link leads to a file. Every ```console block is run, command by command, where `build/` and `examples/` are this tree's; what it prints
must be what the page shows (--update rewrites the page). Every ```cpp block that begins with an include stands in a file under examples/.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from printed import same, shown

source, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
update = "--update" in sys.argv
pages = list(source.glob("*.md")) + [page for folder in ("docs", "src", "examples", "tests/subjects") for page in (source / folder).glob("**/*.md")]
wrong = []


def check_links(page, text):
    for link in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
        if not (page.parent / link).exists():
            wrong.append(f"{page}: there is no {link}")


def squeezed(text):
    return "".join(text.split())


def check_code(page, text):
    examples = [squeezed(path.read_text()) for path in (source / "examples").glob("*/*.cpp")]
    for block in re.findall(r"^```cpp\n(#include.*?)^```", text, re.MULTILINE | re.DOTALL):
        body = block.split("\n\n", 1)[1]
        if not any(squeezed(body) in example for example in examples):
            wrong.append(f"{page}: this code is in no example:\n{block}")


def run_console(page, block):
    """The block with what its commands print now."""
    printed = ""
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(build, f"{folder}/build")
        os.symlink(source / "examples", f"{folder}/examples")
        for entry in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = entry.partition("\n")
            out = subprocess.run(command, shell=True, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
            if same(out, expected):
                printed += f"$ {entry}"
                continue
            printed += f"$ {command}\n{shown(out)}"
            if not update:
                wrong.append(f"{page}: `{command}` gives\n{out}\nand not\n{expected}")
    return printed


for page in pages:
    text = page.read_text()
    check_links(page, text)
    check_code(page, text)
    rerun = re.sub(r"^```console\n(.*?)^```", lambda found: f"```console\n{run_console(page, found[1])}```", text, flags=re.MULTILINE | re.DOTALL)
    if update and rerun != text:
        page.write_text(rerun)
print("\n".join(wrong) or f"{len(pages)} pages are right")
if wrong:
    print(f"If the programs are right: {sys.argv[0]} {source} {build} --update")
sys.exit(1 if wrong else 0)
