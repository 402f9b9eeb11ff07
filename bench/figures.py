#!/usr/bin/env python3
"""figures.py BUILD DOCS [NAME...]: runs the benchmarks of BUILD (all, or those named), keeps what each prints in DOCS/figures/NAME.txt, draws
DOCS/figures/*.svg from these files, and writes the page DOCS/reference/figures.md, anew after each. A benchmark that fails leaves what was kept of it
before, is told at the end, and can be run again alone. With --draw nothing is run: what was kept is drawn again."""
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
most_seconds = 1800  # of one benchmark
# All that a benchmark can measure; and the one table of a paper with times to keep.
ARGUMENTS = {"judge": ["--growth"], "predict": ["--long"], "roundup": ["--csv", str(build / "roundup.csv")]}
PROGRAMS = {"roundup": "reproduce_roundup"}

# One figure: what it asks, the benchmark, and how a line that it prints is read: (label, series, value).
FIGURES = [
    ("runtime", "How many executions a processor second?", "executions/s",
     r"^(?P<label>\w+) +(?P<a>\d+) +\d+ +(?P<b>\d+) +\d+ +\d+ +(?:yes|no)", {"a": "as it is", "b": "--from-start"}),
    ("runtime", "How much faster than kernel threads?", "times as fast",
     r"^(?P<label>\w+) +(?:\d+ +){5}(?:yes|no) +(?P<a>\d+)x", {"a": "fibers"}),
    ("judge", "How long from a file to a verdict?", "processor seconds",
     r"^(?P<label>[\w-]+) +(?P<size>1000000) +(?P<series>text|json) +[\d.]+ +(?P<value>[\d.]+)", None),
    ("judge", "How much memory?", "bytes an operation",
     r"^(?P<label>[\w-]+) +(?P<size>1000000) +(?P<series>text|json) +[\d.]+ +[\d.]+ +[\d.]+ +(?P<value>\d+)", None),
    ("predict", "How long does prediction take?", "ns an event",
     r"^(?P<label>.+), (?P<series>STD|binary) +(?P<size>\d+) events.* (?P<value>[\d.]+) ns/event", None),
    ("quasi", "How long for 100,000 operations at factor 4?", "processor seconds",
     r"^(?P<label>[\w-]+) +(?P<series>short|long) +\d+ +[\d.]+ +(?P<value>[\d.]+)", None),
    ("record", "What does recording cost?", "times as long", r"^(?P<label>\w+) +[\d.]+ s +(?P<a>[\d.]+) x", {"a": "run"}),
]
# Figures that show how something grows: a picture for each label, the series over the size, on a logarithmic scale.
GROWTHS = [
    ("judge", "How does the time grow with the operations?", "processor seconds, one-line text",
     r"^(?P<series>[\w-]+) +(?P<size>\d+) +text +[\d.]+ +(?P<value>[\d.]+)"),
    ("predict", "How does the time grow with the events?", "processor seconds", r"^growing, (?P<series>STD|binary) +(?P<size>\d+) events.*processor +(?P<value>[\d.]+) s"),
    ("reduction", "How many executions, by operations a thread?", "executions",
     r"^(?P<label>\w+) +(?P<size>\d+) operations? +a thread +(?P<series>bound 2|unbounded|reduced) +(?P<value>\d+) executions"),
]

