"""Forks: decisions that are known only at run time."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ....jit.ir import graph as ir
from ....jit.ir.ops import OPERATOR
from ....jit.ir.types import PY_BOOL
from ..values.symbolic import Scalar, Symbolic, Union

if TYPE_CHECKING:
    from .machine import Machine


class Fork(Exception):  # noqa: N818 (control flow, no error)
    """The current instruction has two outcomes."""

    def condition(self, machine: Machine) -> ir.Value:
        """Return a Python bool of the graph that decides."""
        raise NotImplementedError

    def assume(self, machine: Machine, holds: bool) -> None:
        """Let the machine know the outcome."""
        raise NotImplementedError

    @property
    def deciders(self) -> list[ir.Value]:
        """Return the numbers that decide, as far as they are in the graph."""
        raise NotImplementedError


class ForkOfTruth(Fork):
    """Forks on the truth of a number."""

    def __init__(self, value: Symbolic, realise: Callable[[Machine, Symbolic], Symbolic]) -> None:
        super().__init__(value)
        self.value = value
        self.realise = realise
        """Realises the live-in again, as undoing the instruction forgets it."""
        self.number: ir.Value | None = None

    def condition(self, machine: Machine) -> ir.Value:
        number = self.realise(machine, self.value)
        assert isinstance(number, Scalar)
        self.number = number.value
        if number.value.type == PY_BOOL:
            return number.value
        return machine.builder.add(OPERATOR, (number.value,), {"function": operator.truth})

    def assume(self, machine: Machine, holds: bool) -> None:
        assert self.number is not None, "the condition comes first"
        machine.assumed[self.number] = holds

    @property
    def deciders(self) -> list[ir.Value]:
        return [self.value.value] if isinstance(self.value, Scalar) else []


class ForkOfKinds(Fork):
    """Forks on the kind of a value: the first alternative, or one of the others."""

    def __init__(self, union: Union) -> None:
        super().__init__(union)
        self.union = union

    def condition(self, machine: Machine) -> ir.Value:
        return is_tagged(machine, self.union, self.union.alternatives[0][0])

    def assume(self, machine: Machine, holds: bool) -> None:
        machine.kinds[self.union] = self.kind(holds)

    @property
    def deciders(self) -> list[ir.Value]:
        return [self.union.tag]

    def kind(self, holds: bool) -> Symbolic | None:
        """Return the value for one outcome."""
        (_, first), *others = self.union.alternatives
        if holds:
            return first
        return others[0][1] if len(others) == 1 else Union(self.union.tag, tuple(others))


def is_tagged(machine: Machine, union: Union, number: int) -> ir.Value:
    """Return a bool of the graph that is true if the value is the alternative with this tag."""
    inputs = (union.tag, machine.builder.const(number))
    return machine.builder.add(OPERATOR, inputs, {"function": operator.eq})


def one_kind(machine: Machine, value: Symbolic | None) -> Any:
    """Return a value of a single kind.

    Raises:
        ForkOfKinds: the kind is not known yet.
    """
    known = machine.one_of(value)
    if isinstance(known, Union):
        raise ForkOfKinds(known)
    return known


def without_unbound(value: Symbolic | None) -> Symbolic | None:
    """Return a variable after a read; paths on which it was unbound have raised."""
    if not isinstance(value, Union) or all(one is not None for _, one in value.alternatives):
        return value
    bound = tuple(one for one in value.alternatives if one[1] is not None)
    return bound[0][1] if len(bound) == 1 else Union(value.tag, bound)
