"""Random programs of statements of every kind around array code, by the oracle.

    python tests/campaigns/random_statements.py COUNT [SEED [BACKEND ...]]

Loops, branches, handlers, context managers, inner functions, generators and matches are nested as
the seed says; names are rebound, deleted and used unbound, exceptions leave from anywhere. What
differs from eager is printed with its text, and the exit code is 1.
"""

from __future__ import annotations

import functools
import itertools
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from differing import differing, main
from oracle import check

HEAD = """
class Manager:
    def __init__(self, name, swallows=False):
        self.name, self.swallows = name, swallows
    def __enter__(self):
        print("enter", self.name)
        return self
    def __exit__(self, kind, error, trace):
        print("exit", self.name, kind and kind.__name__)
        return self.swallows

class Thing:
    def __init__(self, value):
        self.value, self.count = value, 0
    def grow(self, by):
        self.value = self.value + by
        self.count += 1
        return self
    @property
    def twice(self):
        return self.value * 2

def scaled(v, k=2, *more, plus=0.0):
    w = v * k + plus
    for one in more:
        w = w - one
    return w

def pieces(v, k):
    try:
        for i in range(k):
            got = yield v * i
            if got is not None:
                v = v + got
    finally:
        print("pieces end")

"""
ARRAYS = (
    *("a + b", "a * n", "b - 1.5", "np.sin(a)", "np.where(a > b, a, b)", "a[::-1] + b", "-a"),
    *("a * 2 + b", "scaled(a)", "scaled(b, n, a, plus=m)", "t.twice + a", "t.grow(b).value"),
    *("np.maximum(a, m)", "a.copy()", "np.cumsum(b)", "sum([a, b])", "a if n > 2 else b"),
    *("next(pieces(a, 2))", "[v + 1 for v in (a, b)][n % 2]", "(c := a - b) * c", "c", "d['a']"),
    *("items[-1] * a", "a / (n - n)", "np.sqrt(b - 3)", "max([a, b], key=np.sum)"),
)
NUMBERS = (
    *("n + 1", "m * 2", "len(items)", "n % 3", "n // 2", "a.sum()", "b[1]", "t.count", "n - 4"),
    *("int(a.sum()) % 5", "float(b[0])", "len(d)", "a.shape[0]", "min(n, 3)", "1 // n"),
)
CONDITIONS = (
    *("n % 2 == 0", "m > n", "a.sum() > b.sum()", "items", "'a' in d", "n", "not n", "t.count < 3"),
    *(
        "n > 1 and m > 1",
        "c is None",
        "a[0] > 0 or n",
        "isinstance(m, float)",
        "a.any()",
        "0 < n < 4",
    ),
)
RAISED = (
    *("raise ValueError(n)", "raise KeyError('k') from ValueError(1)", "d['missing']", "items[99]"),
    *("assert n < 2, a.shape", "1 / 0", "missing_name", "a + np.ones(7)", "raise"),
)
CAUGHT = ("ValueError", "KeyError", "(IndexError, ZeroDivisionError)", "Exception", "LookupError")