# What Muster aims at: benchmark, what is measured, where it is printed, the number aimed at with its unit, and whether it is a least or a most. Two
# patterns, or one with two numbers: the last number, as a multiple of the first.
RUNTIME = r"^{} +([\d.]+) "
JUDGE = r"^{} +1000000 +{} +[\d.]+ +([\d.]+)"
OBJECTS = [("set", 0.4), ("queue", 0.6), ("stack", 1.2), ("priority-queue", 1.5), ("register", 0.6), ("single-writer", 0.4)]
NLOGN = 140  # times as much for ten million as for a hundred thousand
CROWD = r"^{}  {} threads  one naming .*? ([\d.]+) s CPU"
TARGETS = [
    *(("runtime", f"executions on {name}", RUNTIME.format(row), least, "a processor second", "least") for name, row, least in [
        ("a Treiber stack, 2 + 2", "treiber", 1_200_000), ("a Michael-Scott queue, 2 + 2", "michael_scott", 800_000),
        ("tbb::concurrent_queue, 3×3", "tbb", 250_000), ("boost::lockfree::queue, 3×3", "boost", 100_000), ("moodycamel::ConcurrentQueue, 3×3", "moodycamel", 60_000)]),
    ("runtime", "two workers on a Treiber stack", r"^treiber .* ([\d.]+)x +\d+$", 1.8, "times one", "least"),
    ("runtime", "memory after ten million executions, to a million", r"^memory: ([\d.]+) MiB .*, ([\d.]+) MiB up to", 1.05, "times", "most"),
    *(("runtime", f"tbb::concurrent_queue, 3×3, exhausted with late yields: {which}", rf"^tbb 3x3, late yields {which} .* ([\d.]+) s CPU, exhausted: yes", most, "s", "most")
      for which, most in [("none", 5), ("one", 60)]),
    ("reduction", "reduced executions of a Michael-Scott queue, 2 + 2", r"^michael_scott  2 \+ 2 threads .*; all names (\d+) executions", 900, "in all", "most"),
    ("reduction", "those of them that are complete", r"^michael_scott  2 \+ 2 threads .*; all names \d+ executions, (\d+) of them complete", 200, "executions", "most"),
    ("reduction", "complete reduced executions of a Treiber stack, 2 + 2", r"^treiber +2 \+ 2 threads .*; all names \d+ executions, (\d+) of them complete", 80, "executions", "most"),
    *(("reduction", f"a Michael-Scott queue, {size}, threads without names", CROWD.format("michael_scott", re.escape(size)), most, "s", "most") for size, most in [("3 + 3", 0.5), ("4 + 3", 3)]),
    *(("reduction", f"a reduced execution of {name}, {which}, {how}", rf"^{name} +{which}.*{where} ?([\d.]+) x", 3, "times a plain one", "most")
      for name in ["michael_scott", "treiber", "locked"] for which in ["2 threads", "4 threads", "6 threads", "a scenario, 2 threads", "a scenario, many threads"]
      for how, where in [("plain search at bound 2", " us,"), ("plain search without a bound", "at bound 2,"), ("both from the start", "where both begin at the start,")]),
    *(("judge", f"a million operations of a {name}", JUDGE.format(name, "text"), most, "s", "most") for name, most in OBJECTS),
    *(("judge", f"a million operations of a {name}, JSON", JUDGE.format(name, "json"), 1.5 * most, "s", "most") for name, most in OBJECTS),
    *(("judge", f"memory for a {name}", rf"^{name} +1000000 +text +[\d.]+ +[\d.]+ +[\d.]+ +(\d+)", 200, "bytes an operation", "most") for name, _ in OBJECTS),
    *(("judge", f"ten million operations of a {name}, to 100,000", tuple(rf"^{name} +{size} +text +[\d.]+ +([\d.]+)" for size in (100_000, 10_000_000)), NLOGN, "times (n log n)", "most")
      for name, _ in OBJECTS),
    ("judge", "all logs of etcd", r"^\d+ logs of etcd: .* ([\d.]+) s processor", 0.1, "s", "most"),
    ("judge", "c10-ok, not split by key", r"^c10-ok.txt without splitting by key: ([\d.]+) s processor, exit code 0", 20, "s", "most"),
    ("synchronisation", "matching 100,000 operations of a channel", r"^matching +channel +\d+ operations, 8 threads: ([\d.]+) s", 0.5, "s", "most"),
    ("synchronisation", "direct search against two-step, 4 threads", r"^geometric mean +[\d.]+ +([\d.]+)", 1, "times as fast", "least"),
    ("synchronisation", "that ratio with 16 threads, to 2", r"^geometric mean +([\d.]+) .* ([\d.]+)$", 1, "times", "least"),
    ("synchronisation", "a check of a channel, 4×2", r"^a check of a channel, .* ([\d.]+) s of CPU", 1, "s", "most"),
    *(("quasi", f"100,000 operations of a relaxed {name} at factor 4", rf"^{name} +long +100000 +[\d.]+ +([\d.]+)", 2, "s", "most") for name in ["queue", "stack", "priority-queue"]),
    ("roundup", "the slowest row of Round-Up, 4*4+0 at factor 3", r"^Quasi Queue \(qfactor=3\) +4\*4\+0 .* ([\d.]+) \(69m32s\)", 2, "s by the clock", "most"),
    ("roundup", "Tables I to V of Round-Up", r"; tables in ([\d.]+) s", 120, "s by the clock", "most"),
    *(("roundup", f"the judge against Algorithms 1 and 2, factor {factor}", rf"^factor {factor}: .* (\d+) times as fast", 1000, "times as fast", "least") for factor in [2, 3]),
    ("predict", "11 million events, text", r"^20 threads.*, STD +11000000 .* processor +([\d.]+) s", 2.5, "s", "most"),
    ("predict", "11 million events, binary", r"^20 threads.*, binary +11000000 .* processor +([\d.]+) s", 1, "s", "most"),
    ("predict", "memory for 11 million events", r"^20 threads.*, STD +11000000 .* baseline +(\d+) MB", 300, "MB", "most"),
    ("predict", "memory for 100 million events", r"^growing, STD +100000000 .* baseline +(\d+) MB", 300, "MB", "most"),
    *(("predict", f"an event of 100 million, to one of a million, {form}", (rf"^growing, {form} +1000000 .* ([\d.]+) ns/event", rf"^growing, {form} +100000000 .* ([\d.]+) ns/event"), 1.1, "times", "most")
      for form in ["STD", "binary"]),
    ("predict", "50 locks, 78,000 events", r"^50 locks in any order, STD +78000 .* processor +([\d.]+) s", 0.1, "s", "most"),
    ("predict", "50 locks, a million events", r"^50 locks in any order, STD +1000000 .* processor +([\d.]+) s", 2, "s", "most"),
    ("unwatched", "calls of code that is not watched, tbb::concurrent_queue, 3×3", r"^tbb .* ([\d.]+) times", 0.9, "times the executions without stubs", "least"),
    ("unwatched", "a program that calls none", r"^none .* ([\d.]+) times", 1, "times the executions without stubs", "least"),
    ("record", "a program with many locks, recorded", r"^recorded +[\d.]+ s +([\d.]+) x", 10, "times as long", "most"),
]
OF_LOGS_ELSEWHERE = {"all logs of etcd", "c10-ok, not split by key"}  # which not every machine has
COLOURS = ["#2459a8", "#b57a14", "#3f8f5b", "#a8456b", "#6a4fb3", "#5c6670"]


