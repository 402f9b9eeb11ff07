#!/usr/bin/env python3
"""page.py [--update]: docs/found.md is made of the programs here and of others.md; says whether it is so, or makes it so."""
import pathlib
import re
import sys
import textwrap

here = pathlib.Path(__file__).resolve().parent
page = here.parent.parent / "docs/found.md"

opening = """# Found in the wild

Real bugs in released libraries that Muster shows, one small program each. Those whose library Debian ships are built
and run with the other [examples](../examples/README.md); the rest is told with its scenario.

| library | program | known |
| --- | --- | --- |
"""


def parts(path):
    """The fields at the top of a program, its explanation, and its code."""
    comment, code = re.match(r"((?://[^\n]*\n)+)(.*)", path.read_text(), re.S).groups()
    lines = [line[2:].strip() for line in comment.splitlines()]
    fields = dict(line.split(": ", 1) for line in lines[:3])
    explanation = textwrap.fill(" ".join(lines[4:]), 120, break_long_words=False, break_on_hyphens=False)
    return fields, explanation, code.strip()


def made():
    programs = [(path, *parts(path)) for path in sorted(here.glob("*.cpp"))]
    text = opening
    for path, fields, _, _ in programs:
        text += f"| {fields['Library']} | [{path.stem}](../examples/found/{path.name}) | {fields['Known']} |\n"
    for path, fields, explanation, code in programs:
        known = textwrap.fill(f"{fields['Library']}, `{fields['Place']}`. Known: {fields['Known']}.", 120, break_long_words=False, break_on_hyphens=False)
        text += f"\n## {path.stem}\n\n{known}\n\n{explanation}\n\n<!-- run by examples/CMakeLists.txt -->\n```cpp\n{code}\n```\n"
    return text + "\n## Elsewhere\n\n" + (here / "others.md").read_text()


if "--update" in sys.argv:
    page.write_text(made())
elif not page.exists() or page.read_text() != made():
    sys.exit("docs/found.md is not what examples/found/page.py makes: run it with --update")
