#!/usr/bin/env python3
"""figures.py BUILD DOCS [NAME...]: runs the benchmarks of BUILD (all, or those named), keeps what each prints in DOCS/figures/NAME.txt, draws
DOCS/figures/*.svg from these files, and writes the page DOCS/reference/figures.md. A benchmark that fails leaves what was kept of it before, is told at
the end, and can be run again alone. With --draw nothing is run: what was kept is drawn again."""
import html
import math
import os
import pathlib
import platform
import re
import subprocess
import sys

arguments = [word for word in sys.argv[1:] if not word.startswith("--")]
build, docs = (pathlib.Path(word).resolve() for word in arguments[:2])
wanted = arguments[2:]
kept = docs / "figures"
most_seconds = 900  # of one benchmark

# One figure: what it asks, the benchmark, and how a line that it prints is read: (label, series, value).
FIGURES = [
    ("runtime", "How many executions a processor second?", "executions/s",
     r"^(?P<label>\w+) +(?P<a>\d+) +\d+ +(?P<c>\d+) +(?P<b>\d+) +\d+ +\d+ +(?:yes|no)", {"a": "as it is", "c": "--from-start", "b": "--no-races"}),
    ("runtime", "How much faster than kernel threads?", "times as fast",
     r"^(?P<label>\w+) +(?:\d+ +){6}(?:yes|no) +(?P<a>\d+)x", {"a": "fibers"}),
    ("judge", "How long from a file to a verdict?", "processor seconds",
     r"^(?P<label>[\w-]+) +(?P<size>\d+) +(?P<series>text|json) +[\d.]+ +(?P<value>[\d.]+)", None),
    ("judge", "How much memory?", "bytes an operation",
     r"^(?P<label>[\w-]+) +(?P<size>\d+) +(?P<series>text|json) +[\d.]+ +[\d.]+ +[\d.]+ +(?P<value>\d+)", None),
    ("predict", "How long does prediction take?", "ns an event",
     r"^(?P<label>.+), (?P<series>STD|binary) +(?P<size>\d+) events.* (?P<value>[\d.]+) ns/event", None),
    ("quasi", "How long for 100,000 operations at factor 4?", "processor seconds",
     r"^(?P<label>[\w-]+) +(?P<series>short|long) +\d+ +[\d.]+ +(?P<value>[\d.]+)", None),
    ("record", "What does recording cost?", "times as long", r"^(?P<label>\w+) +[\d.]+ s +(?P<a>[\d.]+) x", {"a": "run"}),
]
# Figures that show how something grows: a picture for each label, the series over the size, on a logarithmic scale.
GROWTHS = [
    ("reduction", "How many executions, by operations a thread?", "executions",
     r"^(?P<label>\w+) +(?P<size>\d+) operations? +a thread +(?P<series>bound 2|unbounded|reduced) +(?P<value>\d+) executions"),
]

# What Muster aims at: benchmark, what is measured, where it is printed, the number aimed at with its unit, and whether it is a least or a most.
RUNTIME = r"^{} +([\d.]+) "
JUDGE = r"^{} +1000000 +text +[\d.]+ +([\d.]+)"
TARGETS = [
    *(("runtime", f"executions on {name}", RUNTIME.format(row), least, "a processor second", "least") for name, row, least in [
        ("a Treiber stack, 2 + 2", "treiber", 1_200_000), ("a Michael-Scott queue, 2 + 2", "michael_scott", 800_000),
        ("tbb::concurrent_queue, 3×3", "tbb", 250_000), ("boost::lockfree::queue, 3×3", "boost", 100_000), ("moodycamel::ConcurrentQueue, 3×3", "moodycamel", 60_000)]),
    ("runtime", "two workers on a Treiber stack", r"^treiber .* ([\d.]+)x +\d+$", 1.8, "times one", "least"),
    *(("judge", f"a million operations of a {name}", JUDGE.format(name), most, "s", "most") for name, most in [
        ("set", 0.4), ("queue", 0.6), ("stack", 1.2), ("priority-queue", 1.5), ("register", 0.6), ("single-writer", 0.4)]),
    *(("judge", f"memory for a {name}", rf"^{name} +1000000 +text +[\d.]+ +[\d.]+ +[\d.]+ +(\d+)", 200, "bytes an operation", "most") for name in ["queue", "priority-queue"]),
    ("judge", "all logs of etcd", r"^\d+ logs of etcd: .* ([\d.]+) s processor", 0.1, "s", "most"),
    ("synchronisation", "matching 100,000 operations of a channel", r"^matching +channel +\d+ operations, 8 threads: ([\d.]+) s", 0.5, "s", "most"),
    ("synchronisation", "a check of a channel, 4×2", r"^a check of a channel, .* ([\d.]+) s of CPU", 1, "s", "most"),
    *(("quasi", f"100,000 operations of a relaxed {name} at factor 4", rf"^{name} +long +100000 +[\d.]+ +([\d.]+)", 2, "s", "most") for name in ["queue", "stack", "priority-queue"]),
    ("predict", "11 million events, text", r"^20 threads.*, STD +11000000 .* processor +([\d.]+) s", 2.5, "s", "most"),
    ("predict", "11 million events, binary", r"^20 threads.*, binary +11000000 .* processor +([\d.]+) s", 1, "s", "most"),
    ("predict", "memory for 11 million events", r"^20 threads.*, STD +11000000 .* baseline +(\d+) MB", 300, "MB", "most"),
    ("predict", "50 locks, 78,000 events", r"^50 locks in any order, STD +78000 .* processor +([\d.]+) s", 0.1, "s", "most"),
    ("predict", "50 locks, a million events", r"^50 locks in any order, STD +1000000 .* processor +([\d.]+) s", 2, "s", "most"),
    ("record", "a program with many locks, recorded", r"^recorded +[\d.]+ s +([\d.]+) x", 10, "times as long", "most"),
]
COLOURS = ["#2459a8", "#e0a030", "#3f8f5b", "#a8456b"]


