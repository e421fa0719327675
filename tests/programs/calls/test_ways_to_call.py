"""Slice 1: ways to call a jitted function, and what comes back."""

from __future__ import annotations

from typing import Any

import numpy as np
from oracle import Decorator, assert_counts, check, check_script
from samples import captured, madd, sample

import framejit


def with_defaults(x: Any, y: Any = 2.0, *, z: Any = 0.5) -> Any:
    return x * y + z


def test_keywords_and_defaults() -> None:
    """Positional, keyword and default arguments fill the same parameters."""
    x = sample("f8")
    captured(with_defaults, x)
    captured(with_defaults, x, 3.0)
    captured(with_defaults, y=x, x=3.0)
    captured(with_defaults, x, z=x)
    captured(madd, z=x, x=x, y=2)


def test_one_kernel_for_all_ways_to_call() -> None:
    """The way an argument is passed is no guard."""

    def script(jit: Decorator, x: Any) -> Any:
        f = jit(with_defaults)
        return [f(x), f(x, 2.0), f(x, y=3.0), f(x=x, z=4.0), f(x, 3.0, z=1.0)]

    for (f,) in check_script(script, sample("f8")):
        assert_counts([f], captures=1, hits=5)


def test_changed_defaults() -> None:
    """Defaults are read at each call, as CPython reads them."""

    def script(jit: Decorator, x: Any) -> Any:
        def f(x: Any, y: Any = 2.0, *, z: Any = 1.0) -> Any:
            return x * y + z

        g = jit(f)
        results = [g(x)]
        f.__defaults__ = (5.0,)
        results.append(g(x))
        f.__kwdefaults__ = {"z": 7}
        results.append(g(x))
        f.__defaults__ = None
        try:
            g(x)
        except TypeError as error:
            results.append(str(error))
        return results

    check_script(script, sample("f8"))


def test_changed_defaults_of_a_function_with_a_break() -> None:
    """The rewritten code is called with the function's defaults as they are now, or without."""

    def script(jit: Decorator, x: Any) -> Any:
        def f(x: Any, y: Any = 2.0, *rest: Any, z: Any = 1.0) -> Any:
            a = x * y + z
            print(len(rest))
            return a * 2

        g = jit(f)
        results = [g(x), g(x)]
        changes = [((5.0,), {"z": 7}), ((1, 3), None), (None, {}), ((4,), {"z": 1})]
        for defaults, keywords in changes:
            f.__defaults__, f.__kwdefaults__ = defaults, keywords
            for _ in range(2):
                try:
                    results.append(g(x))
                except TypeError as error:
                    results.append(str(error))
        f.__kwdefaults__["z"] = 9
        return [*results, g(x), g(x, 1, 2)]

    check_script(script, sample("f8"))


def double(x: Any) -> Any:
    return x * 2 + 1


def test_changed_code() -> None:
    """A function whose code was replaced runs the new one; with the old one back, kernels again."""

    def script(jit: Decorator, x: Any) -> Any:
        def f(x: Any) -> Any:
            return x * 5 - 1

        def cut(x: Any) -> Any:
            y = x * 5 - 1
            print("cut")
            return y * y

        results = []
        for function in (f, cut):
            g, old = jit(function), function.__code__
            results += [g(x), g(x)]
            function.__code__ = double.__code__
            results += [g(x), g(x)]
            function.__code__ = old
            results += [g(x), g(x)]
        return results

    check_script(script, sample("f8"))


def test_changed_code_of_what_the_hook_catches(capsys: Any) -> None:
    """The same for a function that nobody decorated."""

    def f(x: Any) -> Any:
        print("caught")
        return x * 5 - 1

    x, old = sample("f8"), f.__code__
    with framejit.capture():
        for code in (old, old, double.__code__, double.__code__, old):
            f.__code__ = code
            expected = x * 5 - 1 if code is old else x * 2 + 1
            assert f(x).tobytes() == expected.tobytes()
    capsys.readouterr()


def test_star_arguments() -> None:
    """*args and **kwargs are a tuple and a dict of the call's own."""

    def star(x: Any, *rest: Any, **named: Any) -> Any:
        return x * 2 + rest[0], rest, named

    check(star, sample("f8"), 1.0, sample("f4"), z=3)


class Model:
    """A user's class with jitted methods."""

    def __init__(self, scale: Any) -> None:
        self.scale = scale

    def run(self, x: Any, y: Any = 1.0) -> Any:
        return x * 2 + y

    def scaled(self, x: Any) -> Any:
        return x * self.scale + 1


