"""np.errstate and np.seterr in every mode, around calls and inside, whatever is in the data."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import BACKENDS, Decorator, assert_counts, check, check_script

import framejit

MODES = ("ignore", "warn", "raise", "call", "print", "log")
HOSTILE_DATA = np.array([0.0, -1.0, np.nan, np.inf, -np.inf, 1e308, 1e-308, 5.0])
TAME = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0])
Program = Callable[..., Any]


def of_arrays(x: Any) -> Any:
    """Each kind of flag, and ops that are silent about NaN and infinity."""
    y = 1.0 / x
    big = x * 1e10 * x
    small = (x * 1e-300) * 1e-300
    roots = np.sqrt(x)
    logs = np.log(x)
    odd = np.maximum(x, np.nan), x < y, np.where(x > 0, x, -x), np.sign(x)
    return y, big, small, roots, logs, odd, np.floor(x), x - x


def of_other_kinds(x: Any) -> Any:
    """Integers, single precision, complex numbers, reductions, casts, powers, remainders."""
    whole = np.array([0, 1, 2, 3, 0, 5, 6, 7])
    y = 7 // whole
    single = x.astype("f4")
    turned = (x + 1j) / (x - x + 0j)
    total = (x * x).sum()
    return y, single, turned, total, np.exp(x), x**3, np.fmod(x, 0.0), x.mean(), np.prod(x)


def in_loops(x: Any) -> Any:
    """Single elements and rows, in the iterations in which they are met."""
    total = 0.0
    y = np.zeros(4)
    for k in range(8):
        total += 1.0 / x[k]
        y = y + np.sqrt(x[k]) * x[:4]
    n = 0
    while n < 3:
        total = total * x[n + 4]
        n += 1
    return total, y


def in_branches(x: Any) -> Any:
    """The side of a branch that is not taken says nothing."""
    total = 0.0
    for k in range(8):
        if x[k] > 0:
            total += np.log(x[k])
        elif x[k] < 0:
            total += 1.0 / (x[k] + 1.0)
        else:
            total -= 1.0
    y = x / 0.0 if total > 1e300 else x * 2
    return total, y, np.where(x == 0, 0.0, x + 1)


PROGRAMS = (of_arrays, of_other_kinds, in_loops, in_branches)


class Listener:
    """The function for mode "call" and the log for mode "log"."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def __call__(self, kind: str, flag: int) -> None:
        self.heard.append((kind, flag))

    def write(self, text: str) -> None:
        self.heard.append(text)


def attempt(function: Program, *args: Any) -> Any:
    """Return the result of a call, or the text and the line of its error."""
    try:
        return function(*args)
    except FloatingPointError as error:
        link = error.__traceback__
        while link is not None and link.tb_next is not None:
            link = link.tb_next
        return str(error), link and link.tb_lineno


def around(jit: Decorator, program: Program) -> Any:
    """Each mode as a context manager around calls of one function, on tame and on hostile data."""
    listener, results = Listener(), []
    f = jit(program)
    results.append(attempt(f, TAME))
    for mode in (*MODES, *reversed(MODES)):
        with np.errstate(all=mode, call=listener):
            results += [attempt(f, HOSTILE_DATA), attempt(f, TAME)]
    results.append(attempt(f, HOSTILE_DATA))
    return results, listener.heard


def around_by_kind(jit: Decorator, program: Program) -> Any:
    """One kind of flag at a time has the mode; the others are silent, or warn."""
    listener, results = Listener(), []
    f = jit(program)
    for kind in ("divide", "over", "under", "invalid"):
        for mode in ("raise", "call", "warn"):
            with np.errstate(all="ignore", call=listener), np.errstate(**{kind: mode}):
                results.append(attempt(f, HOSTILE_DATA))
    with np.errstate(under="warn", over="log", call=listener):
        results.append(attempt(f, HOSTILE_DATA))
    return results, listener.heard


