"""Attributes that a class decides about: defaults, slots, properties, setters; and globals."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
from oracle import assert_counts, check_script
from simulations import Sim, Slotted

X = np.linspace(-0.5, 1.0, 7)


@dataclass
class WithDefaults:
    """A dataclass: the class has an attribute for each default."""

    n: int = 0
    total: float = 0.5


class OfTheClass:
    """Its objects have no such attribute of their own at first."""

    n = 3


def test_attributes_that_the_class_has_too() -> None:
    """If the loop has no iterations, the object does not get an attribute of its own."""

    def f(s: Any, x: Any, n: Any) -> Any:
        for _ in range(n):
            s.n += 1
        return x * s.n

    def script(jit: Any, x: Any) -> Any:
        function, found = jit(f), []
        for made in (WithDefaults, OfTheClass):
            s = made()
            for n in (9, 0, 20):
                other = made()
                found.append([(function(one, x, n), dict(vars(one))) for one in (s, other)])
        return found

    check_script(script, X)


def test_slots() -> None:
    """Loops change attributes of objects without a `__dict__`."""

    def f(s: Any, x: Any, n: Any) -> Any:
        for i in range(n):
            s.a += i
            s.x = s.x * 0.5 + i
        return x + s.a

    def script(jit: Any, x: Any) -> Any:
        s, function = Slotted(), jit(f)
        return [(function(s, x, n), s.a, s.x) for n in (20, 3)]

    for jitted in check_script(script, X):
        assert_counts(jitted, breaks=0, bails=0, segments=1)


counter = 0


def test_globals() -> None:
    """A loop counts in a global."""

    def f(x: Any, n: Any) -> Any:
        global counter
        for i in range(n):
            if x[i % 7] > 0.3:
                counter += 1
        return x * counter

    def script(jit: Any, x: Any, n: Any) -> Any:
        global counter
        counter, function = 5, jit(f)
        return [(function(x, n), counter) for _ in range(3)]

    for jitted in check_script(script, X, 30):
        assert_counts(jitted, breaks=0, bails=0, segments=1)


def test_objects_that_are_one_or_two() -> None:
    """A kernel that was captured for two different objects does not serve one passed twice."""

    def f(a: Any, b: Any, x: Any, n: Any) -> Any:
        for i in range(n):
            a.n += 1
            b.n += a.n
            a.x = b.x + i
        return a.x - b.x

    def script(jit: Any, x: Any) -> Any:
        a, b, function = Sim(), Sim(), jit(f)
        return [(function(*both, x, 20), vars(a), vars(b)) for both in ((a, b), (a, a), (b, a))]

    check_script(script, X)


def test_stores_with_code_of_the_user() -> None:
    """A setter, a `__setattr__`, a descriptor: each runs where it runs in eager."""

    class Loud:
        def __init__(self) -> None:
            self.told: list[Any] = []
            self.v = 0

        @property
        def level(self) -> Any:
            return self.v

        @level.setter
        def level(self, value: Any) -> None:
            self.told.append(value)
            self.v = value

    class Own(Loud):
        def __setattr__(self, name: str, value: Any) -> None:
            object.__setattr__(self, name, value)
            if name == "v":
                self.told.append(("set", value))

    def f(s: Any, x: Any, n: Any) -> Any:
        for i in range(n):
            s.level += i
            s.v = s.v + 1
        return x * s.level

    def script(jit: Any, x: Any) -> Any:
        made, function = [Loud(), Own()], jit(f)
        return [(function(s, x, 9), s.told, s.v) for s in made]

    check_script(script, X)


def test_an_object_and_the_dict_of_its_attributes() -> None:
    """A store to the object is seen in its `__dict__`, and the other way round."""

    def of_vars(s: Any, x: Any, n: Any) -> Any:
        names = vars(s)
        for _ in range(n):
            s.n += 1
        return names["n"], x + 1

    def of_a_dict(s: Any, names: Any, x: Any) -> Any:
        s.n += 1
        names["n"] += 10
        return s.n, x + 1

    def script(jit: Any, x: Any) -> Any:
        first, second, s = jit(of_vars), jit(of_a_dict), Sim()
        found = [first(s, x, 5) for _ in range(3)]
        found += [second(s, {"n": 0}, x), second(s, vars(s), x), second(s, vars(Sim()), x)]
        return found, vars(s)

    check_script(script, X)


class Cached:
    """A class with a `cached_property`."""

    def __init__(self) -> None:
        self.k = 2

    @functools.cached_property
    def twice(self) -> int:
        return self.k * 2


def test_properties_that_become_attributes() -> None:
    """No guard evaluates a `cached_property` that the program reads later or never."""

    def read(s: Any, x: Any) -> Any:
        s.k = 5
        return s.twice * x

    def stored_and_deleted(s: Any, x: Any) -> Any:
        for i in range(3):
            s.twice = 3
            if i == 2:
                del s.twice
        return x * 2

    def script(jit: Any, x: Any) -> Any:
        found = []
        for function in map(jit, (read, stored_and_deleted)):
            computed = Cached()
            vars(computed)["twice"] = 1
            for s in (computed, computed, Cached(), Cached()):
                vars(s).setdefault("twice", 7) if s is computed else None
                found.append((function(s, x), dict(vars(s))))
        return found

    check_script(script, X)
