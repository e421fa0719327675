"""`np.errstate` blocks of any mode are a part of the segment: a block gets eager's reports."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import Decorator, assert_counts, check, check_script

import framejit

A = np.array([1.0, 2.0, 0.0, -1.0, np.inf])
B = np.array([2.0, 0.0, 0.0, 1.0, np.inf])
TAME = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
HUGE = np.array([1e308, -1e308, 1e200, 1.0, 2.0])
Q = np.linspace(0.5, 4.0, 400)
HEARD: list[Any] = []


def hear(kind: str, flag: int) -> None:
    HEARD.append((kind, flag))


def refuse(kind: str, flag: int) -> None:
    raise LookupError(kind)


def raises(a: Any, b: Any) -> Any:
    with np.errstate(divide="raise", invalid="raise"):
        r = a / b
    return r + np.sqrt(b)


def raises_all(a: Any, b: Any) -> Any:
    y = a * 2
    with np.errstate(all="raise"):
        y = np.exp(y) * b + np.log(b)
    return y.sum() / b


def warns(a: Any, b: Any) -> Any:
    with np.errstate(all="warn"):
        x = a / b
        y = np.log(a) * x
    return x, y, a / b


def warns_of_some(a: Any, b: Any) -> Any:
    with np.errstate(all="ignore", over="warn"):
        x = a / b
        y = np.exp(x) * x
    return np.where(np.isfinite(y), y, 0.0) + a


def calls(a: Any, b: Any) -> Any:
    with np.errstate(all="ignore", call=hear, divide="call", over="call"):
        y = a / b
        z = np.multiply(a, b) * y
    return y + z


def calls_what_raises(a: Any, b: Any) -> Any:
    with np.errstate(call=refuse, invalid="call", over="ignore", divide="ignore", under="ignore"):
        y = a / b
        y = np.log(y)
    return y * 2


def nested(a: Any, b: Any) -> Any:
    with np.errstate(all="raise"):
        x = a * 2
        with np.errstate(divide="ignore", invalid="warn"):
            y = a / b
        z = x + np.sqrt(a)
    with np.errstate(divide="raise"):
        return x, y, z, np.log(a)


def numbers(a: Any, b: Any) -> Any:
    total = 0.0
    with np.errstate(divide="raise", over="raise", invalid="ignore"):
        for k in range(a.shape[0]):
            if b[k] >= 0:
                total += a[k] / b[k]
            else:
                total += np.exp(a[k]) * b[k]
    return total


def of_loops(a: Any, b: Any) -> Any:
    y = a
    for k in range(3):
        y = y * b
        with np.errstate(over="raise", divide="ignore"):
            y = y * y / (b - k)
    return y, np.add.reduce(y), np.cumsum(y)


def reductions(a: Any, b: Any) -> Any:
    with np.errstate(over="raise", invalid="raise"):
        return np.add.reduce(a), np.multiply.reduce(b), np.add.accumulate(a), a @ b


def after_a_flag(a: Any, b: Any) -> Any:
    """A flag raised before the block is reported outside of it, and only there."""
    x = a / b
    with np.errstate(divide="raise", invalid="raise"):
        y = a * 2 + b
    return x, y


def writes(a: Any, b: Any) -> Any:
    """Writes made before the flag was raised stay."""
    a[1:] += b[:-1]
    with np.errstate(divide="raise", invalid="raise", over="raise"):
        for k in range(a.shape[0]):
            b[k] = a[k] / b[k]
        a *= b
        a[::2] = np.log(b[::2])
    return a + 1


def in_branches(a: Any, b: Any) -> Any:
    """Nobody hears of a flag of the side that is not taken."""
    total = 1.0
    for k in range(a.shape[0]):
        if b[k] > 0:
            with np.errstate(all="raise"):
                total = total + a[k] / b[k]
        else:
            total = total / (b[k] - 1.0)
    return total


def with_calls(a: Any, b: Any) -> Any:
    with np.errstate(divide="raise"):
        return np.sort(a) * 2, np.trapezoid(b), np.interp(a, b, a), np.log10(b + 1)


PROGRAMS = (
    *(raises, raises_all, warns, warns_of_some, calls, calls_what_raises, nested, numbers),
    *(of_loops, reductions, after_a_flag, writes, in_branches, with_calls),
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_blocks(program: Any) -> None:
    """Exceptions, warnings, calls and results are eager's, whatever the data are."""
    apart = TAME.copy()  # an array that is given twice would be captured for that, too
    for a, b in ((TAME, apart), (A, B), (A[::-1], B), (HUGE, TAME), (TAME, HUGE * 0)):
        jitted = check(program, a, b, calls=3)

        assert_counts(jitted, captures=1, segments=1, breaks=0)


