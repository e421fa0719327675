"""Moves: constants, locals, the stack, jumps and their conditions."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ....guards.grip import made_at_run_time
from ....guards.kinds import IsObject, IsType
from ....guards.objects import MISSING, ClassHolds, IsSame
from ....jit.ir.types import PY_BOOL, PYTHON_SCALARS, is_numpy_scalar
from ...bytecode.model import SlotKind
from ..arrays.nodes import operator_call
from ..flow.noting import note
from ..objects import attributes, dicts
from ..objects.finalisation import check_dropped
from ..objects.grown import items_of_model, state_of, table_of
from ..objects.lists import items_of
from ..state.exact import exact_class
from ..state.forks import ForkOfKinds, one_kind
from ..state.frame import Frame
from ..state.live import concrete, realise, truth_of_number
from ..state.machine import Machine, handles
from ..values.breaks import DATA_BRANCH, INSTRUCTION, LOOP, UNBOUND, GraphBreak
from ..values.class_namespaces import class_lookup
from ..values.either_number import as_numpy
from ..values.limits import MAX_STEPS
from ..values.symbolic import (
    INDEX,
    NULL,
    Dict,
    Instance,
    Known,
    List,
    Scalar,
    Symbolic,
    may_be_unbound,
)
from ..values.value_kind import Callee
from ..values.wording import what


@handles("POP_TOP")
def pop_top(machine: Machine, frame: Frame, arg: Any) -> None:
    value = frame.stack.pop()
    machine.end_loop(value)
    check_dropped(value)


@handles("PUSH_NULL")
def push_null(machine: Machine, frame: Frame, arg: Any) -> None:
    frame.stack.append(NULL)


@handles("PUSH_INDEX")
def push_index(machine: Machine, frame: Frame, arg: Any) -> None:
    frame.stack.insert(-1, INDEX)


@handles("COPY")
def copy(machine: Machine, frame: Frame, depth: int) -> None:
    if machine.depth == 0 and len(frame.stack) - depth < machine.base:
        raise GraphBreak(INSTRUCTION, "a copy of what belongs to a statement around")
    frame.stack.append(frame.stack[-depth])


@handles("SWAP")
def swap(machine: Machine, frame: Frame, depth: int) -> None:
    stack = frame.stack
    stack[-1], stack[-depth] = stack[-depth], stack[-1]


@handles("LOAD_CONST")
def load_const(machine: Machine, frame: Frame, value: Any) -> None:
    frame.stack.append(Known(value))


@handles("LOAD_ASSERTION_ERROR")
def load_assertion_error(machine: Machine, frame: Frame, arg: Any) -> None:
    frame.stack.append(Known(AssertionError))


@handles("LOAD_FAST")
def load_fast(machine: Machine, frame: Frame, slot: int) -> None:
    value = machine.one_of(frame.locals[slot])
    if may_be_unbound(value):
        raise ForkOfKinds(value)
    if value is None:
        raise GraphBreak(UNBOUND, f"local variable `{frame.decoded.localsplus[slot]}`")
    frame.stack.append(value)


@handles("STORE_FAST")
def store_fast(machine: Machine, frame: Frame, slot: int) -> None:
    value = frame.stack.pop()
    _own(frame, slot)
    check_dropped(frame.locals[slot])
    frame.locals[slot] = None if value is NULL else value
    note(machine, slot)


def _own(frame: Frame, slot: int) -> None:
    """Break if a comprehension swaps the cell of its variable, which exits cannot do."""
    if frame.decoded.kinds[slot] is not SlotKind.LOCAL:
        name = frame.decoded.localsplus[slot]
        raise GraphBreak(INSTRUCTION, f"variable `{name}` gets another cell")


@handles("LOAD_FAST_AND_CLEAR")
def load_fast_and_clear(machine: Machine, frame: Frame, slot: int) -> None:
    value = one_kind(machine, frame.locals[slot])
    _own(frame, slot)
    if value is None and slot in frame.flow.maybe_bound_at(frame.index):
        name = frame.decoded.localsplus[slot]
        raise GraphBreak(UNBOUND, f"local variable `{name}`, which a comprehension hides")
    frame.stack.append(NULL if value is None else value)
    frame.locals[slot] = None


@handles("DELETE_FAST")
def delete_fast(machine: Machine, frame: Frame, slot: int) -> None:
    _own(frame, slot)
    if one_kind(machine, frame.locals[slot]) is None:
        raise GraphBreak(UNBOUND, f"local variable `{frame.decoded.localsplus[slot]}`")
    check_dropped(frame.locals[slot])
    frame.locals[slot] = None
    note(machine, slot)


@handles("JUMP")
def jump(machine: Machine, frame: Frame, target: int) -> int:
    """Jump; backward only to the header of a region, or to the next item of an unrolled loop."""
    header = frame.decoded.instructions[target].ops
    iterates = bool(header) and header[0].name == "FOR_ITER"
    if target > frame.index:
        return target
    around = frame.region.loop
    if around is not None and around.loop.header == target:
        return target
    if not iterates or machine.steps > MAX_STEPS:
        raise GraphBreak(LOOP, machine.no_region)
    return target


def truth(machine: Machine, value: Symbolic) -> bool:
    """Return the truth of a value if it is known.

    Raises:
        ForkOfTruth: that of a number is known only at run time.
        GraphBreak: that of another value is.
    """
    value = as_numpy(machine.one_of(value) or value)
    seen = realise(machine, value)
    if isinstance(seen, Instance):
        held = items_of_model(machine, seen)
        return _truth_of_instance(machine, seen) if held is None else truth(machine, held)
    if isinstance(seen, Callee):
        return True
    if (table := table_of(machine, seen)) is not None:
        return truth(machine, table.keys)
    if isinstance(seen, Dict):
        return bool(dicts.dict_entries(machine, seen))
    items = items_of(machine, seen)
    if items is not None:
        return bool(items)
    if isinstance(seen, Scalar):
        return truth_of_number(machine, value)
    known = concrete(machine, seen)
    if known is not None and _keeps_its_truth(known.object):
        kind = exact_class(machine, known)
        if kind is not None and made_at_run_time(kind):
            machine.guard(ClassHolds.of(kind, dict.fromkeys(("__bool__", "__len__"), MISSING)))
        return bool(known.object)
    raise GraphBreak(DATA_BRANCH, "the truth of a value that is known only at run time")


def _truth_of_instance(machine: Machine, value: Instance) -> bool:
    """Return True if the class does not define truth; a method's answer is left to eager."""
    if value.kind in (int, np.ndarray):
        raise GraphBreak(DATA_BRANCH, "the truth of a value that is known only at run time")
    for name in ("__bool__", "__len__"):
        found = class_lookup(value.kind, name)
        if found is not MISSING:
            raise GraphBreak(DATA_BRANCH, f"`{name}` of {what(value)} decides")
        attributes.rely_on_class(machine, value, name, found)
    return True


