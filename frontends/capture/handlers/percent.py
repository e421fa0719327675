"""`text % values`: put together when somebody gets to see it."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator
from typing import Final

from ...runtime import exit_calls
from ..state.live import realise
from ..state.machine import Machine
from ..values.folding import folded
from ..values.symbolic import Known, Scalar, Symbolic, Tuple
from ..values.texts import Text
from .strings import has_text

_FIELD: Final = re.compile(
    r"%(?P<flags>[#0\- +]*)(?P<width>\d*)(?P<digits>\.\d*)?[hlL]?(?P<kind>.)", re.DOTALL
)
"""A conversion of a `%` format, without mapping keys and `*` widths."""
_OF_INTS, _OF_NUMBERS, _OF_ALL = "diouxX", "eEfFgG", "sra"
_LONGEST: Final = 100
"""Digits of a field: eager runs out of memory for some, or of patience."""


def percent(machine: Machine, given: object, right: Symbolic) -> Symbolic | None:
    """`given % right`; None where a number might not fit its field, or it has no field."""
    if type(given) is not str:
        return None
    if isinstance(right, Known) and type(right.object) is tuple:
        right = Tuple(tuple(map(Known, right.object)))
    parts = right.items if isinstance(right, Tuple) and right.named is None else (right,)
    values = [realise(machine, part) for part in parts]
    kinds = [kind for kind in _kinds(given) if kind is not None]
    if len(kinds) != len(list(_kinds(given))) or len(kinds) != len(values):
        return None
    for kind, value in zip(kinds, values, strict=True):
        if not isinstance(value, Text) and not has_text(machine, value):
            return None
        if kind not in _OF_ALL and not _is_number(value, "bui" if kind in _OF_INTS else "buif"):
            return None
    known = [value.object for value in values if isinstance(value, Known)]
    if len(known) == len(values):
        return Known(folded(operator.mod, given, tuple(known)))
    return Text(exit_calls.percent, (Known(given), *values))


def _kinds(given: str) -> Iterator[str | None]:
    """The letters of the fields; None for one that is left to eager."""
    place = 0
    while (place := given.find("%", place)) >= 0:
        field = _FIELD.match(given, place)
        if field is None or max(map(_size, (field["width"], field["digits"]))) > _LONGEST:
            yield None
            return
        if field["kind"] != "%":
            taken = field["kind"] in f"{_OF_INTS}{_OF_NUMBERS}{_OF_ALL}"
            yield field["kind"] if taken else None
        elif field.end() - place > 2:
            yield None  # whether `%5%` takes an argument is for the version to say
        place = field.end()


def _size(digits: str | None) -> int:
    plain = (digits or "").lstrip(".")[:4]
    return int(plain) if plain else 0


def _is_number(value: Symbolic, kinds: str) -> bool:
    """Return True for a number whose dtype kind is one of these."""
    if isinstance(value, Scalar):
        kind = value.type.dtype.kind
        return kind in kinds and (kind != "b" or value.type.python)
    names = {"i": int, "b": bool, "f": float}
    plain = {kind for name, kind in names.items() if name in kinds}
    return isinstance(value, Known) and type(value.object) in plain
