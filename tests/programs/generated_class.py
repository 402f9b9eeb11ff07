"""Small classes at random, and all that can be seen of them, told by going through every interleaving of their steps.

An operation is a list of steps, as `tests/subjects/checks/generated_class_check.cpp` performs them; this knows nothing of the
engine. Classes have two atomic fields, two plain ones, a mutex and a condition variable."""
import itertools

from histories import History


class TooLarge(Exception):
    pass


class GeneratedClass:
    """Operations by name, and the calls of each column of the test."""

    def __init__(self, operations, columns):
        self.operations = operations
        self.columns = columns

    def text(self):
        return "; ".join(" ".join(self.operations[name]) for name in sorted(self.operations))

    def matrix(self):
        return " | ".join(", ".join(column) for column in self.columns)

    def __str__(self):
        return f"GENERATED_CLASS='{self.text()}' --matrix '{self.matrix()}'"


def generated(rng):
    operations = {name: _steps(rng, kind) for kind in [rng.choice(("locked", "atomic", "waiting", "mixed"))] for name in "abc"[:rng.choice((2, 2, 3))]}
    names = sorted(operations)
    shape = rng.choice(((1, 1), (2, 1), (2, 1), (2, 2), (1, 1, 1)))
    return GeneratedClass(operations, [[rng.choice(names) for _ in range(calls)] for calls in shape])


def _steps(rng, kind):
    field = lambda: str(rng.randrange(2))
    plain = lambda: rng.choice((["R" + field()], [f"W{field()}{rng.randrange(1, 3)}"], ["I" + field()], ["R" + field(), "I" + field()]))
    atomic = lambda: rng.choice((["A" + field()], [f"S{field()}{rng.randrange(1, 3)}"], [f"F{field()}1"], [f"C{field()}0{rng.randrange(1, 3)}"],
                                 ["A" + field(), "?1", f"S{field()}1"], ["A" + field(), f"S{field()}{rng.randrange(1, 3)}"]))
    locked = lambda steps: ["L", *steps, "U"]
    if kind == "locked":
        return plain() if rng.random() < 0.15 else locked(plain() + (plain() if rng.random() < 0.4 else []))
    if kind == "atomic":
        return atomic() + (atomic() if rng.random() < 0.3 else [])
    if kind == "waiting":
        notify = rng.choice("nN")
        return rng.choice((locked(["Q01"]), locked(["Q01", "W00"]), locked(["W01"]) + [notify], locked(["W01", notify]), locked(["I0", notify]), ["P01"], ["S01"], ["F01"],
                           ["P01", "S00"], ["F01", "?6", "L", "Q01", "R1", "W11", "U"], locked(["R0", "?1", "Q11"]), locked(["W11", notify])))
    return rng.choice((plain, atomic, lambda: locked(plain()), lambda: locked(atomic()), lambda: _steps(rng, "waiting"), lambda: atomic() + locked(plain())))()


# ---- all interleavings ----

_NOBODY = -1
_RUNS, _WAITS, _WOKEN = range(3)


class _Thread:
    """Where a thread is: which of its calls, which step of it, what the call has seen."""
    __slots__ = ("call", "step", "seen", "begun", "half", "state")

    def __init__(self, call=0, step=0, seen=0, begun=False, half=None, state=_RUNS):
        self.call, self.step, self.seen, self.begun, self.half, self.state = call, step, seen, begun, half, state

    def key(self):
        return (self.call, self.step, self.seen, self.begun, self.half, self.state)


class _World:
    """A state that the object and its callers can be in, and what has been seen on the way there."""

    def __init__(self, made):
        self.made = made
        self.words, self.plain, self.owner, self.waiting = [0, 0], [0, 0], _NOBODY, frozenset()
        self.threads = [_Thread() for _ in made.columns]
        self.before, self.answers = {}, {}

    def copy(self):
        other = object.__new__(_World)
        other.made, other.owner, other.waiting = self.made, self.owner, self.waiting
        other.words, other.plain = self.words[:], self.plain[:]
        other.threads = [_Thread(*thread.key()) for thread in self.threads]
        other.before, other.answers = dict(self.before), dict(self.answers)
        return other

    def key(self):
        return (tuple(self.words), tuple(self.plain), self.owner, self.waiting, tuple(thread.key() for thread in self.threads),
                tuple(sorted(self.before.items())), tuple(sorted(self.answers.items())))

    def steps(self, t):
        return self.made.operations[self.made.columns[t][self.threads[t].call]]

    def next(self, t):
        """The thread's next step; nothing at its end."""
        return None if self.threads[t].call == len(self.made.columns[t]) else self.steps(t)[self.threads[t].step]

    def is_blocked(self, t):
        step, thread = self.next(t), self.threads[t]
        if step is None or thread.state == _WAITS:
            return True
        if thread.state == _WOKEN or step[0] == "L":
            return self.owner != _NOBODY
        return step[0] == "P" and self.words[int(step[1])] != int(step[2])

    def plain_access(self, t):
        """The plain field that the thread is about to access, and whether it writes there."""
        step, thread = self.next(t), self.threads[t]
        if step is None or thread.state != _RUNS or step[0] not in "RWIQ":
            return None
        return step[1], step[0] == "W" or thread.half is not None

    def after(self, t):
        """The states after the thread's next step."""
        world = self.copy()
        thread, step = world.threads[t], world.next(t)
        if not thread.begun:
            thread.begun = True
            world.before[(t, thread.call)] = frozenset(world.answers)
        what, field = step[0], int(step[1]) if len(step) > 1 else 0
        value, other = (int(step[i]) if len(step) > i else 0 for i in (2, 3))
        see = lambda seen: setattr(thread, "seen", 4 * thread.seen + seen)
        if what == "A":
            see(world.words[field])
        elif what == "S":
            world.words[field] = value
        elif what == "F":
            see(world.words[field])
            world.words[field] += value
        elif what == "C":
            succeeds = world.words[field] == value
            world.words[field] = other if succeeds else world.words[field]
            see(int(succeeds))
        elif what == "R":
            see(world.plain[field])
        elif what == "W":
            world.plain[field] = value
        elif what == "I":
            if thread.half is None:
                thread.half = world.plain[field]
                return [world]
            world.plain[field], thread.half = thread.half + 1, None
        elif what == "L":
            world.owner = t
        elif what == "U":
            world.owner = _NOBODY
        elif what == "Q":
            if thread.state == _WOKEN:
                world.owner, thread.state = t, _RUNS
                return [world]
            if world.plain[field] != value:
                world.owner, thread.state, world.waiting = _NOBODY, _WAITS, world.waiting | {t}
                return [world]
        elif what in "nN" and world.waiting:
            return world.woken(t, what == "N")
        world.go_on(t)
        return [world]

    def woken(self, t, everybody):
        worlds = []
        for who in [self.waiting] if everybody else [frozenset({w}) for w in self.waiting]:
            world = self.copy()
            for w in who:
                world.threads[w].state = _WOKEN
            world.waiting -= who
            world.go_on(t)
            worlds.append(world)
        return worlds

    def go_on(self, t):
        """To the next step that others can notice, which may be one of the next call."""
        thread, steps = self.threads[t], self.steps(t)
        thread.step += 1
        while thread.step < len(steps) and steps[thread.step][0] == "?":
            thread.step += 1 + (int(steps[thread.step][1]) if thread.seen % 2 == 0 else 0)
        if thread.step >= len(steps):
            self.answers[(t, thread.call)] = thread.seen
            thread.call, thread.step, thread.seen, thread.begun = thread.call + 1, 0, 0, False


