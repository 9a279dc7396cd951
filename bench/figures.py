"""What is measured, and what it may be at most: ROWS, and a function for each
that yields its figures.  Without and with the preload take turns within a
figure, so that what else the machine does falls on both."""
import dataclasses
import os
import re
import subprocess
import sys

from world import MODES, median, median_of_pairs

HEALTHY = "tokens=20"
SHORT, LONG = 2000, 12000  # streams: in chunks
CROWD, PROCESSES, CALLS = 1000, 64, 20
HELD_KIB = 0  # hold_s is 0: nothing is held


@dataclasses.dataclass
class Figure:
    """A number that may be `goal` at most; `base` and `ours` tell where it
    comes from, and are None where there is nothing to compare."""

    what: str
    unit: str
    base: float | None
    ours: float | None
    value: float
    goal: float
    raw: dict = dataclasses.field(default_factory=dict)

    @property
    def met(self):
        return self.value <= self.goal


def added(what, unit, base, ours, goal, raw=None):
    return Figure(what, unit, base, ours, ours - base, goal, raw or {})


# --- programs that make no LLM call -----------------------------------------


def get(world):
    """A handle's life around a GET, connection included."""
    url = world.nginx() + "/plain"
    lines = world.in_turn(("plain", "observe"), 60, "get", url, 50)
    medians = {mode: [median(ns for ns, in run) / 1000 for run in runs]
               for mode, runs in lines.items()}
    base, ours = median(medians["plain"]), median(medians["observe"])
    more = median_of_pairs(medians["observe"], medians["plain"])
    yield Figure("GET on loopback: init to cleanup", "%", base, ours,
                 100 * more / base, 3, {"median_us": medians})


def setopt(world):
    """Of each kind of value: the dearest counts."""
    script = os.path.join(world.source, "setopt.sh")
    for kind, base, ours in table_of(world, [script]):
        if kind.startswith("setopt"):
            yield added(f"curl_easy_{kind}", "ns", base, ours, 60)


def table_of(world, argv):
    """Rows of a script that prints `name plain shim added` below a head."""
    text = text_of(world, argv)
    for line in text.splitlines()[1:]:
        name, base, ours, _ = line.split()
        yield name, float(base), float(ours)


def text_of(world, argv, **more):
    """What another benchmark prints, from the repository's root."""
    done = subprocess.run(
        argv, env=world.env("plain", **more), text=True, check=False,
        cwd=os.path.dirname(world.source), stdout=subprocess.PIPE)
    return done.stdout


def start(world):
    script = os.path.join(world.source, "start.py")
    text = text_of(world, [sys.executable, script,
                           world.build + "/libunstall.so"])
    base, ours, _ = (float(n) for n in re.findall(r"-?\d+", text))
    yield added("start of a process without an LLM call", "us", base, ours, 60)


# --- what an LLM call costs -------------------------------------------------


def chunk(world):
    """Time of the processor: other programs' work does not enter it."""
    modes, goals = ("plain", "observe", "hedge"), {"observe": 200, "hedge": 250}
    runs = world.in_turn(modes, 15, "stream", world.stream(LONG), 10)
    least = {mode: [min(cpu for cpu, *_ in run) / LONG for run in runs[mode]]
             for mode in modes}
    base = min(least["plain"])
    for mode, goal in goals.items():
        yield added(f"a chunk of 160 bytes, {mode}", "ns", base,
                    min(least[mode]), goal, {"least_ns": least})


def instructions(world):
    """What a longer stream takes more than a shorter one, by callgrind.  The
    call before them makes the store."""
    world.ask("observe", "stream", world.stream(SHORT), 1)
    each = {mode: instructions_each(world, mode)
            for mode in ("plain", "observe", "hedge")}
    for mode in ("observe", "hedge"):
        yield added(f"the same in instructions, {mode}", "instr",
                    each["plain"], each[mode], 1200)


def instructions_each(world, mode):
    totals = []
    for count in (SHORT, LONG):
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
             world.client, "stream", world.stream(count), "1"],
            env=world.env(mode), capture_output=True, text=True, check=True)
        totals.append(int(re.search(r"Collected : (\d+)", done.stderr)[1]))
    return (totals[1] - totals[0]) / (LONG - SHORT)