@pytest.mark.parametrize("program", PROGRAMS)
def test_other_dtypes(program: Any) -> None:
    """Arrays of single precision, of ints, and with gaps."""
    for a, b in ((A.astype("f4"), B.astype("f4")), (np.repeat(A, 2)[::2], TAME), (Q, Q[::-1])):
        check(program, a, b, calls=2)
    if program is not reductions:
        check(program, np.array([3, 0, -2]), np.array([0, 1, 2]), calls=2)


@pytest.mark.parametrize("mode", ["ignore", "warn", "raise", "call", "print", "log"])
def test_modes_around(mode: Any) -> None:
    """Blocks override the modes in force around the call."""

    def script(jit: Decorator) -> Any:
        found: list[Any] = []

        class Listener:
            def __call__(self, kind: str, flag: int) -> None:
                found.append((kind, flag))

            def write(self, text: str) -> None:
                found.append(text)

        made = [jit(program) for program in PROGRAMS]
        with np.errstate(all=mode, call=Listener()):
            for _ in range(3):
                for f in made:
                    for a, b in ((TAME, TAME), (A, B), (HUGE, TAME)):
                        try:
                            found.append(f(a.copy(), b.copy()))
                        except (FloatingPointError, LookupError) as error:
                            found.append(repr(error))
        return found, np.geterr()

    check_script(script, filters=["always"], backends=["numpy"] if mode == "log" else None)


def test_left_in_the_middle() -> None:
    """Where a segment ends within a block, the block is entered with its modes and its handler."""

    def program(a: Any, b: Any) -> Any:
        with np.errstate(divide="call", over="raise", call=hear):
            x = a + b
            print(np.geterr(), np.geterrcall() is hear)
            y = a / b
        return x, y, np.geterr()

    for a, b in ((TAME, TAME), (A, B)):
        check(program, a, b, calls=3, filters=["always"])


def test_blocks_that_fail() -> None:
    """Modes and handlers that there are not are eager's to refuse."""

    def wrong_mode(a: Any) -> Any:
        with np.errstate(divide="shout"):  # type: ignore[arg-type]
            return a / 0

    def wrong_handler(a: Any) -> Any:
        with np.errstate(divide="call", call=3):  # type: ignore[arg-type]
            return a / 0

    def entered_twice(a: Any) -> Any:
        block = np.errstate(divide="raise")
        with block:
            a = a * 2
        with block:
            return a / 0

    for program in (wrong_mode, wrong_handler, entered_twice):
        check(program, TAME, calls=2)


def test_handlers_that_are_given() -> None:
    """A handler may come in as an argument, and be none."""

    def program(a: Any, b: Any, handler: Any) -> Any:
        with np.errstate(divide="call", invalid="ignore", call=handler):
            return a / b

    for handler in (hear, refuse, None):
        check(program, TAME, TAME, handler, calls=2)
        check(program, A, B, handler, calls=3)


def test_warnings_do_not_bail_for_ever() -> None:
    """A kernel that warns hands its warnings over, whatever mode the block says them in."""
    jitted = check(warns, A, B, calls=6, backends=["numba"], filters=["always"])

    assert_counts(jitted, captures=1, bails=1)


def test_verified() -> None:
    """The check of kernels against NumPy knows of blocks, whichever of the two kernels runs."""

    def verified(function: Any, backend: str) -> Any:
        return framejit.jit(function, backend=backend, verify=True)

    for program in (warns, warns_of_some, raises, calls, nested):
        for a, b in ((TAME, TAME), (A, B), (HUGE, TAME)):
            check(program, a, b, calls=3, jit=verified, backends=["numba"], filters=["always"])


def test_silence_costs_no_bail() -> None:
    """Where a block is told of kinds that do not happen, nothing bails."""
    for program in (warns_of_some, calls_what_raises):
        jitted = check(program, TAME, TAME - 3, calls=4, filters=["always"])

        if program is warns_of_some:
            assert_counts(jitted, captures=1, bails=0)