class Seen:
    """All histories of a class under its test, whether any access races, and whether a history fails.

    An operation that polls, while others have calls left, may or may not be told as stuck: searches differ in that. `told`
    are the histories that all of them tell."""

    def __init__(self, made, most=60_000):
        self.histories, self.told, self.races, self.made = {}, {}, False, made
        world = _World(made)
        open_, known = [world], {world.key()}
        while open_:
            world = open_.pop()
            self._look_at(world)
            for t in range(len(world.threads)):
                if world.is_blocked(t):
                    continue
                for following in world.after(t):
                    if following.key() not in known:
                        known.add(following.key())
                        open_.append(following)
            if len(known) > most:
                raise TooLarge
        self.serial = list(_serial_runs(made))
        self.fails = any(not self._explained(history) for history in self.told.values())
        self.may_fail = any(not self._explained(history) for history in self.histories.values())

    def _look_at(self, world):
        accesses = [access for access in map(world.plain_access, range(len(world.threads))) if access]
        self.races |= any(a[0] == b[0] and (a[1] or b[1]) for a, b in itertools.combinations(accesses, 2))
        threads = range(len(world.threads))
        if all(world.next(t) is None for t in threads):
            return self._add(world, False, (), True)
        active = [t for t in threads if world.threads[t].begun]
        if not all(world.is_blocked(t) for t in active):
            return
        called = [t for t in threads if t not in active and world.next(t) is not None and world.is_blocked(t)]
        over = all(map(world.is_blocked, threads))
        for count in range(len(called) + 1):
            for also in itertools.combinations(called, count):
                pending = (*active, *also)
                polls = any(world.next(t)[0] == "P" for t in pending)
                if pending:
                    self._add(world, True, pending, not polls or (over and len(also) == len(called)))

    def _add(self, world, stuck, pending, is_told):
        """As `--histories` tells it."""
        history = History(stuck, [])
        name = lambda call: f"{'ABC'[call[0]]}{call[1]}"
        of = lambda call: self.made.columns[call[0]][call[1]] + "()"
        for call, answer in world.answers.items():
            history.answers[name(call)] = f"{of(call)} -> {answer}"
            history.before[name(call)] = frozenset(map(name, world.before[call]))
        for t in pending:
            call = (t, world.threads[t].call)
            history.answers[name(call)] = of(call)
            history.before[name(call)] = frozenset(map(name, world.before.get(call, world.answers) if world.threads[t].begun else world.answers))
        history.finish()
        self.histories[history.key] = history
        if is_told:
            self.told[history.key] = history

    def _explained(self, history):
        answered = {name for name, answer in history.answers.items() if "->" in answer}
        pending = [name for name in history.answers if name not in answered]
        return all(any(self._fits(history, answered, last, run) for run in self.serial) for last in pending or [None])

    def _fits(self, history, answered, last, run):
        order, stuck = run
        if stuck != last or {name for name, _ in order} != answered:
            return False
        place = {name: i for i, (name, _) in enumerate(order)}
        return all(history.answers[name] == answer and all(place[other] < place[name] for other in history.before[name]) for name, answer in order)


def _serial_runs(made):
    """Each order of calls: those that return with their answers, and who never does."""
    def go_on(world, order):
        calls = [t for t in range(len(world.threads)) if world.next(t) is not None]
        if not calls:
            yield order, None
        for t in calls:
            alone, call = world, world.threads[t].call
            name = f"{'ABC'[t]}{call}"
            while alone.threads[t].call == call and not alone.is_blocked(t):
                alone, = alone.after(t)
            if alone.threads[t].call == call:
                yield order, name
            else:
                yield from go_on(alone, [*order, (name, f"{made.columns[t][call]}() -> {alone.answers[(t, call)]}")])
    yield from go_on(_World(made), [])