def _keeps_its_truth(object_: Any) -> bool:
    """True for values, and objects whose class does not define truth.

    Others are asked each time.
    """
    if is_numpy_scalar(type(object_)) or type(object_) in PYTHON_SCALARS:
        return True
    if type(object_) in (str, bytes, tuple):
        return True
    return object_ is None or not any(
        hasattr(type(object_), name) for name in ("__bool__", "__len__")
    )


@handles("POP_JUMP_IF_FALSE")
def pop_jump_if_false(machine: Machine, frame: Frame, target: int) -> int | None:
    return None if truth(machine, frame.stack.pop()) else jump(machine, frame, target)


@handles("POP_JUMP_IF_TRUE")
def pop_jump_if_true(machine: Machine, frame: Frame, target: int) -> int | None:
    return jump(machine, frame, target) if truth(machine, frame.stack.pop()) else None


def _is_none(machine: Machine, value: Symbolic) -> bool:
    """True for None; anything else is guarded not to be."""
    value = realise(machine, value)
    if isinstance(value, Instance) and value.source is not None:
        if value.kind is int:
            raise GraphBreak(INSTRUCTION, "an int of more than 64 bits")
        machine.guard(IsType.of(value.source, value.object))
    return isinstance(value, Known) and value.object is None


@handles("POP_JUMP_IF_NONE")
def pop_jump_if_none(machine: Machine, frame: Frame, target: int) -> int | None:
    return jump(machine, frame, target) if _is_none(machine, frame.stack.pop()) else None


