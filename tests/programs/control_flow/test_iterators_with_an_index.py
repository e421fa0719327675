"""Loops over lists, tuples and strs, which since 3.15 have no iterator object but an index."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest
from oracle import check

from framejit import jit
from framejit.jit import native

X = np.linspace(0.5, 2.5, 6)
Q = [1.5, 2.5, -1.0, 4.0]


def broken_in_the_middle(x: Any, q: Any) -> Any:
    y = x * 2
    for k in q:
        y = y + k
        print(k)
        y = y * 1.5
    return y


def list_that_grows(x: Any, q: Any) -> Any:
    items, y = list(q), x
    for k in items:
        y = y * k + 1
        print(len(items))
        if len(items) < 9:
            items.append(k * 0.5)
    return y, items


def list_that_shrinks(x: Any, q: Any) -> Any:
    items, y = list(q), x
    for k in items:
        y = y + k
        print(items.pop())
        y = y * 2
    return y, items


def nested_in_a_call(x: Any, q: Any) -> Any:
    return np.add(x, sum([print(k) or float((x * k).sum()) for k in q]))


def returns_out_of_two(x: Any, q: Any) -> Any:
    for k in q:
        for letter in "abc":
            x = x + k
            print(letter)
            if letter == "b" and k < 2:
                return x * 2, k, letter
    return x


def with_inside(x: Any, q: Any) -> Any:
    for k in (*q,):
        with np.errstate(divide="ignore"):
            x = x / (k - 1.5)
            print(k)
            x = x + 1
            if k == 4.0:
                break
    else:
        x = x * 3
    return x


def pairs(x: Any, q: Any) -> Any:
    for a, b in [(1, 2.0), (3, 4.0)]:
        x = x * a - b
        print(a)
        x = x + b
    return x


def generator_made_before(x: Any, q: Any) -> Any:
    items = [1.0, 2.0]
    made = (x * k for k in items)
    items.append(3.0)
    total = x * 0
    for part in made:
        total = total + part
        print("part")
    return total


def generator_over_no_iterable(x: Any, q: Any) -> Any:
    y = x + 1
    try:
        made = (y * k for k in 5)
    except TypeError as error:
        return y, str(error)
    return y, made


def written_out(x: Any, q: Any) -> Any:
    y = x * 2
    rows = list(y * k for k in q)  # noqa: C400
    kinds = set(k > 1 for k in q)  # noqa: C401
    return rows, kinds, any(k > 3 for k in q), all(k > 3 for k in q), tuple(y + k for k in q)


def written_out_with_breaks(x: Any, q: Any) -> Any:
    rows = list(print(k) or x * k for k in q)  # noqa: C400
    kinds = set(print(k) or k > 1 for k in q)  # noqa: C401
    return rows, kinds


@pytest.mark.usefixtures("plain_and_stubs")
@pytest.mark.parametrize(
    "program",
    [
        *(broken_in_the_middle, list_that_grows, list_that_shrinks, nested_in_a_call),
        *(returns_out_of_two, with_inside, pairs, generator_made_before),
        *(generator_over_no_iterable, written_out, written_out_with_breaks),
    ],
    ids=lambda one: one.__name__,
)
def test_the_same_items(program: Any) -> None:
    """Whatever interrupts the loop, and whatever happens to the list meanwhile."""
    check(program, X, Q)
    check(program, X, tuple(Q))


def test_items_of_a_str_and_of_bytes() -> None:
    """They have an index, too."""

    def program(x: Any, q: Any) -> Any:
        for k in q:
            x = x + len(k) if isinstance(k, str) else x + k
            print(k)
            x = x * 2
        return x

    check(program, X, "abc")
    check(program, X, b"abc")


class Own(list[float]):
    """Asks for its iterator are told."""

    def __iter__(self) -> Any:
        print("iter")
        return super().__iter__()


def test_an_iterator_of_its_own_is_asked_for_once() -> None:
    """Not by the code before GET_ITER, and then again."""
    check(broken_in_the_middle, X, Own(Q))
    check(broken_in_the_middle, X, iter(Own(Q)), calls=1)


def test_the_list_is_let_go() -> None:
    """After the loop nothing holds on to what it went through."""

    class Held(list[float]):
        pass

    function = jit(broken_in_the_middle)
    for _ in range(4):
        items = Held(Q)
        gone = weakref.ref(items)
        function(X, items)
        del items
        gc.collect()
        assert gone() is None


def test_iterator_objects() -> None:
    """Iterables that a loop would index become iterators; all others are returned as they are."""
    set_ = {1}

    assert native.iterator_object(set_) is set_
    assert list(native.iterator_object(Q)) == Q
    assert [*native.iterator_object("ab")] == ["a", "b"]
    with pytest.raises(TypeError, match="one argument"):
        native.iterator_object()
