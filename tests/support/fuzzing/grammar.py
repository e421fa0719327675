"""Programs from rules: a rule is the text of a statement or an expression, with holes.

    3: <array name> += <operand>

The number is the rule's weight. A hole is filled by an expression of that kind (`<array>`), by a
name that is bound (`<array name>`), by a name that the statement binds (`<new array>`), or by
statements (`<block>`, `<loop>` where `break` and `continue` are allowed). `<1:list name>` is a hole
that `<1>` repeats. `<global SCALE>` declares a name. A rule applies where all names that it needs
are bound: it is chosen, filled, and what it binds is there for those after it.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property

from fuzzing.choices import Choices

HOLE = re.compile(r"<((?:\d:)?[a-z][A-Za-z ]*|\d)>")
DEEP = 3
"""Expressions within expressions; at that depth only those without a hole for one are taken."""
NESTED = 2
"""Blocks within blocks."""
BLOCKS = ("block", "loop")


@dataclass(frozen=True)
class Rule:
    """A text with holes."""

    weight: int
    text: str

    @cached_property
    def holes(self) -> tuple[str, ...]:
        """The kinds of the holes in the text, without numbers."""
        found = (one.split(":")[-1] for one in HOLE.findall(self.text))
        return tuple(one for one in found if not one.isdigit())

    @cached_property
    def needs(self) -> frozenset[str]:
        """Kinds of which a name must be bound."""
        return frozenset(one[: -len(" name")] for one in self.holes if one.endswith(" name"))


@cache
def rules_in(text: str) -> tuple[Rule, ...]:
    """Rules that stand in a text, with empty lines between them."""
    found = []
    for one in re.split(r"\n\s*\n", text.strip("\n")):
        weight, rest = re.fullmatch(r"(?:(\d+): )?(.*)", one, re.DOTALL).groups()  # type: ignore[union-attr]
        if rest.strip():
            found.append(Rule(int(weight or 1), rest))
    return tuple(found)


@dataclass(frozen=True, eq=False)
class Family:
    """Rules about one thing, and what they call."""

    name: str
    statements: str = ""
    expressions: dict[str, str] = field(default_factory=dict)
    """Rules by kind."""
    helpers: str = ""
    """Functions, classes and data of the program's module; those that a program names are in it."""
    rebinding: str = ""
    """Statements between two calls, where `M` is the module."""
    places: dict[str, str] = field(default_factory=dict)
    """Names that are always there (globals), with their kinds."""


@cache
def pieces(helpers: str) -> dict[str, str]:
    """Top-level statements of a text, by the name that each binds."""
    found: dict[str, str] = {}
    for node in ast.parse(helpers).body:
        text = ast.get_source_segment(helpers, node) or ""
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            heads = "".join(f"@{ast.unparse(one)}\n" for one in node.decorator_list)
            found[node.name] = heads + text
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = text
    return found


def named_in(text: str, known: dict[str, str]) -> list[str]:
    """Those of the known pieces that a text names, and those that these name, in their order."""
    found: set[str] = set()
    waiting = [text]
    while waiting:
        words = set(re.findall(r"\w+", waiting.pop()))
        new = (words & known.keys()) - found
        found |= new
        waiting += [known[one] for one in new]
    return [one for one in known if one in found]


