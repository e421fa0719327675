"""Arguments of the calls of one program: mostly of one kind, of changing kinds, aliased, kept."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fuzzing.choices import Choices, weighted
from fuzzing.grammar import HOLE

SIZES = (4, 4, 4, 4, 4, 3, 5, 1, 0, 2, 7)
DTYPES = weighted(f8=20, i8=3, f4=3, i4=1, u1=1, bool=1, c16=1, f2=1)
FORMS = (
    *(3 * ["np.arange({n}).astype({t!r})"]),
    *(3 * ["np.linspace(-1, 2, {n}).astype({t!r})"]),
    *("np.ones({n}, {t!r})", "np.full({n}, 3, {t!r})", "np.arange({n}).astype({t!r})[::-1]"),
    *("np.arange(2 * {n}).astype({t!r})[::2]", "np.arange({n} + 2).astype({t!r})[1:-1]"),
)
"""Arrays with one axis."""
OTHER_ARRAYS = (
    *(2 * ["np.arange(2 * {n}).astype({t!r}).reshape(2, {n})"]),
    *("np.arange(2 * {n}).astype({t!r}).reshape({n}, 2).T", "np.array(2, {t!r})"),
    *("np.asfortranarray(np.ones((3, {n}), {t!r}))", "[1.0, 2.0, 3.0, 0.5]", "[1, 2, 3, 4]"),
    *("None", "2.5", "3", "True", "np.float64(1.5)", "np.float32(0.5)", "(1.0, 2.0)", "1j"),
    *("np.arange({n}, dtype='>f8')", "np.ones({n}, 'f4')", "np.ones({n}, 'i2')", "np.zeros(1)"),
    *("np.broadcast_to(np.array(2.0), {n})", "np.ma.arange({n})", "np.ones({n}, object)"),
    *("np.zeros(0)", "np.ones((0, {n}))", "np.full({n}, np.nan)", "np.full({n}, np.inf)"),
    *("np.arange({n}).view(type('Mine', (np.ndarray,), {{}}))", "np.ones({n}, bool)"),
)
"""Other objects that an argument may be where an array is expected."""
LOCKED = "np.arange(4.0)\n{name}.flags.writeable = False"
COUNTS = ("2", "1", "3", "0", "2", "1", "4")
OTHER_COUNTS = ("True", "-1", "np.int64(2)", "np.int8(1)", "1.0", "None", "False")
NUMBERS = ("1.5", "2.0", "-0.5", "3", "0.0", "2", "1.5")
OTHER_NUMBERS = (
    *("np.float64(1.5)", "np.float32(0.1)", "np.int8(3)", "True", "None", "2**70", "1j", "'text'"),
    *("np.array(2.0)", "np.arange(4.0)", "nan", "inf", "-0.0", "10**20", "np.bool_(True)", "7"),
)
FLAGS = ("True", "False", "True", "False", "True", "False", "np.True_", "1", "0", "None")
LISTS = (
    *(
        "[np.ones(4), np.arange(4.0)]",
        "[np.zeros(4)]",
        "[a, b]",
        "[a]",
        "[a, a]",
        "[np.ones(4), 1.5]",
    ),
    "[np.arange(4), np.ones(4), np.zeros(4)]",
)
OTHER_LISTS = ("[]", "(np.ones(4), np.ones(4))", "[1.0, 2.0]", "[np.ones(4, 'i8')]", "[None]")
DICTS = (
    *("{'k': np.arange(4.0), 'n': 1}", "{'k': a, 'n': 2.5}", "{'k': a, 'l': [a], 'n': 0}"),
    "{'n': np.ones(4), 'k': np.ones(4), 'l': []}",
)
OTHER_DICTS = ("{}", "{'k': 1.5, 'n': None}", "collections.OrderedDict(k=np.ones(4), n=1)")
OBJECTS = (
    *(3 * ["M.Box(np.arange(4.0))"]),
    *("M.Box(a)", "M.Box(a)", "M.Sub(np.ones(4))", "M.Sub(a)", "M.Slotted(np.ones(4))"),
)
OTHER_OBJECTS = (
    "M.Sub(np.ones(4, 'i8'))",
    "M.Slotted(a)",
    "M.Box(1.5)",
    "M.Box(None)",
    "M.Box([1, 2])",
)
SETS = ("{1, 2}", "{7}", "set()", "{1, 2, 3}")
BYTES = ("bytearray(b'abc')", "bytearray(b'a')", "bytearray(b'abcd')")
QUEUES = ("collections.deque([np.ones(4), np.arange(4.0)])", "collections.deque([a, a], 3)")
FUNCTIONS = ("np.sin", "lambda v: v * 2", "np.negative", "lambda v, k=1: v + k", "abs", "np.sum")
RELATIONS = (
    *("b = a", "b = a[::-1]", "a = np.arange(5.0)\nb = a[1:]\na = a[:-1]", "b = a.view()"),
    *("a = np.arange(8.0)\na, b = a[::2], a[1::2]", "a.flags.writeable = False", "b = a[:1]"),
    "a = np.arange(6.0)\na, b = a[:4], a[2:]",
)


class Steps:
    """Writes the statements before each call."""

    def __init__(self, choices: Choices, used: Sequence[str]) -> None:
        self.choices = choices
        self.used = list(used)
        self._plans = {name: self._plan(name) for name in self._all()}
        self._relation = choices.one(RELATIONS) if choices.chance(20) else ""

    def _all(self) -> list[str]:
        """Arrays are always made: lists and objects may hold them."""
        return list(dict.fromkeys(["a", "b", *self.used]))

    def texts(self, rebinding: Sequence[str]) -> tuple[str, ...]:
        """Return the texts of three to six calls; the first one is made twice."""
        first = self._text(4)
        found = [first, first]
        for _ in range(self.choices.one((1, 1, 2, 2))):
            changes = self.choices.chance(45)
            plans = dict(self._plans)
            if changes:
                name = self.choices.one(self.used)
                self._plans[name] = self._other(name)
            between = self.choices.one(rebinding) if rebinding and self.choices.chance(55) else ""
            step = self._text(self.choices.one(SIZES))
            if between:
                found.append(_filled(between, self.choices) + "\n" + step)
            found.append(step)
            if changes and self.choices.chance(60):
                self._plans = plans
        return tuple(found)

    def _text(self, size: int) -> str:
        lines = [
            f"{name} = {self._plans[name].format(n=size, name=name)}"
            if name in "ab"
            else f"{name} = {self._plans[name]}"
            for name in self._all()
        ]
        if self._relation and all(self._plans[name].startswith("np.") for name in "ab"):
            lines.insert(2, self._relation)
        return "\n".join(line for line in lines if self._is_read(line, lines))

    def _is_read(self, line: str, lines: list[str]) -> bool:
        """True unless it makes an array that nobody uses."""
        name = line.split(" ")[0]
        if name in self.used or name not in ("a", "b"):
            return True
        return any(re.search(rf"\b{name}\b", one) for one in lines if one is not line)

    def _plan(self, name: str) -> str:
        pick = self.choices.one
        if name in "ab":
            if name == "b" and self.choices.chance(60):
                return self._plans_of_a()
            return pick(FORMS).replace("{t!r}", repr(pick(DTYPES)))
        kinds = {
            "n": COUNTS, "m": NUMBERS, "flag": FLAGS, "l": LISTS, "d": DICTS, "o": OBJECTS,
            "s": SETS, "w": BYTES, "q": QUEUES, "f": FUNCTIONS,
        }  # fmt: skip
        return pick(kinds[name])

    def _plans_of_a(self) -> str:
        return self.choices.one(FORMS).replace("{t!r}", "'f8'")

    def _other(self, name: str) -> str:
        """Another kind of value."""
        pick = self.choices.one
        if name in "ab":
            if self.choices.chance(10):
                return LOCKED
            forms = OTHER_ARRAYS if self.choices.chance(60) else FORMS
            return pick(forms).replace("{t!r}", repr(pick(DTYPES)))
        kinds = {
            "n": OTHER_COUNTS + COUNTS, "m": OTHER_NUMBERS + NUMBERS, "flag": FLAGS,
            "l": OTHER_LISTS + LISTS, "d": OTHER_DICTS + DICTS, "o": OTHER_OBJECTS + OBJECTS,
            "s": SETS, "w": BYTES, "q": QUEUES, "f": FUNCTIONS,
        }  # fmt: skip
        return pick(kinds[name])


def _filled(text: str, choices: Choices) -> str:
    return HOLE.sub(lambda _: choices.one(NUMBERS), text)
