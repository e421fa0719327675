"""Random modules, edited at random between two processes.

A module is drawn by a list of numbers, each of which decides one thing: a constant, an operator,
a default, the kind of an item. An edit replaces one number, so everything else stays as it was,
mostly down to the lines.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random

HEAD = """import math
import sys
import numpy as np
from functools import partial
from framejit import jit
X = np.linspace(-1.0, 2.0, 12)
"""
END = """
def show(made):
    if isinstance(made, tuple):
        return [show(one) for one in made]
    return (type(made).__name__, str(getattr(made, "dtype", "")), np.asarray(made).tobytes().hex())
for _ in range(2):
    for one in (f0, f1, f2):
        try:
            print(one.__name__, show(one(X)))
        except Exception as error:
            print(one.__name__, type(error).__name__, error)
"""
SIZE = 400
"""Numbers of a module; those beyond are zeros."""
CONSTANTS = ("2.0", "0.5", "-1.5", "3", "1", "True", "1e3", "np.float64(2.5)", "0.25")
OPERATORS = ("+", "-", "*")
UNARY = ("np.sqrt(np.abs({}))", "np.sin({})", "-{}", "abs({})", "np.exp(-abs({}))", "np.floor({})")
REDUCED = ("{}.sum()", "{}.max()", "np.median({})", "{}.mean()", "np.linalg.norm({})", "{}[3]")


class Draws:
    """A list of numbers that are used up one after the other."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self._numbers = numbers
        self.used = 0

    def pick(self, options: Sequence[str]) -> str:
        """One of them."""
        number = self._numbers[self.used] if self.used < len(self._numbers) else 0
        self.used += 1
        return options[number % len(options)]

    def constant(self) -> str:
        """A number, as text."""
        return self.pick(CONSTANTS)

    def number_of(self, most: int) -> int:
        """Draw an int from 0 to below `most`."""
        return int(self.pick([str(k) for k in range(most)]))


def module(numbers: Sequence[int]) -> tuple[str, int]:
    """The text of a module, and how many numbers it has used."""
    draws = Draws(numbers)
    parts = [HEAD, *(_global(draws, k) for k in range(4)), _aliases(draws)]
    parts += [_helper(draws, k) for k in range(3)]
    parts += [_maker(draws, k) for k in range(2)]
    parts += [_base(draws), *(_class(draws, k) for k in range(2))]
    parts += [_function(draws, k) for k in range(3)]
    parts += [_patch(draws), END]
    return "\n".join(parts), draws.used


def drawn(random: Random) -> list[int]:
    """Numbers of a module."""
    return [random.randrange(1 << 20) for _ in range(SIZE)]


def edited(random: Random, numbers: Sequence[int]) -> list[int]:
    """The same with one of them replaced, such that the text is another one."""
    text, used = module(numbers)
    while True:
        made = [*numbers]
        made[random.randrange(used)] = random.randrange(1 << 20)
        if module(made)[0] != text:
            return made


# ---- items ---------------------------------------------------------------------------------------


def _global(draws: Draws, k: int) -> str:
    kind = draws.pick(("number", "number", "tuple", "dict", "array", "text", "object"))
    one, two = draws.constant(), draws.constant()
    value = {
        "number": one,
        "tuple": f"({one}, {two})",
        "dict": f"{{'a': {one}, 'b': {two}}}",
        "array": f"np.full(12, {one})",
        "text": draws.pick(("'sum'", "'mean'", "'max'")),
        "object": f"type('Held', (), {{'a': {one}, 'b': {two}}})()",
    }[kind]
    access = {
        "number": f"G{k}",
        "tuple": f"G{k}[{draws.pick('01')}]",
        "dict": f"G{k}['{draws.pick('ab')}']",
        "array": f"G{k}",
        "text": f"getattr(x, G{k})()",
        "object": f"G{k}.{draws.pick('ab')}",
    }[kind]
    return f"G{k} = {value}\ndef global{k}(x): return {access}"


def _aliases(draws: Draws) -> str:
    names = ("np.sin", "np.cos", "np.tanh", "np.floor", "math.sin", "np.add.reduce")
    tools = ("np.roll", "partial(np.roll, shift=1)", "lambda v, n=1: v[::-1]", "np.roll")
    first = f"alias = {draws.pick(names[:4])}\nother = {draws.pick(names[:4])}"
    return (
        f"{first}\ntool = {draws.pick(tools)}\nsmall = {draws.pick(('max', 'min', 'sum', 'len'))}"
    )


