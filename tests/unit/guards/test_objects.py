"""Guards on everything but arrays: types, identities, values, functions, sequences."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from guarding import X, Y, an_entry, refusal
from oracle import check, id_of

import framejit
from framejit.guards.grip import Grip
from framejit.guards.kinds import (
    HasLength,
    HasSign,
    IsBelow,
    IsFunction,
    IsObject,
    IsType,
    IsValue,
)
from framejit.guards.objects import ClassAttr, IsMethod, IsThere
from framejit.guards.program import Guard
from framejit.guards.sources import Attribute, Contents, Fixed, Global, Item, Source, Super


def plain(a: Any, b: Any = 1, *, c: Any = 2) -> Any:
    return a, b, c


def adder(n: int) -> Callable[[int], int]:
    return lambda m: m + n


PASSING = [
    (IsType.exactly(X, float), [1.0, float("nan")]),
    (IsType.exactly(X, int), [0, -(2**63), 2**63 - 1]),
    (IsType.exactly(X, np.float32), [np.float32(2)]),
    (IsType.exactly(X, type(None)), [None]),
    (IsObject.of(X, np.sqrt), [np.sqrt]),
    (IsValue(X, None), [None]),
    (IsValue(X, True), [True]),
    (IsValue(X, 3), [3]),
    (IsValue(X, 2**70), [2**70]),
    (IsValue(X, 0.0), [0.0]),
    (IsValue(X, float("nan")), [float("nan")]),
    (IsValue(X, complex(1, float("nan"))), [complex(1, float("nan"))]),
    (IsValue(X, "same"), ["".join("same")]),
    (IsValue(X, b"same"), [b"same"]),
    (HasSign(X, 1), [1, 2**62]),
    (HasSign(X, 0), [0]),
    (HasSign(X, -1), [-1]),
    (IsBelow(X, 2**31), [0, 5, 2**31 - 1, -(2**31) + 1]),
    (IsFunction.of(X, plain), [plain]),
    (HasLength(X, 2), [(1, 2), [1, 2]]),
]


@pytest.mark.parametrize(("guard", "values"), PASSING, ids=id_of)
def test_what_passes(guard: Guard, values: list[Any]) -> None:
    """As many values as one entry may serve."""
    assert [refusal(guard, value) for value in values] == [None] * len(values)


FAILING = [
    (IsType.exactly(X, float), 1, "was a float, now an int"),
    (IsType.exactly(X, float), np.float64(1), "was a float, now a float64"),
    (IsType.exactly(X, int), True, "was an int, now a bool"),
    (IsType.exactly(X, int), 2**63, "does not fit 64 bits now"),
    (IsType.exactly(X, int), 1.0, "was an int, now a float"),
    (IsType.exactly(X, type(None)), 0, "was a NoneType, now an int"),
    (IsObject.of(X, np.sqrt), np.exp, "another object now"),
    (IsValue(X, None), 0, "was None, which decided something; now 0"),
    (IsValue(X, True), 1, "was True, which decided something; now 1"),
    (IsValue(X, 1), True, "was 1, which decided something; now True"),
    (IsValue(X, 3), 3.0, "was 3, which decided something; now 3.0"),
    (IsValue(X, 0.0), -0.0, "was 0.0, which decided something; now -0.0"),
    (IsValue(X, 1 + 0j), complex(1, -0.0), "was (1+0j), which decided something; now (1-0j)"),
    (IsValue(X, 1 + 0j), 1.0, "was (1+0j), which decided something; now 1.0"),
    (IsValue(X, 1.5), 1, "was 1.5, which decided something; now 1"),
    (IsValue(X, 2**70), 2**70 + 1, f"was {2**70}, which decided something; now {2**70 + 1}"),
    (IsValue(X, "a"), "b", "was 'a', which decided something; now 'b'"),
    (IsValue(X, "a"), b"a", "was 'a', which decided something; now b'a'"),
    (IsValue(X, "a"), "b" * 99, f"was 'a', which decided something; now 'bbb{'b' * 33}..."),
    (HasSign(X, 1), 0, "another sign now"),
    (HasSign(X, -1), 2, "another sign now"),
    (HasSign(X, 1), True, "another sign now"),
    (IsBelow(X, 2**31), 2**31, "was between -2**31 and 2**31, now it is not"),
    (IsBelow(X, 2**31), -(2**31), "was between -2**31 and 2**31, now it is not"),
    (IsFunction.of(X, plain), adder(1), "its code or its defaults changed"),
    (IsFunction.of(X, plain), len, "its code or its defaults changed"),
    (HasLength(X, 2), (1,), "its length was 2, now 1"),
    (HasLength(X, 2), {1: 1, 2: 2}, "its length was 2, now a dict"),
]


@pytest.mark.parametrize(("guard", "value", "words"), FAILING, ids=id_of)
def test_what_does_not_pass(guard: Guard, value: Any, words: str) -> None:
    """One difference each, told in the user's words."""
    assert refusal(guard, value) == f"argument `x`: {words}"