def by_seterr(jit: Decorator, program: Program) -> Any:
    """The state of the thread, set between calls."""
    listener, results = Listener(), []
    f = jit(program)
    before, heard_before = np.seterr(), np.seterrcall(listener)
    try:
        for mode in ("raise", "log", "ignore", "call", "warn"):
            np.seterr(all=mode)
            results += [attempt(f, HOSTILE_DATA), np.geterr()]
    finally:
        np.seterr(**before)
        np.seterrcall(heard_before)
    return results, listener.heard


@pytest.mark.parametrize("script", [around, around_by_kind, by_seterr])
@pytest.mark.parametrize("program", PROGRAMS)
def test_around(program: Program, script: Any) -> None:
    """Category, text, line, calls of handlers and results are eager's."""
    check_script(script, program, filters=["always"])


# ---- inside --------------------------------------------------------------------------------------


def in_a_block(x: Any, mode: Any, listener: Any) -> Any:
    y = x * 2
    with np.errstate(all=mode, call=listener):
        y = 1.0 / x + y
        z = np.sqrt(x)
    return y * x, z, np.log(x)


def in_a_block_in_a_loop(x: Any, mode: Any, listener: Any) -> Any:
    y = x
    for k in range(3):
        y = y * 1e200
        with np.errstate(over=mode, invalid="ignore", call=listener):
            y = y * y - k
        y = np.sqrt(y)
    return y


def a_loop_in_a_block(x: Any, mode: Any, listener: Any) -> Any:
    total = 0.0
    with np.errstate(divide=mode, invalid=mode, call=listener):
        for k in range(8):
            if x[k] != 5.0:
                total += 1.0 / x[k] + np.log(x[k])
    return total, x / 0.0


def blocks_in_blocks(x: Any, mode: Any, listener: Any) -> Any:
    with np.errstate(all="ignore", call=listener):
        y = 1.0 / x
        with np.errstate(divide=mode):
            z = 1.0 / x
        y = y + np.log(x)
    return y, z, np.geterr()


def an_exception_leaves_it(x: Any, mode: Any, listener: Any) -> Any:
    y = x + 1
    try:
        with np.errstate(all=mode, call=listener):
            y = y * 2
            y = y / 0.0
            y = y * 3
    except FloatingPointError as error:
        return str(error), y, np.geterr()
    return y, np.geterr()


def by_seterr_inside(x: Any, mode: Any, listener: Any) -> Any:
    before, heard = np.seterr(all=mode), np.seterrcall(listener)
    try:
        y = 1.0 / x
        z = y * y
    finally:
        np.seterr(**before)
        np.seterrcall(heard)
    return z, np.log(x)


def in_a_function_with_a_block(x: Any, mode: Any, listener: Any) -> Any:
    def quotient(v: Any) -> Any:
        with np.errstate(all=mode, call=listener):
            return v / (v - v)

    return quotient(x) + 1.0 / x


def by_a_decorator(x: Any, mode: Any, listener: Any) -> Any:
    @np.errstate(all=mode, call=listener)
    def quotient(v: Any) -> Any:
        return v / (v - v) + 1

    return [quotient(x) for _ in range(2)], 1.0 / x


def in_a_generator(x: Any, mode: Any, listener: Any) -> Any:
    def parts() -> Any:
        with np.errstate(all=mode, call=listener):
            for k in range(3):
                yield x / (x - k)
        yield 1.0 / x

    return list(parts())


INSIDE = (
    in_a_block,
    in_a_block_in_a_loop,
    a_loop_in_a_block,
    blocks_in_blocks,
    an_exception_leaves_it,
    by_seterr_inside,
    in_a_function_with_a_block,
    by_a_decorator,
    in_a_generator,
)


def inside(jit: Decorator, program: Program) -> Any:
    """The mode is the program's."""
    listener, results = Listener(), []
    f = jit(program)
    for data in (TAME, HOSTILE_DATA):
        for mode in (*MODES, *MODES[:3]):
            with np.errstate(under="ignore"):
                results.append(attempt(f, data, mode, listener))
    return results, listener.heard, np.geterr()


@pytest.mark.parametrize("program", INSIDE)
def test_inside(program: Program) -> None:
    """A block, a decorator or a call inside of the function changes what follows, and no more."""
    check_script(inside, program, filters=["always"], backends=["numpy"])


