"""Facts that a segment relied on change between calls: classes, identities, keys, closures."""

from __future__ import annotations

import gc
import weakref
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from oracle import check, check_script

X = np.linspace(0.1, 1.0, 7)


def test_one_object_or_two() -> None:
    """A change shows through every name of the object, and through no other object."""

    def script(jit: Any) -> Any:
        class Holder:
            w: Any = None

        def lists(x: Any, a: Any, b: Any) -> Any:
            a.append(x * 2)
            return (b[-1] + 1 if len(b) > 1 else x), a, b

        def objects(x: Any, a: Any, b: Any) -> Any:
            b.w = x
            a.w = x * 2
            return b.w + 1

        f, g = jit(lists), jit(objects)
        seen = []
        for _ in range(3):
            one, other = [X], [X]
            seen += [f(X, one, other), f(X, one, one), f(X, other, one)]
            left, right = Holder(), Holder()
            seen += [g(X, left, right), g(X, left, left), g(X, right, left)]
        return seen

    check_script(script)


def test_changes_in_what_is_reached() -> None:
    """A list in a dict, an object in a dict, keys in another order."""

    def script(jit: Any) -> Any:
        class Holder:
            w: Any = None

        @jit
        def f(x: Any, d: Any) -> Any:
            d["l"].append(x)
            d["o"].w = d["l"]
            d["n"] = {"x": x * 2}
            return d["o"].w[-1] * d["n"]["x"], len(d["l"])

        @jit
        def walk(x: Any, d: Any) -> Any:
            total = x * 0
            for value in d.values():
                total = total * 2 + value
            return total, list(d)

        one = {"l": [1], "o": Holder()}
        other = {"o": Holder(), "l": [2]}
        seen = [f(X, one), f(X, one), f(X, one), f(X, other), one, other]
        tables: list[Any] = [{"a": 1.0, "b": 2.0}, {"b": 1.0, "a": 2.0}, {"a": 1.0}]
        tables += [{1: 1.0, 2: 3.0}, {1.0: 1.0}, {True: 1.0}, {}]
        return seen + [walk(X, table) for table in tables]

    check_script(script)


def test_state_after_an_exception() -> None:
    """Effects before the exception are there, once; those after it are not."""

    def script(jit: Any) -> Any:
        class Holder:
            n: Any = None

        @jit
        def f(x: Any, log: Any, i: Any, owner: Any, d: Any) -> Any:
            log.append("in")
            owner.n = i
            y = x * 2 + d / x
            z = y[i] + y
            log.append("out")
            return z

        log: list[Any] = []
        owner, seen = Holder(), []
        zero = X.copy()
        zero[0] = 0
        for x, i in [(X, 1), (X, 2), (X, 99), (zero, 1), (X, -7), (zero, 99), (X, -8)]:
            with np.errstate(all="raise"):
                try:
                    seen.append(f(x, log, i, owner, 1.0))
                except (IndexError, FloatingPointError) as error:
                    seen.append(str(error))
            seen.append((list(log), owner.n))
        return seen

    check_script(script)


def test_effects_around_a_loop_with_writes() -> None:
    """A bail in the middle of the loop finds the effects before it, once."""

    def script(jit: Any) -> Any:
        @jit
        def f(x: Any, log: Any, n: Any) -> Any:
            log.append(x.copy())
            for i in range(n):
                x[i] = x[i] * 2 + i
            log.append(n)
            return x.sum()

        log: list[Any] = []
        seen: list[Any] = []
        for n in (3, 5, 7, 9, 2):
            x = X.copy()
            try:
                seen.append(f(x, log, n))
            except IndexError as error:
                seen.append(str(error))
            seen.append((x, list(log)))
        return seen

    check_script(script)


def test_shared_variables() -> None:
    """`nonlocal` in the jitted function, closures that leave it, and the world changing them."""

    def script(jit: Any) -> Any:
        n = 0

        @jit
        def f(x: Any) -> Any:
            nonlocal n
            n += 1

            def inner(v: Any) -> Any:
                return v * n

            return inner(x), inner

        seen = []
        for _ in range(4):
            result, inner = f(X)
            seen += [result, inner(2.0), n]
        n = 100
        return [*seen, f(X)[0], inner(1.0)]

    check_script(script)


def test_functions_as_data() -> None:
    """Another function of the same `def`, another closure, another code."""

    def script(jit: Any) -> Any:
        f = jit(lambda x, g: g(x) * 2)

        def make(k: Any) -> Any:
            return lambda v: v * k

        def h(v: Any) -> Any:
            return v * 3

        seen = [f(X, lambda v, k=k: v + k) for k in range(3)]
        seen += [f(X, make(k)) for k in (2, 3, 4.0, X)]
        seen.append(f(X, h))
        h.__code__ = (lambda v: v * 4).__code__
        seen.append(f(X, h))
        names = {"k": 5.0}
        code = (lambda v: v * k).__code__  # type: ignore[name-defined]  # noqa: F821
        seen.append(f(X, FunctionType(code, names)))
        return [*seen, f(X, FunctionType(code, {"k": 6.0}))]

    check_script(script)


