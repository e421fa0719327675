"""Splits a kernel's text into statements, and each into a shape with slots for names and ints."""

from __future__ import annotations

import keyword
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .library.names import BUILTINS, NAMES

KNOWN = frozenset((*NAMES, *BUILTINS.split(), *keyword.kwlist, "kernel", "w"))
"""Names that are not variables."""
_TOKEN = re.compile(
    r"(?<![\w.])(?P<name>[^\W\d]\w*)"
    r"|(?:(?<=[(\[])|(?<=[,=|&+*] )|(?<=return ))(?P<signed>-\d+)(?![\w.])"
    r"|(?<![\w.])(?<!e-)(?<!e\+)(?P<int>\d+)(?![\w.])"
)
_LOOP = re.compile(r"for (\w+) in ")
_VARIABLE = re.compile(r"(?<![\w.])[^\W\d]\w*")
_ASSIGNED = re.compile(r"(\w+) (\||\+|-|\*)?= ")
LONG = 80
"""Statements longer than this (loops with hundreds of operations) are not compared."""
BAILS = re.compile(r"return (bail\(w, .*, )?-?\d+\)?$")
"""A line that leaves the kernel, with the exit's number at its end."""


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
    """Consecutive lines of one statement, without the first one's indentation."""

    lines: list[str]
    parts: list[str] = field(default_factory=list)
    """Text between the slots, without comments."""
    slots: list[Slot] = field(default_factory=list)
    shape: str = ""
    """Key that is the same for equal statements."""

    def filled(self, texts: Sequence[str]) -> list[str]:
        """Return the lines with these texts in the slots."""
        pairs = zip(self.parts, (*texts, ""), strict=True)
        return "".join(part + text for part, text in pairs).split("\n")


def statements(lines: Sequence[str], depth: int, known: set[str]) -> list[Statement]:
    """Return the statements of a block; `known` are functions defined in the text."""
    groups: list[list[str]] = []
    for line in lines:
        own = line[4 * depth :]
        if own[:1] == " " or own.startswith(("else:", "elif ")):
            groups[-1].append(own)
        else:
            groups.append([own])
    return [_unread(group) if len(group) > LONG else _read(group, known) for group in groups]


def _unread(lines: list[str]) -> Statement:
    """Return a statement that equals no other, but whose names are known."""
    names = (name for line in lines for name in _NAME.findall(line.split("  # ", 1)[0]))
    return Statement(lines, slots=[Slot(name, True) for name in names])


def _read(lines: list[str], known: set[str]) -> Statement:
    made = Statement(lines)
    text = ""
    for number, line in enumerate(lines):
        code = line.split("  # ", 1)[0]
        text += "\n" * (number > 0)
        start = 0
        for found in _TOKEN.finditer(code):
            word = found[0]
            if found["name"] and (word in KNOWN or word in known):
                continue
            made.parts.append(text + code[start : found.start()])
            made.slots.append(Slot(word, bool(found["name"])))
            text, start = "", found.end()
            _set_role(made.slots[-1], code, found.start())
        text += code[start:]
    made.parts.append(text)
    marks = (*("\1" if slot.is_name else "\2" for slot in made.slots), "")
    made.shape = "".join(part + mark for part, mark in zip(made.parts, marks, strict=True))
    return made


def _set_role(slot: Slot, code: str, place: int) -> None:
    before = code[:place].lstrip()
    if not slot.is_name:
        if place + len(slot.text) >= len(code) - 1 and BAILS.match(code.lstrip()):
            slot.role = "x"
        return
    if before == "for ":
        slot.role, slot.is_sure = "f", True
    elif not before:
        found = _ASSIGNED.match(code, place)
        if found:
            again = slot.text in _NAME.findall(code, found.end())
            slot.role = "a" if found[2] or again else "s"
            slot.is_sure = place == 0


def names_in(block: Sequence[Statement]) -> Iterator[str]:
    """Yield the variables in some statements, with repetitions."""
    for each in block:
        yield from (slot.text for slot in each.slots if slot.is_name)


def kinds_of(lines: Sequence[str]) -> dict[str, str]:
    """Return the types of variables where they are evident.

    They are w for 64-bit ints, f for doubles, else "".
    """
    kinds: dict[str, str] = {}
    for line in lines:
        code = line.split("  # ", 1)[0].strip()
        found = _ASSIGNED.match(code)
        if found:
            kind = _kind_of(code[found.end() :], kinds)
            if kinds.setdefault(found[1], kind) != kind:
                kinds[found[1]] = ""
    return kinds


def without_copies(lines: Sequence[str]) -> list[str]:
    """Remove variables that merely copy another variable, if both are assigned once."""
    stored: Counter[str] = Counter()
    copies: dict[str, str] = {}
    for line in lines:
        code = line.split("  # ", 1)[0].strip()
        found = _ASSIGNED.match(code) or _LOOP.match(code)
        if found:
            stored[found[1]] += 1
            if line[4:5] != " " and found.re is _ASSIGNED and not found[2]:
                copies[found[1]] = code[found.end() :]
    copies = {
        name: other
        for name, other in copies.items()
        if stored[name] == 1 == stored[other] and _NAME.fullmatch(other)
    }
    for name in copies:
        while copies[name] in copies:
            copies[name] = copies[copies[name]]

    def replaced(found: re.Match[str]) -> str:
        return copies.get(found[0], found[0])

    kept = (line for line in lines if line[4:].partition(" = ")[0] not in copies)
    return [_VARIABLE.sub(replaced, line) for line in kept]


def _kind_of(text: str, kinds: dict[str, str]) -> str:
    if text.startswith(("float64(", "float64_at(")):
        return "f"
    text = _WORD.sub("0", text).replace("//", "+")
    names = _NAME.findall(text)
    plain = all(kinds.get(name) == "w" or name in _OF_INTS for name in names)
    return "w" if plain and not {*_NAME.sub("", text)} - {*" +-*%|&(),0123456789"} else ""


_WORD = re.compile(r"\bw\[\d+\]")
_NAME = re.compile(r"[^\W\d]\w*")
_OF_INTS = (
    "int64",
    "bounded",
    "max",
    "min",
    "raised_flags",
    "x87_flags",
    "x87_status",
    "get_status",
)