class Writer:
    """Writes the body of a function by the rules of some families."""

    def __init__(
        self, choices: Choices, families: list[Family], bound: dict[str, list[str]]
    ) -> None:
        self.choices = choices
        self.names: defaultdict[str, list[str]] = defaultdict(list, bound)
        """Those that are bound here, by kind."""
        self.declared: set[str] = set()
        self._made = 0
        self._statements: dict[str, list[Rule]] = {
            one.name: list(rules_in(one.statements)) for one in families
        }
        self._expressions: defaultdict[str, list[Rule]] = defaultdict(list)
        for one in families:
            for kind, text in one.expressions.items():
                self._expressions[kind] += rules_in(text)

    # ---- statements ------------------------------------------------------------------------------

    def block(self, count: int, depth: int = 0, in_loop: bool = False) -> list[str]:
        """Return so many statements, as lines."""
        lines: list[str] = []
        for _ in range(count):
            lines += self.statement(depth, in_loop)
        return lines

    def statement(self, depth: int, in_loop: bool) -> list[str]:
        """One statement, as lines."""
        family = self.choices.one([one for one, rules in self._statements.items() if rules])
        rule = self._pick(self._statements[family], nests=depth < NESTED, in_loop=in_loop)
        if rule is None:
            return [f"{self.choices.one(self.names['array'])} = {self.expression('array', 0)}"]
        return self.written(rule, depth, in_loop)

    def written(self, rule: Rule, depth: int = 0, in_loop: bool = False) -> list[str]:
        """The statement of a rule, as lines."""
        lines: list[str] = []
        repeated: dict[str, str] = {}
        outer = {kind: list(names) for kind, names in self.names.items()}
        for line in rule.text.split("\n"):
            room = line[: len(line) - len(line.lstrip())]
            bare = line.strip()
            if bare in ("<block>", "<loop>"):
                inside = in_loop if bare == "<block>" else True
                block = self.block(self.choices.one((1, 1, 2)), depth + 1, inside)
                lines += [room + one for one in block]
            else:
                new: list[tuple[str, str]] = []
                filled = self._fill(line, 0, repeated, new)
                if filled.strip():
                    lines.append(filled)
                for kind, name in new:
                    if name not in self.names[kind]:
                        self.names[kind].append(name)
        if len(rule.text.split("\n")) > 1 and self.choices.chance(70):
            # Names that a branch binds are mostly not used behind it: they may be unbound.
            self.names = defaultdict(list, outer)
        return lines

    def _pick(self, rules: list[Rule], nests: bool, in_loop: bool = False) -> Rule | None:
        able = [
            one
            for one in rules
            if all(self.names[kind] for kind in one.needs)
            and (nests or not any(hole in BLOCKS for hole in one.holes))
            and (in_loop or "in loop" not in one.holes)
        ]
        return self._weighted(able) if able else None

    def _weighted(self, rules: list[Rule]) -> Rule:
        at = self.choices.number(1, sum(one.weight for one in rules))
        for one in rules:
            at -= one.weight
            if at <= 0:
                return one
        raise AssertionError

    # ---- expressions -----------------------------------------------------------------------------

    def expression(self, kind: str, depth: int) -> str:
        """Write an expression of a kind; a name of it where no rule applies."""
        rules = self._expressions[kind]
        if depth >= DEEP:
            rules = [one for one in rules if not set(one.holes) & self._expressions.keys()]
        rule = self._pick(rules, nests=True)
        if rule is None:
            if not self.names[kind]:
                raise LookupError(f"no rule and no name for an expression of kind {kind!r}")
            return self.choices.one(self.names[kind])
        return self._fill(rule.text, depth + 1, {}, [])

    def _fill(
        self, text: str, depth: int, repeated: dict[str, str], new: list[tuple[str, str]]
    ) -> str:
        def filled(match: re.Match[str]) -> str:
            hole = match[1]
            if hole in repeated:
                return repeated[hole]
            number, _, what = hole.rpartition(":")
            found = self._hole(what, depth, new)
            if number:
                repeated[number] = found
            return found

        return HOLE.sub(filled, text)

    def _hole(self, what: str, depth: int, new: list[tuple[str, str]]) -> str:
        if what == "in loop":
            return ""
        if what.startswith("global "):
            self.declared.add(what.removeprefix("global "))
            return ""
        if what.endswith(" name"):
            return self.choices.one(self.names[what.removesuffix(" name")])
        if what.startswith("new "):
            kind = what.removeprefix("new ")
            own = [one for one in self.names[kind] if one.islower()]
            if own and self.choices.chance(35):
                return self.choices.one(own)
            self._made += 1
            new.append((kind, f"{kind[0]}{self._made}"))
            return new[-1][1]
        return self.expression(what, depth)


def lines_of(block: list[str], indent: str = "    ") -> Iterator[str]:
    """The lines of a block, one step to the right."""
    return (indent + line for line in block)