def programs():
    return sorted(path.name.removeprefix("bench_") for path in (build / "bench").glob("bench_*") if not re.search("_(muster|tsan|tbb|subjects)$", path.name))


def run(name):
    """Whether it ran to its end."""
    print(f"== bench_{name}", flush=True)
    try:
        printed = subprocess.run([str(build / "bench" / f"bench_{name}")], stdout=subprocess.PIPE, text=True, check=True, timeout=most_seconds).stdout
    except (OSError, subprocess.SubprocessError) as problem:
        print(problem, file=sys.stderr, flush=True)
        return False
    print(printed, flush=True)
    kept.mkdir(exist_ok=True)
    (kept / f"{name}.txt").write_text(printed)
    (kept / "machine.txt").write_text(machine() + "\n")
    return True


def read(name, pattern, columns):
    """[(label, series, value)] in the order of the lines."""
    rows = []
    for line in (kept / f"{name}.txt").read_text().splitlines():
        found = re.match(pattern, line)
        if not found:
            continue
        parts = found.groupdict()
        label = parts["label"] + (f", {int(parts['size']):,}" if parts.get("size") else "")
        if columns:
            rows += [(label, title, float(parts[column])) for column, title in columns.items()]
        else:
            rows.append((label, parts["series"], float(parts["value"])))
    return rows


def shown(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def draw(title, unit, rows):
    """Horizontal bars, grouped by label; readable on light and dark pages."""
    series = list(dict.fromkeys(row[1] for row in rows))
    labels = list(dict.fromkeys(row[0] for row in rows))
    values = {(label, which): value for label, which, value in rows}
    most = max(values.values())
    left, width, bar = 10 + 7 * max(map(len, labels)), 420, 16
    out, y = [], 54
    for label in labels:
        out.append(f'<text x="{left - 8}" y="{y + bar * len(series) / 2 + 4}" text-anchor="end">{html.escape(label)}</text>')
        for number, which in enumerate(series):
            if (label, which) in values:
                value = values[label, which]
                length = max(1, width * value / most)
                out.append(f'<rect x="{left}" y="{y}" width="{length:.1f}" height="{bar - 3}" fill="{COLOURS[number % 4]}"/>')
                out.append(f'<text x="{left + length + 6:.1f}" y="{y + bar - 5}">{shown(value)}</text>')
            y += bar
        y += 8
    for number, which in enumerate(series):
        x = left + number * 130
        out.append(f'<rect x="{x}" y="{y + 6}" width="11" height="11" fill="{COLOURS[number % 4]}"/><text x="{x + 16}" y="{y + 16}">{html.escape(which)}</text>')
    style = "text{font:12px sans-serif;fill:#1f2328}.title{font-weight:600;font-size:14px}"
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 90}" height="{y + 30}" role="img"><title>{html.escape(title)}</title>'
            f'<style>{style}</style><rect width="100%" height="100%" fill="#fff"/><text class="title" x="10" y="22">{html.escape(title)}</text>'
            f'<text x="10" y="40">{html.escape(unit)}</text>{"".join(out)}</svg>\n')


def read_growth(name, pattern):
    """{label: {series: [(size, value)]}}"""
    curves = {}
    for line in (kept / f"{name}.txt").read_text().splitlines():
        if found := re.match(pattern, line):
            parts = found.groupdict()
            curves.setdefault(parts["label"], {}).setdefault(parts["series"], []).append((int(parts["size"]), float(parts["value"])))
    return curves


