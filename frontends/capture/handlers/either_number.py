"""Numbers that are Python's or NumPy's, decided only at run time.

`s = 0.0` before a loop and `s += x[i]` in it make `s` a float at first and a `np.float64`
afterwards. Their arithmetic differs only in what is reported: an operation is computed once, as
NumPy's, and the kind of its result follows from its operands.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from ....jit.ir import graph as ir
from ....jit.ir.numbers import pick, quotient
from ....jit.ir.ops import OPERATOR
from ....jit.ir.primitives import Alike, primitive
from ....jit.ir.types import PY_BOOL, ScalarType, scalar_type
from ..arrays.nodes import operator_call
from ..objects.number_identity import are_tracked, enter, has_place
from ..state.forks import Fork
from ..state.frame import Frame
from ..state.live import realise
from ..state.machine import Machine
from ..values.either_number import (
    NUMBER_CLASSES,
    NUMPY,
    PYTHON,
    as_numpy,
    as_python,
    is_either_number,
    with_box,
)
from ..values.folding import folded
from ..values.symbolic import Known, Lazy, Scalar, Symbolic, Union


def realise_numbers(machine: Machine, values: tuple[Symbolic, ...]) -> list[Symbolic]:
    """Realise the values, except numbers of either kind."""
    known = [machine.one_of(value) for value in values]
    return [
        one if one is not None and is_either_number(one) else realise(machine, value)
        for one, value in zip(known, values, strict=True)
    ]


def apply_to_either(
    machine: Machine, frame: Frame, function: Callable[..., Any], operands: Sequence[Symbolic]
) -> Symbolic | None:
    """Apply `function` to numbers of either kind; None if their kind has to be known."""
    numbers = [as_numpy(value) for value in operands]
    if not all(map(_is_number, numbers)):
        return None
    chars: set[str] = {_type(value).dtype.char for value in numbers}
    if primitive(function).alike is Alike.CONVERSIONS:
        return operator_call(machine, frame, function, tuple(numbers))
    if not _is_same_for_both(function, chars):
        return None
    if _are_numpys(operands):
        return operator_call(machine, frame, function, tuple(numbers))
    if function is operator.truediv:
        function = quotient
    # eager's warnings depend on the kind of number, so bail if there would be any
    result = operator_call(machine, frame, function, tuple(numbers), located=False)
    tags = [value.tag for value in operands if isinstance(value, Union)]
    return with_both_kinds(machine, frame, result, _any_of(machine, tags))


def _is_same_for_both(function: Callable[..., Any], chars: set[str]) -> bool:
    """True if the resulting number does not depend on the kind of its operands."""
    if not chars <= NUMBER_CLASSES.keys():
        return False
    alike = primitive(function).alike
    if alike is Alike.ONE_TYPE:
        return len(chars) == 1
    if alike is Alike.INTS:
        return chars == {"l"}
    return alike is Alike.FLOATS_AND_INTS and chars != {"?"}


def with_both_kinds(machine: Machine, frame: Frame, number: Scalar, tag: ir.Value) -> Union:
    """Return a number of either kind, given NumPy's."""
    python_class = NUMBER_CLASSES[number.type.dtype.char][PYTHON]
    python = operator_call(machine, frame, python_class, (number,), located=False)
    return Union(tag, ((PYTHON, python), (NUMPY, number)), either_number=True)


def _is_number(value: Symbolic) -> bool:
    if isinstance(value, Known):
        return type(value.object) in (bool, int, float) or isinstance(value.object, np.generic)
    return isinstance(value, Scalar)


def _type(value: Symbolic) -> ScalarType:
    if isinstance(value, Scalar):
        return value.type
    assert isinstance(value, Known)
    return scalar_type(value.object)


def _are_numpys(operands: Sequence[Symbolic]) -> bool:
    """True if an operand, and hence the result, is NumPy's."""
    return any(not isinstance(one, Union) and not _type(one).python for one in operands)


def _any_of(machine: Machine, tags: list[ir.Value]) -> ir.Value:
    first, *others = dict.fromkeys(tags)
    for tag in others:
        first = machine.builder.add(OPERATOR, (first, tag), {"function": operator.or_})
    return first


def of_two(
    function: Callable[..., Any],
    machine: Machine,
    frame: Frame,
    values: tuple[Symbolic, Symbolic],
    *,
    may_fork: bool,
) -> Symbolic | None:
    """Return min() or max() of two numbers with its own kind; None if that is not known.

    Raises:
        ForkOfChoice: it must be known which of the values it is; they are on the stack.
    """
    operands = realise_numbers(machine, values)
    numbers = [as_numpy(value) for value in operands]
    if not all(map(_is_number, numbers)):
        return None
    if all(isinstance(value, Known) for value in numbers):
        return Known(folded(function, *(v.object for v in numbers if isinstance(v, Known))))
    types = [_type(value) for value in numbers]
    if types[0] == types[1] and not any(map(is_either_number, operands)):
        made: Scalar | Union = operator_call(machine, frame, function, tuple(operands))
        return _as_object(machine, frame, function, operands, made)
    if types[0].char == types[1].char and types[0].char in NUMBER_CLASSES:
        made = _chosen(machine, frame, function, operands)
        return _as_object(machine, frame, function, operands, made)
    if not may_fork:
        return None
    if (
        any(map(is_either_number, operands))
        and not {one.dtype.char for one in types} <= NUMBER_CLASSES.keys()
    ):
        for value in values:  # a Python float is compared with `np.float32` in its precision
            realise(machine, value)
    chosen = machine.assumed.get(_key(function, values))
    if chosen is None:
        raise ForkOfChoice(function, frame, values)
    return values[chosen]


