"""Programs in which the fuzzer (tests/support/fuzzing) found differences from eager, reduced."""

from __future__ import annotations

import itertools
import sys
from typing import Any

import numpy as np
import pytest
from oracle import check, framejit_jit
from samples import captured


def swapped(a: Any, b: Any) -> Any:
    for _ in range(3):
        x = a + a + 1
        a, b = b, a
    return x


def bound_in_an_inner_loop(a: Any) -> Any:
    for _ in range(3):
        x = a
        for _ in a:
            y = a
    last = (y,)  # alone: of two read at once CPython 3.11 names the place of the first
    return x, last


def test_arrays_of_several_kinds_carried_by_a_loop() -> None:
    """The first iteration hands over a value of a kind that later ones hand over too."""
    captured(swapped, np.ones(3, "f4"), np.ones(3))
    captured(swapped, np.ones(3, "f4"), np.ones(4))
    captured(swapped, np.ones((3, 4)), np.asfortranarray(np.ones((3, 4))))


def test_arrays_that_swap_places_have_other_lengths_later() -> None:
    """A kernel made for arrays of one length finds two lengths, and leaves the call to eager."""
    made: dict[str, Any] = {}

    def same(function: Any, backend: str) -> Any:
        return made.setdefault(backend, framejit_jit(function, backend))

    for k, m in [(3, 3), (4, 4), (4, 3), (3, 0)]:
        check(swapped, np.ones(k, "f4"), np.ones(m), jit=same)


def test_an_array_that_only_an_inner_loop_binds() -> None:
    """In the first iteration the variable is unbound, later it is the very array."""
    a = np.ones(3)
    check(bound_in_an_inner_loop, a)
    check(bound_in_an_inner_loop, a[:0])


# ---- casts and writes in place -------------------------------------------------------------------


def masked(a: Any, number: Any) -> Any:
    a[a != 1] = number
    return a


def chosen(a: Any, number: Any) -> Any:
    return np.where(a != 0, a, number)


@pytest.mark.parametrize("number", [1e300, 5e-324, 1e300j, complex(1, 1e300), np.inf, 1.5])
def test_numbers_that_complex64_cannot_hold(number: Any) -> None:
    """The warning about the cast is eager's, in the second call as well."""
    a = np.arange(5).astype("c8")
    for function in (masked, chosen):
        check(function, a, number, calls=3)


def added(a: Any, b: Any) -> Any:
    a += b
    return a


def added_by_out(a: Any, b: Any) -> Any:
    np.add(a, b, out=a)
    return a


def multiplied(a: Any, b: Any) -> Any:
    a @= b
    return a


def assigned(a: Any, b: Any) -> Any:
    a[...] = b
    return a


SHAPES: tuple[tuple[int, ...], ...] = ((3,), (1, 3), (1, 1, 3), (3, 3), (3, 1), (2, 3, 3), ())


@pytest.mark.parametrize("function", [added, added_by_out, multiplied, assigned])
def test_shapes_of_what_is_written_in_place(function: Any) -> None:
    """An assignment drops leading axes of one item; an operator and `out=` do not.

    What a matrix product writes to has the very shape of the product.
    """
    for shape, other in itertools.product(SHAPES, SHAPES):
        check(function, np.ones(shape), np.ones(other), backends=["numpy"])


def test_an_operator_in_place_warns_of_its_cast_by_its_own_name() -> None:
    """float32 += float64: the overflow is one of `add`."""
    single, double = np.ones(3, "f4"), np.array([1.7e308, 1e300, 1])
    for function in (added, added_by_out):
        check(function, single, double, calls=3)


def test_what_is_written_in_place_has_another_order_of_memory() -> None:
    """Each item comes from its own place."""
    rows, columns = np.arange(51.0).reshape(3, 17), np.arange(51.0).reshape(17, 3).T
    deep = np.arange(60.0).reshape(3, 4, 5)
    for a, b in ((columns, rows), (rows, columns), (columns[::-1], rows), (columns, rows[:, ::-1])):
        for function in (added, added_by_out, assigned):
            check(function, a, b)
    for axes in itertools.permutations(range(3)):
        turned = np.arange(60.0).reshape([deep.shape[k] for k in axes])
        check(added, turned.transpose(np.argsort(axes)), deep)


# ---- what an exit stores -------------------------------------------------------------------------


def bound_on_one_way(a: Any, n: int) -> Any:
    if n > 1:
        x = a + 1
    elif n < -5:
        x = a + n
    x[print(n)] = -n
    return x


def test_a_break_in_a_statement_that_has_read_a_variable() -> None:
    """Behind the read the variable is bound: the way on which it is not has left.

    What is stored is no constant: CPython 3.11 that has warmed up reads a constant and a variable
    at once, and names the constant's column where the variable is not bound.
    """
    for n in (2, 0, -6):
        check(bound_on_one_way, np.ones(3), n, backends=["numpy"])