class Writer:
    """Writes one program: each statement kind is a method."""

    def __init__(self, seed: object) -> None:
        self.rng = random.Random(str(seed))
        self.lines: list[str] = []
        self.names = itertools.count()
        self.kinds: tuple[Callable[[int, bool], None], ...] = (
            *[self.simple] * 9,
            *(self.branch, self.loop, self.countdown, self.handled, self.managed, self.inner),
            *(self.matched, self.consumed, self.leaves),
        )

    def text(self) -> str:
        """The whole program."""
        self.block(1, False, 5)
        self.line(1, "return a, b, n, m, items, d, t")
        return HEAD + "def program(a, b, n, m, items, d, t):\n    c = None\n" + "".join(self.lines)

    def line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text + "\n")

    def block(self, depth: int, in_loop: bool, most: int = 3) -> None:
        """Some statements."""
        for _ in range(self.rng.randint(1, most)):
            kind = self.simple if depth > 4 else self.rng.choice(self.kinds)
            kind(depth, in_loop)

    def simple(self, depth: int, in_loop: bool) -> None:
        array, number, pick = self.rng.choice(ARRAYS), self.rng.choice(NUMBERS), self.rng.choice
        texts = [
            *[f"{pick('abc')} = {array}"] * 5,
            *[f"{pick('nm')} = {number}"] * 2,
            *(f"a += {pick(('1', 'b', 'n'))}", "b[1:] = a[1:]", "b[n % 4] *= 2", "b *= 0.5"),
            *(f"items.append({array})", f"d['a'] = {array}", f"t.value = {array}", "t.grow(a)"),
            *(
                "print(n, m)",
                f"print({number})",
                "a, b = b, a",
                "del c",
                "c = None",
                "*_, c = (n, a)",
            ),
            *(
                f"n += {pick(('1', '-1', '2'))}",
                "m, n = n, int(m)",
                "items = items[-3:]",
                "c = b - 1",
            ),
        ]
        self.line(depth, pick(texts))

    def branch(self, depth: int, in_loop: bool) -> None:
        self.line(depth, f"if {self.rng.choice(CONDITIONS)}:")
        self.block(depth + 1, in_loop)
        if self.rng.random() < 0.3:
            self.line(depth, f"elif {self.rng.choice(CONDITIONS)}:")
            self.block(depth + 1, in_loop)
        if self.rng.random() < 0.5:
            self.line(depth, "else:")
            self.block(depth + 1, in_loop)

    def loop(self, depth: int, in_loop: bool) -> None:
        name = f"i{next(self.names)}"
        over = (
            "range(3)",
            "range(n % 4)",
            "range(4, 0, -2)",
            "(a, b)",
            "items[:2]",
            "pieces(a, 2)",
        )
        also = ("enumerate([a, b])", "zip((1, 2), (a, b))", "reversed((n, m))", "list(d)", "b[:2]")
        self.line(depth, f"for {name} in {self.rng.choice(over + also)}:")
        self.block(depth + 1, True)
        if self.rng.random() < 0.25:
            self.line(depth, "else:")
            self.block(depth + 1, in_loop)

    def countdown(self, depth: int, in_loop: bool) -> None:
        name = f"w{next(self.names)}"
        self.line(depth, f"{name} = 3")
        self.line(depth, f"while {name} > 0 and ({self.rng.choice((*CONDITIONS, 'True'))}):")
        self.line(depth + 1, f"{name} -= 1")
        self.block(depth + 1, True)

    def handled(self, depth: int, in_loop: bool) -> None:
        self.line(depth, "try:")
        self.block(depth + 1, in_loop)
        if self.rng.random() < 0.7:
            self.line(depth + 1, self.rng.choice(RAISED))
        caught = self.rng.random() < 0.8
        if caught:
            star = "*" if self.rng.random() < 0.15 else ""
            self.line(depth, f"except{star} {self.rng.choice(CAUGHT)} as error:")
            self.line(depth + 1, "print(type(error).__name__)")
            self.block(depth + 1, in_loop and not star)
            if self.rng.random() < 0.3:
                self.line(depth, "else:")
                self.block(depth + 1, in_loop)
        if not caught or self.rng.random() < 0.4:
            self.line(depth, "finally:")
            self.block(depth + 1, False)

    def managed(self, depth: int, in_loop: bool) -> None:
        swallows = ", True" if self.rng.random() < 0.5 else ""
        self.line(depth, f"with Manager('m'{swallows}) as manager, np.errstate(all='ignore'):")
        self.block(depth + 1, in_loop)
        if self.rng.random() < 0.4:
            self.line(depth + 1, self.rng.choice(RAISED))

    def inner(self, depth: int, in_loop: bool) -> None:
        name = f"f{next(self.names)}"
        self.line(depth, f"def {name}(v, k=n):")
        self.line(depth + 1, "nonlocal n, c")
        self.line(depth + 1, f"n = {self.rng.choice(('n + 1', 'k', 'n'))}")
        self.line(depth + 1, f"c = {self.rng.choice(('v * k', 'v + b', 'None', 'v'))}")
        self.line(depth + 1, f"return {self.rng.choice(ARRAYS)} + v")
        how = ("{}(a)", "{}(b, 2)", "list(map({}, [a, b]))[-1]", "{}(v=a)", "(lambda g: g(b))({})")
        self.line(depth, f"b = {self.rng.choice(how).format(name)}")

    def matched(self, depth: int, in_loop: bool) -> None:
        self.line(depth, f"match {self.rng.choice(('(n, m)', 'd', 'items', 'n', 't', '[a, n]'))}:")
        cases = (
            "(1, _)",
            "{'a': c}",
            "[first, *rest]",
            "0 | 1 | 2",
            "Thing(count=0)",
            "[_, int()]",
        )
        for case in self.rng.sample(cases, 2):
            guard = f" if {self.rng.choice(CONDITIONS)}" if self.rng.random() < 0.3 else ""
            self.line(depth + 1, f"case {case}{guard}:")
            self.block(depth + 2, in_loop)
        self.line(depth + 1, "case _:")
        self.block(depth + 2, in_loop)

    def consumed(self, depth: int, in_loop: bool) -> None:
        name = f"g{next(self.names)}"
        self.line(depth, f"{name} = pieces({self.rng.choice('ab')}, 3)")
        uses = ("a = next({})", "b = b + sum({})", "next({}); b = {}.send(a)", "items.extend({})")
        for use in self.rng.sample((*uses, "{}.close()", "print(len([*{}]))"), 2):
            self.line(depth, use.format(name, name))

    def leaves(self, depth: int, in_loop: bool) -> None:
        texts = ["return a, n", "return items", *RAISED] + ["break", "continue"] * (4 * in_loop)
        self.line(depth, f"if {self.rng.choice(CONDITIONS)}:")
        self.line(depth + 1, self.rng.choice(texts))


def arguments() -> tuple[Any, ...]:
    """What programs are called with."""
    return np.linspace(-1, 2, 4), np.arange(4.0), 2, 1.5, [np.ones(4)], {"a": np.zeros(4)}


def try_one(text: str, backends: Sequence[str]) -> None:
    """Compares one program; AssertionError when something differs."""
    names: dict[str, Any] = {"np": np, "__name__": "program"}
    exec(text, names)
    check(names["program"], *arguments(), names["Thing"](np.ones(4)), backends=backends)


def written(count: int, seed: object) -> Iterator[str]:
    """So many programs that compile."""
    found = 0
    for k in itertools.count():
        text = Writer((seed, k)).text()
        try:
            compile(text, "program", "exec")
        except SyntaxError:  # a name that is bound and nonlocal, `break` in `finally`
            continue
        yield text
        found += 1
        if found == count:
            return


def run(count: int, seed: object, backends: Sequence[str]) -> list[str]:
    """So many programs; the texts of those that differ, with what differs."""
    return differing(
        (text[len(HEAD) :], functools.partial(try_one, text, backends))
        for text in written(count, seed)
    )


if __name__ == "__main__":
    sys.exit(main(run, "programs"))
