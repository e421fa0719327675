"""Objects die where they die in eager, between the effects of the code around them.

Each program writes down when something dies, and runs several times: what was captured serves.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from framejit import capture, jit

said: list[Any] = []


class Heard:
    """Says when it dies."""

    def __init__(self, name: Any) -> None:
        self.name = name

    def __del__(self) -> None:
        said.append(("dead", self.name))


class Slots:
    __slots__ = ("held",)


class Box:
    held: Any


def make(name: Any) -> Heard:
    return Heard(name)


def dropped() -> Iterator[int]:
    try:
        yield 2
    finally:
        said.append("closed")


def variable_in_a_loop(x: Any) -> Any:
    for k in range(4):
        heard = make(k)
        said.append(k)
        y = x * k
        said.append(y.sum())
    return y, heard.name


def variable(x: Any) -> Any:
    heard: Any = make("a")
    y = x + 1
    said.append("before")
    heard = y
    said.append("after")
    return heard * 2


def two_variables(x: Any) -> Any:
    a: Any = make("a")
    b: Any = make("b").name
    x = x + len(b)
    y = x * 2
    a = b = y
    said.append("both")
    return a + b


def generator(x: Any) -> Any:
    walked: Any = dropped()
    y = x * next(walked)
    walked = None
    said.append("let go")
    return y + 1, walked


def live_generator(x: Any) -> Any:
    walked: Any = dropped()
    y = x * next(walked)
    z = y + 1
    del walked
    said.append("let go")
    return z * 2


def item_of_a_list(x: Any) -> Any:
    keep: list[Any] = [make(1), make(2)]
    y = x + 1
    keep[0] = y
    said.append("replaced")
    keep[:] = [y, y]
    said.append("all")
    return keep[1] * 2


def item_of_a_dict(x: Any) -> Any:
    held: dict[str, Any] = {"k": make("dict")}
    y = x + 1
    held["k"] = 3
    said.append("replaced")
    return y * held["k"]


def attribute(x: Any) -> Any:
    box = Box()
    box.held = make("attribute")
    y = x * 2
    box.held = y
    said.append("replaced")
    return box.held + 1


BOX, SLOTS, DICT, LIST = Box(), Slots(), {"k": None}, [None]


def attributes_of_others(x: Any) -> Any:
    BOX.held, SLOTS.held = make("box"), make("slots")
    y = x * 2
    BOX.held = y
    said.append("box")
    SLOTS.held = y
    said.append("slots")
    return y + 1


def items_of_others(x: Any) -> Any:
    DICT["k"], LIST[0] = make("dict"), make("list")
    y = x * 2
    DICT["k"] = y
    said.append("dict")
    LIST[0] = y
    said.append("list")
    return y + 1


def weak_callback(x: Any) -> Any:
    a = x + 1
    ref = weakref.ref(a, lambda _: said.append("dead"))
    b = a * 2
    said.append("b")
    a = b
    said.append("a")
    c = a + b
    said.append("c")
    return c, ref() is None


def hear(array: Any, name: str) -> Any:
    weakref.finalize(array, said.append, name)
    return array


def base_of_a_view(x: Any) -> Any:
    view = hear(np.ones(3), "base")[1:]
    print(end="")
    y = view.sum() + x
    del view
    said.append("let go")
    return y * 2


def deep_in_a_list(x: Any) -> Any:
    held: Any = [[hear(np.ones(3), "array")]]
    print(end="")
    y = x * 2
    held = y
    said.append("let go")
    return held + 1


def in_a_dict(x: Any) -> Any:
    held: Any = {"a": ({"b": make("deep")},)}
    print(end="")
    y = x * 2
    del held
    said.append("let go")
    return y + 1


def in_an_object(x: Any) -> Any:
    box: Any = Box()
    box.held = [hear(np.ones(3), "array")]
    print(end="")
    y = x * 2
    box = y
    said.append("let go")
    return box + 1


def in_a_closure(x: Any) -> Any:
    def outer(held: Any) -> Any:
        return lambda: held

    call: Any = outer(make("held"))
    print(end="")
    y = x * 2
    call = y
    said.append("let go")
    return call + 1


def at_the_return(x: Any) -> Any:
    a = make(1)
    b = make(2)
    y = x + 1
    return y * len([a, b])


def at_the_return_of_one(x: Any) -> Any:
    a = make(1)
    _b = make(2)
    return x + 1 if a else x


def taken(heard: Any, x: Any) -> Any:
    return x * 2 if heard else x


def argument_of_a_call(x: Any) -> Any:
    y = taken(make("argument"), x)
    said.append("after")
    return y + 1


def operand(x: Any) -> Any:
    y = np.sin(hear(x * 2, "operand")) + 1
    said.append("after")
    return y * 2


def method(x: Any) -> Any:
    y = make("owner").name, x + 1
    said.append("after")
    return y


PROGRAMS = [
    argument_of_a_call,
    operand,
    method,
    base_of_a_view,
    deep_in_a_list,
    in_a_dict,
    in_an_object,
    in_a_closure,
    at_the_return,
    at_the_return_of_one,
    variable_in_a_loop,
    variable,
    two_variables,
    generator,
    live_generator,
    item_of_a_list,
    item_of_a_dict,
    attribute,
    attributes_of_others,
    items_of_others,
    weak_callback,
]


def told(function: Callable[[Any], Any]) -> list[Any]:
    """Return the results and messages of six calls, as text."""
    said.clear()
    for _ in range(6):
        result = function(np.arange(3.0))
        said.append(f"{result}")
        del result
    return [str(one) for one in said]


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_order_of_ends(program: Callable[[Any], Any]) -> None:
    """Decorated, and found by the frame hook."""
    expected = told(program)

    assert told(jit(program)) == expected
    with capture():
        found = told(program)
    assert found == expected