# ---- nothing -------------------------------------------------------------------------------------


def windows(a: Any) -> Any:
    for _ in range(3):
        x, y = (a + a)[1:], (a > 1)[-1]
    return x, y


@pytest.mark.parametrize("shape", [(3, 0, 3), (3, 0), (3, 4, 0), (3, 4)])
def test_strides_of_windows_on_nothing_in_loops(shape: tuple[int, ...]) -> None:
    """Steps of an array without items are 0, whatever its lengths."""
    captured(windows, np.ones(shape))


# ---- which object it is --------------------------------------------------------------------------


def chosen_in_a_loop(a: Any, b: Any, n: int) -> Any:
    y = a[1:]
    x = b
    for _ in range(n):
        x = y
    return x, y


def handed_on_in_a_loop(a: Any, b: Any, n: int) -> Any:
    y = a[1:]
    x = z = b
    for k in range(n):
        z = x
        if b[0] > k:
            x = y
    return x, y, z


def chosen_on_one_way(a: Any, b: Any, n: int) -> Any:
    y = a[1:]
    x = b
    if b[0] > n:
        x = y
    return x, y


@pytest.mark.parametrize("function", [chosen_in_a_loop, handed_on_in_a_loop, chosen_on_one_way])
def test_a_window_is_one_object(function: Any) -> None:
    """However many ways and iterations hand it over."""
    a, b = np.ones(3), np.full(4, 3.0)
    for n in (0, 1, 2, 5):
        check(function, a, b, n)


def changing_places(a: Any, n: int) -> Any:
    y = a + a
    for _ in range(n):
        x = np.absolute(a)
        y, x = x, y
        a = a - y
    return x, y


def test_a_fresh_array_that_changes_places() -> None:
    """The array whose memory it would take is still read."""
    captured(changing_places, np.ones(3), 3)


def assigned_to_itself(a: Any, s: Any) -> Any:
    t = s
    for k in range(3):
        if k > 1:
            t = t
        a = a + t
    return t, a


@pytest.mark.parametrize("number", [1.5, np.float64(2), np.float16(1.5)])
def test_a_number_that_a_loop_only_assigns_to_itself(number: Any) -> None:
    """It stays the object that it was."""
    captured(assigned_to_itself, np.ones(3), number)


# ---- dtypes --------------------------------------------------------------------------------------


def constants(a: Any) -> Any:
    a[1:] = 1.5
    x = np.ones_like(a)
    for k in range(2):
        x[k] = 2
    return a + a, x, np.full(3, 2.5, a.dtype), np.prod(a[:, None], axis=1)


@pytest.mark.parametrize("dtype", ["f2", "f4", "c8"])
def test_constants_in_arrays(dtype: str) -> None:
    check(constants, np.ones(4, dtype))


def truths(a: Any) -> Any:
    b = a + 1
    return np.logical_or(b, np.uint8(200)), np.logical_and(b, a > 0), np.logical_xor(b, 1.5)


@pytest.mark.parametrize("dtype", ["c16", "f8", "i1", "f2"])
def test_truths_of_unlike_dtypes(dtype: str) -> None:
    """NumPy takes operands of unlike dtypes as bools, complex ones too."""
    check(truths, np.arange(-2, 3).astype(dtype))


# ---- masks ---------------------------------------------------------------------------------------


def where_it_is_positive(a: Any) -> Any:
    return (a + a).sum(where=(a + a) > 0), np.mean(a, where=a > 1)


def test_reductions_where_an_array_says_so() -> None:
    """NumPy asks the mask too who computes: an example that answered would be asked for ever."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(100_000)
    try:
        check(where_it_is_positive, np.arange(-3, 4))
    finally:
        sys.setrecursionlimit(limit)


# ---- numbers that do not fit ---------------------------------------------------------------------


def into_every_line(a: Any, x: Any) -> Any:
    a[::-1] = x
    a[:, 1:] = x[:, 1:]
    return a


@pytest.mark.parametrize("dtype", ["u4", "i8"])
def test_what_ints_do_not_hold_is_cast_line_by_line(dtype: str) -> None:
    """NumPy's vectors make other numbers of NaN than what stands behind the last of them."""
    x = np.full((3, 11), np.nan)
    with np.errstate(all="ignore"):
        check(into_every_line, np.zeros((3, 11), dtype), x)


def a_line_into_an_element(a: Any, x: Any) -> Any:
    a[..., 0] = x
    try:
        a[0] = x
    except ValueError as error:
        return str(error), a
    return a


@pytest.mark.parametrize("shape", [(1,), (1, 1), ()])
def test_an_array_of_one_item_is_no_element(shape: tuple[int, ...]) -> None:
    """NumPy takes one without axes only; before 2.5 it warned of others."""
    check(a_line_into_an_element, np.zeros(1), np.ones(shape))