def _expression(draws: Draws, depth: int = 2) -> str:
    """Draw an expression of `x` and of names of the module."""
    if depth == 0:
        kinds = ("x", draws.constant(), f"global{draws.number_of(4)}(x)", "x")
        return draws.pick(kinds)
    left, right = _expression(draws, depth - 1), _expression(draws, depth - 1)
    operator = draws.pick(OPERATORS)
    kinds = (
        *(f"({left} {operator} {right})", f"({left} {operator} {right})"),
        draws.pick(UNARY).format(f"({left})"),
        f"alias({left})",
        f"np.where(x > {draws.constant()}, {left}, {right})",
    )
    return draws.pick(kinds)


def _helper(draws: Draws, k: int) -> str:
    default, keyword = draws.constant(), draws.constant()
    body = _expression(draws)
    inner = draws.pick(
        (
            f"def inner(y, d={draws.constant()}):\n        return y {draws.pick(OPERATORS)} d",
            f"inner = lambda y: y {draws.pick(OPERATORS)} {draws.constant()}",
            f"def inner(y):\n        return y {draws.pick(OPERATORS)} by",
        )
    )
    loop = draws.pick(("pass", "x = x * 0.5", "x = x + n"))
    return (
        f"def helper{k}(x, a={default}, *, by={keyword}):\n"
        f"    {inner}\n"
        f"    for n in range({draws.pick('0123')}):\n        {loop}\n"
        f"    return inner({body}) {draws.pick(OPERATORS)} a"
    )


def _maker(draws: Draws, k: int) -> str:
    held = draws.pick(
        (draws.constant(), "X", "np.arange(12)", f"helper{draws.number_of(3)}", "(1.0, 2.0)")
    )
    is_called, is_item = held.startswith("helper"), held.startswith("(")
    used = "held(x)" if is_called else f"x * held[{draws.pick('01')}]" if is_item else "x * held"
    return (
        f"def make{k}(held, extra={draws.constant()}):\n"
        f"    def made(x):\n        return {used} {draws.pick(OPERATORS)} extra\n"
        f"    return made\n"
        f"made{k} = make{k}({held})"
    )


def _base(draws: Draws) -> str:
    meta = draws.pick(("type", "type", "type", "Meta"))
    call = draws.pick(("return type.__call__(cls, *a)", "return type.__call__(cls, *a)"))
    return (
        f"class Meta(type):\n    def __call__(cls, *a): {call}\n"
        f"class Base(metaclass={meta}):\n"
        f"    shift = {draws.constant()}\n"
        f"    {draws.pick(('gain = 2.0', 'gain = property(lambda self: 3.0)', 'gain = 4'))}\n"
        f"    def moved(self): return self.x {draws.pick(OPERATORS)} self.shift\n"
        f"    def __len__(self): return {draws.pick('234')}"
    )


def _class(draws: Draws, k: int) -> str:
    base = draws.pick(("Base", "Base", "Base", "object") if k == 0 else ("Base", "C0", "C0"))
    rows = [
        f"class C{k}({base}):",
        f"    {draws.pick(('pass', 'pass', 'shift = 0.125', 'x = None'))}",
        f"    def __init__(self, x): self.x = x {draws.pick(OPERATORS)} {draws.constant()}",
        f"    def __add__(self, o): return C{k}(self.x {draws.pick(OPERATORS)} o.x)",
        f"    {draws.pick(('@property', '@property', '@staticmethod', '@classmethod'))}",
        f"    def twice(self): return getattr(self, 'x', X) * {draws.constant()}",
        f"    def moved(self): return {draws.pick(('self.x', 'self.x', 'Base.moved(self)'))} + 1",
        f"    {draws.pick(('pass', '__slots__ = ()', '__call__ = lambda self, v: v + self.x'))}",
    ]
    if draws.pick(("no", "no", "no", "yes")) == "yes":
        rows.append("    def __getattr__(self, name): return 1.5")
    return "\n".join(rows)


