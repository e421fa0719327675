"""verify=True: what is wrong with a kernel is found, and named by node, place and element."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from falsifying import Change, Falsifying, complaint, computing, substituting

import framejit
from framejit.backends import registry
from framejit.jit.ir.graph import Node
from framejit.jit.ir.indexing import Index, Span
from framejit.jit.ir.ops import (
    COPY,
    ELEMENT,
    INDEX,
    OPERATOR,
    PUT,
    SCATTER,
    STORE,
    UFUNC,
)

FOUND = pytest.mark.counts("whether a kernel runs, and to its end")


TIMES_IS_PLUS = substituting(UFUNC, "ufunc", np.multiply, np.add)


X = np.arange(1.0, 6.0)


Register = Callable[..., str]


def line_of(function: Callable[..., Any], offset: int) -> int:
    return function.__code__.co_firstlineno + offset


@FOUND
@pytest.mark.parametrize("inner", ["numpy", "numba"])
def test_the_first_node_that_differs_is_named(register: Register, inner: str) -> None:
    """With operation, place, line of text, type, element and both values."""

    def f(x: Any, y: Any) -> Any:
        total = x + y
        scaled = total * y
        return scaled - x * 2

    backend = register(TIMES_IS_PLUS, inner)
    assert complaint(f, backend, X, X + 1) == (
        f"backend 'false-{inner}' does not compute what NumPy does\n"
        f"  here.py:{line_of(f, 2)}, in test_the_first_node_that_differs_is_named.<locals>.f\n"
        "    scaled = total * y\n"
        "  `multiply`: float64 array of shape (5,), element [0] is 6.0 in NumPy "
        f"and 5.0 with backend 'false-{inner}'"
    )


def in_a_loop(x: Any, n: int) -> Any:
    total = product = x[0]
    for k in range(n):
        total += x[k]
        if k > 2:
            product = product * x[k]
    return total, product


def in_a_while(x: Any, n: int) -> Any:
    product = x[0]
    while product < n:
        product = product * x[1]
    return product


def in_a_nest(x: Any, n: int) -> Any:
    product = x[0]
    for _ in range(2):
        for k in range(n):
            product = product * x[k]
    return product


def in_a_branch(x: Any, n: int) -> Any:
    y = x[0]
    if y < n:
        y = y * x[1]
    return x + y


REGIONS = {
    in_a_loop: ("product = product * x[k]", "4.0 in NumPy and 5.0"),
    in_a_while: ("product = product * x[1]", "2.0 in NumPy and 3.0"),
    in_a_nest: ("product = product * x[k]", "1.0 in NumPy and 2.0"),
    in_a_branch: ("y = y * x[1]", "2.0 in NumPy and 3.0"),
}


@FOUND
@pytest.mark.parametrize(
    ("function", "inner"), [*((one, "numpy") for one in REGIONS), (in_a_loop, "numba")]
)
def test_regions(register: Register, function: Any, inner: str) -> None:
    """The iteration is found in which a body goes wrong, and the node in it."""
    line, values = REGIONS[function]
    text = complaint(
        function,
        register(substituting(OPERATOR, "function", operator.mul, operator.add), inner),
        X,
        5,
    )

    assert line in text
    assert values in text


@FOUND
def test_a_list_in_a_loop(register: Register) -> None:
    """A body that takes a list is no graph of its own: the loop is named."""

    def f(x: Any) -> Any:
        made = [x[0]]
        for k in range(1, 5):
            made.append(x[k] * made[-1])
        return np.array(made)

    text = complaint(f, register(substituting(OPERATOR, "function", operator.mul, operator.add)), X)

    assert f"here.py:{line_of(f, 3)}" in text or f"here.py:{line_of(f, 4)}" in text, text


def adds_one(attrs: Any, x: Any, value: Any) -> None:
    x[...] = value + 1


def puts_one(attrs: Any, *inputs: Any) -> None:
    attrs["call"](*inputs)
    inputs[0][0] = -1.0


def scatters_one(attrs: Any, x: Any, value: Any, *indices: Any) -> None:
    x[indices] = value
    x[0] = -1.0


def stores(x: Any) -> Any:
    y = x[1:]
    y[:2] = x[0]
    return y


def puts(x: Any) -> Any:
    y = x + 0.5
    np.put(x, [0, 1, 2], y)
    return x


def scatters(x: Any) -> Any:
    x[x.astype("i8") - 1] = x + 0.5
    return x


def fills_a_fresh_one(x: Any) -> Any:
    y = np.zeros(3)
    for k in range(3):
        y[k] = x[k]
    return y


WRITES = {
    stores: (STORE, adds_one, "`store`", "element [0] is 1.0 in NumPy and 2.0"),
    puts: (PUT, puts_one, "`put`", "element [0] is 1.5 in NumPy and -1.0"),
    scatters: (SCATTER, scatters_one, "`scatter`", "element [0] is 1.5 in NumPy and -1.0"),
    fills_a_fresh_one: (STORE, adds_one, "`store`", "it is 1.0 in NumPy and 2.0"),
}


@FOUND
@pytest.mark.parametrize("function", WRITES)
def test_what_is_written_is_compared(register: Register, function: Any) -> None:
    """In the arguments and in fresh arrays; the arguments themselves are as they were."""
    op, reference, name, values = WRITES[function]
    x = X.copy()
    text = complaint(function, register(computing(op, reference)), x)

    assert name in text
    assert values in text
    assert x.tolist() == X.tolist()


@FOUND
def test_an_exception_that_is_missed(register: Register) -> None:
    """NumPy refuses, the kernel goes on."""

    def f(x: Any, n: int) -> Any:
        y = x + 1
        return y * y[n]

    def clipped(attrs: Any, x: Any, *numbers: Any) -> Any:
        return x[0]

    jitted = framejit.jit(f, backend=register(computing(ELEMENT, clipped)), verify=True)
    assert jitted(X, 0).tolist() == f(X, 0).tolist()
    text = complaint(jitted, "", X, 7)

    assert text.splitlines()[2:] == [
        "    return y * y[n]",
        "  `element`: no result, its end is IndexError (index 7 is out of bounds for axis 0 with "
        "size 5) in NumPy and no exception with backend 'false-numpy'",
    ]


def is_a_window(node: Node) -> Node:
    """Copies of lines that are the lines themselves, in any backend."""
    whole = {"index": Index((Span(),))}
    return replace(node, op=INDEX, attrs=whole) if node.op is COPY else node


def is_a_copy(node: Node) -> Node:
    return replace(node, op=COPY, attrs={"order": "C"}) if node.op is INDEX else node


def is_written_to(node: Node) -> Node:
    """Sums that stand in the first operand too."""

    def summed(attrs: Any, x: Any, y: Any) -> Any:
        x += y
        return x.copy()

    return computing(UFUNC, summed)(node)


MEMORY: dict[str, tuple[Callable[..., Any], Change, tuple[str, ...], str]] = {
    "a result that is an argument": (
        lambda x: x.copy(),
        computing(COPY, lambda attrs, x: x),
        ("numpy",),
        "its memory is its own in NumPy and that of `x`, which is the very object",
    ),
    "a result that is a window on an argument": (
        lambda x: (x + 1, x.copy()),
        is_a_window,
        ("numpy", "numba"),
        "its memory is its own in NumPy and that of `x`",
    ),
    "a result that is no window": (
        lambda x: (x + 1, x[:]),
        is_a_copy,
        ("numpy", "numba"),
        "its memory is that of `x` in NumPy and its own",
    ),
    "a result in the memory of another one": (
        lambda x: ((y := x + 1), y.copy()),
        is_a_window,
        ("numpy", "numba"),
        "its memory is its own in NumPy and that of another result",
    ),
    "an argument that is written to": (
        lambda x: x + x,
        is_written_to,
        ("numpy",),
        "element [0] is 1.0 in NumPy and 2.0",
    ),
}


@FOUND
@pytest.mark.parametrize("name", MEMORY)
def test_whose_memory(register: Register, name: str) -> None:
    """Results of which nothing but the memory is wrong, and arguments that change."""
    function, change, backends, words = MEMORY[name]
    for inner in backends:
        assert words in complaint(function, register(change, inner), X.copy())


@FOUND
def test_decisions(register: Register) -> None:
    """A kernel that goes another way."""

    def f(x: Any) -> Any:
        if x[0] > 0:
            return x + 1
        return x - 1

    text = complaint(f, register(substituting(OPERATOR, "function", operator.gt, operator.le)), X)

    assert "`gt`: np.bool, it is True in NumPy and False" in text


@FOUND
def test_what_is_wrong_in_company_only(register: Register) -> None:
    """If each operation by itself is right, the message says so."""

    class Crowded(Falsifying):
        def compile(self, plan: Any, attribute: bool = False) -> Any:
            whole = len(plan.graph.exits) == 1
            self._change = TIMES_IS_PLUS if whole else lambda node: node
            return super().compile(plan, attribute)

    name = register(TIMES_IS_PLUS)
    registry._BUILT_IN[name] = lambda: Crowded("numpy", TIMES_IS_PLUS)
    text = complaint(lambda x: (x * 3 + 1) - 2, name, X)

    assert "no operation by itself, but the whole segment: float64 array" in text


@FOUND
def test_the_kernel_that_attributes_warnings(register: Register) -> None:
    """It is another kernel, and is compared too."""

    def f(x: Any) -> Any:
        return x / 0.0, x * 2

    jitted = framejit.jit(f, backend=register(TIMES_IS_PLUS, "numba", attribute=True), verify=True)
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        jitted(X)
    with pytest.raises(framejit.VerifyError, match="`multiply`"):
        jitted(X)