def _chosen(
    machine: Machine,
    frame: Frame,
    function: Callable[..., Any],
    operands: list[Symbolic],
) -> Union:
    left, right = (as_numpy_number(machine, frame, value) for value in operands)
    number = operator_call(machine, frame, function, (left, right), located=False)
    # Python's numbers too: the result is identical with one of them.
    pythons = tuple(_as_python_number(machine, frame, value) for value in operands)
    python = operator_call(machine, frame, function, pythons, located=False)
    both = ((PYTHON, python), (NUMPY, number))
    tags = [_tag(machine, value) for value in operands]
    if tags[0] is tags[1]:
        return Union(tags[0], both, either_number=True)
    takes = _takes_second(machine, frame, function, left, right)
    inputs = (takes.value, tags[1], tags[0])
    return Union(
        machine.builder.add(OPERATOR, inputs, {"function": pick}), both, either_number=True
    )


def _takes_second(
    machine: Machine, frame: Frame, function: Callable[..., Any], one: Symbolic, other: Symbolic
) -> Scalar:
    """Return if min() or max() chooses the second number."""
    chooses = primitive(function).chooses
    assert chooses is not None
    return operator_call(machine, frame, chooses, (other, one), located=False)


def _as_object(
    machine: Machine,
    frame: Frame,
    function: Callable[..., Any],
    operands: list[Symbolic],
    made: Scalar | Union,
) -> Scalar | Union:
    """Let the result of min() or max() be the same object as the operand chosen."""
    if not are_tracked(machine, operands) or not any(has_place(machine, one) for one in operands):
        given = [value for one in operands for value in _values(one)]
        for value in _values(made):
            machine.meet_values(value, given)
            if any(isinstance(one, Known) for one in operands):
                machine.identities.note_outside(value)
        return made
    left, right = map(as_numpy, operands)
    takes = _takes_second(machine, frame, function, left, right)
    places = [enter(machine, frame, one) for one in reversed(operands)]
    box = machine.builder.add(OPERATOR, (takes.value, *places), {"function": pick})
    return with_box(made, box)


def _values(number: Symbolic) -> list[ir.Value]:
    """Return the graph values of a number."""
    if isinstance(number, Union):
        return [one.value for _, one in number.alternatives if isinstance(one, Scalar)]
    return [number.value] if isinstance(number, Scalar) else []


def _key(function: Callable[..., Any], values: tuple[Symbolic, Symbolic]) -> Hashable:
    """Return the key of an assumed choice.

    Items of outside tuples are realised again on each path.
    """
    return function, *(one.source if isinstance(one, Lazy) else one for one in values)


class ForkOfChoice(Fork):
    """Forks on which operand min() or max() returns: the second, or the first."""

    def __init__(
        self, function: Callable[..., Any], frame: Frame, values: tuple[Symbolic, Symbolic]
    ) -> None:
        super().__init__(function, values)
        self.function = function
        self.frame = frame
        self.values = values

    def condition(self, machine: Machine) -> ir.Value:
        one, other = map(as_numpy, realise_numbers(machine, self.values))
        takes = _takes_second(machine, self.frame, self.function, one, other)
        if takes.value.type == PY_BOOL:
            return takes.value
        return operator_call(machine, self.frame, bool, (takes,), located=False).value

    def assume(self, machine: Machine, holds: bool) -> None:
        machine.assumed[_key(self.function, self.values)] = holds

    @property
    def deciders(self) -> list[ir.Value]:
        return [value.value for value in self.values if isinstance(value, Scalar)]


def as_numpy_number(machine: Machine, frame: Frame, value: Symbolic) -> Scalar:
    """Return a number of the graph as NumPy's."""
    number = as_numpy(value)
    type_ = _type(number)
    if isinstance(number, Scalar) and not type_.python:
        return number
    numpy = NUMBER_CLASSES[type_.dtype.char][NUMPY]
    return operator_call(machine, frame, numpy, (number,), located=False)


def _as_python_number(machine: Machine, frame: Frame, value: Symbolic) -> Symbolic:
    number = as_python(value)
    type_ = _type(number)
    if type_.python:
        return number
    python = NUMBER_CLASSES[type_.dtype.char][PYTHON]
    return operator_call(machine, frame, python, (number,), located=False)


def _tag(machine: Machine, value: Symbolic) -> ir.Value:
    if isinstance(value, Union):
        return value.tag
    return machine.builder.const(PYTHON if _type(value).python else NUMPY)