@handles("POP_JUMP_IF_NOT_NONE")
def pop_jump_if_not_none(machine: Machine, frame: Frame, target: int) -> int | None:
    return None if _is_none(machine, frame.stack.pop()) else jump(machine, frame, target)


@handles("JUMP_IF_FALSE_OR_POP")
def jump_if_false_or_pop(machine: Machine, frame: Frame, target: int) -> int | None:
    if not truth(machine, frame.stack[-1]):
        return target
    frame.stack.pop()
    return None


@handles("JUMP_IF_TRUE_OR_POP")
def jump_if_true_or_pop(machine: Machine, frame: Frame, target: int) -> int | None:
    if truth(machine, frame.stack[-1]):
        return target
    frame.stack.pop()
    return None


@handles("TO_BOOL")
def to_bool(machine: Machine, frame: Frame, arg: Any) -> None:
    frame.stack.append(truth_value(machine, frame, operator.truth))


@handles("UNARY_NOT")
def unary_not(machine: Machine, frame: Frame, arg: Any) -> None:
    frame.stack.append(truth_value(machine, frame, operator.not_))


def truth_value(machine: Machine, frame: Frame, function: Callable[[Any], bool]) -> Symbolic:
    """Apply a function to the truth of the top of the stack."""
    value = realise(machine, as_numpy(frame.stack.pop()))
    if isinstance(value, Scalar) and value.value not in machine.assumed:
        if value.type == PY_BOOL and function is operator.truth:
            return value
        if value.type != PY_BOOL or concrete(machine, value) is None:
            return operator_call(machine, frame, function, (value,))
    return Known(function(truth(machine, value)))


def _are_known_objects(machine: Machine, operands: list[Symbolic]) -> bool:
    """True if each value stands for one object: they are identical exactly if the values are."""
    states = [state_of(machine, value) for value in operands]
    if any(state is not None and state.nested for state in states):
        return False
    return all(isinstance(value, List | Dict | Instance) for value in operands)


@handles("IS_OP")
def is_op(machine: Machine, frame: Frame, inverted: bool) -> None:
    operands = [realise(machine, frame.stack.pop()) for _ in range(2)]
    known = [value for value in operands if isinstance(value, Known)]
    if any(value.object is None for value in known):
        same = all(_is_none(machine, value) for value in operands)
    elif len(known) == 2:
        for value in known:
            _rely_on_identity(machine, value)
        same = known[0].object is known[1].object
    elif _are_known_objects(machine, operands):
        same = is_same(machine, *operands)
    elif _are_of_two_classes(machine, *operands):
        same = False
    else:
        raise GraphBreak(INSTRUCTION, "`is` between objects of the graph")
    frame.stack.append(Known(same != inverted))


def _are_of_two_classes(machine: Machine, one: Symbolic, other: Symbolic) -> bool:
    first, second = exact_class(machine, one), exact_class(machine, other)
    return first is not None and second is not None and first is not second


def is_same(machine: Machine, one: Symbolic, other: Symbolic) -> bool:
    """True if two objects are identical; for two from outside the answer is guarded."""
    first, second = getattr(one, "source", None), getattr(other, "source", None)
    if one is other or first is None or second is None:
        return one is other
    same = False
    if isinstance(one, Instance) and isinstance(other, Instance):
        same = one.object is other.object  # reached in two ways, see `Machine.meet`
    machine.guard(IsSame(first, second, same))
    return same


def _rely_on_identity(machine: Machine, value: Known) -> None:
    """Break for a string, which is guarded by value: an equal one may be another object."""
    if value.source is not None:
        machine.guard(IsObject.of(value.source, value.object))
    elif isinstance(value.object, str | bytes | tuple | int | float | complex) and not isinstance(
        value.object, bool
    ):
        raise GraphBreak(INSTRUCTION, "`is` of a value")


def take(frame: Frame, count: int) -> tuple[Symbolic, ...]:
    """Pop `count` items, bottom to top."""
    if count == 0:
        return ()
    items = tuple(frame.stack[-count:])
    del frame.stack[-count:]
    return items
