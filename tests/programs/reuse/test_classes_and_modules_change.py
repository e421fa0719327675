"""Classes and modules change between calls, and with them what their objects answer."""

from __future__ import annotations

import abc
import functools
import sys
import types
from typing import Any

import numpy as np
import pytest
from oracle import check_script
from scripts import Script, Scripts, outcome

X = np.linspace(0.1, 1.0, 7)


SCRIPTS = Scripts()


script = SCRIPTS.script


OLD_CLASS_OF_MODULES = sys.version_info >= (3, 14)
"""Specialised code of 3.14 goes on to read what is in a module whose new class has a property of
that name; the same line read for the first time, and what is compiled, asks the property."""


@script
def bases_and_registrations(jit: Any) -> Any:
    class Abstract(abc.ABC):
        pass

    class A:
        pass

    class D:
        pass

    class C(A):
        pass

    @jit
    def f(x, a):
        return x * 2 if isinstance(a, A) else x * 3

    @jit
    def g(x):
        return x * 2 if isinstance(x, Abstract) else x * 3

    c = C()
    seen = [f(X, c), f(X, c), g(X), g(X)]
    C.__bases__ = (D,)
    seen += [f(X, c), g(X)]
    Abstract.register(np.ndarray)
    return [*seen, f(X, c), g(X)]


@script
def what_a_metaclass_answers(jit: Any) -> Any:
    class Meta(type):
        pass

    class B(metaclass=Meta):
        pass

    class A:
        pass

    @jit
    def f(x, a):
        match a:
            case B():
                x = x + 1
        return x * 10 if isinstance(a, (str, B)) else x + 1

    arguments = [A(), B(), 3, X]
    seen = [f(X, a) for a in arguments for _ in range(2)]
    Meta.__instancecheck__ = lambda kind, one: True
    seen += [f(X, a) for a in arguments]
    del Meta.__instancecheck__
    return seen + [f(X, a) for a in arguments]


@script
def what_a_pattern_takes(jit: Any) -> Any:
    class P:
        __match_args__ = ("a", "b")

        def __init__(self):
            self.a, self.b = 1.0, 2.0

    @jit
    def f(x, p):
        match p:
            case P(u, v):
                return x * u - v
        return x

    p = P()
    seen = [f(X, p), f(X, p)]
    P.__match_args__ = ("b", "a")
    return [*seen, f(X, p)]


@script
def what_makes_objects_unequal(jit: Any) -> Any:
    class A:
        pass

    a, b = A(), A()

    @jit
    def f(x, a, b):
        return (x * 2 if a != b else x * 3) + (1 if a == b else 2)

    seen = [f(X, a, b), f(X, a, b)]
    A.__ne__ = lambda self, other: False
    seen.append(f(X, a, b))
    del A.__ne__
    A.__eq__ = lambda self, other: True
    return [*seen, f(X, a, b)]


@script
def what_is_read_from_the_class_of_an_object(jit: Any) -> Any:
    @functools.total_ordering
    class P:
        scale = 2.0

        def __init__(self, v):
            self.v = v

        def __lt__(self, other):
            return self.v < other.v

        def __eq__(self, other):
            return self.v == other.v

    p, q = P(1), P(2)

    @jit
    def f(x, p, q):
        return x * 2 if p >= q else x * 3

    @jit
    def g(x, p):
        return x * type(p).scale + p.__class__.scale

    def both():
        return [f(X, p, q), g(X, p)]

    seen = both() + both()
    P.__lt__ = lambda self, other: False
    seen += both()
    P.scale = 5.0
    seen += both()
    P.__ge__ = lambda self, other: False
    return seen + both()


@script
def the_class_of_a_module(jit: Any) -> Any:
    config = types.ModuleType("config")
    config.sub = types.ModuleType("sub")
    config.sub.k = 2.0

    class Other(types.ModuleType):
        k = property(lambda self: 70.0)

    @jit
    def f(x):
        return x * config.sub.k

    seen = [f(X), f(X)]
    vars(config.sub)["k"] = 3.0
    seen.append(f(X))
    config.sub.__class__ = Other
    after = f(X)
    if not OLD_CLASS_OF_MODULES:
        seen.append(after)
    config.sub = types.SimpleNamespace(k=9.0)
    return [*seen, f(X)]