def test_functions_of_one_code() -> None:
    """Items of closures and dicts of defaults are guarded apart; tuples of defaults may be."""
    assert refusal(IsFunction.of(X, adder(1)), adder(2)) is None  # type: ignore[arg-type]

    def changed(a: Any, b: Any = 1, *, c: Any = 2) -> Any: ...

    changed.__code__ = plain.__code__
    changed.__defaults__, changed.__kwdefaults__ = plain.__defaults__, plain.__kwdefaults__
    assert refusal(IsFunction.of(X, plain), changed) is None
    changed.__kwdefaults__ = {"c": 3}
    assert refusal(IsFunction.of(X, plain), changed) is None
    changed.__kwdefaults__ = {}
    assert refusal(IsFunction.of(X, changed), plain) == (
        "argument `x`: its code or its defaults changed"
    )


def test_complex_exponents() -> None:
    """Numbers that are equal and no two of which give the same bits."""

    def power(x: Any, exponent: Any) -> Any:
        return x**exponent

    x = np.array([-2.0, 0.5, 1e300, -1e300j])
    jitted = {backend: framejit.jit(power, backend=backend) for backend in ("numba", "numpy")}
    for imaginary in (0.0, -0.0, 0.0):
        check(power, x, complex(-2.7, imaginary), jit=lambda _, backend: jitted[backend])


# ---- sources -----------------------------------------------------------------------------------


class Holder:
    """An object with an attribute."""

    def __init__(self, scale: object) -> None:
        self.scale = scale


def cell_of(value: Any) -> Any:
    closure = (lambda: value).__closure__
    assert closure is not None
    return closure[0]


def test_what_sources_reach() -> None:
    """A guard looks where the program would look, and names it as the program does."""
    names = {"scale": 2.0}
    cell = cell_of(1)
    cases: list[tuple[Source, Any, str]] = [
        (Global.of(names, "scale"), None, "global `scale`"),
        (Global.of(names, "len"), None, "global `len`"),
        (Contents("scale", cell, id(cell)), None, "closure variable `scale`"),
        (Attribute(X, "scale"), Holder(2.0), "argument `x`.scale"),
        (Item(X, 1), (0, 2.0), "argument `x`[1]"),
        (Item(X, 1), [0, 2.0], "argument `x`[1]"),
        (Attribute(Item(X, 0), "scale"), [Holder(2.0)], "argument `x`[0].scale"),
    ]
    for source, live, name in cases:
        now = source.reach((live,))
        assert refusal(IsType.exactly(source, type(now)), live) is None
        assert refusal(IsType.exactly(source, str), live) == (
            f"{name}: was a str, now {'an' if type(now) is int else 'a'} {type(now).__name__}"
        )
        assert str(source) == name


def test_what_is_gone() -> None:
    """A global was deleted, a cell emptied, an attribute or an item is missing."""
    names: dict[str, Any] = {}
    cell = cell_of(1)
    del cell.cell_contents
    cases: list[tuple[Source, Any]] = [
        (Global.of(names, "scale"), None),
        (Contents("scale", cell, id(cell)), None),
        (Attribute(X, "other"), Holder(1)),
        (Item(X, 5), (0,)),
    ]
    for source, live in cases:
        guard = IsType.exactly(source, float)
        assert refusal(guard, live) == f"{source}: it is not there any more"


def test_identity_of_a_global() -> None:
    """The common case of `np` costs no slot."""
    names: dict[str, Any] = {"np": np}
    guard = IsObject.of(Global.of(names, "np"), np)

    assert refusal(guard, None) is None
    names["np"] = object()
    assert refusal(guard, None) == "global `np`: another object now"
    del names["np"]
    assert refusal(guard, None) == "global `np`: another object now"


class Mortal:
    def method(self) -> None: ...


def _dying() -> dict[str, Any]:
    """Objects of their own, which nothing else holds."""
    space: dict[str, Any] = {}
    exec("class C:\n def method(self): ...\n def f(): ...", globals(), space)
    owner = space["C"]
    return {"class": owner, "object": owner(), "function": owner.f, "found": owner.method}


HOLDING = {
    "IsType": lambda made: IsType.of(X, made["object"]),
    "IsObject": lambda made: IsObject.of(X, made["class"]),
    "IsObject of a global": lambda made: IsObject.of(Global.of({}, "C"), made["class"]),
    "ClassAttr": lambda made: ClassAttr.of(X, "method", made["found"]),
    "IsMethod": lambda made: IsMethod(X, Y, Grip.of(made["found"]), "method"),
    "IsFunction": lambda made: IsFunction.of(X, made["function"]),
    "Fixed": lambda made: IsThere(Fixed.of(made["class"], "class")),
    "Super": lambda made: IsThere(Super(X, Grip.of(made["class"]), "method")),
}


@pytest.mark.parametrize("name", HOLDING)
def test_a_guard_keeps_nothing_alive(name: str) -> None:
    """Classes and functions die when they do in eager; then the guard holds for nothing."""
    made = _dying()
    guard = HOLDING[name](made)
    entry = an_entry(guard, 2)
    gone = [weakref.ref(made[part]) for part in ("class", "function", "object")]
    del made
    gc.collect()

    assert [ref() for ref in gone] == [None] * 3
    for value in (None, entry, *gone, Mortal, Mortal(), Mortal().method, plain):
        assert entry.failed_guard((value, None)) is not None