def _function(draws: Draws, k: int) -> str:
    rows = [f"@jit\ndef f{k}(x, n={draws.constant()}):", f"    y = {_expression(draws)}"]
    steps = (
        lambda: f"y = y + helper{draws.number_of(3)}(x{draws.pick(('', ', 2.0', ', by=0.5'))})",
        lambda: f"y = y * made{draws.number_of(2)}(x)",
        lambda: f"p = C{draws.number_of(2)}(y) + C{draws.number_of(2)}(x); y = p.moved()",
        lambda: f"y = C{draws.number_of(2)}(y).x * len(C1(x)) + getattr(C0(x), 'shift', 1.0)",
        lambda: "t = C1(y).twice; y = t() if callable(t) else t",
        lambda: f"y = alias(y) {draws.pick(OPERATORS)} other(x)",
        lambda: "y = tool(y, 1)",
        lambda: f"y = y + small(({draws.constant()}, {draws.constant()}))",
        lambda: f"print('between', {draws.pick(('1', '2', 'G0 is None'))})",
        lambda: f"y = y + {draws.pick(REDUCED).format('x')}",
        lambda: f"y = y if {draws.pick(('n', 'len(x)', 'type(n) is float', 'G1'))} else -y",
    )
    for _ in range(3):
        at = draws.number_of(len(steps))
        rows.append(f"    {steps[at]()}")
    return "\n".join([*rows, f"    return y {draws.pick(OPERATORS)} n"])


def _patch(draws: Draws) -> str:
    """Draw a change of the module's items that the program makes before they are called."""
    nothing = ("pass",) * 8
    return draws.pick(
        (
            *nothing,
            "helper0.__defaults__ = (7.0,)",
            "helper1.__kwdefaults__ = {'by': 9.0}",
            "helper0.__code__ = (lambda x, a=1.0, *, by=2.0: x - a).__code__",
            "helper2 = helper0",
            "C0.shift = 11.0",
            "Base.moved = lambda self: self.x * 13",
            "C1.__add__ = lambda self, other: self",
            "np.median = lambda v: 17.0",
            "np.roll = lambda v, n, **k: v * 19",
            "alias = lambda v: v + 23",
            "made0.__closure__[0].cell_contents = 29.0",
            "C0.__init__.__defaults__ = None",
            "C1.moved = C0.moved",
            "G0 = G1",
            "len = lambda v: 31",
        )
    )


# ---- processes -----------------------------------------------------------------------------------

COUNTED = """
print(sum(one.stats()["kept"] for one in (f0, f1, f2)), file=sys.stderr)
"""


def answer(text: str, folder: Path, *, eager: bool = False) -> tuple[str, int]:
    """Return the output of a module, and the number of entries that were brought back."""
    script = folder / "script.py"
    script.write_text(text if eager else text + COUNTED)
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={
            **os.environ,
            "FRAMEJIT_ENTRIES": "1",
            "FRAMEJIT_COMPILE": "now",
            "FRAMEJIT_DEBUG": "strict",
            "FRAMEJIT_CACHE_DIR": str(folder / "cache"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONWARNINGS": "ignore",
            **({"FRAMEJIT_DISABLE": "1"} if eager else {}),
        },
    )
    if done.returncode:
        return f"it ended with {done.returncode}\n{done.stderr}", 0
    return done.stdout, 0 if eager else int(done.stderr.split()[-1])


def differing(seed: int, edits: int) -> tuple[list[str], int]:
    """Return the faults of the module of this seed, and the number of entries brought back."""
    random = Random(seed)
    numbers = drawn(random)
    text, _ = module(numbers)
    wrong, kept = [], 0
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        expected, _ = answer(text, folder, eager=True)
        found, _ = answer(text, folder)
        if found != expected:
            return [f"seed {seed}, before any edit:\n{text}\n{expected}\n{found}"], 0
        for iteration in range(edits):
            other, _ = module(edited(random, numbers))
            shutil.copytree(folder / "cache", folder / "saved")
            expected, _ = answer(other, folder, eager=True)
            found, back = answer(other, folder)
            kept += back
            if found != expected:
                wrong.append(f"seed {seed}, edit {iteration}:\n{other}\n{expected}\n{found}")
            shutil.rmtree(folder / "cache")
            (folder / "saved").rename(folder / "cache")
    return wrong, kept