def test_inside_of_kernels() -> None:
    """The same with kernels, for one program of each kind."""
    for program in (in_a_block, a_loop_in_a_block):
        check_script(inside, program, filters=["always"], backends=["numba"])


@pytest.mark.parametrize("mode", MODES)
def test_decorated_outside(mode: Any) -> None:
    """np.errstate above the decorator, and between it and the function."""

    def script(jit: Decorator) -> Any:
        listener = Listener()
        state = np.errstate(all=mode, call=listener)
        above, below = state(jit(of_arrays)), jit(state(of_arrays))
        results = [attempt(f, x) for x in (TAME, HOSTILE_DATA) * 2 for f in (above, below)]
        return results, listener.heard

    check_script(script, filters=["always"], backends=["numpy"])


def test_printed(capfd: pytest.CaptureFixture[str]) -> None:
    """Mode "print" writes past sys.stderr: as often as eager, in the same words."""
    printed = {}
    for backend in (None, "numba", "numpy"):
        f = of_arrays if backend is None else framejit.jit(of_arrays, backend=backend)
        with np.errstate(all="print"):
            for x in (HOSTILE_DATA, TAME, HOSTILE_DATA):
                f(x)
        printed[backend] = capfd.readouterr().err

    assert printed[None].count("Warning: divide by zero encountered in divide") == 2
    assert printed["numba"] == printed["numpy"] == printed[None]


# ---- handlers that do more -----------------------------------------------------------------------


def test_handlers_that_raise_or_change() -> None:
    """An exception of a handler comes out at the line; its changes are seen behind it."""

    def script(jit: Decorator) -> Any:
        results: list[Any] = []

        def refuse(kind: str, flag: int) -> None:
            raise LookupError(kind)

        def reset(kind: str, flag: int) -> None:
            results.append(kind)
            np.seterr(all="ignore")

        f = jit(of_arrays)
        f(TAME)
        for handler in (refuse, reset):
            with np.errstate(all="call", call=handler):
                try:
                    results.append(f(HOSTILE_DATA))
                except LookupError as error:
                    results.append(str(error))
                results.append(np.geterr())
        return results

    check_script(script, filters=["always"])


# ---- filters -------------------------------------------------------------------------------------

FILTERS = ("error", "once", "default", "module", "always", "ignore")


@pytest.mark.parametrize("program", PROGRAMS)
def test_filters(program: Program) -> None:
    """Repeated calls warn as often as eager's do under each filter."""
    backends = BACKENDS if program in (of_arrays, in_loops) else ["numpy"]
    check(program, HOSTILE_DATA, calls=4, filters=FILTERS, backends=backends)


def filters_inside(x: Any) -> Any:
    found = []
    y = x * 2
    for action in ("error", "once", "ignore", "always"):
        with warnings.catch_warnings(record=True) as shown:
            warnings.simplefilter(action)
            try:
                y = 1.0 / x
                y = y + 1.0 / (x - 5.0)
            except RuntimeWarning as warning:
                found.append(str(warning))
        found.append([(str(one.message), one.lineno) for one in shown])
    return y, found


def test_filters_inside() -> None:
    """Filters that the program sets itself, from segment to segment."""
    check(filters_inside, HOSTILE_DATA, calls=3)


def test_filters_of_one_message() -> None:
    """A filter may be about a text, a module or a line."""

    def script(jit: Decorator) -> Any:
        f = jit(of_arrays)
        results = [f(TAME)]
        for text, module in (("divide by zero", ""), ("invalid", __name__), ("", "elsewhere")):
            with warnings.catch_warnings():
                warnings.filterwarnings("error", text, RuntimeWarning, module)
                try:
                    results.append(f(HOSTILE_DATA))
                except RuntimeWarning as warning:
                    results.append(str(warning))
            results.append(f(HOSTILE_DATA))
        return results

    check_script(script, filters=["default", "always"])


def test_the_programs_are_captured() -> None:
    """All of the above is about kernels."""
    made = [framejit.jit(program) for program in PROGRAMS]
    for jitted in made:
        with np.errstate(all="ignore"):
            jitted(TAME)

    assert_counts(made, captures=1, breaks=0)
