"""Arguments whose value decides the meaning of a call, supplied in every way that a program has.

The function writes into what the call gives: where a copy is taken for the array itself, or the
array for a copy, the arguments differ from eager's afterwards. What each function of NumPy makes of
each of its options is compared in tests/sweeps/numpy_table/test_options.py.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check_script

import framejit

scipy_fft = pytest.importorskip("scipy.fft")
scipy_linalg = pytest.importorskip("scipy.linalg")

FLAGS: dict[str, tuple[Any, ...]] = {
    "true first": (True, False, True, False),
    "false first": (False, True, False),
    "ints": (1, 0, 1, True),
    "of NumPy": (np.True_, np.False_, np.True_, True),
    "ints of NumPy": (np.int64(0), np.int64(1), np.int64(0)),
    "others": (None, 2, 0.0, 1.5, True),
}


class Options:
    """An object of the user's."""

    def __init__(self, copy: Any) -> None:
        self.copy = copy


def through_helper(x: Any, copy: Any = True) -> Any:
    return np.array(x, copy=copy)


def argument(x: Any, flag: Any) -> Any:
    y = np.array(x, copy=flag)
    y *= 2
    return y


def of_asarray(x: Any, flag: Any) -> Any:
    y = np.asarray(x, copy=flag)
    y *= 2
    return y, x + 1


def of_nan_to_num(x: Any, flag: Any) -> Any:
    y = np.nan_to_num(x, copy=flag)
    y *= 2
    return y, x + 1


def of_astype(x: Any, flag: Any) -> Any:
    y = x.astype("f8", copy=flag)
    y *= 2
    return y, x + 1


def by_position(x: Any, flag: Any) -> Any:
    y = x.astype("f8", "K", "unsafe", True, flag)
    y *= 2
    return y, x + 1


def comparison(x: Any, flag: Any) -> Any:
    y = np.array(x, copy=(flag == 1))
    y *= 2
    return y


def negation(x: Any, flag: Any) -> Any:
    y = np.asarray(x, copy=not flag)
    y *= 2
    return y


def arithmetic(x: Any, flag: Any) -> Any:
    y = np.array(x, copy=flag + 0)
    y *= 2
    return y


def item(x: Any, flag: Any) -> Any:
    options = [1, flag]
    y = np.array(x, copy=options[1])
    y *= 2
    return y


def attribute(x: Any, flag: Any) -> Any:
    options = Options(flag)
    y = np.array(x, copy=options.copy)
    y *= 2
    return y


def default(x: Any, flag: Any) -> Any:
    y, z = through_helper(x, flag), through_helper(x)
    y *= 2
    z *= 3
    return y, z


def partial(x: Any, flag: Any) -> Any:
    y = functools.partial(np.array, copy=flag)(x)
    y *= 2
    return y


def mapping(x: Any, flag: Any) -> Any:
    keywords = {"copy": flag}
    y = np.array(x, **keywords)
    y *= 2
    return y


def one_of_two_kinds(x: Any, flag: Any) -> Any:
    copy = None if flag else True
    y = np.array(x, copy=copy)
    y *= 2
    return y


def of_the_data(x: Any, flag: Any) -> Any:
    y = np.array(x, copy=(x > flag).any())
    y *= 2
    return y


def in_a_loop(x: Any, flag: Any) -> Any:
    total = 0.0
    for k in range(4):
        y = np.array(x, copy=(k % 2 == flag))
        y += 1
        total += y[0]
    return total, y


def of_items_in_a_loop(x: Any, flag: Any) -> Any:
    total = 0.0
    for k in range(len(x)):
        y = np.asarray(x, copy=(x[k] > 2))
        y += 1
        total += y[0]
    return total, y


def overwritten_by_numpy(x: Any, flag: Any) -> Any:
    return np.median(x, overwrite_input=flag), x * 2


def overwritten_by_scipy(x: Any, flag: Any) -> Any:
    return scipy_fft.fft(x, overwrite_x=flag), scipy_fft.ifft(x * 1j, overwrite_x=flag), x * 2


def of_factors(x: Any, flag: Any) -> Any:
    table = np.outer(x, x) + 9 * np.eye(6)
    return scipy_linalg.lu(table, permute_l=flag), table + 1


def results(x: Any, flag: Any) -> Any:
    y = np.unique(x, return_index=flag)
    z = np.linspace(0, 1, 5, retstep=flag)
    return y, z, np.average(x, returned=flag)


def axes(x: Any, flag: Any) -> Any:
    return x.sum(keepdims=flag), np.mean(x, keepdims=flag), np.add.reduce(x, keepdims=flag)


def numbers(x: Any, flag: Any) -> Any:
    """These flags are computed with."""
    made = np.full(3, flag), np.array([flag, 1]), np.select([x > 1], [x], default=flag)
    return made, np.where(flag, x, -x), np.clip(x, flag, 2), np.pad(x, 1, constant_values=flag)


def written_where(x: Any, flag: Any) -> Any:
    np.copyto(x, 1.0, where=flag)
    return x + 1


def of_a_sort(x: Any, flag: Any) -> Any:
    return sorted([3, 1, 2], reverse=flag), sorted([3, 1], key=None, reverse=flag == 1), x + 1