def programs():
    benches = (path.name.removeprefix("bench_") for path in (build / "bench").glob("bench_*") if not re.search("_(muster|tsan|tbb|subjects)$", path.name))
    return sorted([*benches, *PROGRAMS])


def program(name):
    return PROGRAMS.get(name, f"bench_{name}")


def run(name):
    """Whether it ran to its end."""
    command = [program(name), *ARGUMENTS.get(name, [])]
    print("==", *command, flush=True)
    try:
        printed = subprocess.run([str(build / "bench" / command[0]), *command[1:]], stdout=subprocess.PIPE, text=True, check=True, timeout=most_seconds).stdout
    except (OSError, subprocess.SubprocessError) as problem:
        print(problem, file=sys.stderr, flush=True)
        return False
    print(printed, flush=True)
    printed = re.sub(r"/tmp/muster-[\w-]+/", "", printed.replace(f"{build}/", "build/"))  # not where this machine keeps things
    kept.mkdir(exist_ok=True)
    (kept / f"{name}.txt").write_text(printed)
    machines = {**measured_on(), name: machine()}
    (kept / "machine.txt").write_text("".join(f"{each}\t{machines[each]}\n" for each in sorted(machines)))
    return True


def measured_on():
    """{benchmark: machine and load when it ended}"""
    file = kept / "machine.txt"
    return dict(line.split("\t", 1) for line in file.read_text().splitlines() if "\t" in line) if file.exists() else {}


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


def framed(title, unit, width, height, parts):
    """On white, with its title: readable on light and dark pages."""
    style = "text{font:12px sans-serif;fill:#1f2328}.title{font-weight:600;font-size:14px}"
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img"><title>{html.escape(title)}</title>'
            f'<style>{style}</style><rect width="100%" height="100%" fill="#fff"/><text class="title" x="10" y="22">{html.escape(title)}</text>'
            f'<text x="10" y="40">{html.escape(unit)}</text>{"".join(parts)}</svg>\n')


def left_of(labels):
    """The room that they take, right-aligned."""
    return 22 + 7 * max(map(len, labels))


