#!/usr/bin/env python3
"""documentation_test.py SOURCE BUILD: the documentation says what happens.

Every relative link leads to a file. Every ```console block is run, line by line, where `build/` and `examples/` are this tree's; its output must be
what the page prints, but for times. Every ```cpp block that begins with an include stands in a file under examples/.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

source, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
pages = [page for folder in (".", "docs", "src", "examples", "tests/subjects") for page in (source / folder).glob("*.md" if folder == "." else "**/*.md")]
wrong = []


def without_times(text):
    text = re.sub(r"\d+\.\d\d s", "T s", text)
    # Which libraries the machine's own libraries pull in is no business of a page.
    text = re.sub(r"\n     Not watched inside: .*", "", text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def check_links(page, text):
    for link in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
        if not (page.parent / link).exists():
            wrong.append(f"{page}: there is no {link}")


def check_code(page, text):
    examples = ["".join(path.read_text().split()) for path in (source / "examples").glob("*/*.cpp")]
    for block in blocks(text, "cpp"):
        if block.startswith("#include <") and not any("".join(part.split()) in example for example in examples for part in [block.split("\n\n", 1)[1]]):
            wrong.append(f"{page}: this code is in no example:\n{block}")


def check_console(page, text):
    for block in blocks(text, "console"):
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(build, f"{folder}/build")
            os.symlink(source / "examples", f"{folder}/examples")
            for entry in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, expected = entry.partition("\n")
                run = subprocess.run(command, shell=True, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                if without_times(run.stdout) != without_times(expected):
                    wrong.append(f"{page}: `{command}` gives\n{run.stdout}\nand not\n{expected}")


for page in pages:
    text = page.read_text()
    check_links(page, text)
    check_code(page, text)
    check_console(page, text)
print("\n".join(wrong) or f"{len(pages)} pages are right")
sys.exit(1 if wrong else 0)