def test_methods() -> None:
    """A jitted function in a class is a method, a class method or a static method."""

    def script(jit: Decorator, x: Any) -> Any:
        class Jitted(Model):
            run = jit(Model.run)
            scaled = jit(Model.scaled)
            of_class = classmethod(jit(lambda cls, x: x + 1))
            static = staticmethod(jit(lambda x: x + 1))
            value = property(jit(lambda self: self.scale * 2))

        one, other = Jitted(2.0), Jitted(x)
        bound = one.run
        return [
            one.run(x), bound(x, y=x), Jitted.run(one, x, 2), one.of_class(x), Jitted.of_class(x),
            one.static(x), Jitted.static(x), one.scaled(x), other.scaled(x), other.value,
        ]  # fmt: skip

    made = check_script(script, sample("f8"))
    for run, _, of_class, static, _ in made:
        # y is a float, an array, an int: the second capture leaves open which number it is.
        assert_counts([run], captures=2, hits=3)
        assert_counts([of_class, static], captures=1, hits=2)


def test_closures() -> None:
    """A closure variable is read at each call, and may get another value or type."""

    def script(jit: Decorator, x: Any) -> Any:
        factor: Any = 2.0

        def scale(x: Any) -> Any:
            return x * factor + 1

        f = jit(scale)
        results = [f(x)]
        for value in (3.0, 4, x, x[::2], "a", None):
            factor = value
            try:
                results.append(f(x))
            except (TypeError, ValueError) as error:
                results.append(str(error))
        return results

    check_script(script, sample("f8"))


def test_defaults_of_functions_made_anew() -> None:
    """Each call makes a function with a default of its own: one capture serves them all."""

    def outer(x: Any, n: int) -> Any:
        def inner(v: Any, k: Any = n, w: Any = x) -> Any:
            return v * k + w

        print(inner.__name__)
        return inner(x * 2)

    def script(jit: Decorator, x: Any) -> Any:
        f = jit(outer)
        results = [f(x + k, k) for k in range(2, 6)]
        return [*results, f(x, 2.5)]

    for (made,) in check_script(script, sample("f8")):
        assert_counts([made], captures=2)  # of an int and of a float


def test_unbound_closure() -> None:
    """A closure variable that is not bound, or not any more, is a NameError."""

    def script(jit: Decorator, x: Any) -> Any:
        def scale(x: Any) -> Any:
            return x * 2 + late

        f = jit(scale)
        results = []
        try:
            f(x)
        except NameError as error:
            results.append(str(error))
        late: Any = 1.0
        results.append(f(x))
        scale.__closure__[0].cell_contents = 2  # type: ignore[index]
        results.append(f(x))
        del scale.__closure__[0].cell_contents  # type: ignore[index]
        try:
            f(x)
        except NameError as error:
            results.append(str(error))
        return results

    check_script(script, sample("f8"))


def test_locals_and_branches_on_arguments() -> None:
    """Locals are free; a branch on what a guard knows is no break."""

    def branches(x: Any, y: Any = None) -> Any:
        if y is None:
            y = 2.0
        a = x * y
        b = a
        a = b + 1
        return a, b

    captured(branches, sample("f8"))
    captured(branches, sample("f8"), 3)


def test_identity_of_results() -> None:
    """Results may hold the argument itself, one computed array twice, and constants."""

    def several(x: Any, y: Any) -> Any:
        z = x * y + 1
        return [z, x, (y, z), {"z": z, "one": 1.5}, None, "text", x.dtype, x.shape]

    check(several, sample("f8"), sample("f8"))
    check(several, sample("f8"), 2)


def test_arguments_untouched() -> None:
    """Nothing is computed: the argument comes back."""
    check(lambda x: x, sample("f8"))
    check(lambda x, y: (y, x), sample("f8"), [1, 2])
    check(lambda x: None, sample("f8"))


def test_results_are_fresh() -> None:
    """Each call has a result of its own: an earlier one is never written again."""

    def script(jit: Decorator, x: Any) -> Any:
        f = jit(madd)
        first = f(x, 2.0, 1.0)
        kept = first.copy()
        second = f(x, 3.0, 1.0)
        second[0] = 99
        return first, kept, second, f(first, second, first)

    check_script(script, sample("f8"))


def test_unused_values() -> None:
    """A value that nobody reads may still warn or raise."""

    def unused(x: Any, y: Any) -> Any:
        x / y
        return x + 1

    check(unused, sample("f8"), np.zeros(5))
    check(unused, sample("f8"), np.zeros(4))


def test_unused_values_longer_than_a_block() -> None:
    """A value that nobody reads takes no memory, whatever its length; it may warn at its end."""

    def unused(x: Any, y: Any) -> Any:
        x - y
        for _ in range(2):
            kept = y.copy()
            x / y
            kept = y.copy()
            y[1:] = kept[:-1]
        return kept

    x = np.ones(1_000_000)
    check(unused, x, x + 1)
    x[-1] = 0
    check(unused, x, x * 1)
    check(unused, x.astype("f4"), x.astype("f4"))
    check(unused, x * 1j, x * 1j)