def draw(title, unit, rows):
    """Horizontal bars, grouped by label."""
    series = list(dict.fromkeys(row[1] for row in rows))
    labels = list(dict.fromkeys(row[0] for row in rows))
    values = {(label, which): value for label, which, value in rows}
    most = max(values.values())
    left, width, bar = left_of(labels), 420, 16
    out, y = [], 54
    for label in labels:
        out.append(f'<text x="{left - 8}" y="{y + bar * len(series) / 2 + 4}" text-anchor="end">{html.escape(label)}</text>')
        for number, which in enumerate(series):
            if (label, which) in values:
                value = values[label, which]
                length = max(1, width * value / most)
                out.append(f'<rect x="{left}" y="{y}" width="{length:.1f}" height="{bar - 3}" fill="{COLOURS[number % len(COLOURS)]}"/>')
                out.append(f'<text x="{left + length + 6:.1f}" y="{y + bar - 5}">{shown(value)}</text>')
            y += bar
        y += 8
    for number, which in enumerate(series if len(series) > 1 else []):
        x = left + number * 130
        out.append(f'<rect x="{x}" y="{y + 6}" width="11" height="11" fill="{COLOURS[number % len(COLOURS)]}"/><text x="{x + 16}" y="{y + 16}">{html.escape(which)}</text>')
    return framed(title, unit, left + width + 90, y + 30, out)


def read_growth(name, pattern):
    """{label: {series: [(size, value)]}}"""
    curves = {}
    for line in (kept / f"{name}.txt").read_text().splitlines():
        if found := re.match(pattern, line):
            parts = found.groupdict()
            curves.setdefault(parts.get("label", "growth"), {}).setdefault(parts["series"], []).append((int(parts["size"]), float(parts["value"])))
    return curves


def labels_apart(heights):
    """The same heights, moved down where two would lie on each other."""
    free, apart = -math.inf, {}
    for which, height in sorted(heights.items(), key=lambda item: item[1]):
        free = apart[which] = max(height, free)
        free += 14
    return apart


def draw_growth(title, unit, curves):
    """Lines over the size; each power of ten is a step up."""
    points = [point for curve in curves.values() for point in curve]
    sizes = [size for size, _ in points]
    least = min(0, math.floor(math.log10(max(1e-9, min(value for _, value in points)))))
    most = max(least + 1, math.ceil(math.log10(max(value for _, value in points))))
    decades = {decade: f"{10 ** decade:,}" for decade in range(least, most + 1)}
    left, top, width, height = left_of(decades.values()), 54, 420, 240
    along = math.log10 if max(sizes) >= 100 * min(sizes) else float  # sizes of several magnitudes
    def x(size):
        return left + width * (along(size) - along(min(sizes))) / max(1e-9, along(max(sizes)) - along(min(sizes)))
    def y(value):
        return top + height * (1 - (math.log10(max(value, 10 ** least)) - least) / (most - least))
    out = []
    for decade, label in decades.items():
        out.append(f'<line x1="{left}" x2="{left + width}" y1="{y(10 ** decade):.1f}" y2="{y(10 ** decade):.1f}" stroke="#d0d7de"/>')
        out.append(f'<text x="{left - 8}" y="{y(10 ** decade) + 4:.1f}" text-anchor="end">{label}</text>')
    for size in sorted(set(sizes)):
        out.append(f'<text x="{x(size):.1f}" y="{top + height + 18}" text-anchor="middle">{size:,}</text>')
    ends = labels_apart({which: y(curve[-1][1]) for which, curve in curves.items()})
    for number, (which, curve) in enumerate(curves.items()):
        colour = COLOURS[number % len(COLOURS)]
        line = " ".join(f"{x(size):.1f},{y(value):.1f}" for size, value in curve)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for size, value in curve:
            out.append(f'<circle cx="{x(size):.1f}" cy="{y(value):.1f}" r="3" fill="{colour}"><title>{which}, {size}: {shown(value)}</title></circle>')
        out.append(f'<text x="{x(curve[-1][0]) + 8:.1f}" y="{ends[which] + 4:.1f}" style="fill:{colour}">{html.escape(which)}: {shown(curve[-1][1])}</text>')
    return framed(title, unit, left + width + 170, top + height + 32, out)


