"""Parses exits and their recipes."""

from __future__ import annotations

from typing import Any

from .constant_parser import constant, function, listed
from .graph import Build, Call, Constant, Do, Exit, Leaf, Live, Recipe, Slot
from .library_names import Placeholder
from .scanner import Scanner
from .text import SOURCE
from .type_parser import VALUE, Names

_SAID = ("local", "push", "del local", "null at", "do")
"""Words for what an exit does, in the order of the fields of Exit."""


def exit_(scan: Scanner, names: Names) -> Exit:
    """Parse the rest of an exit's line, after its number."""
    return _ExitParser(scan, names).exit()


class _ExitParser:
    def __init__(self, scan: Scanner, names: Names) -> None:
        self._scan = scan
        self._names = names
        self._shared: dict[str, Recipe] = {}
        """Recipes that occur several times, by the numbers that the text gives them."""

    def exit(self) -> Exit:
        scan = self._scan
        kind = scan.need(r"[a-z]+", "a kind of exit")
        scan.expect("at")
        at = scan.integer("an instruction")
        scan.expect(":")
        said: dict[str, list[Any]] = {word: [] for word in _SAID}
        if not scan.take("nothing"):
            self._add(said)
            while scan.take(";"):
                self._add(said)
        stores, pushes, deletes, nulls, effects = map(tuple, said.values())
        return Exit(at, kind, stores, pushes, deletes, nulls, effects)

    def _add(self, said: dict[str, list[Any]]) -> None:
        """Parse one action of the exit and add it to `said`."""
        scan = self._scan
        word = scan.need("|".join(_SAID), "what the exit does")
        if word in ("push", "do"):
            said[word].append(self._recipe())
            return
        number = scan.integer()
        if word == "local":
            scan.expect("=")
            said[word].append((number, self._recipe()))
        else:
            said[word].append(number)

    def _recipe(self) -> Recipe:
        scan, at = self._scan, self._scan.place
        number = scan.match(r"@(\d+)(=?)")
        if number is None:
            return self._made()
        if number[2]:
            made = self._shared[number[1]] = self._made()
            return made
        if number[1] not in self._shared:
            scan.fail("the number of a recipe known here", at)
        return self._shared[number[1]]

    def _made(self) -> Recipe:
        scan = self._scan
        if scan.match("(?=%)"):
            return self._leaf()
        source = scan.match(SOURCE)
        if source is not None:
            return Live(Placeholder(source[0]))
        if scan.take("source"):
            text = scan.string()
            return (
                Live(Placeholder(text)) if text is not None else scan.fail("the text of a source")
            )
        if scan.take("slot"):
            return Slot(scan.integer())
        if scan.take("call"):
            called = function(scan)
            return Call(called, tuple(listed(scan, "(", ")", self._recipe)))
        built = scan.match(r"(tuple|list|dict)(?=\()")
        if built is not None:
            return Build(built[1], tuple(listed(scan, "(", ")", self._recipe)))
        if scan.match(r"\((?=do )"):
            return self._do()
        return Constant(constant(scan))

    def _leaf(self) -> Leaf:
        """Parse a value; one that no node defines is printed with its type at its first use."""
        scan, at = self._scan, self._scan.place
        if scan.match(rf"(?={VALUE} ?:)"):
            return Leaf(self._names.define(scan))
        scan.place = at
        return Leaf(self._names.read(scan))

    def _do(self) -> Do:
        scan, effects = self._scan, list[Recipe]()
        while scan.take("do"):
            effects.append(self._recipe())
            scan.expect(";")
        result = self._recipe()
        scan.expect(")")
        return Do(tuple(effects), result)