@script
def an_attribute_named_wrapped(jit: Any) -> Any:
    @jit
    def g(x):
        return x * 2

    @jit
    def f(x):
        return g(x) + 1

    seen = [f(X), f(X)]
    g.__wrapped__ = lambda x: x
    return [*seen, f(X), g(X)]


@script
def modules_of_one_name(jit: Any) -> Any:
    one, other = types.ModuleType("config"), types.ModuleType("config")
    one.k, other.k = 2.0, 3.0
    here: dict[str, Any] = {}
    there: dict[str, Any] = {"k": 5.0}
    exec("def g(x): return x * k", there)
    exec("k = 7.0\ndef f(x): return g(x) + k", here)
    here["g"] = there["g"]

    @jit
    def f(x):
        return x * one.k - other.k

    g = jit(here["f"])
    seen = [f(X), f(X), g(X), g(X)]
    other.k, there["k"] = 4.0, 6.0
    return [*seen, f(X), g(X)]


@script
def attributes_of_modules_with_names_of_builtins(jit: Any) -> Any:
    config = types.ModuleType("config")
    config.max, config.len = 5.0, 3

    @jit
    def f(x):
        return x * 2, config.max

    @jit
    def g(x):
        return x * config.len

    seen = [f(X), f(X), g(X), g(X)]
    del config.max, config.len
    return [*seen, outcome(f, X), outcome(g, X)]


@script
def objects_that_can_be_called(jit: Any) -> Any:
    class A:
        pass

    @jit
    def f(x, a):
        return x * 2 if callable(a) else x * 3

    a = A()
    seen = [f(X, a), f(X, a)]
    A.__call__ = lambda self: 1
    seen.append(f(X, a))
    del A.__call__
    return [*seen, f(X, a)]


def fresh_class() -> Any:
    """Return a class with a class attribute, and methods of each kind."""

    class A:
        k = 2.0

        def __init__(self, w: Any) -> None:
            self.w = w

        def m(self, x: Any) -> Any:
            return x * self.w

        @property
        def p(self) -> Any:
            return self.w * 2

        @classmethod
        def c(cls, x: Any) -> Any:
            return x * cls.k

        @staticmethod
        def s(x: Any) -> Any:
            return x * 5

    return A


def uses_all(x: Any, a: Any) -> Any:
    return a.m(x) + a.p * a.k + a.c(x) + a.s(x)


@script
def attributes_of_a_class(jit: Any) -> Any:
    """Class attributes, methods, properties, instance attributes that hide them."""
    f, kind = jit(uses_all), fresh_class()
    a = kind(3.0)
    seen = [f(X, a), f(X, a)]
    kind.k = 7.0
    seen.append(f(X, a))
    kind.m = lambda self, x: x - self.w
    seen.append(f(X, a))
    a.m = lambda x: x * 100
    seen.append(f(X, a))
    del a.m
    seen.append(f(X, a))
    kind.p = property(lambda self: self.w * 9)
    seen.append(f(X, a))
    kind.s = staticmethod(lambda x: x * 6)
    seen.append(f(X, a))
    a.s = lambda x: x * 8
    seen.append(f(X, a))
    kind.c = classmethod(lambda cls, x: x + cls.k)
    seen.append(f(X, a))
    a.k = 1.5
    seen.append(f(X, a))
    return seen


@script
def class_of_an_object(jit: Any) -> Any:
    """A subclass, `__class__`, and a `__getattribute__` that the class gets later."""
    f, kind = jit(uses_all), fresh_class()
    a = kind(3.0)
    a.k = 1.5
    seen = [f(X, a), f(X, a)]

    class B(kind):  # type: ignore[misc, valid-type]
        def m(self, x: Any) -> Any:
            return x + 1000

    seen.append(f(X, B(2.0)))
    a.__class__ = B
    seen.append(f(X, a))
    kind.__getattribute__ = lambda self, name: (
        4.0 if name == "w" else object.__getattribute__(self, name)
    )
    seen.append(f(X, a))
    return seen


@pytest.mark.parametrize("program", SCRIPTS, ids=lambda one: one.__name__)
def test_changes(program: Script) -> None:
    """The same as eager after each change, on both backends."""
    check_script(program)