def machine():
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    cores = len(re.findall(r"^processor", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE))
    return f"{cores} cores of {model[1] if model else platform.machine()}, {platform.system()} {platform.release().split('-')[0]}; load average {os.getloadavg()[1]:.1f} at the end"


def page():
    """A part for each benchmark of which something was kept: its pictures, and what it printed."""
    for drawn in kept.glob("*.svg"):
        drawn.unlink()
    text = ["# Measured figures", "", "`./run bench` runs every benchmark, keeps what it prints in `docs/figures/`, draws these pictures from it and writes this page: no number",
            "here was copied by hand. Times of other machines differ; a calibration loop, where a benchmark has one, tells by how much.", "", *targets()]
    pictured = list(dict.fromkeys(figure[0] for figure in FIGURES + GROWTHS))
    others = sorted(path.stem for path in kept.glob("*.txt") if path.stem not in {*pictured, "machine"})
    for name in [*pictured, *others]:
        if not (kept / f"{name}.txt").exists():
            continue
        text += [f"## {program(name)}", ""]
        for picture, title in pictures(name):
            text += [f"![{title}](../figures/{picture})", ""]
        if name in measured_on():
            text += [f"On {measured_on()[name]}:", ""]
        text += ["```text", (kept / f"{name}.txt").read_text().rstrip(), "```", ""]
    (docs / "reference/figures.md").write_text("\n".join(text).rstrip() + "\n")


def pictures(name):
    """Draws what there is to draw of a benchmark: [(file, title)]."""
    drawn = []
    def draw_one(kind, title, svg):
        picture = f"{name}-{kind}.svg"
        (kept / picture).write_text(svg)
        drawn.append((picture, title))
    bars = [figure[1:] for figure in FIGURES if figure[0] == name]
    for number, (title, unit, pattern, columns) in enumerate(bars):
        if rows := read(name, pattern, columns):
            draw_one(number, title, draw(title, unit, rows))
        else:
            nothing_fits(name, title)
    for title, unit, pattern in (figure[1:] for figure in GROWTHS if figure[0] == name):
        curves = read_growth(name, pattern)
        for label, series in curves.items():
            full = title if label == "growth" else f"{label}: {title}"
            draw_one(label, full, draw_growth(full, unit, series))
        if not curves:
            nothing_fits(name, title)
    return drawn


def nothing_fits(name, title):
    complaints.append((name, f"nothing in {name}.txt fits '{title}': did the benchmark change what it prints?"))


def measure(text, pattern):
    """The number that is printed; of two, the last as a multiple of the first."""
    patterns = [pattern] if isinstance(pattern, str) else pattern
    found = [re.search(each, text, re.MULTILINE) for each in patterns]
    if not all(found):
        return None
    numbers = [float(number) for each in found for number in each.groups()]
    return numbers[0] if len(numbers) == 1 else numbers[-1] / numbers[0] if numbers[0] else None


def targets():
    """A table of what is aimed at, beside what the benchmarks printed."""
    rows = []
    for name, what, pattern, aim, unit, sense in TARGETS:
        if not (kept / f"{name}.txt").exists():
            continue
        value = measure((kept / f"{name}.txt").read_text(), pattern)
        if value is None:
            if what not in OF_LOGS_ELSEWHERE:
                nothing_fits(name, what)
            continue
        ratio = value / aim if sense == "least" else aim / value if value else float("inf")
        rows.append(f"| {what} | {shown(value)} {unit} | at {sense} {shown(aim)} | {ratio:.2f} |")
    return ["## Targets", "", "*Better* is how many times better than aimed at: below 1 the target was missed in this run. Times are processor time.", "",
            "| | measured | aimed at | better |", "| --- | --- | --- | --- |", *rows, ""] if rows else []


complaints = []  # (benchmark, what is wrong)
failed = []
if "--draw" in sys.argv:
    page()
for each in [] if "--draw" in sys.argv else wanted or programs():
    if not run(each):
        failed.append((each, "it did not run to its end"))
    complaints = failed.copy()  # what does not fit now may fit once the next one was run
    page()
if complaints:
    for name, what in complaints:
        print(f"figures.py: {name}: {what}", file=sys.stderr)
    names = " ".join(dict.fromkeys(name for name, _ in complaints))
    sys.exit(f"figures.py: not as expected: {names}; ./run bench {names} tries again")
