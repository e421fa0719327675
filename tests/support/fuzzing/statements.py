"""Statements as text: assignments, writes in place, branches and loops around expressions."""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzzing.choices import Choices, weighted
from fuzzing.expressions import COMPARISONS, INDICES, KEYS, OPERATORS, UNARY, Expressions
from fuzzing.programs import TooLarge, bounded, compiled

SIMPLE = weighted(assign=10, update=5, store=5, number=2, put=2, out=2, swap=1, name=2, copy=2)
"""Statements of one line."""
WHOLE = weighted(simple=26, branch=4, loop=5, elements=3, countdown=2, one_by_one=3)
RESULTS = ("x", "y", "z")
MORE_NAMES = (*RESULTS, *RESULTS, "p", "q", "r")
HEADS = ("range(3)", "range(n)", "range({0}.shape[0])", "range(len({0}))", "range(1, n + 2)")
MORE_HEADS = (*HEADS, "range(n, 0, -1)", "range(0, {0}.size, 2)", "range(1, {0}.shape[0] - 1)")
OVER = ("{0}", "enumerate({0})", "zip({0}, {1})", "reversed({0})", "enumerate(zip({0}, {1}))")
ITEM_HEADS = (
    *("range(len({0}))", "range({0}.shape[0])", "range(1, len({0}))", "range(0, len({0}), 2)"),
    *("range(len({0}) - 1, -1, -1)", "range(len({0}) - 1)"),
)
"""Heads of loops over the items of an array."""
OF_ITEMS = (
    *("{0} * 2", "{0} + {1}", "{0} * {0} - {1}", "np.sqrt(abs({0}))", "{0}", "3"),
    *("{0} - {0}.mean()", "np.exp({0} - {1}.max())", "{0} / ({0} * {1} + 1).sum()"),
)
INDENT = "    "


class Ended(Exception):  # noqa: N818
    """The program leaves here: what would follow is never reached."""