def draw_growth(title, unit, curves):
    """Lines over the size; each power of ten is a step up."""
    left, top, width, height = 60, 54, 420, 240
    points = [point for curve in curves.values() for point in curve]
    sizes = [size for size, _ in points]
    decades = max(1, math.ceil(math.log10(max(value for _, value in points))))
    def x(size):
        return left + width * (size - min(sizes)) / max(1, max(sizes) - min(sizes))
    def y(value):
        return top + height * (1 - math.log10(max(value, 1)) / decades)
    out = []
    for decade in range(decades + 1):
        out.append(f'<line x1="{left}" x2="{left + width}" y1="{y(10 ** decade):.1f}" y2="{y(10 ** decade):.1f}" stroke="#d0d7de"/>')
        out.append(f'<text x="{left - 8}" y="{y(10 ** decade) + 4:.1f}" text-anchor="end">{10 ** decade:,}</text>')
    for size in sorted(set(sizes)):
        out.append(f'<text x="{x(size):.1f}" y="{top + height + 18}" text-anchor="middle">{size}</text>')
    for number, (which, curve) in enumerate(curves.items()):
        colour = COLOURS[number % 4]
        line = " ".join(f"{x(size):.1f},{y(value):.1f}" for size, value in curve)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for size, value in curve:
            out.append(f'<circle cx="{x(size):.1f}" cy="{y(value):.1f}" r="3" fill="{colour}"><title>{which}, {size}: {shown(value)}</title></circle>')
        out.append(f'<text x="{x(curve[-1][0]) + 8:.1f}" y="{y(curve[-1][1]) + 4:.1f}">{html.escape(which)}: {shown(curve[-1][1])}</text>')
    style = "text{font:12px sans-serif;fill:#1f2328}.title{font-weight:600;font-size:14px}"
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 170}" height="{top + height + 32}" role="img"><title>{html.escape(title)}</title>'
            f'<style>{style}</style><rect width="100%" height="100%" fill="#fff"/><text class="title" x="10" y="22">{html.escape(title)}</text>'
            f'<text x="10" y="40">{html.escape(unit)}</text>{"".join(out)}</svg>\n')


def machine():
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    cores = len(re.findall(r"^processor", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE))
    return f"{cores} cores of {model[1] if model else platform.machine()}, {platform.system()} {platform.release().split('-')[0]}; load average {os.getloadavg()[1]:.1f} at the end"


def page():
    """Every figure that there is something to draw of; the text under each is what the benchmark printed."""
    described = (kept / "machine.txt").read_text().strip()
    text = ["# Measured figures", "", "`./run bench` runs every benchmark, keeps what it prints in `docs/figures/`, draws these pictures from it and writes this page: no number",
            "here was copied by hand. Times of other machines differ; a calibration loop, where a benchmark has one, tells by how much.", "", f"Measured on {described}.", ""]
    text += targets()
    for name in {figure[0] for figure in FIGURES}:
        for drawn in kept.glob(f"{name}-[0-9]*.svg"):
            drawn.unlink()
    before = None
    for number, (name, title, unit, pattern, columns) in enumerate(FIGURES):
        if not (kept / f"{name}.txt").exists():
            continue
        rows = read(name, pattern, columns)
        if before not in (None, name):
            text += printed(before)
        if before != name:
            text += [f"## bench_{name}", ""]
        if rows:
            picture = f"{name}-{number}.svg"
            (kept / picture).write_text(draw(title, unit, rows))
            text += [f"![{title}](../figures/{picture})", ""]
        else:
            print(f"figures.py: nothing in {name}.txt fits the figure '{title}': did the benchmark change what it prints?", file=sys.stderr)
            failed.append(name)
        before = name
    if before:
        text += printed(before)
    for name, title, unit, pattern in GROWTHS:
        if not (kept / f"{name}.txt").exists():
            continue
        curves = read_growth(name, pattern)
        if not curves:
            sys.exit(f"figures.py: nothing in {name}.txt fits the figure '{title}': did the benchmark change what it prints?")
        text += [f"## bench_{name}", ""]
        for label, series in curves.items():
            picture = f"{name}-{label}.svg"
            (kept / picture).write_text(draw_growth(f"{label}: {title}", unit, series))
            text += [f"![{label}: {title}](../figures/{picture})", ""]
        text += printed(name)
    pictured = {figure[0] for figure in FIGURES + GROWTHS}
    for other in sorted(path.stem for path in kept.glob("*.txt") if path.stem not in pictured | {"machine"}):
        text += [f"## bench_{other}", "", *printed(other)]
    (docs / "reference/figures.md").write_text("\n".join(text).rstrip() + "\n")


def targets():
    """A table of what is aimed at, beside what the benchmarks printed."""
    rows = []
    for name, what, pattern, aim, unit, sense in TARGETS:
        if (kept / f"{name}.txt").exists() and (found := re.search(pattern, (kept / f"{name}.txt").read_text(), re.MULTILINE)):
            value = float(found[1])
            ratio = value / aim if sense == "least" else aim / value if value else float("inf")
            rows.append(f"| {what} | {shown(value)} {unit} | at {sense} {shown(aim)} | {ratio:.2f} |")
    return ["## Targets", "", "*Better* is how many times better than aimed at: below 1 the target was missed in this run. Times are processor time.", "",
            "| | measured | aimed at | better |", "| --- | --- | --- | --- |", *rows, ""] if rows else []


def printed(name):
    return ["```text", (kept / f"{name}.txt").read_text().rstrip(), "```", ""]


failed = [] if "--draw" in sys.argv else [program for program in wanted or programs() if not run(program)]
page()
if failed:
    names = " ".join(dict.fromkeys(failed))
    sys.exit(f"figures.py: not as expected: {names}; ./run bench {names} tries again")
