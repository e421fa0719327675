"""Random programs with planted graph breaks, and what `explain` is to say of each line.

Truth comes from plain Python: a planted line is passed as often as a trace function sees it.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import random
import re
import sys
import types
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import framejit

PLANTED = (
    "print('here')",
    "t = time.perf_counter()",
    "t = os.getpid()",
    "t = random.random()",
    "logging.getLogger('planted')",
    "t = {n, 'a'}",
    "print('now', n, x[0])",
    "t = f'{n}'.encode().decode()",
    "t = json.dumps([n])",
    "sys.stdout.flush()",
    "t = open(os.devnull)",
    "seen.append(time.time())",
    "t = id(n)",
    "t = locals()",
)
"""Statements of one break each."""
OF_VALUES = ("t = x.tobytes().hex()", "t = y.tobytes().hex()")
"""The same, but what they do depends on a value: exploring cannot tell where that is unknown."""
WITH_VALUES = 2_000_000
"""Programs of this seed and above have such statements, too."""
WITHIN = (
    "t = [time.time() for _ in range({})]",
    "t = {{k: os.getpid() for k in range({})}}",
    "t = sum(random.random() for _ in range({}))",
    "t = max((time.time() for k in range({})), default=0)",
)
"""Statements whose items break, in whichever frame, as often as that is."""
ARRAYS = (
    "x = x * 1.5 + 0.25",
    "y = y * 0.5 + x",
    "x = np.sqrt(np.abs(x)) - y",
    "y = np.maximum(x, y) - x.mean()",
    "x = np.where(x > y, x, y * 0.5)",
    "y[1:] = x[:-1] * 0.5",
)
MODULES = "import contextlib, json, logging, os, random, sys, time\nimport numpy as np\n"
PARTS = "PARTS = [np.full(40, 0.5)] * 40"
OFTEN = 3
"""Maximum number of iterations of a loop."""


@dataclass
class Program:
    """Source under way."""

    random: random.Random
    statements: tuple[str, ...] = PLANTED
    """Statements to choose from."""
    lines: list[str] = field(default_factory=list)
    planted: list[int] = field(default_factory=list)
    """Lines with one break each."""
    others: set[int] = field(default_factory=set)
    """Lines that may be told of, since what they do breaks or what they call does."""
    loose: dict[int, int] = field(default_factory=dict)
    """Lines that break once or more where they have items; with the number of these."""
    helpers: int = 0
    generators: int = 0
    in_loop: bool = False
    heads: list[int] = field(default_factory=list)
    """Lines of branches."""

    def add(self, depth: int, text: str, *, may_break: bool = False) -> None:
        """A line."""
        self.lines.append("    " * depth + text)
        if may_break:
            self.others.add(len(self.lines))

    def plant(self, depth: int) -> None:
        """A line that breaks."""
        self.add(depth, self.random.choice(self.statements))
        self.planted.append(len(self.lines))

    def block(self, depth: int, size: int) -> None:
        """Statements, some of which break."""
        for _ in range(size):
            kind = self.random.random()
            if kind < 0.45 or depth > 3:
                self.add(depth, self.random.choice(ARRAYS))
            elif kind < 0.7:
                self.plant(depth)
            elif kind < 0.75:
                self.within(depth)
            else:
                self.random.choice(BLOCKS)(self, depth)

    def within(self, depth: int) -> None:
        """A comprehension or a generator expression, of some items or of none."""
        count = self.random.randrange(OFTEN)
        self.add(depth, self.random.choice(WITHIN).format(count))
        self.loose[len(self.lines)] = count

    def helper(self, depth: int) -> None:
        """A call of a function that stands before this one."""
        if self.helpers:
            number = self.random.randrange(self.helpers)
            self.add(depth, f"x = x + helper{number}(y, n)", may_break=True)
        else:
            self.add(depth, self.random.choice(ARRAYS))

    def branch(self, depth: int) -> None:
        """One that is taken, or is not."""
        self.add(depth, f"if n > {self.random.randrange(2 * OFTEN)}:")
        head = len(self.lines)
        self.block(depth + 1, self.random.randint(1, 2))
        if self.random.random() < 0.5:
            self.add(depth, "else:")
            self.block(depth + 1, self.random.randint(1, 2))
        self.heads.append(head)

    def loop(self, depth: int) -> None:
        """One of a few iterations, or none."""
        name = f"i{depth}"
        self.add(depth, f"for {name} in range({self.random.randint(0, OFTEN)}):", may_break=True)
        inside, self.in_loop = self.in_loop, True
        self.block(depth + 1, self.random.randint(1, 3))
        if self.random.random() < 0.4:
            self.add(depth + 1, f"if {name} == {self.random.randrange(OFTEN)}:")
            self.block(depth + 2, 1)
        self.in_loop = inside

    def long_loop(self, depth: int) -> None:
        """One over a list of more arrays than are taken apart."""
        self.add(depth, "for v in PARTS:")
        self.loose[len(self.lines)] = 1
        self.add(depth + 1, "x = x * 0.5 + v", may_break=True)

    def while_loop(self, depth: int) -> None:
        """One that counts down, with ways out of it."""
        name, inside = f"k{depth}", self.in_loop
        self.add(depth, f"{name} = {self.random.randint(0, OFTEN)}")
        self.add(depth, f"while {name} > 0:", may_break=True)
        self.add(depth + 1, f"{name} -= 1")
        self.in_loop = True
        self.block(depth + 1, self.random.randint(1, 2))
        self.way_out(depth + 1)
        self.block(depth + 1, 1)
        self.in_loop = inside
        if self.random.random() < 0.3:
            self.add(depth, "else:")
            self.block(depth + 1, 1)

    def way_out(self, depth: int) -> None:
        """Leaves the iteration, the loop or the function, where n says so."""
        self.add(depth, f"if n == {self.random.randint(2, 2 * OFTEN)}:")
        self.heads.append(len(self.lines))
        ways = ["continue", "break"] if self.in_loop else ["return x - y"]
        self.add(depth + 1, self.random.choice(ways), may_break=True)

    def inner(self, depth: int) -> None:
        """A function that is made here, and called."""
        name = f"inner{len(self.lines)}"
        self.add(depth, f"def {name}(v):", may_break=True)
        self.add(depth + 1, self.random.choice((*PLANTED_IN_INNER, "v = v + y")))
        self.others.add(len(self.lines))
        self.add(depth + 1, "return v * 0.5")
        self.add(depth, f"x = {name}(x)", may_break=True)

    def generated(self, depth: int) -> None:
        """A loop over a generator that stands before this function."""
        if self.generators:
            number = self.random.randrange(self.generators)
            inside, self.in_loop = self.in_loop, True
            self.add(depth, f"for v in generator{number}(y, n):", may_break=True)
            self.add(depth + 1, "x = x + v * 0.25", may_break=True)
            self.block(depth + 1, 1)
            self.in_loop = inside
        else:
            self.add(depth, self.random.choice(ARRAYS))

    def with_block(self, depth: int) -> None:
        """A `with` block, which breaks itself."""
        managers = ("contextlib.nullcontext()", "contextlib.suppress(KeyError)", "np.errstate()")
        self.add(depth, f"with {self.random.choice(managers)}:", may_break=True)
        self.block(depth + 1, self.random.randint(1, 2))

    def handled(self, depth: int) -> None:
        """A `try` whose body may raise."""
        self.add(depth, "try:")
        self.block(depth + 1, self.random.randint(1, 2))
        if self.random.random() < 0.5:
            self.add(depth + 1, "raise KeyError(n)", may_break=True)
        self.add(depth, "except KeyError:", may_break=True)
        self.block(depth + 1, 1)
        if self.random.random() < 0.3:
            self.add(depth, "else:")
            self.block(depth + 1, 1)
        if self.random.random() < 0.3:
            self.add(depth, "finally:", may_break=True)
            self.block(depth + 1, 1)

    def function(self, name: str) -> None:
        """A function of its own."""
        self.add(0, f"def {name}(x, n):")
        self.add(1, "y = x * 2.0 + 1.0")
        self.add(1, "seen = []")
        begin = len(self.lines)
        self.block(1, self.random.randint(2, 6))
        body = "\n".join(self.lines[begin:])
        if re.search(r"def inner|in generator|t = [{[]", body):
            self.others.update(self.heads)  # what these make on one way cannot meet the other one
        self.add(1, "return x * 0.5 + y")

    def generator(self, name: str) -> None:
        """A generator function of a few iterations."""
        self.add(0, f"def {name}(x, n):")
        self.add(1, "y, seen = x * 2.0, []")
        self.add(1, f"for k in range({self.random.randrange(OFTEN)}):")
        self.block(2, 1)
        self.add(2, "yield x * k")


PLANTED_IN_INNER = ("print('inner')", "seen.append(time.time())", "t = os.getpid()")
BLOCKS = (
    *(Program.branch, Program.loop, Program.while_loop, Program.way_out, Program.with_block),
    *(Program.handled, Program.helper, Program.inner, Program.generated, Program.long_loop),
)


def program(seed: int) -> Program:
    """The program of a seed; what is explained is its function `main`."""
    statements = PLANTED if seed < WITH_VALUES else (*PLANTED, *OF_VALUES * 3)
    made = Program(random.Random(seed), statements)
    for line in (*MODULES.splitlines(), PARTS):
        made.add(0, line)
    for _ in range(made.random.randrange(3)):
        made.function(f"helper{made.helpers}")
        made.helpers += 1
    if made.random.random() < 0.4:
        made.generator("generator0")
        made.generators = 1
    made.function("main")
    return made


def loaded(made: Program, name: str) -> types.ModuleType:
    """The module with this source."""
    source = "\n".join(made.lines) + "\n"
    file = f"<{name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    module = types.ModuleType(name)
    exec(compile(source, file, "exec"), module.__dict__)
    return module


def passed(function: Any, *args: Any) -> Counter[int]:
    """Return the number of times that plain Python comes to each line of the file of a function."""
    times: Counter[int] = Counter()
    file = function.__code__.co_filename

    def trace(frame: types.FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != file:
            return None
        times[frame.f_lineno] += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function(*args)
    finally:
        sys.settrace(before)
    return times


def faults(seed: int, backend: str) -> Iterator[str]:
    """Return the errors in the report of a program, one line each."""
    made = program(seed)
    module = loaded(made, f"planted_{seed}")
    size = 3 + seed % 3
    with contextlib.redirect_stdout(io.StringIO()):
        truth = passed(module.main, np.linspace(0.5, 2.0, 40), size)
        with framejit.config(backend=backend):
            report = framejit.explain(module.main)(np.linspace(0.5, 2.0, 40), size)
    file = module.main.__code__.co_filename
    listed: dict[int, list[Any]] = {}
    for one in report.breaks:
        if one.place.file == file:
            listed.setdefault(one.place.line, []).append(one)
    first = made.lines.index("def main(x, n):") + 1
    for line in made.planted:
        if line < first:
            continue
        records, times = listed.pop(line, []), truth[line]
        where = f"seed {seed}, line {line}, {made.lines[line - 1].strip()!r}"
        if times and not records:
            yield f"missed: {where}, passed {times} times"
        if records and not times:
            yield f"invented: {where}: {[one.detail for one in records]}"
        if len(records) > 1:
            yield f"double: {where}: {[(one.code, one.detail) for one in records]}"
        if times and len(records) == 1 and (records[0].count, records[0].exact) != (times, True):
            yield f"miscounted: {where}: {records[0].count}, passed {times} times"
    for line, count in made.loose.items():
        records = listed.pop(line, []) if line > first else []
        if bool(records) != bool(count and truth[line]) and line > first:
            where = f"seed {seed}, line {line}, {made.lines[line - 1].strip()!r}"
            yield f"{'invented' if records else 'missed'}: {where}, passed {truth[line]} times"
    for line, records in listed.items():
        if line not in made.others or not truth[line]:
            where = f"seed {seed}, line {line}, {made.lines[line - 1].strip()!r}"
            yield f"invented: {where}: {[one.detail for one in records]}"
