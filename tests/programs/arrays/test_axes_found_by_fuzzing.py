"""Programs in which the fuzzer found other strides or shapes than eager's, each reduced."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check, check_script
from samples import captured

# ---- arrays of nothing ---------------------------------------------------------------------------


def windows_of_picked(a: Any, n: int) -> Any:
    x, y = a, a
    for k in range(3):
        x = a[a > n + k] + 1
        y = x[::-1]
    return x, y


@pytest.mark.parametrize("n", [0, 9])
def test_windows_of_arrays_of_a_length_that_is_counted(n: int) -> None:
    """An array of no items has steps of 0, and so have its windows."""
    check(windows_of_picked, np.arange(6.0), n)


def in_other_shapes(x: Any) -> Any:
    y = x * 2
    return y.reshape(3, 0), y.reshape(0, 1), y.ravel(), x.reshape(3, 0), y[:0][::-1]


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0)])
def test_reshaping_nothing(shape: tuple[int, ...]) -> None:
    captured(in_other_shapes, np.ones(shape))
    check(in_other_shapes, np.ones((4, 3))[:0, ::2])


WINDOWS = """
    x[::-1], x[::2], np.flip(x), x[5:2:2], x[2:5:-1], x[n:1:3], x[:, ::-1], x[:, n:n:2], x.T[::-1],
    x[None, ::-1], x[::-1][:, ::2], y[::-1], np.flip(y), y[5:2:2], y[n:n:-1].T, y[::-1][:, n:n:2]
"""


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (4, 3), (1, 3)])
def test_steps_over_nothing(shape: tuple[int, ...]) -> None:
    """Along an axis of no items a window steps as its base does."""
    names: dict[str, Any] = {"np": np}
    exec(f"def windows(x, n):\n    y = x + x\n    return y, {WINDOWS.strip()}", names)
    for n in (0, 2):
        check(names["windows"], np.ones((4, 3))[: shape[0], : shape[1]], n)
        check(names["windows"], np.ones(shape), n)


def of_one_item(a: Any) -> Any:
    x = np.arccos(a[a < 1])
    x[1:] = a
    return x


def test_an_item_without_axes_into_a_window() -> None:
    check(of_one_item, np.array(1, "u1"))


# ---- axes of one item ----------------------------------------------------------------------------


def copies(x: Any) -> Any:
    return x.astype(float), x.astype("f4"), x.copy("K"), np.array(x), np.sqrt(x), x[:, :1].copy("K")


ODD = [
    np.ones((3, 2))[:, ::2],
    np.ones((4, 6))[:, 1:2].T,
    np.ones((3, 4))[::-1, :1],
    np.ones((4, 3, 2))[:, :1, ::2],
    np.ones((2, 1, 3)).transpose(2, 1, 0),
]


@pytest.mark.parametrize("x", ODD, ids=lambda x: f"{x.shape} {x.strides}")
def test_copies_of_axes_of_one_item(x: Any) -> None:
    """The stride of such an axis reaches no item, but decides the axis's place in a copy."""
    check(copies, x)


def stored(x: Any, s: Any) -> Any:
    y = x + x
    x[1:] = s
    x[0] = s
    y.fill(s)
    np.copyto(y[1:], s)
    return x, y


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c16", "i4", "?"])
@pytest.mark.parametrize("number", [np.float16(1.5), np.float32(1.5), 1.5, np.int8(3), np.bool_(1)])
def test_numbers_in_arrays_of_other_dtypes(dtype: str, number: Any) -> None:
    check(stored, np.ones(3, dtype), number)


def halves_one_by_one(y: Any, n: int) -> Any:
    for _ in range(n):
        y[0] += np.float32(1.5)
        y[1] = y[0] + y[1]
    return y


def test_calls_in_a_loop_that_is_written_twice() -> None:
    """A call's result is the same variable in both versions of a loop, with index checks or not."""
    check(halves_one_by_one, np.array([1, 2], "f2"), 3)


def turned_in_a_loop(a: Any) -> Any:
    x = a
    for _ in a:
        x = a.T
    return x


def test_the_step_of_an_axis_of_one_item() -> None:
    """The result keeps the stride, although it leads to no other item."""
    check(turned_in_a_loop, np.ones((1, 3))[:, :].T)


def of_a_window(a: Any) -> Any:
    return a[1:].T * 2, a[:, 1:].T + np.ones(1)


def test_the_axes_of_a_window_that_has_one_item() -> None:
    """At capture the axis has a length of its own; in later calls that length is one."""

    def script(jit: Any) -> Any:
        f = jit(of_a_window)
        return [f(np.ones(shape)) for shape in [(3, 3), (2, 3), (3, 2), (2, 2)]]

    check_script(script)