class Statements(Expressions):
    """Writes the statements of a program's body.

    A line of its own is run at once, so that the names have values for the next one. A branch or a
    loop is run by running the whole program so far.
    """

    def __init__(self, choices: Choices, parameters: str, arguments: str) -> None:
        super().__init__(choices)
        self.parameters = parameters
        self.arguments = arguments
        self.lines: list[str] = []
        self._made = 0
        self._run_all()

    # ---- running ---------------------------------------------------------------------------------

    def source(self, *last: str) -> str:
        """The program so far, with some lines at its end."""
        body = "".join(f"{INDENT}{line}\n" for line in (*self.lines, *last))
        return f"def program({self.parameters}):\n{body}"

    def _run_all(self) -> None:
        """Gives the names the values that they have behind all lines so far."""
        names: dict[str, Any] = {"np": np, "inf": np.inf, "nan": np.nan}
        exec(self.arguments, names)
        exec(compiled(self.source("return locals()")), names)
        given = eval(f"({self.parameters},)", names)
        try:
            found = bounded(lambda: names["program"](*given))
        except TooLarge as error:
            raise ValueError from error
        if not isinstance(found, dict):
            raise Ended
        self.values = {"np": np, **found}

    def _line(self, depth: int, text: str) -> None:
        self.lines.append(INDENT * depth + text)

    def _try_line(self, depth: int, text: str) -> None:
        """Adds a line that works; one that raises once in a while."""
        try:
            exec(text, self.values)
            self.values.pop("__builtins__", None)
        except Exception:
            if not self.choices.chance(3):
                return
            self._line(depth, text)
            raise Ended from None
        self._line(depth, text)

    # ---- simple statements -----------------------------------------------------------------------

    def simple(self, depth: int) -> None:
        """A statement of one line."""
        text: str = getattr(self, f"_{self.choices.one(SIMPLE)}")()
        self._try_line(depth, text)

    def _assign(self) -> str:
        depth = self.choices.one((2, 3, 2, 3, 1))
        return f"{self.choices.one(MORE_NAMES)} = {self.array(depth)}"

    def _name(self) -> str:
        """Another name for an array, or for a window on it."""
        index = self.choices.one(("", "", "[::-1]", "[1:]", "[...]", ".T"))
        return f"{self.choices.one(MORE_NAMES)} = {self.choices.one(self.arrays())}{index}"

    def _copy(self) -> str:
        """All items of an array into another."""
        return f"{self._target()}[...] = {self.array(self.choices.one((0, 0, 1)))}"

    def _target(self) -> str:
        """An array to write to, rather one that the program has made."""
        names = self.arrays()
        own = [name for name in names if name in MORE_NAMES]
        return self.choices.one(own if own and self.choices.chance(60) else names)

    def _update(self) -> str:
        return f"{self._target()} {self.choices.one(OPERATORS[:11])}= {self.operand(2)}"

    def _store(self) -> str:
        target = self._target()
        if self.choices.chance(30):
            mask = f"{target} {self.choices.one(COMPARISONS)} {self.number()}"
            if self.choices.chance(30):  # its own items, some of which it has written by then
                step = self.choices.one(("", "[::-1]", "[::2]", "[1:]"))
                return f"{target}[{mask}] = {target}.ravel(){step}[: ({mask}).sum()]"
            return f"{target}[{mask}] = {self.number()}"
        if self.choices.chance(20):
            places = f"{self.choices.one(self.arrays())} % {target}.shape[0]"
            key = self.choices.one(KEYS).format(left=target, places=places)
            return f"{target}[{key}] {self.choices.one(('=', '=', '+='))} {self.operand(1)}"
        index = self.choices.one(INDICES)
        value = self.operand(1)
        if self.is_array(f"{value}{index}") and self.choices.chance(70):
            value += self.choices.one((index, "[:-1]", "[1:]", "[::-1]"))
        symbol = self.choices.one(("=", "=", "+=", "*=", "-="))
        return f"{target}{index} {symbol} {value}"

    def _number(self) -> str:
        name = self.choices.one(("s", "t", "v"))
        kinds = ("{name} = {number}", "{name} = {name} + {number}", "{name} = {reduced}")
        reduced = self.reduction(self.array(1), "")
        form = self.choices.one((*kinds, "{name} += {number}", "n = (n + 1) % 4"))
        return form.format(name=name, number=self.number(), reduced=reduced)

    def _put(self) -> str:
        """One element."""
        target = self._target()
        index = self.choices.one(("0", "-1", "n", "0, 0", "..., 0", *self._indices()))
        symbol = self.choices.one(("=", "+=", "*="))
        return f"{target}[{index}] {symbol} {self.number()}"

    def _out(self) -> str:
        target = self._target()
        if self.choices.chance(30):
            return f"{self.choices.one(UNARY)}({self.array(1)}, out={target})"
        name = self.choices.one(("add", "multiply", "subtract", "maximum", "divide"))
        return f"np.{name}({self.array(1)}, {self.operand(1)}, out={target})"

    def _swap(self) -> str:
        one, other = (self.choices.one(self.arrays()) for _ in range(2))
        return f"{one}, {other} = {other}, {one}"

    def _indices(self) -> list[str]:
        """Names of loops' counters."""
        return [name for name in self.numbers() if name[0] in "ijk" and name[1:].isdigit()]

    def _new(self, letter: str) -> str:
        self._made += 1
        return f"{letter}{self._made}"

    # ---- blocks ----------------------------------------------------------------------------------

    def statement(self) -> None:
        """One of any kind, at the top of the program."""
        kind = self.choices.one(WHOLE)
        if kind == "simple":
            self.simple(0)
            return
        before = list(self.lines)
        try:
            getattr(self, kind)(0)
        except Ended:
            self.lines = before
        try:
            self._run_all()
        except Ended:
            raise
        except Exception:
            if self.choices.chance(10):
                raise Ended from None
            self.lines = before
            self._run_all()

    def block(self, depth: int, in_loop: bool) -> None:
        """One to three statements; at times another branch or loop inside."""
        start = len(self.lines)
        for _ in range(self.choices.one((1, 2, 2, 3))):
            self.simple(depth)
        if depth < 2 and self.choices.chance(12):
            kinds = (self.branch, self.branch, self.loop, self.elements)
            self.choices.one(kinds)(depth, in_loop)
        if in_loop and self.choices.chance(15):
            self._line(depth, f"if {self.condition()}:")
            ways = ("break", "continue", "break", f"return {self.choices.one(self.arrays())}")
            self._line(depth + 1, self.choices.one(ways))
        if len(self.lines) == start:
            self._line(depth, "pass")

    def branch(self, depth: int, in_loop: bool = False) -> None:
        """`if`, on numbers or on data."""
        self._line(depth, f"if {self.condition()}:")
        self.block(depth + 1, in_loop)
        if self.choices.chance(20):
            self._line(depth, f"elif {self.condition()}:")
            self.block(depth + 1, in_loop)
        if self.choices.chance(50):
            self._line(depth, "else:")
            self.block(depth + 1, in_loop)

    def loop(self, depth: int, in_loop: bool = False) -> None:
        """`for` over a range."""
        counter = self._new("i")
        head = self.choices.one(MORE_HEADS).format(self.choices.one(self.arrays()))
        self._line(depth, f"for {counter} in {head}:")
        self.values[counter] = 1
        self.block(depth + 1, True)
        if self.choices.chance(10):
            self._line(depth, "else:")
            self.block(depth + 1, in_loop)

    def elements(self, depth: int, in_loop: bool = False) -> None:
        """`for` over one or two arrays."""
        one, other = (self.choices.one(self.arrays()) for _ in range(2))
        over = self.choices.one(OVER)
        names = []
        if "enumerate" in over:
            names.append(self._new("i"))
            self.values[names[-1]] = 1
        items = []
        for array in (one, other)[: over.count("{")]:
            items.append(self._new("e"))
            value = self.values[array]
            self.values[items[-1]] = value[0] if value.ndim and len(value) else 1.5
        text = ", ".join(items)
        names.append(f"({text})" if names and len(items) > 1 else text)
        self._line(depth, f"for {', '.join(names)} in {over.format(one, other)}:")
        self.block(depth + 1, True)

    def countdown(self, depth: int, in_loop: bool = False) -> None:
        """`while`, five turns at most."""
        counter = self._new("k")
        self.values[counter] = self.choices.one((3, 2, 5, 1))
        self._line(depth, f"{counter} = {self.values[counter]}")
        self._line(depth, f"while {counter} > 0 and ({self.condition()}):")
        self._line(depth + 1, f"{counter} -= 1")
        self.block(depth + 1, True)

    def one_by_one(self, depth: int, in_loop: bool = False) -> None:
        """`for` over the items of an array, such as threads may share, or just may not."""
        one, other = (self.choices.one(self.arrays()) for _ in range(2))
        counter = self._new("i")
        head = self.choices.one(ITEM_HEADS).format(self.choices.one((one, other)))
        self._line(depth, f"for {counter} in {head}:")
        self.values[counter] = 1
        for _ in range(self.choices.one((1, 1, 2))):
            value = self.choices.one(OF_ITEMS).format(*self._item_of(one, other, counter))
            if self.choices.chance(20):  # an array of the iteration's own, if items are rows
                self._line(depth + 1, f"t = {value}")
                value = self.choices.one(("t + t.sum()", "t * t", "np.where(t > 0.5, t, -t)"))
            if self.choices.chance(20):
                item = self._item_of(one, other, counter)[0]
                self._line(depth + 1, f"if {item}.sum() > 0.5:")
                self._line(depth + 2, f"{other}[{counter}] = {value}")
            else:
                index = self.choices.one((counter, counter, counter, f"{counter} - 1"))
                self._line(depth + 1, f"{other}[{index}] = {value}")

    def _item_of(self, one: str, other: str, counter: str) -> list[str]:
        """Two items of arrays, most of them of this iteration."""
        indices = (counter, counter, counter, f"{counter} - 1", "0")
        return [f"{self.choices.one((one, one, other))}[{self.choices.one(indices)}]" for _ in "ab"]
