"""Strings of `%`, `format` and `join`: put together at an exit, and refused where eager refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check
from whole import Programs, check_whole

from framejit import jit

PROGRAMS = Programs()
X = np.linspace(0.5, 2.0, 7)
NUMBERS = [
    3,
    -2.5,
    True,
    np.float64(1.5),
    np.float32(0.1),
    np.int64(7),
    np.int8(-7),
    np.bool_(True),
]


@PROGRAMS.runs((X, 3))
def by_percent(x: Any, n: int) -> Any:
    y = x * 2
    label = "sum %.3f of %d, %5.1e|%-8s|%r|%x %%" % (y.sum(), n, y[0], y[1], n, n)  # noqa: UP031
    return y * 3, label, "%s" % n, "%08.2f" % y[2], "none" % ()  # noqa: UP031


@PROGRAMS.runs((X, 3))
def by_format(x: Any, n: int) -> Any:
    y = x * 2
    label = "{:.3f} of {}, {!r:>6} {{}}".format(y.sum(), n, n)  # noqa: UP032
    return y, label, "{1} {0:+.1f} {1!s}".format(y[0], n), "{a:5d}{b}".format(a=n, b="x")  # noqa: UP032


@PROGRAMS.runs((X, 3))
def by_join(x: Any, n: int) -> Any:
    y = x * 2
    words = ["a", f"{n}", str(y[0]), "b" + str(n)]
    return y, ", ".join(words), "".join([words[1]]), "-".join(()), "/".join(str(k) for k in (n, 2))


@PROGRAMS.runs((X, 3))
def thrown_away(x: Any, n: int) -> Any:
    y = x * 2
    label = "step %d: %g" % (n, y.mean())  # noqa: UP031
    if n > 5:
        label = "{}: late".format(n)  # noqa: UP032
    return y * len(x) + (label is None)


@pytest.mark.parametrize(("program", "arguments"), PROGRAMS, ids=PROGRAMS.names)
def test_is_captured_whole(program: Any, arguments: tuple[Any, ...]) -> None:
    """No break is left of the string."""
    check_whole(program, arguments)


def with_percent(x: Any, given: str, value: Any) -> Any:
    y = x * 2
    return given % value, y


@pytest.mark.parametrize("value", [*NUMBERS, np.nan, np.inf, 1j, "a", None, (1, 2), b"a"], ids=repr)
@pytest.mark.parametrize("letter", "diouxXeEfFgGcrsa%")
def test_letters(letter: str, value: Any) -> None:
    """Each kind of field with each kind of number."""
    check(with_percent, X, f"<%{letter}>", (value,))
    check(with_percent, X, f"<%-7.3{letter}>", value)


@pytest.mark.parametrize(
    "given",
    ["%", "%d", "%d %d %d", "%*d %d", "%(a)d", "%5% %d %d", "%ld %#x", "%y %d", "%.d %.99f", ""],
)
def test_fields(given: str) -> None:
    """Too many, too few, and those that take their width from the values."""
    check(with_percent, X, given, (3, 4))
    check(lambda x, n: (x * 2, given % (n, n + 1)), X, 3)
    check(with_percent, X, given, {"a": 3})


def test_one_value_that_is_a_tuple() -> None:
    """`%` takes a tuple as its values, not as one value."""
    check(lambda x, t: (x * 2, "%s" % t), X, (1,))  # noqa: UP031
    check(lambda x, t: (x * 2, "%s" % t), X, (1, 2))  # noqa: UP031
    check(lambda x, t: (x * 2, "%s" % (t,)), X, (1, 2))  # noqa: UP031


def with_format(x: Any, given: str, one: Any, other: Any) -> Any:
    y = x * 2
    return given.format(one, other), y


@pytest.mark.parametrize(
    "given",
    ["{}", "{} {}", "{} {} {}", "{0} {}", "{:{}}", "{0.real}", "{0[0]}", "{", "{!x}", "{a}", "{:d}"]  # noqa: RUF005
    + ["{:5.1f}|{:x}", "{1}{0}{1}", "", "{:n}", "{:,}", "{0:>{1}}", "{:%}", "{:c}"],
)
@pytest.mark.parametrize("one", [*NUMBERS, "text", (1, 2), None], ids=repr)
def test_format_fields(given: str, one: Any) -> None:
    """Fields that an f-string cannot express are left to eager."""
    check(with_format, X, given, one, 3)


@pytest.mark.parametrize(
    "items", [["a", 1], ["a"], [], "abc", ("x", "y"), [b"a"], [None], 5], ids=repr
)
def test_join_of_other_things(items: Any) -> None:
    """Items that are no strings are refused."""
    check(lambda x, items: (x * 2, ", ".join(items)), X, items)
    check(lambda x, items, s: (x * 2, s.join(items)), X, items, "")


def test_identity_of_one_piece() -> None:
    """`join` and `format` of a single str return that object."""

    def alone(x: Any, s: str) -> Any:
        return x * 2, "".join([s]) is s, ", ".join([s]), "{}".format(s)  # noqa: UP032

    check(alone, X, "some text")


def test_loops_that_make_labels() -> None:
    """Labels that nobody sees cost nothing."""

    def labelled(x: Any, n: int) -> Any:
        for k in range(n):
            label = "%d: %.2f" % (k, x[0])  # noqa: UP031
            x = x * 1.5
        return x, label

    jitted = check(labelled, X, 4)
    assert_counts(jitted, failures=0)


def distance(a: str, b: str) -> Any:
    costs = np.zeros((len(a) + 1, len(b) + 1), dtype=int)
    for i, x in enumerate(a, 1):
        for j, (y, z) in enumerate(zip(b, b, strict=True), 1):
            costs[i, j] = min(costs[i - 1, j], costs[i, j - 1]) + (x != y) + (x == z)
    return costs[-1, -1]


@pytest.mark.counts("where a capture breaks")
def test_long_strings_are_not_unrolled() -> None:
    """The characters are constants: thousands of operations would be captured for one string."""
    check(distance, "acgt" * 10, "gat" * 30)

    first = jit(distance, backend="numpy").trace("acgt" * 10, "gat" * 30).breaks[0]
    assert "more than 32 items" in first.detail
