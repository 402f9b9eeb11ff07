"""The histories that `--histories` writes, compared by their maximal real-time orders."""
import re


class History:
    """Operations by name of thread and place, with their answers and who had returned when each was called."""

    def __init__(self, stuck, lines):
        self.stuck, self.answers, self.before = stuck, {}, {}
        calls, returned, pending = {}, set(), {}
        for line in lines:
            thread, what = line.split(": ", 1)
            if not what.startswith("-> "):
                name = f"{thread}{calls.setdefault(thread, 0)}"
                calls[thread] += 1
                self.before[name] = frozenset(returned)
                pending[thread], (call, _, answer) = name, what.partition(" -> ")
                self.answers[name] = call
            if "-> " in what:
                self.answers[pending[thread]] += " " + what[what.index("-> "):]
                returned.add(pending[thread])
        self.rename_handles()
        self.finish()

    def finish(self):
        """To be called once all is known."""
        self.outcome = (self.stuck, tuple(sorted(self.answers.items())))
        self.key = (self.outcome, tuple(sorted((name, tuple(sorted(order))) for name, order in self.before.items())))

    def rename_handles(self):
        """Handles are named after the first operation that returned them: here after the least, which no order changes."""
        least = {}
        for name, answer in sorted(self.answers.items()):
            self.answers[name] = re.sub(r"(?<=-> )\w+#\w+$", lambda label: least.setdefault(label.group(), f"#{name}"), answer)

    def refines(self, other):
        return self.outcome == other.outcome and all(other.before[name] <= order for name, order in self.before.items())


def read_histories(path):
    histories = {}
    for block in re.split(r"\n\n", path.read_text().rstrip("\n")):
        lines = [line for line in block.split("\n") if line and not line.startswith("#")]
        if not lines:
            continue
        history = History(lines[0].startswith("stuck"), lines[1:])
        histories[history.key] = history
    return histories


def missing(wanted, there):
    """Histories of `wanted` that no history of `there` refines."""
    by_outcome = {}
    for history in there.values():
        by_outcome.setdefault(history.outcome, []).append(history)
    return [h for h in wanted.values() if not any(g.refines(h) for g in by_outcome.get(h.outcome, []))]


def tell(kind, histories):
    return [f"  {kind}: {h.outcome} {dict(h.before)}" for h in histories]