def of_zip(x: Any, flag: Any) -> Any:
    return [a * b for a, b in zip([1, 2], [3, 4, 5], strict=flag)], x + 1


def drawn(x: Any, flag: Any) -> Any:
    rng = np.random.default_rng(3)
    return rng.choice(5, 3, replace=flag), rng.integers(0, 3, 4, endpoint=flag), x + 1


def array_as_flag(x: Any, flag: Any) -> Any:
    y = np.array(x, copy=np.array(bool(flag)))
    y *= 2
    z = np.nan_to_num(x, copy=np.array([bool(flag)]))
    z += 1
    return y, z, np.sum(x, where=x > 2)


def item_of_an_array(x: Any, flag: Any) -> Any:
    mask = x > 2
    mask[1] = bool(flag)
    y, z = np.array(x, copy=mask[0]), np.asarray(x, copy=mask[1])
    y *= 2
    z += 1
    return y, z


def in_a_generator(x: Any, flag: Any) -> Any:
    def copies() -> Iterator[Any]:
        for copy in (flag, True, flag):
            y = np.array(x, copy=copy)
            y += 1
            yield y

    return list(copies()), x * 2


def between_breaks(x: Any, flag: Any) -> Any:
    for k in range(3):
        x = np.asarray(x, copy=flag if k else not flag)
        x += k
        framejit.graph_break()
    return x


def in_a_recursion(x: Any, flag: Any) -> Any:
    def copied(a: Any, n: int) -> Any:
        return a if n == 0 else copied(np.array(a, copy=(n % 2 == flag)), n - 1)

    y = copied(x, 3)
    y *= 2
    return y


PROGRAMS = (
    *(argument, of_asarray, of_nan_to_num, of_astype, by_position, comparison, negation),
    *(arithmetic, item, attribute, default, partial, mapping, one_of_two_kinds, of_the_data),
    *(in_a_loop, of_items_in_a_loop, overwritten_by_numpy, overwritten_by_scipy, of_factors),
    *(results, axes, numbers, written_where, of_a_sort, of_zip, drawn, array_as_flag),
    *(item_of_an_array, in_a_generator, between_breaks, in_a_recursion),
)


def sample() -> Any:
    return np.array([3.0, 1.0, 2.0, -4.0, 5.0, 0.5])


@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda one: one.__name__)
def test_supplied(function: Callable[..., Any], flags: str) -> None:
    """Results, arguments and errors, whichever value comes first."""

    def script(decorate: Callable[..., Any]) -> list[Any]:
        jitted = decorate(function)
        return [tried(jitted, sample(), flag) for flag in FLAGS[flags]]

    check_script(script, backends=["numpy"], filters=["ignore"])


def tried(jitted: Callable[..., Any], x: Any, *args: Any) -> Any:
    try:
        return jitted(x, *args), x
    except Exception as error:
        return type(error), str(error), x


@pytest.mark.parametrize("place", ["global", "cell", "attribute", "item", "default"])
def test_changed_between_calls(place: str) -> None:
    """Wherever the flag stands, the next call reads it."""

    def script(decorate: Callable[..., Any]) -> list[Any]:
        box, cell = Options(True), True
        items, namespace = [True], {"np": np, "FLAG": True}
        source = "def of_global(x):\n    y = np.array(x, copy=FLAG)\n    y *= 2\n    return y\n"
        exec(source, namespace)

        def of_cell(x: Any) -> Any:
            y = np.array(x, copy=cell)
            y *= 2
            return y

        def of_attribute(x: Any) -> Any:
            y = np.array(x, copy=box.copy)
            y *= 2
            return y

        def of_item(x: Any) -> Any:
            y = np.array(x, copy=items[0])
            y *= 2
            return y

        def of_default(x: Any, copy: Any = True) -> Any:
            y = np.array(x, copy=copy)
            y *= 2
            return y

        functions = {
            "global": namespace["of_global"],
            "cell": of_cell,
            "attribute": of_attribute,
            "item": of_item,
            "default": of_default,
        }
        jitted, made = decorate(functions[place]), []
        for flag in (True, True, False, 1, np.False_, True):
            namespace["FLAG"] = box.copy = items[0] = cell = flag
            of_default.__defaults__ = (flag,)
            made.append(tried(jitted, sample()))
        return made

    check_script(script, backends=["numpy"])


def test_kernels_of_both() -> None:
    """Each value has a kernel of its own; one that the graph computes is a branch in one kernel."""

    def script(decorate: Callable[..., Any]) -> list[Any]:
        plain, computed = decorate(argument), decorate(comparison)
        return [(tried(plain, sample(), k > 1), tried(computed, sample(), k)) for k in range(6)]

    for plain, computed in check_script(script, backends=["numba", "numpy"]):
        assert_counts([plain], captures=2, breaks=0)
        assert_counts([computed], captures=1, breaks=0)


def test_numbers_are_no_flags() -> None:
    """One kernel serves all the numbers that are computed with."""

    def rolled(x: Any, n: Any) -> Any:
        return np.roll(x, n) + np.arange(n, n + 6) * np.linspace(0, n, 6), np.full(6, n) * x

    jitted = framejit.jit(rolled, backend="numpy")
    for n in range(2, 12):
        jitted(sample(), n)
    assert_counts([jitted], captures=1, breaks=0)
