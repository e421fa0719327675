"""Objects that share one `__dict__`, slots with two names, and classes that get a say later."""

from __future__ import annotations

import types
from typing import Any, ClassVar

import numpy as np
import pytest
from oracle import assert_counts, check_script

X = np.arange(1.0, 4.0)


def borgs(jit: Any) -> Any:
    class Borg:
        shared: ClassVar[dict[str, Any]] = {"n": 0.0}

        def __init__(self) -> None:
            self.__dict__ = Borg.shared

    the_one = Borg()

    @jit
    def both(x: Any, o: Any, p: Any) -> Any:
        o.n = x.sum()
        y = p.n
        p.n = y * 2
        return y, o.n

    @jit
    def in_a_loop(x: Any, o: Any, p: Any) -> Any:
        for v in x:
            o.n += v
            p.n *= 2
        return o.n, p.n

    @jit
    def with_a_global(x: Any, o: Any) -> Any:
        o.n = x * 2
        the_one.n = the_one.n + 1
        return o.n

    @jit
    def made_here(x: Any) -> Any:
        o, p = Borg(), Borg()
        o.n = x + 1
        p.n = p.n * 2
        return o.n

    calls = [both, in_a_loop]
    seen = [f(X, Borg(), Borg()) for f in calls for _ in range(3)]
    seen += [f(X, Borg()) for f in (with_a_global,) for _ in range(3)]
    return [*seen, *[made_here(X) for _ in range(4)], Borg.shared]


def shared_later(jit: Any) -> Any:
    class A:
        pass

    @jit
    def f(x: Any, o: Any, p: Any) -> Any:
        o.a = x * 2
        y = p.a
        p.a = x + 5
        return o.a, y

    seen: list[Any] = []
    for k in range(5):
        o, p = A(), A()
        p.a = 1.0
        if k > 2:
            p.__dict__ = o.__dict__
        seen += [f(x=X, o=o, p=p), vars(o), vars(p)]
    other = types.SimpleNamespace(a=2.0)
    o = A()
    o.__dict__ = vars(other)
    return [*seen, f(X, o, other), other.a]


def two_names_of_a_slot(jit: Any) -> Any:
    class Vec:
        __slots__ = ("data",)

        def __init__(self, data: Any) -> None:
            self.data = data

    Vec.values = Vec.data

    class Late:
        __slots__ = ("__dict__", "a")

    @jit
    def f(x: Any, v: Any) -> Any:
        v.data = v.data + x
        r = v.values * 2
        v.values += 1
        return r, v.data

    @jit
    def g(x: Any, o: Any) -> Any:
        o.a = x * 2
        o.b = x + 1
        return o.a + o.b

    seen = []
    for _ in range(3):
        v = Vec(np.ones(3))
        seen += [f(X, v), v.data, g(X, Late())]
    Late.b = Late.a
    return [*seen, g(X, Late()), g(X, Late())]


def metaclasses(jit: Any) -> Any:
    class M(type):
        pass

    class M2(M):
        pass

    class A(metaclass=M):
        pass

    class B(metaclass=M):
        pass

    @jit
    def of_type(x: Any, c: Any) -> Any:
        return x * (2 if type(c) is M else 3) + isinstance(c, M2)

    @jit
    def truth(x: Any, c: Any) -> Any:
        return x * 2 if c else x + 1

    @jit
    def among(x: Any, c: Any) -> Any:
        return x * (2 if c in (A,) else 3)

    @jit
    def key(x: Any, c: Any) -> Any:
        registry = {A: 2.0}
        return x * registry.get(c, 5.0)

    def round_of_calls() -> list[Any]:
        return [f(X, c) for f in (of_type, truth, among, key) for c in (A, B)]

    seen = [round_of_calls() for _ in range(3)]
    M.__bool__ = lambda c: False
    seen.append(round_of_calls())
    M.__eq__ = lambda c, other: True
    M.__hash__ = lambda c: 7
    seen.append(round_of_calls())
    A.__class__ = M2
    return [*seen, round_of_calls()]


def modules(jit: Any) -> Any:
    class Module(types.ModuleType):
        pass

    m = types.ModuleType("m")
    m.k = 3.0

    @jit
    def f(x: Any) -> Any:
        made = x * m.k if m else x
        return made, type(m) is types.ModuleType, isinstance(m, Module)

    seen = [f(X), f(X), f(X)]
    m.__class__ = Module
    seen += [f(X), f(X)]
    Module.__bool__ = lambda self: False
    return [*seen, f(X)]


@pytest.mark.parametrize(
    "script",
    [borgs, shared_later, two_names_of_a_slot, metaclasses, modules],
)
def test_seen(script: Any) -> None:
    check_script(script)


def test_objects_of_their_own_are_captured_whole() -> None:
    """Also an object whose `__dict__` the program has read once."""

    class A:
        pass

    def script(jit: Any) -> Any:
        @jit
        def f(x: Any, o: Any, p: Any) -> Any:
            o.a = x * 2
            p.a = p.a + x
            return o.a + p.a

        seen = []
        for _ in range(4):
            o, p = A(), A()
            p.a = X
            vars(p).update(b=2)
            seen.append(f(X, o, p))
        return seen

    for made in check_script(script):
        assert_counts(made, captures=1, hits=4, breaks=0)
