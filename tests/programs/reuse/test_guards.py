"""Slice 1: what a kernel relies on, and what happens when it changes."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest
from oracle import Decorator, assert_counts, assert_normally, check, check_script
from samples import madd, namespace, sample

import framejit


def test_sizes_are_no_recompile() -> None:
    """One capture for all sizes of a rank from two on; 0 and 1 are kinds of their own."""

    def script(jit: Decorator) -> Any:
        f = jit(madd)
        return [f(np.arange(n * 1.0), 2.0, 1.0) for n in (5, 2, 100, 7, 3)]

    for (f,) in check_script(script):
        assert_counts([f], captures=1, hits=5)


def test_sizes_0_and_1() -> None:
    """Each call gets eager's answer, whichever lengths the kernels before it were compiled for."""

    def script(jit: Decorator) -> Any:
        f = jit(madd)
        lengths = (5, 1, 0, 5, 1, 0)
        return [f(np.arange(n * 1.0), np.ones(n), np.ones(m)) for n in lengths for m in (1, n)]

    check_script(script)


def test_equal_lengths_are_guarded() -> None:
    """Arrays that were equally long may later broadcast."""

    def script(jit: Decorator, x: Any) -> Any:
        f = jit(madd)
        row, column = x[0], x[:, :1]
        return [f(x, x, x), f(x, row, column), f(row, x, 1.0), f(x.T, x.T, x.T), f(x, column, x)]

    check_script(script, sample("f8", (4, 4)))
    check_script(script, sample("f8", (4, 5)), calls=2)


def test_new_types_are_new_kernels() -> None:
    """Numbers in an array's place share a kernel, other types have their own; all stay right."""

    def script(jit: Decorator, x: Any) -> Any:
        f = jit(madd)
        kinds = (x, x.astype("f4"), x.astype("i2"), 2, 2.5, np.float32(2), True, x[::2], x[:1])
        first = [f(x, kind, 1.0) if np.size(kind) != 3 else f(kind, kind, 1.0) for kind in kinds]
        again = [f(x, kind, 1.0) if np.size(kind) != 3 else f(kind, kind, 1.0) for kind in kinds]
        return first, again

    for (f,) in check_script(script, sample("f8")):
        assert_counts([f], captures=6, hits=18)


def test_number_values_are_no_recompile() -> None:
    """Another int or float is the same kernel."""

    def script(jit: Decorator, x: Any) -> Any:
        f = jit(madd)
        return [f(x, k, z) for k in (2, 3, 0, 1, -1, 10**18) for z in (0.5, -0.0, 1e300, 0.0)]

    for (f,) in check_script(script, sample("f8")):
        assert_counts([f], captures=1, hits=24)


def test_more_types_than_the_cache_holds() -> None:
    """Beyond the limit good entries stay and new types run eagerly; see test_entry_limit.py."""

    def script(jit: Decorator) -> Any:
        f = jit(madd)
        arrays = [np.ones((2,) * rank, dtype) for rank in range(8) for dtype in ("f4", "f8", "i4")]
        return [f(x, 2, x) for x in [*arrays, *arrays]]

    for (f,) in check_script(script):
        assert_normally(f.stats()["captures"] <= 24)


class Holder:
    """An object of the user's."""


@pytest.mark.parametrize("other", [Holder(), {}, 2**70, np.array(["a"]), "text", [1], print])
def test_none_is_told_from_every_object(other: Any) -> None:
    """`is None` decides for the calls whose argument is None again, or of the same type again."""

    def script(jit: Decorator, x: Any) -> Any:
        @jit
        def f(x: Any, option: Any = None) -> Any:
            if option is None:
                x = x * 2
            if option is not None:
                x = x + 1
            return x - 1 if None is option else x - 3

        return [f(x, option) for option in (other, None, other, Holder(), None, 3, other)]

    check_script(script, sample("f8"))
    check_script(lambda jit, x: [jit(pick)(x, one) for one in (other, None, 4, None)], sample("f8"))


def pick(x: Any, option: Any) -> Any:
    return x * 2 if option is None else x + 1