def first(world):
    """First tokens of calls that are not hedged; a process's first call opens
    the engine, and reads the learned delay if it needs one."""
    url, modes = world.stream(20), tuple(MODES)
    world.forget()
    world.ask("observe", "first", url, 600)  # to learn from
    opening, later = ({mode: [] for mode in modes} for _ in range(2))
    for _ in range(60):
        for mode in modes:
            (ns,), _, *rest = world.ask(mode, "first", url, 12)
            opening[mode].append(ns / 1000)
            later[mode].append(median(ns for ns, in rest) / 1000)
    raw = {"first_us": opening, "later_us": later}
    of = {name: {mode: median(us) for mode, us in runs.items()}
          for name, runs in (("first", opening), ("later", later))}
    yield added("first token, not hedged", "us", of["later"]["plain"],
                of["later"]["hedge"], 100, raw)
    yield added("first token of a process's first call", "us",
                of["first"]["plain"], of["first"]["hedge"], 1500)
    yield added("the same when the delay is learned", "us",
                of["first"]["hedge"], of["first"]["learned"], 1000)


# --- many at once -----------------------------------------------------------


def crowd(world):
    """A multi with a thousand streams that stall and go on."""
    url = world.mock("tokens=60,stall@20=6")
    world.forget()
    of = {mode: world.ask(mode, "crowd", url, CROWD)[0]
          for mode in ("plain", "observe", "hedge")}
    base = of["plain"][2] / CROWD / 1024
    for mode in ("observe", "hedge"):
        yield added(f"memory of a call in flight, {mode}", "KiB", base,
                    of[mode][2] / CROWD / 1024, 64 + HELD_KIB)
    rows = world.store("SELECT count(*) FROM calls WHERE outcome = 'ok'")
    whole = min(whole for _, whole, _ in of.values())
    yield Figure(f"{CROWD} calls in one multi: answers lost", "", CROWD, whole,
                 CROWD - whole, 0)
    asked = 2 * (CROWD + 1)  # two modes, with a call to warm up
    yield Figure("the same: rows lost", "", asked, rows, abs(asked - rows), 0)


def processes(world):
    """Each with calls one after another, all with one store."""
    url = world.mock(HEALTHY)
    world.forget()
    running = [subprocess.Popen([world.client, "stream", url, str(CALLS)],
                                env=world.env("hedge"), text=True,
                                stdout=subprocess.PIPE)
               for _ in range(PROCESSES)]
    answers = sum(len(client.communicate()[0].splitlines())
                  for client in running)
    rows = world.store("SELECT count(*) FROM calls WHERE outcome = 'ok'")
    asked = PROCESSES * CALLS
    yield Figure(f"{PROCESSES} processes, one store: answers lost", "", asked,
                 answers, abs(asked - answers), 0)
    yield Figure("the same: rows lost", "", asked, rows, abs(asked - rows), 0)


# --- what hedging is worth --------------------------------------------------


def hedge_lines(world, name, calls):
    """{policy: [p50, p90, p95, p99, p99.9, extra]} of bench/hedge."""
    text = text_of(world, [os.path.join(world.source, "hedge"), str(calls),
                           name], ONLY="none auto")
    found = re.findall(r"sockets: (\w+).*?((?:\s+-?[\d.]+){6}) %", text)
    return {policy: [float(n) for n in numbers.split()]
            for policy, numbers in found}


def hedged(world, name, calls, goals):
    lines = hedge_lines(world, name, calls)
    names = ("p50", "p90", "p95", "p99", "p99.9", "extra requests")
    for column, goal in goals.items():
        at = names.index(column)
        unit = "%" if column.startswith("extra") else "ms"
        ours = lines["learned"][at]
        yield Figure(f"{name}: {column}", unit, lines["none"][at], ours, ours,
                     goal, {"lines": lines})


def simulate(world):
    yield from hedged(world, "simulate", 30000,
                      {"p99": 17.0, "p99.9": 46.5, "extra requests": 8.9})


def streaming(world):
    yield from hedged(world, "streaming", 4000,
                      {"p90": 41.0, "p95": 45.0, "extra requests": 20.0})


# --- rescues ----------------------------------------------------------------

FAULTS = ("silence", "late first token", "stall after 20", "cut after 40")
LINE = re.compile(r"(.{21}) (.{17}) (.{5})  (.{17}) (.{5})  full in ([\d.]+)")


def faults(world):
    """Played by bench/faults, with a second of patience.  A call that is cut
    or stalls has its goal from the moment it began, like the others."""
    text = text_of(world, [os.path.join(world.source, "faults"), *FAULTS],
                   AFTER="1", STALL="1", LIMIT="22", INTERVAL_MS="10")
    lines = [[word.strip() for word in found]
             for found in LINE.findall(text)]
    goal = next(float(line[5]) for line in lines if line[0] == "silence")
    for name, _, base, got, ours, _ in lines:
        took = float(ours) if got == "full" else float("inf")
        yield Figure(f"{name}: answer complete", "s", float(base), float(ours),
                     took, goal, {"answer": got})


ROWS = (get, setopt, start, chunk, instructions, first, crowd, processes,
        simulate, streaming, faults)
