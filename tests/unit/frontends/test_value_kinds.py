"""A kind of values is one class: with its facts and a row of uses, all of capture handles it."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check

from framejit.frontends.capture.handlers.builtins import BUILTINS, builtin
from framejit.frontends.capture.state.behaviour import BEHAVIOURS, Behaviour
from framejit.frontends.capture.state.invocation import Invocation
from framejit.frontends.capture.state.live import concrete
from framejit.frontends.capture.state.machine import Machine
from framejit.frontends.capture.values.symbolic import Known, Symbolic
from framejit.frontends.capture.values.value_kind import LIVE_INS, OfParts, live_in
from framejit.jit.frozen import dataclass


@dataclass(frozen=True, eq=False, slots=True)
class TimeDelta(OfParts):
    """A `datetime.timedelta`, which framejit knows in this test only."""

    words = "a timedelta"
    stands_for = timedelta
    part_names = ("days", "seconds", "microseconds")


def of_numbers(machine: Machine, numbers: tuple[Symbolic, ...]) -> timedelta | None:
    known = [concrete(machine, number) for number in numbers]
    if any(one is None for one in known):
        return None
    return timedelta(*(one.object for one in known if one is not None))


def symbolic(made: timedelta) -> TimeDelta:
    return TimeDelta(tuple(Known(getattr(made, name)) for name in TimeDelta.part_names))


def call(call: Invocation) -> Symbolic | None:
    """Capture `timedelta(...)` of known numbers."""
    made = of_numbers(call.machine, call.arguments)
    return None if made is None else symbolic(made)


def add(machine: Machine, frame: Any, function: Any, operands: Any) -> Symbolic | None:
    """Capture the sum of two."""
    if function is not operator.add or not all(isinstance(one, TimeDelta) for one in operands):
        return None
    left, right = (of_numbers(machine, one.parts) for one in operands)
    return None if left is None or right is None else symbolic(left + right)


@pytest.fixture(autouse=True)
def declared() -> Iterator[None]:
    live_in(TimeDelta)
    builtin(timedelta, takes=(0, 3))(call)
    BEHAVIOURS[TimeDelta] = Behaviour(operator=add)
    yield
    del LIVE_INS[timedelta], BUILTINS[timedelta], BEHAVIOURS[TimeDelta]


def test_it_is_made_and_returned() -> None:
    """Two references to one object stay one object."""

    def f(x: Any) -> Any:
        made = timedelta(2, 5)
        return x * made.days + made.seconds, made, made

    assert_counts(check(f, np.arange(4.0)), breaks=0)


def test_it_is_an_argument_and_an_operand() -> None:
    """Its parts are guarded: another argument is another answer."""

    def f(given: timedelta, x: Any) -> Any:
        later = given + timedelta(1)
        return x * later.days, later, given, isinstance(given, timedelta)

    for days in (3, 4):
        assert_counts(check(f, timedelta(days, 7), np.arange(4.0)), breaks=0)


def test_branches_hand_over_its_parts() -> None:
    """Data select one of two."""

    def f(given: timedelta, x: Any, least: float) -> Any:
        made = timedelta(9) if x[0] > least else given
        return x * made.days, made

    for least in (-1.0, 1.0):
        assert_counts(check(f, timedelta(3), np.arange(4.0), least), breaks=0)


def test_uses_without_a_row_break() -> None:
    """An attribute that is no part, a subscript, a call, a loop: eager answers, or raises."""

    def resolution(given: timedelta, x: Any) -> Any:
        return given.resolution, x + 1.0

    def item(given: Any, x: Any) -> Any:
        return x + given[0]

    def call_it(given: Any, x: Any) -> Any:
        return x + given()

    def loop(given: Any, x: Any) -> Any:
        for part in given:
            x = x + part
        return x

    for function in (resolution, item, call_it, loop):
        check(function, timedelta(3), np.arange(4.0))