class Switch:
    """A callable object whose truth value may change each time."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self) -> None:
        pass

    def __bool__(self) -> bool:
        self.asked += 1
        return self.asked % 3 == 0


def test_the_truth_of_an_object_is_asked_each_time() -> None:
    """Identity does not determine the answer of __bool__, and asking it is visible."""

    def script(jit: Decorator, x: Any) -> Any:
        @jit
        def f(x: Any, switch: Any) -> Any:
            if switch:
                x = x * 2
            return x + 1 if not switch else x - 1

        switch = Switch()
        return [(f(x, one), switch.asked) for one in (switch, switch, switch, len, None, int)]

    check_script(script, sample("f8"))


def test_identity_of_equal_strings() -> None:
    """An equal string is not the same string."""
    default = "".join(["def", "ault"])

    def script(jit: Decorator, x: Any) -> Any:
        @jit
        def f(x: Any, mode: Any) -> Any:
            return x * 2 if mode is default else x + 1

        return [f(x, mode) for mode in (default, "".join(["de", "fault"]), default, "other")]

    check_script(script, sample("f8"))


def test_rebound_numpy() -> None:
    """Where the global `np` is another module the kernel of the old one is not used."""

    class Fake:
        @staticmethod
        def add(x: Any, y: Any) -> str:
            return "fake"

    def script(jit: Decorator, x: Any) -> Any:
        user = namespace("def f(x):\n    return np.add(x * 2, 1)")
        f = jit(user["f"])
        results = [f(x), f(x)]
        user["np"] = Fake
        results.append(f(x))
        user["np"] = np
        results.append(f(x))
        del user["np"]
        try:
            f(x)
        except NameError as error:
            results.append(str(error))
        return results

    check_script(script, sample("f8"))


def test_patched_numpy() -> None:
    """A function patched into the module of NumPy is called."""

    def script(jit: Decorator, x: Any) -> Any:
        module = type(np)("mine")
        module.add = np.add  # type: ignore[attr-defined]
        user = namespace("def f(x):\n    return mine.add(x * 2, 1)", mine=module)
        f = jit(user["f"])
        results = [f(x), f(x)]
        module.add = np.subtract  # type: ignore[attr-defined]
        results.append(f(x))
        module.add = lambda a, b: "patched"  # type: ignore[attr-defined]
        return [*results, f(x)]

    check_script(script, sample("f8"))


def test_changed_globals() -> None:
    """A global number or array may get another value, another type, or be changed in place."""

    def script(jit: Decorator, x: Any) -> Any:
        user = namespace("def f(x):\n    return x * k + c", k=2.0, c=x.copy())
        f = jit(user["f"])
        results = [f(x)]
        user["c"][0] = 50.0
        results.append(f(x))
        for k in (3.0, 4, np.float32(5), x, x[:1], True):
            user["k"] = k
            results.append(f(x))
        user["c"] = 1.0
        results.append(f(x))
        del user["k"]
        try:
            f(x)
        except NameError as error:
            results.append(str(error))
        return results

    check_script(script, sample("f8"))


def test_shadowed_builtin() -> None:
    """A global that comes to stand before a builtin is seen."""

    def script(jit: Decorator, x: Any) -> Any:
        user = namespace("def f(x):\n    return x * len(x.shape)")
        f = jit(user["f"])
        results = [f(x)]
        user["len"] = lambda shape: 10
        return [*results, f(x)]

    check_script(script, sample("f8"))


def test_two_functions_of_one_code() -> None:
    """Closures made by one `def` have caches of their own."""

    def script(jit: Decorator, x: Any) -> Any:
        def maker(k: Any) -> Any:
            return jit(lambda x: x * k + 1)

        functions = [maker(2.0), maker(x), maker(3)]
        return [f(x) for f in (*functions, *functions)]

    check_script(script, sample("f8"))


def test_jitted_calls_jitted() -> None:
    """A jitted function called by another is the same as the plain one."""

    def script(jit: Decorator, x: Any) -> Any:
        inner = jit(madd)
        outer = jit(lambda x: inner(x, 2.0, 1.0) * 3)
        return [outer(x), inner(x, x, x), outer(x)]

    check_script(script, sample("f8"))


def test_recursion() -> None:
    """A jitted function that calls itself ends where the plain one ends."""

    def script(jit: Decorator, x: Any) -> Any:
        user = namespace("def f(x, n):\n    return x * 2 + 1 if n == 0 else f(x, n - 1) + 1")
        f = user["f"] = jit(user["f"])
        return [f(x, 3), f(x, 0), f(x, 10)]

    check_script(script, sample("f8"))


def test_operator_module() -> None:
    """Functions of the operator module are eager's, whatever is done with them."""

    def by_function(x: Any, y: Any) -> Any:
        return operator.add(operator.mul(x, y), 1)

    check(by_function, sample("f8"), 2.0)


def test_the_decorated_function() -> None:
    """A jitted function has the name, docs and module of the plain one, and leads to it."""
    f = framejit.jit(madd)

    assert (f.__name__, f.__doc__, f.__module__) == (madd.__name__, madd.__doc__, madd.__module__)
    assert f.__wrapped__ is madd
    assert framejit.jit(backend="numpy")(madd)(2.0, np.ones(2), 1).tolist() == [3.0, 3.0]
