"""Forks: places where only running the program tells which way it goes."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ....jit.ir import graph as ir
from ....jit.ir.ops import OPERATOR
from ....jit.ir.types import PY_BOOL
from ..values import Scalar, Symbolic, Union

if TYPE_CHECKING:
    from ..machine import Machine


class Fork(Exception):  # noqa: N818
    """The instruction that runs goes one way or the other."""

    def condition(self, machine: Machine) -> ir.Value:
        """A Python bool of the graph that decides."""
        raise NotImplementedError

    def assume(self, machine: Machine, holds: bool) -> None:
        """Lets the machine know which way it goes."""
        raise NotImplementedError

    @property
    def deciders(self) -> list[ir.Value]:
        """The numbers that decide, as far as they are in the graph by now."""
        raise NotImplementedError


class ForkOfTruth(Fork):
    """On the truth of a number."""

    def __init__(self, value: Symbolic, look: Callable[[Machine, Symbolic], Symbolic]) -> None:
        super().__init__(value)
        self.value = value
        self.look = look
        """Looks at a live-in, which is forgotten again when the instruction is undone."""
        self.number: ir.Value | None = None

    def condition(self, machine: Machine) -> ir.Value:
        number = self.look(machine, self.value)
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
    """On which of several kinds a value is: the first one, or one of the others."""

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
        """What the value is then."""
        (_, first), *others = self.union.alternatives
        if holds:
            return first
        return others[0][1] if len(others) == 1 else Union(self.union.tag, tuple(others))


def is_tagged(machine: Machine, union: Union, number: int) -> ir.Value:
    """A bool of the graph: whether the value is the alternative of that number."""
    inputs = (union.tag, machine.builder.const(number))
    return machine.builder.add(OPERATOR, inputs, {"function": operator.eq})


def one_kind(machine: Machine, value: Symbolic | None) -> Any:
    """What a value is, where it may be one of several.

    Raises:
        ForkOfKinds: it is not known yet.
    """
    known = machine.one_of(value)
    if isinstance(known, Union):
        raise ForkOfKinds(known)
    return known


def without_unbound(value: Symbolic | None) -> Symbolic | None:
    """A variable that has been read on the way: the paths on which it was unbound are left."""
    if not isinstance(value, Union) or all(one is not None for _, one in value.alternatives):
        return value
    bound = tuple(one for one in value.alternatives if one[1] is not None)
    return bound[0][1] if len(bound) == 1 else Union(value.tag, bound)