def test_globals_that_it_stores() -> None:
    """Stores and reads in order, and the world changing them in between."""

    def script(jit: Any) -> Any:
        names: dict[str, Any] = {"C": 0, "__name__": "elsewhere"}
        text = "def f(x):\n global C, NEW\n C = C + 1\n NEW = x * C\n return NEW + C\n"
        exec(text, names)
        f = jit(names["f"])
        seen = []
        for _ in range(3):
            seen += [f(X), names["C"], names["NEW"]]
        names["C"] = 50
        return [*seen, f(X), names["C"]]

    check_script(script)


def test_iterators_that_leave() -> None:
    """They stand where eager's stand."""

    def script(jit: Any) -> Any:
        @jit
        def f(x: Any, values: Any) -> Any:
            it = iter(values)
            first = next(it)
            pairs = zip(values, [x, x * 2], strict=False)
            one, other = next(pairs)
            counted = enumerate(values)
            next(counted)
            rest = (map(abs, values), reversed(values), {"q": 1}.items(), (v for v in values))
            return other * one * first, it, pairs, counted, *rest

        seen = []
        for _ in range(3):
            result, *iterators = f(X, [1.0, 2.0, 3.0])
            seen += [result, [type(it).__name__ for it in iterators], list(map(list, iterators))]
        return seen

    check_script(script)


def test_what_is_one_object_stays_one() -> None:
    """Lists, tuples and numbers that eager makes once."""

    def script(jit: Any) -> Any:
        @jit
        def f(x: Any) -> Any:
            inner = [x * 2]
            both = {"l": inner, "m": inner}
            pair = (inner, both)
            total = x.sum()
            return pair, pair, inner, both, [pair, inner], total, total

        seen = []
        for _ in range(3):
            r = f(X)
            seen += [r, r[0] is r[1], r[0][0] is r[2], r[3]["l"] is r[2], r[4][0] is r[0]]
            seen.append(r[5] is r[6])
        return seen

    check_script(script)


def test_operators_of_the_users() -> None:
    """Methods of the class, reflected ones, in-place ones, NotImplemented."""

    def script(jit: Any) -> Any:
        class V:
            def __init__(self, a: Any) -> None:
                self.a = a

            def __add__(self, other: Any) -> Any:
                return V(self.a + (other.a if isinstance(other, V) else other))

            def __radd__(self, other: Any) -> Any:
                return V(other + self.a)

            def __mul__(self, other: Any) -> Any:
                return NotImplemented

            def __rmul__(self, other: Any) -> Any:
                return "rmul"

            def __iadd__(self, other: Any) -> Any:
                self.a = self.a + other
                return self

            def __eq__(self, other: object) -> bool:
                return self.a is other.a

            __hash__ = None  # type: ignore[assignment]

            def __neg__(self) -> Any:
                return V(-self.a)

            def __call__(self, x: Any) -> Any:
                return self.a * x

            def __bool__(self) -> bool:
                return False

        @jit
        def f(x: Any, v: Any) -> Any:
            w = v + v
            w += 2.0
            u = 1.0 + v
            return (-w).a + u.a, v == v, 2 * v, w(x), (1 if v else 2)

        @jit
        def fails(x: Any, v: Any) -> Any:
            return v * v

        seen: list[Any] = [f(X, V(X)) for _ in range(3)]
        try:
            fails(X, V(X))
        except TypeError as error:
            seen.append(str(error))
        return seen

    check_script(script)


def test_classes_die() -> None:
    """A guard is no owner of the class that it saw."""

    def script(jit: Any) -> Any:
        class C:
            def __init__(self, w: float) -> None:
                self.w = w

        f = jit(lambda x, c: x * c.w)
        c = C(2.0)
        seen = [f(X, c), f(X, c)]
        instance, kind = weakref.ref(c), weakref.ref(C)
        del c, C
        gc.collect()
        return [*seen, instance() is None, kind() is None]

    check_script(script)


@pytest.mark.parametrize("name", ["fix", "trunc", "rint"])
def test_a_function_that_writes_where_it_is_told(name: str) -> None:
    """Numbers that it would leave as they are say nothing about that."""
    function = getattr(np, name)

    def f(x: Any) -> Any:
        z = x * 2
        rounded = function(x, x)
        return rounded, z + 1, x

    check(f, np.array([0.5, 1.5, -2.5]), calls=2)
