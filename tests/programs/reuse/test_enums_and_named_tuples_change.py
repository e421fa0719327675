"""Enum members and named tuples change between calls: their parts, fields and methods."""

from __future__ import annotations

import collections
import enum
import typing
from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check, check_script
from scripts import Script, Scripts, outcome

X = np.linspace(0.1, 1.0, 7)


SCRIPTS = Scripts()


script = SCRIPTS.script


@script
def parts_of_enum_members(jit: Any) -> Any:
    class E(enum.Enum):
        A = 2.0
        B = [3.0]

    @jit
    def f(x, e):
        y = x * 2 if e.name == "A" else x * 3
        return y * E.A.value + E.B.value[0]

    seen = [f(X, E.A), f(X, E.A), f(X, E.B), f(X, E.B)]
    E.A._value_ = 7.0
    seen.append(f(X, E.A))
    E.B.value[0] = 4
    seen.append(f(X, E.A))
    E.A._name_ = "other"
    seen.append(f(X, E.A))
    E.value = property(lambda self: 50.0 if self is E.A else [60.0])
    return [*seen, f(X, E.A)]


@script
def enum_members_that_compare_in_their_own_way(jit: Any) -> Any:
    class E(enum.Enum):
        A = 1
        B = 2

        def __eq__(self, other):
            return True

        def __hash__(self):
            return 1

        @property
        def value(self):
            return 99.0

    @jit
    def f(x, e):
        return x * 2 if e == E.B else x * 3

    @jit
    def g(x, d, e):
        return x * d[e] * e.value

    return [f(X, E.A), f(X, E.A), g(X, {E.A: 2.0}, E.B), g(X, {E.A: 2.0}, E.B)]


@script
def enum_members_learn_to_compare(jit: Any) -> Any:
    class E(enum.Enum):
        A = 1
        B = 2

    @jit
    def f(x, e):
        return x * 2 if e == E.B else x * 3

    @jit
    def g(x, e):
        match e:
            case E.B:
                return x
            case _:
                return x * 7

    @jit
    def h(x, e):
        return (x * 2 if e in (E.B,) else x * 3) + (1 if e else 2)

    def both():
        return [f(X, E.A), g(X, E.A), h(X, E.A)]

    seen = both() + both()
    E.__eq__ = lambda self, other: True
    seen += both()
    E.__bool__ = lambda self: False
    return seen + both()


@script
def fields_of_named_tuples(jit: Any) -> Any:
    P = collections.namedtuple("P", "a b", defaults=(5.0,))
    p = P(2.0)

    @jit
    def f(x, p):
        return x * p.a + p.b

    @jit
    def g(x):
        q = P(3.0)
        return x * q.a + q.b

    def both():
        return [f(X, p), g(X)]

    seen = both() + both()
    P.__new__.__defaults__ = (9.0,)
    seen += both()
    old = P.a
    P.a = P.b
    seen += both()
    P.a = property(lambda self: 100.0)
    seen += both()
    P.a = old
    return seen + both()


@script
def methods_of_named_tuples(jit: Any) -> Any:
    class P(typing.NamedTuple):
        a: float
        b: float = 3.0

        def area(self):
            return self.a * self.b

        @property
        def half(self):
            return self.a / 2

    class Q(collections.namedtuple("Q", "a b")):
        def m(self, x):
            return x * self.a

    p, q = P(2.0), Q(3.0, 4.0)

    @jit
    def f(x, p):
        made = P(p.a + 1)
        a, b = p
        return x * p.area() + p.half + made.b + made.area() + a - b + len(p)

    @jit
    def g(x, q):
        return q.m(x) + q[1]

    def both():
        return [f(X, p), g(X, q)]

    seen = both() + both()
    P.area = lambda self: 1.0
    seen += both()
    P.half = 9.0
    seen += both()
    q.m = lambda x: x - 50
    seen += both()
    Q.m = lambda self, x: x - 60
    del q.m
    seen += both()
    P.__len__ = lambda self: 2
    seen += both()
    P.__iter__ = lambda self: iter((7.0, 8.0))
    seen += both()
    Q.__getitem__ = lambda self, place: 70.0
    return seen + both()


@script
def named_tuples_with_special_methods(jit: Any) -> Any:
    Pair = collections.namedtuple("Pair", "a b")

    class Item(Pair):
        @property
        def a(self):
            return 50.0

        def __getitem__(self, place):
            return 9.0

    class Truth(Pair):
        def __eq__(self, other):
            return True

        def __bool__(self):
            return False

        def __add__(self, other):
            return 5

        def __mul__(self, other):
            return 6

    class Array(Pair):
        def __array__(self, dtype=None, copy=None):
            return np.arange(7.0)

    item, truth, array = Item(1.0, 2.0), Truth(1.0, 2.0), Array(1.0, 2.0)

    @jit
    def f(x, p):
        return x * p.a + p[0]

    @jit
    def g(x, p):
        return (x * 2 if p else x * 3) + (1 if p == (5, 6) else 2)

    @jit
    def h(x, p):
        return x + (p + (1, 2)) + p * 2

    @jit
    def i(x, p):
        return np.add(x, p), np.sum(p)

    calls = [(f, item), (g, truth), (h, truth), (i, array)]
    return [outcome(one, X, p) for one, p in calls for _ in range(2)]


@pytest.mark.parametrize("program", SCRIPTS, ids=lambda one: one.__name__)
def test_changes(program: Script) -> None:
    """The same as eager after each change, on both backends."""
    check_script(program)


def test_properties_of_named_tuples_are_captured() -> None:
    """Fields, methods and properties of a class derived from one."""

    class P(typing.NamedTuple):
        a: float
        b: float = 3.0

        @property
        def half(self) -> float:
            return self.a / 2

        def area(self) -> float:
            return self.a * self.b

    jitted = check(lambda x, p: x * p.half + p.area() + P(p.a).b, X, P(2.0))
    assert_counts(jitted, captures=1, hits=2, segments=1)
