"""`copy.deepcopy` of arrays, numbers, strings, and of lists, tuples and dicts of these."""

from __future__ import annotations

import copy
import types
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from ....guards.objects import IsSame
from ....jit.ir.ops import COPY
from ..arrays.nodes import add
from ..objects import dicts
from ..objects.grown import state_of
from ..objects.lists import list_items, new_list, replace_items
from ..state.invocation import Invocation
from ..state.live import realise
from ..values.breaks import CALL, GraphBreak
from ..values.limits import MAX_NESTING
from ..values.ranges import Range
from ..values.symbolic import Array, Dict, Known, Lazy, List, Scalar, Symbolic, Tuple
from ..values.texts import Text
from .builtins import builtin

_ATOMIC: Final = (
    *(type(None), int, float, bool, complex, bytes, str, type, range),
    *(types.BuiltinFunctionType, types.FunctionType, types.CodeType),
    *(types.EllipsisType, types.NotImplementedType),
)
"""Types whose values are copies of themselves."""
_EXAMPLE: Final = np.float32(0.5)
_NUMBERS_ARE_ATOMIC: Final = copy.deepcopy(_EXAMPLE) is _EXAMPLE
"""True if a number of NumPy's is the copy of itself, too."""


@builtin(copy.deepcopy, takes=(1, 1))
def _deepcopy(call: Invocation) -> Symbolic | None:
    return _Copier(call).copy(call.arguments[0])


@dataclass
class _Copier:
    """One call: what is one object is one in the copy, too."""

    call: Invocation
    containers: dict[Symbolic, Symbolic] = field(default_factory=dict)
    arrays: list[tuple[Symbolic, Array, Array]] = field(default_factory=list)
    """As they were reached, what they are, and their copies."""

    def copy(self, given: Symbolic, depth: int = 0) -> Symbolic:
        """The copy of one object.

        Raises:
            GraphBreak: its class says how it is copied, or it may be in itself.
        """
        machine = self.call.machine
        given = machine.one_of(given) or given
        value = realise(machine, given)
        if depth > MAX_NESTING:
            raise self._refusal()
        match value:
            case Known(object=known) if _is_atomic(known):
                return given
            case Text() | Range():
                return given
            case Scalar(type=type_) if type_.python or _NUMBERS_ARE_ATOMIC:
                return given
            case Array():
                return self._array(given, value)
            case Tuple(items=items, named=None):
                copies = tuple(self.copy(item, depth + 1) for item in items)
                same = all(one is other for one, other in zip(copies, items, strict=True))
                return given if same else Tuple(copies)
            case List() | Dict() if value in self.containers:
                return self.containers[value]
            case List():
                return self._list(value, depth)
            case Dict():
                return self._dict(value, depth)
        raise self._refusal()

    def _refusal(self) -> GraphBreak:
        return GraphBreak(CALL, "call of `copy.deepcopy`")

    def _list(self, value: List, depth: int) -> List:
        machine = self.call.machine
        if state_of(machine, value) is not None:
            raise self._refusal()
        made = self.containers[value] = new_list(machine, ())
        replace_items(
            machine, made, tuple(self.copy(one, depth + 1) for one in list_items(machine, value))
        )
        return made

    def _dict(self, value: Dict, depth: int) -> Dict:
        machine = self.call.machine
        made = self.containers[value] = dicts.new_dict(machine, {})
        for key, item in dict(dicts.dict_entries(machine, value)).items():
            if not _is_atomic(key):
                raise self._refusal()
            dicts.set_item(machine, made, key, self.copy(item, depth + 1))
        return made

    def _array(self, given: Symbolic, value: Array) -> Array:
        for before, other, copied in self.arrays:
            if value.value is other.value or self._are_one(given, value, before, other):
                return copied
        made = add(self.call.machine, self.call.frame, COPY, (value.value,), {"order": "K"}, "copy")
        assert isinstance(made, Array)
        self.arrays.append((given, value, made))
        return made

    def _are_one(self, given: Symbolic, value: Array, before: Symbolic, other: Array) -> bool:
        """Return True if two arrays are one object; for two from outside a guard checks it."""
        machine = self.call.machine
        if self._is_made_here(value) or self._is_made_here(other):
            return False
        if not isinstance(given, Lazy) or not isinstance(before, Lazy):
            raise self._refusal()
        if {type(given.object), type(before.object)} != {np.ndarray}:  # exploring foresees them
            raise self._refusal()
        same = given.object is before.object
        if given.source != before.source:
            machine.guard(IsSame(given.source, before.source, same))
        return same

    def _is_made_here(self, value: Array) -> bool:
        memory = self.call.machine.memory
        return memory.root(value.value) is value.value and memory.is_made_here(value.value)


def _is_atomic(known: Any) -> bool:
    """Return True if a constant is its own copy."""
    if type(known) is tuple:
        return all(map(_is_atomic, known))
    return type(known) in _ATOMIC
