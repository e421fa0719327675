"""Class methods of subclasses, lists that hold themselves: what the tests of CPython found."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from framejit import jit

pytestmark = pytest.mark.usefixtures("plain_and_stubs")


class Base:
    @classmethod
    def kind(cls) -> type:
        return cls


class Middle(Base):
    def through_super(self) -> type:
        return super().kind()


class Lowest(Middle):
    pass


def test_a_class_method_gets_the_class_of_the_object() -> None:
    """The class is that of the very object: a subclass inherits the same function."""

    def direct(o: Any, x: Any) -> Any:
        return o.kind(), x + 1

    def by_super(o: Any, x: Any) -> Any:
        return o.through_super(), x + 1

    x = np.arange(3.0)
    for function in (direct, by_super):
        jitted = jit(function)
        for made in (Middle(), Lowest(), Middle(), Lowest()) * 3:
            assert jitted(made, x)[0] is type(made)


def test_lists_that_hold_themselves() -> None:
    """Directly, in each other, in a tuple; a break follows."""

    def circular(x: Any) -> Any:
        one: list[Any] = []
        one.append(one)
        two: list[Any] = [one]
        one.append((two, one))
        print(end="")
        y = x + 1
        print(end="")
        return one[0] is one, two[0] is one, one[1][1] is one, y.tolist()

    x = np.arange(3.0)
    jitted = jit(circular)
    for _ in range(4):
        assert jitted(x) == circular(x)


def test_the_text_of_a_graph_asks_nobody() -> None:
    """Constants of a recipe are objects of the program; their `repr` is its code."""
    shown = []

    class Told:
        def __repr__(self) -> str:
            shown.append("repr")
            return "told"

    held = Told()

    def function(x: Any) -> Any:
        found = [held, (held,), {"k": held}, held.__repr__]
        print(end="")
        return found, x + 1

    jitted = jit(function)
    for _ in range(4):
        assert jitted(np.arange(3.0))[0][0] is held
    assert shown == []


def test_a_class_that_says_what_it_is() -> None:
    """`__class__` in the class: an attribute like others."""

    class Claims:
        __class__ = 413  # type: ignore[assignment]

    def function(o: Any, x: Any) -> Any:
        return o.__class__, x + 1

    jitted = jit(function)
    for _ in range(3):
        assert jitted(Claims(), np.arange(3.0))[0] == 413
        assert jitted(Base(), np.arange(3.0))[0] is Base


def test_a_comprehension_over_a_name_that_may_be_bound() -> None:
    """Since 3.12 its variable is the function's, put aside meanwhile: bound or not."""

    def function(x: Any, bind: bool) -> Any:
        if bind:
            k = 7
        print(end="")
        found = [k for k in (1, 2)]  # noqa: C416
        print(end="")
        return found, x + 1, sorted(locals())

    jitted = jit(function)
    for bind in (True, False) * 4:
        x = np.arange(3.0)
        assert repr(jitted(x, bind)) == repr(function(x, bind))


def test_bytes_are_searched_for_a_part() -> None:
    """Not for an item, as other sequences are; an int is one."""

    def has(what: Any, x: Any) -> Any:
        return b"use" in what, 117 in what, b"" not in what, x + 1

    jitted = jit(has)
    x = np.arange(3.0)
    for what in (b"no", b"now use it", b"no", b"u"):
        assert jitted(what, x)[:3] == has(what, x)[:3]
