"""Exits lead to before the moves at the end of a segment; the frame repeats them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import check

from framejit import jit

X, Y = np.arange(5.0), np.arange(5.0) + 0.5


def assigned(x: Any, y: Any) -> Any:
    """One product, which two variables are to hold."""
    a = b = x * y
    print(a is b)
    return a + b


def several(x: Any, y: Any) -> Any:
    """Two at once, and then in one another's place."""
    a, b = x + y, x * y
    a, b = b, a
    print(a, b)
    return a - b


def again(x: Any, y: Any) -> Any:
    """A variable is assigned twice: the first value is gone."""
    a = x * y
    b = a
    a = a + 1.0
    print(b)
    return a * b


def argument(x: Any, y: Any) -> Any:
    """A live-in is replaced, and read before and after."""
    z = x
    x = x * y
    print(x, z)
    return x + z


def constants(x: Any, y: Any) -> Any:
    """Pushed by the frame, with a global name and a keyword."""
    a = x * y
    print(a, 1.5, sep=" | ", end="!")
    return a + y


def no_name(x: Any, y: Any) -> Any:
    """The frame finds out that there is none, with everything assigned."""
    a = x * y
    return missing(a)  # type: ignore[name-defined] # noqa: F821


def unbound(x: Any, y: Any) -> Any:
    """A variable that is not there yet."""
    a = x * y
    if x is y:
        late = a
    print(late)
    return a


def joined(x: Any, y: Any) -> Any:
    """Two ways meet at the assignment; one of them has a break before it."""
    total = x
    for iteration in range(4):
        a = x * float(print(iteration) is None) if iteration % 2 else x * y
        print(iteration)
        total = total + a
    return total


def shared(x: Any, y: Any) -> Any:
    """A variable of a closure is changed before the frame reads it."""
    count = 1.0

    def more() -> float:
        nonlocal count
        count += 1.0
        return count

    a = x * y
    count = 5.0
    print(count)
    b = a * count
    print(more())
    return b + count


class Loud:
    """Its end is heard of."""

    def __del__(self) -> None:
        print("gone")


def replaced(x: Any, y: Any) -> Any:
    """The old value of a variable dies when it is assigned."""
    a: Any = Loud()
    print("made")
    a = x * y
    print("assigned")
    return a + y


PROGRAMS = (
    *(assigned, several, again, argument, constants, no_name, unbound, joined, shared, replaced),
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_all_is_as_in_eager(program: Callable[..., Any]) -> None:
    """The objects, what is printed, the order of the ends, the locals of a traceback."""
    check(program, X, Y)
    check(program, X, X)


@pytest.mark.counts("the stubs of the code")
def test_one_product_is_no_tuple() -> None:
    """It is pushed, and the frame assigns it."""
    jitted = jit(again_and_again)
    for _ in range(3):
        jitted(X, Y)

    code = jitted.inspect("bytecode")
    stub = code[code.index("segment 1") : code.index("BINARY_OP")]
    assert "UNPACK_SEQUENCE" not in stub
    assert "STORE_FAST" not in stub


def again_and_again(x: Any, y: Any) -> Any:
    """Breaks at the call."""
    a = x * y
    print(1)
    return a + y


def test_the_frame_asks_for_its_names_itself() -> None:
    """The segment makes the product, whatever becomes of the global."""
    space: dict[str, Any] = {"note": len}  # globals of its own
    exec("def program(x, y):\n  a = x * y\n  return note(a)", space)
    jitted = jit(space["program"])
    for _ in range(3):
        assert jitted(X, Y) == 5

    space["note"] = sum
    assert jitted(X, Y) == (X * Y).sum()
    del space["note"]
    with pytest.raises(NameError, match="note"):
        jitted(X, Y)
