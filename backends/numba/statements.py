"""Splits a kernel's text into statements, and each into a shape with slots for names and ints."""

from __future__ import annotations

import keyword
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .library.names import BUILTINS, NAMES
from .lines import NAME, Line

KNOWN = frozenset((*NAMES, *BUILTINS.split(), *keyword.kwlist, "kernel", "w"))
"""Names that are not variables."""
# Names and ints of a line come from many writers; only the text has all of them, in order.
_TOKEN = re.compile(
    r"(?<![\w.])(?P<name>[^\W\d]\w*)"
    r"|(?:(?<=[(\[])|(?<=[,=|&+*] )|(?<=return ))(?P<signed>-\d+)(?![\w.])"
    r"|(?<![\w.])(?<!e-)(?<!e\+)(?P<int>\d+)(?![\w.])"
)
LONG = 80
"""Statements longer than this (loops with hundreds of operations) are not compared."""


@dataclass(slots=True)
class Slot:
    """A name or int in a statement."""

    text: str
    is_name: bool
    role: str = "r"
    """Role of a name: r read, s assigned, a augmented, f loop variable. Of an int: x exit number.
    """
    is_sure: bool = False
    """True if the name is assigned whenever the statement runs."""


@dataclass(slots=True)
class Statement:
    """Consecutive lines of one statement; the first one has the depth 0."""

    lines: list[Line]
    parts: list[str] = field(default_factory=list)
    """Code between the slots, with a new line after each line's."""
    slots: list[Slot] = field(default_factory=list)
    shape: str = ""
    """Key that is the same for equal statements."""

    def filled(self, texts: Sequence[str]) -> list[Line]:
        """Return the lines with these texts in the slots, without notes; bails have the exit 1."""
        pairs = zip(self.parts, (*texts, ""), strict=True)
        codes = "".join(part + text for part, text in pairs).split("\n")
        return [
            Line(code, one.depth, exit=None if one.exit is None else 1)
            for one, code in zip(self.lines, codes, strict=True)
        ]


def statements(lines: Sequence[Line], depth: int, known: set[str]) -> list[Statement]:
    """Return the statements of a block; `known` are functions defined in the text."""
    groups: list[list[Line]] = []
    for line in lines:
        if line.depth > depth or line.continues:
            groups[-1].append(line.deeper(-depth))
        else:
            groups.append([line.deeper(-depth)])
    return [_unique(group) if len(group) > LONG else _read(group, known) for group in groups]


def _unique(lines: list[Line]) -> Statement:
    """Return a statement that equals no other, but whose names are known."""
    return Statement(lines, slots=[Slot(name, True) for line in lines for name in line.names])


def _read(lines: list[Line], known: set[str]) -> Statement:
    made = Statement(lines)
    text = ""
    for number, line in enumerate(lines):
        text += "\n" * (number > 0)
        start = 0
        for found in _TOKEN.finditer(line.code):
            word = found[0]
            if found["name"] and (word in KNOWN or word in known):
                continue
            made.parts.append(text + line.code[start : found.start()])
            made.slots.append(Slot(word, bool(found["name"])))
            text, start = "", found.end()
            _set_role(made.slots[-1], line, found.start())
        text += line.code[start:]
    made.parts.append(text)
    marks = (*("\1" if slot.is_name else "\2" for slot in made.slots), "")
    codes = "".join(part + mark for part, mark in zip(made.parts, marks, strict=True))
    made.shape = f"{[line.depth for line in lines]} {codes}"
    return made


def _set_role(slot: Slot, line: Line, place: int) -> None:
    if not slot.is_name:
        if line.exit is not None and place + len(slot.text) >= len(line.code) - 1:  # its last int
            slot.role = "x"
    elif line.is_loop and place == len("for "):
        slot.role, slot.is_sure = "f", True
    elif place == 0 and (found := line.assignment) is not None:
        _, augments, expression = found
        again = slot.text in NAME.findall(expression)
        slot.role = "a" if augments or again else "s"
        slot.is_sure = line.depth == 0


def names_in(block: Sequence[Statement]) -> Iterator[str]:
    """Yield the variables in some statements, with repetitions."""
    for each in block:
        yield from (slot.text for slot in each.slots if slot.is_name)


def kinds_of(lines: Sequence[Line]) -> dict[str, str]:
    """Return the types of variables where they are evident.

    They are w for 64-bit ints, f for doubles, else "".
    """
    kinds: dict[str, str] = {}
    for line in lines:
        if (found := line.assignment) is not None:
            name, _, expression = found
            kind = _kind_of(expression, kinds)
            if kinds.setdefault(name, kind) != kind:
                kinds[name] = ""
    return kinds


def without_copies(lines: Sequence[Line]) -> list[Line]:
    """Remove variables that merely copy another variable, if both are assigned once."""
    stored: Counter[str] = Counter()
    copies: dict[str, str] = {}
    for line in lines:
        stored[line.target] += 1
        if line.depth == 1 and (found := line.assignment) is not None and not found[1]:
            copies[line.target] = found[2]
    copies = {
        name: other
        for name, other in copies.items()
        if stored[name] == 1 == stored[other] and NAME.fullmatch(other)
    }
    for name in copies:
        while copies[name] in copies:
            copies[name] = copies[copies[name]]

    def replaced(found: re.Match[str]) -> str:
        return copies.get(found[0], found[0])

    return [
        Line(NAME.sub(replaced, line.code), line.depth, NAME.sub(replaced, line.note), line.exit)
        for line in lines
        if line.target not in copies
    ]


def _kind_of(text: str, kinds: dict[str, str]) -> str:
    if text.startswith(("float64(", "float64_at(")):
        return "f"
    text = _WORD.sub("0", text).replace("//", "+")
    names = NAME.findall(text)
    plain = all(kinds.get(name) == "w" or name in _OF_INTS for name in names)
    return "w" if plain and not {*NAME.sub("", text)} - {*" +-*%|&(),0123456789"} else ""


_WORD = re.compile(r"\bw\[\d+\]")
_OF_INTS = (
    "int64",
    "bounded",
    "natural_rest",
    "natural_quotient",
    "max",
    "min",
    "raised_flags",
    "x87_flags",
    "x87_status",
    "get_status",
)
