"""Random programs of one long loop, for errors at some iteration of it: see late_errors.py.

Each assigns locals in some iterations only, in branches and inner loops; some of these end early.
An iteration fails if its index is out of range.
"""

from __future__ import annotations

from random import Random
from types import FunctionType
from typing import Any

import numpy as np

NAMES = ("a", "b", "c")
VALUES = (
    *(
        "{i}",
        "{i} * 0.5",
        "x[{i} % 32]",
        "s",
        "s + 1",
        "index[{i} % n]",
        "x * 2.0",
        "x[3:9]",
        "None",
    ),
    *(
        "'t'",
        "({i}, s)",
        "{i} % 3 == 0",
        "k",
        "float({i})",
        "x[k % 7]",
        "[{i}, 2]",
        "np.float32({i})",
    ),
)
CONDITIONS = (
    *(
        "{i} % 3 == 1",
        "{i} % 7 == 0",
        "index[{i} % n] & 1",
        "index[{i} % n] & 4",
        "index[{i} % n] < 9",
    ),
    *("x[5] > 1", "k > 6", "{i} > n // 3", "s > 3"),
)
STEPS = (
    "s = s * 0.5 + {i}",
    "k += 1",
    "k = (k * 3 + 1) % 11",
    "s = x[k % 32]",
    "s, a = s + 1.0, s",
)
STORES = ("x[{i} % 32] += s", "x[k % 32] = 1", "x[{i} % 32] -= k * 0.25", "found.append({i})")
OVER = (
    *("range(2)", "range({i} % 3)", "range(index[{i} % n] % 4)", "range({i} % 5, 0, -2)", "[1, 2]"),
    *("(5, 6.5)", "x[:3]", "index[:2]", "range(k % 3)"),
)
HEADS = (
    ("for i in range(n):",),
    ("for j in range(0, 3 * n, 3):", "    i = j // 3"),
    ("for j in range(n, 0, -1):", "    i = n - j"),
    ("i = -1", "while i < n - 1:", "    i += 1"),
    ("i = -1", "for v in index:", "    i += 1"),
    ("for i, v in enumerate(index):",),
    ("for v, i in zip(index, range(n)):",),
    ("for u in range(n):", "    x[u % 32] += 1", "    b = u", "for i in range(n):"),
)
FAILS = (
    "x[index[i]] += 1",
    "x[index[i]] = s",
    "s += 1000 // (32 - int(index[i]))",
    "s += x[index[i]]",
)


class _Writer:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.count = 0

    def one_of(self, texts: tuple[str, ...]) -> str:
        return self.random.choice(texts).replace("{i}", "i")

    def body(self, depth: int, within: bool) -> list[str]:
        """Statements; `within`: of a loop in the loop, which they may end."""
        return [line for _ in range(self.random.randint(1, 3)) for line in self.one(depth, within)]

    def one(self, depth: int, within: bool) -> list[str]:
        kinds = ["assign"] * 3 + ["step", "store", "delete", "jump"]
        kinds += ["if", "if", "for", "while", "try"] if depth < 2 else []
        kind = self.random.choice(kinds)
        if kind == "assign":
            return [f"{self.random.choice(NAMES)} = {self.one_of(VALUES)}"]
        if kind == "delete":
            name = self.random.choice(NAMES)
            return [f"{name} = i", f"del {name}"]
        if kind == "jump":
            condition = f"if {self.one_of(CONDITIONS)}:"
            return [
                condition,
                f"    {'break' if within and self.random.random() < 0.5 else 'continue'}",
            ]
        if kind in ("step", "store"):
            return [self.one_of(STEPS if kind == "step" else STORES)]
        return self.compound(kind, depth, within)

    def compound(self, kind: str, depth: int, within: bool) -> list[str]:
        self.count += 1
        body = [f"    {line}" for line in self.body(depth + 1, within or kind in ("for", "while"))]
        rest = [f"    {line}" for line in self.body(depth + 2, within)]
        rest = ["else:", *rest] if self.random.random() < 0.4 else []
        if kind == "if":
            return [f"if {self.one_of(CONDITIONS)}:", *body, *rest]
        if kind == "for":
            return [f"for j{self.count} in {self.one_of(OVER)}:", *body, *rest]
        if kind == "while":
            left = f"m{self.count}"
            return [f"{left} = i % 4", f"while {left} > 0:", f"    {left} -= 1", *body, *rest]
        return ["try:", *body, "except IndexError:", f"    {self.random.choice(NAMES)} = -1"]

    def lines(self) -> list[str]:
        bound = [
            f"{name} = {value}" for name, value in zip(NAMES, ("0", "None", "1.5"), strict=True)
        ]
        bound = [line for line in bound if self.random.random() < 0.4]
        body, fails = self.body(0, False), [self.random.choice(FAILS)]
        body = fails + body if self.random.random() < 0.5 else body + fails
        ends = ["else:", "    k = -5"] if self.random.random() < 0.3 else []
        head = self.random.choice(HEADS)
        loop = [*head, *(f"    {line}" for line in body), *ends]
        return ["s, k, found = 0.0, 0, []", *bound, *loop, "return s, k, found"]


def random_loop(seed: int) -> tuple[Any, str]:
    """A function of an array, indices and a number of iterations, and its text."""
    lines = ["def program(x, index, n):", *(f"    {line}" for line in _Writer(seed).lines())]
    text = "\n".join(lines) + "\n"
    space: dict[str, Any] = {"np": np}
    exec(compile(text, f"<loop {seed}>", "exec"), space)
    function = space["program"]
    assert isinstance(function, FunctionType)
    return function, text
