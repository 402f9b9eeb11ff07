#!/usr/bin/env python3
"""documentation_test.py SOURCE BUILD [--update]: the documentation says what happens.

Every relative link leads to a file, and every block of code is compiled or run:

  console   run, command by command, where `build/`, `examples/` … are this tree's; prints what the page shows (--update rewrites the page)
  sh        run as one script that must not fail: `muster` and the programs of `stand_ins` are there
  cpp       stands, but for white space, in a file that the build or the package tests compile; so does cmake in the package tests
  json, std judged by `muster check`, validated by `muster trace`
  text      a drawing, or what a command prints that is run elsewhere

What is run elsewhere says so in the line before: <!-- run by FILE -->. Blocks without a language, or indented ones, are refused.
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
fence = re.compile(r"(?:^ *<!-- run by (\S+) -->\n+)?^( *)```(\w*)\n(.*?)^\2```$", re.MULTILINE | re.DOTALL)
# Programs that pages call as their reader's own.
stand_ins = {"bank": build / "tests/subjects/prediction/bank", "queue_check": build / "examples/work_queue", "lost_update": build / "examples/lost_update"}
environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}


def squeezed(text):
    return "".join(text.split())


def compiled(*patterns):
    return [squeezed(path.read_text()) for pattern in patterns for path in source.glob(pattern)]


compiled_cpp = compiled("examples/*/*.cpp", "tests/docs/*.cpp", "tests/package/**/*.cpp", "tests/subjects/**/*.cpp")


class Folder:
    """An empty folder in which the commands of a page find what they name."""

    def __enter__(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.temporary.name)
        (self.path / "build").symlink_to(build)
        for name in ("examples", "include", "tests"):
            (self.path / name).symlink_to(source / name)
        for name, program in stand_ins.items():
            (self.path / name).symlink_to(program)
        return self

    def __exit__(self, *_):
        self.temporary.cleanup()

    def run(self, command):
        path = f"{build}:{self.path}:{environment['PATH']}"
        done = subprocess.run(command, shell=True, cwd=self.path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**environment, "PATH": path})
        return done.returncode, done.stdout


def check_links(page, text):
    for link in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", fence.sub("", text)):
        if not (page.parent / link).exists():
            wrong.append(f"{page}: there is no {link}")


def check_cpp(page, block):
    head, _, rest = block.partition("\n\n")
    body = rest if rest and "#include" in head else block  # pages do not show every include
    if not any(squeezed(body) in example for example in compiled_cpp):
        wrong.append(f"{page}: this code is in no file that is compiled:\n{block}")


def check_script(page, block):
    with Folder() as folder:
        for name, content in {"history.edn": '[{:process 0, :type :invoke, :f :write, :value 1, :time 10} {:process 0, :type :ok, :f :write, :value 1, :time 20}]',
                              "bank.std": (source / "examples/10-prediction/deposit.std").read_text()}.items():
            (folder.path / name).write_text(content + "\n")
        for command in re.sub(r"\\\n\s*", "", block).splitlines():
            code, out = folder.run(command)
            if code not in (0, 1) or "not found" in out:
                wrong.append(f"{page}: `{command}` ends with {code}:\n{out}")


def check_data(page, language, block):
    command = "muster check -" if language == "json" else "muster trace validate block"
    with Folder() as folder:
        (folder.path / "block").write_text(block)
        code, out = folder.run(command + " < block")
        if code not in (0, 1):
            wrong.append(f"{page}: this is not read:\n{block}{out}")


def run_console(page, block):
    """The block with what its commands print now."""
    printed = ""
    with Folder() as folder:
        for entry in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = entry.partition("\n")
            _, out = folder.run(command)
            if same(out, expected):
                printed += f"$ {entry}"
                continue
            printed += f"$ {command}\n{shown(out)}"
            if not update:
                wrong.append(f"{page}: `{command}` gives\n{out}\nand not\n{expected}")
    return printed


def check_block(page, found):
    """The block as it should be."""
    elsewhere, indent, language, indented = found.groups()
    block = re.sub(f"^{indent}", "", indented, flags=re.MULTILINE)
    if elsewhere:
        if not (source / elsewhere).exists():
            wrong.append(f"{page}: there is no {elsewhere}")
    elif language == "console":
        return found[0].replace(indented, re.sub("^(?=.)", indent, run_console(page, block), flags=re.MULTILINE))
    elif language == "cpp":
        check_cpp(page, block)
    elif language == "sh":
        check_script(page, block)
    elif language in ("json", "std"):
        check_data(page, language, block)
    elif language != "text":
        wrong.append(f"{page}: who runs this block of '{language}'?\n{block}")
    return found[0]


for page in pages:
    text = page.read_text()
    check_links(page, text)
    if indented := re.search(r"\n\n(    | {7,})[^\s*-].*", fence.sub("", text)):
        wrong.append(f"{page}: an indented block is not run:{indented[0]}")
    checked = fence.sub(lambda found: check_block(page, found), text)
    if update and checked != text:
        page.write_text(checked)
print("\n".join(wrong) or f"{len(pages)} pages are right")
if wrong:
    print(f"If the programs are right: {sys.argv[0]} {source} {build} --update")
sys.exit(1 if wrong else 0)
