"""Marks and rollback of a dataclass, found in its fields.

Each field says in its metadata how it is taken back; a class with a field that does not say it
cannot be made. Thus no field can be forgotten when one is added.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import Enum
from typing import Any, Final


class Rule(Enum):
    """The rollback of a field to a mark."""

    GROWS = "a list or dict that only grows at its end: cut to its length"
    CONTENTS = "a list or dict that changes anywhere: filled with what it held, and stays the same"
    VALUE = "an immutable value: assigned"
    NESTED = "an object that has `mark()` and `rollback(mark)`"
    SETTING = "does not change while instructions run"
    STAYS = "is not taken back, for the reason given"


_RULE: Final = "rule"
GROWS: Final = {_RULE: Rule.GROWS}
CONTENTS: Final = {_RULE: Rule.CONTENTS}
VALUE: Final = {_RULE: Rule.VALUE}
NESTED: Final = {_RULE: Rule.NESTED}
SETTING: Final = {_RULE: Rule.SETTING}
_READS: Final = {
    Rule.GROWS: "len(of.{})",
    Rule.CONTENTS: "of.{}.copy()",
    Rule.VALUE: "of.{}",
    Rule.NESTED: "of.{}.mark()",
}
"""The expression that a mark holds for a field `{}` of an object `of`."""


def stays(reason: str) -> Mapping[str, object]:
    """Return the metadata of a field that keeps its value, with the reason."""
    return {_RULE: Rule.STAYS, "reason": reason}


Mark = tuple[Any, ...]
"""The state of an object at some time, for `Snapshots.rollback`; it may be used again."""


class Snapshots:
    """Takes marks of objects of a class, and rolls them back."""

    mark: Callable[[Any], Mark]
    """Returns the present state: one expression, as a mark is taken before each instruction."""

    def __init__(self, kind: type) -> None:
        """Read the rules from the fields.

        Raises:
            TypeError: a field has none.
        """
        self.rules: dict[str, Rule] = {}
        for one in fields(kind):
            if _RULE not in one.metadata:
                raise TypeError(f"{kind.__name__}.{one.name} does not say how it is rolled back")
            self.rules[one.name] = one.metadata[_RULE]
        self._marked = [(name, rule) for name, rule in self.rules.items() if rule in _READS]
        reads = ", ".join(_READS[rule].format(name) for name, rule in self._marked)
        self.mark = eval(f"lambda of: ({reads},)")

    def part(self, mark: Mark, name: str) -> Any:
        """Return what a mark holds for a field."""
        return mark[[marked for marked, _ in self._marked].index(name)]

    def rollback(self, of: Any, mark: Mark) -> None:
        """Undo everything after the mark, field by field in their order."""
        for (name, rule), before in zip(self._marked, mark, strict=True):
            match rule:
                case Rule.VALUE:
                    setattr(of, name, before)
                case Rule.NESTED:
                    getattr(of, name).rollback(before)
                case Rule.GROWS:
                    _cut(getattr(of, name), before)
                case _:
                    _fill(getattr(of, name), before)


def _cut(grown: list[Any] | dict[Any, Any], length: int) -> None:
    """Remove what was added after a list or dict had this length."""
    if isinstance(grown, list):
        del grown[length:]
    else:
        while len(grown) > length:
            grown.popitem()


def _fill(changed: list[Any] | dict[Any, Any], held: Any) -> None:
    """Let a list or dict hold what it did."""
    changed.clear()
    if isinstance(changed, list):
        changed.extend(held)
    else:
        changed.update(held)
