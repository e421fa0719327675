"""In-place statements on arrays from outside are written where they are, and nothing is undone.

Flags are told behind the last item, by the operation that raises them. Where they raise, where
memory is shared, or where an operation of the program is missing, what is stored is computed aside.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_normally, check

import framejit

N = 1300
"""Number of items: several blocks of the kernel's loops and a shorter one."""
X = np.linspace(-3, 5, N)
HUGE = np.where(np.arange(N) == 700, 1e300, X)
ZEROS = np.where(np.arange(N) > 900, 0.0, X)


def one(b: Any, a: Any) -> None:
    b += a


def two(b: Any, a: Any) -> None:
    b += a * a


def three(b: Any, a: Any) -> None:
    b *= 1.5
    b += a * 1e10
    b /= a


def both(b: Any, a: Any) -> None:
    b += a * a
    a -= b / a


def twin(b: Any, a: Any) -> None:
    b += a * a  # it overflows here,
    a *= a  # and here once more


def twins_of_a_statement(b: Any, a: Any) -> None:
    b += a * a + a * a


def copied(b: Any, a: Any) -> None:
    b[:] = a * a / b


def of_ints(b: Any, a: Any) -> None:
    b += a
    b ^= 3
    b -= a


def windows(b: Any, a: Any) -> None:
    b[1:-1] += a[1:-1] * a[2:]
    a[::2] = b[::2] * 3.0


def into(b: Any, a: Any) -> None:
    np.multiply(a, a, out=b)
    np.maximum(a, b, out=b)
    np.exp(a, out=b)


def halves(b: Any, a: Any) -> None:
    with np.errstate(over="ignore"):
        b += a * a
    b *= b


def told(b: Any, a: Any) -> None:
    with np.errstate(over="raise"):
        b += a * 2
    b -= a


def in_turns(b: Any, a: Any) -> None:
    for _ in range(4):
        b += a * 0.5


def of_rows(b: Any, a: Any) -> None:
    rows = b.reshape(26, 50)
    for k in range(1, 26):
        rows[k] -= rows[k - 1] * a[k]


def guarded(b: Any, a: Any) -> Any:
    try:
        b += a * a
        b *= 2.0
    except FloatingPointError as error:
        return str(error)
    return None


FUNCTIONS = (
    *(one, two, three, both, twin, twins_of_a_statement, copied, windows, into, halves, told),
    *(in_turns, of_rows, guarded),
)


def arguments() -> dict[str, tuple[Any, Any]]:
    wide = np.zeros(2 * N)
    wide[:N], wide[N:] = X, X * 2
    same = X.copy()
    shifted = np.append(X, [1.0, 2.0])
    both = np.stack([X, X + 1.0], axis=1)
    return {
        "others": (X.copy(), X * 2),
        "overflow": (X.copy(), HUGE.copy()),
        "zeros": (X.copy(), ZEROS.copy()),
        "not a number": (np.full(N, np.nan), X.copy()),
        "beside": (wide[:N], wide[N:]),
        "the same": (same, same),
        "of equal memory": (same, same[:]),
        "shifted": (shifted[1:-1], shifted[:-2]),
        "shifted on": (shifted[:-2], shifted[1:-1]),
        "in turns": (both[:, 0], both[:, 1]),
        "backwards": (same, same[::-1]),
        "single": (X.astype("f4"), np.ones(N, "f4")),
    }


@pytest.mark.parametrize("function", FUNCTIONS)
def test_flags_and_memory(function: Any) -> None:
    for b, a in arguments().values():
        check(function, b, a, calls=3)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("action", ["always", "default", "error"])
def test_one_kernel_for_all(function: Any, action: Any) -> None:
    """The kernel of the first calls also serves other numbers and other overlaps in memory."""
    jitted = framejit.jit(function, backend="numba")
    for key in ("others", *arguments(), *[*arguments()][::-1]):
        given = arguments()[key]
        check(
            function,
            *given,
            calls=1,
            filters=[action],
            jit=lambda *_, **__: jitted,
            backends=["numba"],
        )


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("mode", ["raise", "ignore", "print", "warn"])
def test_modes(function: Any, mode: Any) -> None:
    """The errstate that holds at a call decides, not the one of the capture."""

    def program(b: Any, a: Any) -> Any:
        c, d = b.copy(), a.copy()
        with np.errstate(all="ignore"):
            function(c, d)
        with np.errstate(all=mode):
            return function(b, a)

    for b, a in arguments().values():
        check(program, b, a, calls=3)


def test_ints() -> None:
    for b, a in arguments().values():
        check(of_ints, b.astype("i8"), a.astype("i8"), calls=3)


def test_an_exception_comes_behind_what_eager_has_written() -> None:
    """NumPy has written the array when one operation raises, but not for two in a statement."""
    for function in (one, two):
        jitted = framejit.jit(function, backend="numba")
        for _ in range(3):
            expected, actual = np.full(N, 1e308), np.full(N, 1e308)
            with np.errstate(all="raise"):
                for run, b in ((function, expected), (jitted, actual)):
                    with pytest.raises(FloatingPointError):
                        run(b, np.full(N, 1e308))
            assert actual.tobytes() == expected.tobytes()


@pytest.mark.counts("launches that hold")
def test_what_is_learned() -> None:
    """Shared memory, and modes that raise, cost one more capture."""
    for function in (one, two, three, both):
        for shared in (True, False):
            jitted = framejit.jit(function, backend="numba")
            for _ in range(8):
                b, a = arguments()["shifted" if shared else "others"]
                with np.errstate(all="warn" if shared else "raise"):
                    jitted(b, np.where(a == 0, 1.0, a) if not shared else a)
            stats = jitted.stats()
            assert_normally((stats["captures"], stats["hits"], stats["bails"]), (2, 7, 1))


@pytest.mark.counts("text of kernels")
def test_nothing_is_computed_aside() -> None:
    for function in (one, two, three, into):
        jitted = framejit.jit(function, backend="numba")
        jitted(*arguments()["others"])
        assert "alloc(" not in jitted.inspect("numba")
