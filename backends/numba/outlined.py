"""Builds the function that replaces sequences of statements which outlining.py has found.

They differ in variables and ints only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .lines import Line
from .statements import Slot, Statement

MOST = 20
"""Maximum number of arguments."""


@dataclass(eq=False, slots=True)
class Occurrence:
    """One of the equal sequences."""

    block: Any
    start: int
    length: int
    around: list[Statement]
    """The statements of its block."""
    names: Counter[str]
    """Names used in the enclosing function."""
    statements: list[Statement] = field(default_factory=list)
    slots: list[Slot] = field(default_factory=list)
    given: set[str] = field(default_factory=set)
    """Variables that are assigned before it."""
    stored: set[str] = field(default_factory=set)
    wanted: set[str] = field(default_factory=set)
    """Variables that it assigns and that are read elsewhere."""

    def __post_init__(self) -> None:
        self.statements = self.around[self.start : self.start + self.length]
        self.slots = [slot for each in self.statements for slot in each.slots]

    @property
    def lines(self) -> int:
        """Return the number of lines."""
        return sum(len(each.lines) for each in self.statements)

    def find_variables(self) -> bool:
        """Find `given`, `stored` and `wanted`; False if a result is not certain to be assigned."""
        inside = Counter(slot.text for slot in self.slots if slot.is_name)
        seen: set[str] = set()
        for slot in self.slots:
            if not slot.is_name:
                continue
            visible = self.names[slot.text] > inside[slot.text]
            if slot.text not in seen:
                seen.add(slot.text)
                if slot.role in "ra":
                    self.given.add(slot.text)
                elif visible and not slot.is_sure:
                    return False
            if slot.role != "r":
                self.stored.add(slot.text)
                if visible:
                    self.wanted.add(slot.text)
        return True


Row = tuple[str, ...]
"""The texts at one slot, one for each occurrence."""


@dataclass(eq=False, slots=True)
class Outlined:
    """A function that replaces equal sequences."""

    occurrences: list[Occurrence]
    params: list[Row] = field(default_factory=list)
    """Variables that become parameters."""
    locals: list[Row] = field(default_factory=list)
    outs: list[Row] = field(default_factory=list)
    """Variables that are results."""
    numbers: list[tuple[int, ...]] = field(default_factory=list)
    """Ints that become parameters."""
    places: dict[Row, tuple[int, int]] = field(default_factory=dict)
    """For ints that differ: (index in `numbers`, constant to add)."""
    exits: list[str] = field(default_factory=list)
    """Exit number of each occurrence; empty if none bails."""
    kinds: list[str] = field(default_factory=list)
    """Types of `outs`: w for ints, f for doubles."""

    @property
    def by_words(self) -> bool:
        """True if results are returned in words of the kernel."""
        return bool(self.outs) and (bool(self.exits) or len(self.outs) > 1)

    @property
    def gain(self) -> int:
        """Return the number of lines saved."""
        lines, outs = self.occurrences[0].lines, len(self.outs) if self.by_words else 0
        call = (2 if self.exits else 1) + outs
        return len(self.occurrences) * (lines - call) - lines - 2 - outs

    def function(
        self, name: str, fresh: Callable[[str], str], word: int
    ) -> tuple[Line, list[Line]]:
        """Return the `def` line and the body; results are stored from `word` on."""
        own: dict[Row, str] = {}
        taken: set[str] = set()
        for row in (*self.params, *self.locals):
            if row not in own:
                own[row] = row[0] if row[0] not in taken else fresh(row[0])
                taken.add(own[row])
        bases = [fresh("k") for _ in self.numbers]
        body = self._body(own, bases)
        results = [own[row] for row in self.outs]
        if self.by_words:
            body += [
                Line(f"{_cell(word + k, kind)} = {result}", 1)
                for k, (result, kind) in enumerate(zip(results, self.kinds, strict=True))
            ]
        if results and not self.by_words:
            body.append(Line(f"return {results[0]}", 1))
        else:
            body.append(Line("return 0", 1, exit=0))
        params = ", ".join(["w", *(own[row] for row in self.params), *bases])
        return Line(f"def {name}({params}):"), body

    def _body(self, own: dict[Row, str], bases: Sequence[str]) -> list[Line]:
        body: list[Line] = []
        rows = iter(zip(*(one.slots for one in self.occurrences), strict=True))
        for statement in self.occurrences[0].statements:
            texts = []
            for slot in statement.slots:
                row = tuple(each.text for each in next(rows))
                if slot.is_name:
                    texts.append(own[row])
                elif slot.role == "x":
                    texts.append("1")
                elif row in self.places:
                    base, more = self.places[row]
                    texts.append(_sum(bases[base], more))
                else:
                    texts.append(slot.text)
            body += [line.deeper(1) for line in statement.filled(texts)]
        return body

    def call(self, name: str, occurrence: Occurrence, word: int) -> list[Line]:
        """Return the lines that replace one occurrence."""
        place = self.occurrences.index(occurrence)
        given = [row[place] for row in self.params] + [str(row[place]) for row in self.numbers]
        text = f"{name}({', '.join(['w', *given])})"
        if self.outs and not self.by_words:
            return [Line(f"{self.outs[0][place]} = {text}")]
        lines = [Line(text)]
        if self.exits:
            exit_ = self.exits[place]
            lines = [Line(f"if {text} != 0:"), Line(f"return {exit_}", 1, exit=int(exit_))]
        pairs = zip(self.outs, self.kinds, strict=True)
        return lines + [
            Line(f"{row[place]} = {_cell(word + k, kind)}") for k, (row, kind) in enumerate(pairs)
        ]


def outlined(occurrences: list[Occurrence], kinds: Mapping[str, str]) -> Outlined | None:
    """Return the function that replaces some sequences, or None if they must stay."""
    lines = [line for each in occurrences[0].statements for line in each.lines]
    if not all(map(_may_move, lines)) or not all(one.find_variables() for one in occurrences):
        return None
    made = Outlined(occurrences)
    if not _find_exits(made) or not _find_variables(made):
        return None
    _find_numbers(made)
    if len(made.params) + len(made.numbers) > MOST:
        return None
    if made.by_words:
        found = [{kinds.get(name, "") for name in row} for row in made.outs]
        if any(len(each) > 1 or each == {""} for each in found):
            return None
        made.kinds = [each.pop() for each in found]
    return made


def _may_move(line: Line) -> bool:
    """False for lines that leave the function other than by a bail, or whose step may be 0."""
    if line.returns:
        return line.exit is not None
    steps = line.is_loop and line.code.count(",") > 1
    return not steps and (line.depth > 0 or line.code not in ("continue", "break"))


def _find_exits(made: Outlined) -> bool:
    for one in made.occurrences:
        exits = {slot.text for slot in one.slots if slot.role == "x"}
        if len(exits) > 1:
            return False
        made.exits += exits
    return True


def _find_variables(made: Outlined) -> bool:
    """Find parameters and results; False if one variable corresponds to several elsewhere."""
    given: dict[Row, bool] = {}
    wanted: dict[Row, bool] = {}
    rows_of: list[dict[str, Row]] = [{} for _ in made.occurrences]
    for slots in zip(*(one.slots for one in made.occurrences), strict=True):
        if not slots[0].is_name:
            continue
        row = tuple(slot.text for slot in slots)
        pairs = [*zip(made.occurrences, row, strict=True)]
        comes_in = {name in one.given for one, name in pairs}
        if len(comes_in) > 1:
            return False
        given[row] = comes_in.pop()
        wanted[row] = any(name in one.wanted for one, name in pairs)
        for (one, name), rows in zip(pairs, rows_of, strict=True):
            if name in one.stored and rows.setdefault(name, row) != row:
                return False
    made.params = [row for row, comes in given.items() if comes]
    made.locals = [row for row, comes in given.items() if not comes]
    made.outs = [row for row, goes in wanted.items() if goes]
    return True


def _find_numbers(made: Outlined) -> None:
    """Find the ints that differ. Those that keep a constant distance share a parameter."""
    bases: dict[Row, int] = {}
    for slots in zip(*(one.slots for one in made.occurrences), strict=True):
        row = tuple(slot.text for slot in slots)
        if slots[0].is_name or slots[0].role == "x" or len(set(row)) == 1:
            continue
        numbers = tuple(map(int, row))
        distances = tuple(str(number - numbers[0]) for number in numbers)
        if distances not in bases:
            bases[distances] = len(made.numbers)
            made.numbers.append(numbers)
        base = bases[distances]
        made.places[row] = base, numbers[0] - made.numbers[base][0]


def _cell(word: int, kind: str) -> str:
    return f"w[{word}]" if kind == "w" else f"float64_at(address_of(w, {word}))[0]"


def _sum(base: str, more: int) -> str:
    return base if not more else f"({base} + {more})" if more > 0 else f"({base} - {-more})"
