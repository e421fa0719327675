"""Defaults and parts of partials change between calls; the functions stay the same objects."""

from __future__ import annotations

import collections
import functools
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
def keyword_defaults(jit: Any) -> Any:
    def helper(x, *, k=2.0):
        return x * k

    @jit
    def f(x):
        return helper(x)

    seen = [f(X), f(X)]
    helper.__kwdefaults__["k"] = 50
    seen.append(f(X))
    helper.__kwdefaults__["k"] = 50.5
    seen.append(f(X))
    helper.__kwdefaults__ = {"k": 7.0}
    seen += [f(X), f(X)]
    helper.__kwdefaults__["k"] = 8.0
    seen.append(f(X))
    del helper.__kwdefaults__["k"]
    seen.append(outcome(f, X))
    helper.__kwdefaults__ = None
    seen.append(outcome(f, X))
    helper.__kwdefaults__ = collections.OrderedDict(k=9.0)
    return [*seen, f(X), f(X)]


@script
def defaults_that_do_not_fit(jit: Any) -> Any:
    """More than there are parameters, and names that are not keyword-only."""

    def nothing():
        return 3.0

    def helper(x, k=1.0, *, plus=0.0):
        return x * k + plus

    def numbers(n=2):
        yield from range(n)

    class Point(typing.NamedTuple):
        x: Any
        y: float = 2.0

    @jit
    def f(x):
        point = Point(x)
        return helper(x), x * nothing(), [x * k for k in numbers()], point.x * point.y

    @jit
    def without(x):
        return helper() + x

    seen = [f(X), f(X), outcome(without, X), outcome(without, X)]
    nothing.__defaults__ = (9.0,)
    numbers.__defaults__ = (5, 3)
    helper.__defaults__ = (4.0, X, 3.0)
    seen += [f(X), f(X), outcome(without, X)]
    Point.__new__.__defaults__ = (1.0, 2.0, 3.0, X, 5.0)
    seen += [f(X), outcome(without, X)]
    helper.__defaults__ = None
    helper.__kwdefaults__ = {"plus": 1.0, "k": 7.0, "x": X, "other": 1}
    return [*seen, outcome(f, X), outcome(f, X), outcome(without, X), outcome(without, X)]


@script
def keyword_defaults_of_a_method_and_of_a_generator(jit: Any) -> Any:
    class A:
        def m(self, x, *, k=2.0):
            return x * k

    def numbers(n=3, *, k=2.0):
        for i in range(n):
            yield i * k

    @jit
    def f(x, a):
        for number in numbers():
            x = x + number
        return a.m(x)

    a = A()
    seen = [f(X, a), f(X, a)]
    A.m.__kwdefaults__["k"] = 50
    seen.append(f(X, a))
    numbers.__kwdefaults__["k"] = 7.0
    seen.append(f(X, a))
    numbers.__defaults__ = (5,)
    return [*seen, f(X, a)]


@script
def keyword_defaults_of_a_jitted_function(jit: Any) -> Any:
    @jit
    def helper(x, *, k=2.0):
        return x * k

    @jit
    def f(x):
        return helper(x) + 1

    seen = [f(X), f(X)]
    helper.__kwdefaults__["k"] = 50
    return [*seen, f(X), helper(X)]


@script
def keyword_defaults_of_a_function_made_in_the_call(jit: Any) -> Any:
    @jit
    def f(x):
        def helper(x, *, k=2.0):
            return x * k

        before = helper(x)
        helper.__kwdefaults__["k"] = 5.0
        return before + helper(x)

    return [f(X), f(X), f(X)]


@script
def keyword_defaults_that_an_argument_is(jit: Any) -> Any:
    keywords = {"s": 2.0}

    def helper(x, *, s=0.0):
        return x * s

    helper.__kwdefaults__ = keywords

    @jit
    def f(x, d):
        d["s"] = d["s"] + 1
        return helper(x)

    return [f(X, keywords), f(X, keywords), f(X, keywords), keywords]


@script
def lists_and_arrays_as_defaults(jit: Any) -> Any:
    weights = np.array([1.0, 2.0, 3.0])

    def helper(x, k=[2.0], d={"a": 3.0}, s=(1.0, [2.0]), w=weights, *, m=[1.0]):
        return x * k[0] * d["a"] + s[1][0] + len(k) + w[0] + m[0]

    @jit
    def f(x):
        return helper(x)

    seen = [f(X), f(X)]
    k, d, s, w = helper.__defaults__
    k[0] = 9
    seen.append(f(X))
    k.append(3)
    seen.append(f(X))
    d["a"] = 4
    seen.append(f(X))
    s[1][0] = 10.5
    seen.append(f(X))
    w[0] = 50
    seen.append(f(X))
    helper.__kwdefaults__["m"][0] = 60
    seen.append(f(X))
    helper.__kwdefaults__["m"] = [70.0]
    seen.append(f(X))
    del d["a"]
    return [*seen, outcome(f, X)]


@script
def parts_of_a_partial(jit: Any) -> Any:
    def helper(x, y, k=2.0, m=3):
        return x * k + m - y

    p = functools.partial(helper, 4.0)

    @jit
    def f(x, p):
        return p(x)

    seen = [f(X, p), f(X, p)]
    p.keywords["k"] = 5.0
    seen.append(f(X, p))
    p.keywords["m"] = 6
    seen.append(f(X, p))
    p.keywords.clear()
    seen.append(f(X, p))
    p.__setstate__((helper, (1.0,), {}, {}))
    seen.append(f(X, p))
    p.__setstate__((helper, (1.0, 2.0), {}, {}))
    seen.append(outcome(f, X, p))
    p.__setstate__((lambda x, y: x + y, (1.0,), {}, {}))
    seen.append(f(X, p))
    return [*seen, f(X, p)]


@script
def partials_of_a_derived_class(jit: Any) -> Any:
    class Other(functools.partial):
        pass

    def helper(x, y, k=2.0):
        return x * k - y

    p = Other(helper, 4.0)

    @jit
    def f(x, p):
        return p(x)

    seen = [f(X, p), f(X, p)]
    p.keywords["k"] = 5.0
    seen.append(f(X, p))
    Other.args = (7.0,)
    seen.append(f(X, p))
    Other.__call__ = lambda self, *args: 88.0
    seen.append(f(X, p))
    del Other.__call__, Other.args
    return [*seen, f(X, p), f(X, p)]


@pytest.mark.parametrize("program", SCRIPTS, ids=lambda one: one.__name__)
def test_changes(program: Script) -> None:
    """The same as eager after each change, on both backends."""
    check_script(program)


def test_partials_with_keywords_are_captured() -> None:
    """And so are functions with keyword defaults: one capture each, whatever object holds them."""

    def helper(x: Any, *, k: float = 2.0) -> Any:
        return x * k

    scaled = functools.partial(helper, k=3.0)
    assert_counts(check(lambda x: scaled(x) + helper(x), X), captures=1, hits=2, segments=1)

    def made(k: float) -> Any:
        def scale(x: Any, *, factor: float = k) -> Any:
            return x * factor

        return scale

    def script(jit: Any) -> Any:
        f = jit(lambda x, scale: scale(x))
        return [f(X, made(float(k))) for k in range(5)]

    for made in check_script(script):
        assert_counts(made, captures=1, hits=5)
