"""Slice 2: breaks anywhere: in loops, `with`, `try`, generators; segments on both sides of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
import pytest
from oracle import Decorator, assert_counts, check, check_script
from samples import sample

from framejit.frontends.runtime import segments


def test_print_between() -> None:
    """A segment before the break and one behind it."""

    def f(x: Any) -> Any:
        y = x * 2 + 1
        print("between")
        return y * y - x

    assert_counts(check(f, sample("f8"), calls=3), segments=2)


def test_print_in_a_loop() -> None:
    """The loop stays a Python loop: a segment before the print, one behind it, one after the loop.

    Nothing else is compiled: exploring knows that the item of a range is an int.
    """

    def f(x: Any) -> Any:
        for i in range(4):
            x = x * 0.5 + i
            print(i, x[0])
            x = x - 1 / (i + 1)
        return x * 2

    assert_counts(check(f, sample("f8"), calls=3), segments=3)


def test_print_in_a_while_loop() -> None:
    def f(x: Any, n: Any) -> Any:
        while n > 0:
            x = x * x - n
            print(n)
            n -= 1
        return x

    check(f, sample("f8"), 3, calls=3)


class Manager:
    """A context manager that prints each event."""

    def __enter__(self) -> Self:
        print("enter")
        return self

    def __exit__(self, *error: object) -> bool:
        print("exit", error[0])
        return error[0] is ValueError


def test_with() -> None:
    """Inside the block a segment, with the exit function on the stack below it."""

    def f(x: Any) -> Any:
        with Manager():
            y = x * 3 + 1
            print("inside")
            y = y * y
        return y + x

    check(f, sample("f8"), calls=3)


def test_with_that_swallows() -> None:
    def f(x: Any) -> Any:
        y = x
        with Manager():
            y = x * 3 + 1
            raise ValueError("swallowed")
        return y * 2

    check(f, sample("f8"), calls=3)


def test_try() -> None:
    """An exception in a break flows to the user's handler with the state of eager."""

    def f(x: Any, names: Any) -> Any:
        try:
            y = x * 2 + 1
            print(names["missing"])
            y = y * 0
        except KeyError as error:
            print("no", error)
            y = x - 1
        finally:
            print("finally")
        return y * y

    check(f, sample("f8"), {}, calls=3)
    check(f, sample("f8"), {"missing": 1}, calls=3)


def test_exception_that_leaves() -> None:
    def f(x: Any) -> Any:
        y = x * 2 + 1
        raise RuntimeError(str(y.sum()))

    check(f, sample("f8"), calls=3)


def test_generator() -> None:
    """Segments between yields."""

    def f(x: Any) -> Iterator[Any]:
        for i in range(3):
            x = x * 2 + i
            yield x * x
            x = x - 1
        yield x / 2

    check(f, sample("f8"), calls=3, use=list)


def test_generator_that_is_thrown_into() -> None:
    def f(x: Any) -> Iterator[Any]:
        try:
            y = x * 2 + 1
            yield y
            y = y * y
            yield y
        except ValueError:
            yield x - 1

    def use(generator: Any) -> list[Any]:
        return [next(generator), generator.throw(ValueError), list(generator)]

    check(f, sample("f8"), calls=3, use=use)


def test_coroutine() -> None:
    async def f(x: Any) -> Any:
        y = x * 2 + 1
        print("awake")
        return y * y

    def use(coroutine: Any) -> Any:
        try:
            coroutine.send(None)
        except StopIteration as stop:
            return stop.value

    check(f, sample("f8"), calls=3, use=use)


def test_branch_on_data() -> None:
    """Both sides of a branch that only data decide are segments of their own."""

    def f(x: Any) -> Any:
        y = x * 2 + 1
        z = y * y - 1 if y[0] > 5 else y - x * 0.5
        return z * 3

    check(f, sample("f8"), calls=3)
    check(f, sample("f8") + 10, calls=3)


def test_star_arguments_have_segments() -> None:
    def f(*arrays: Any, scale: Any = 2.0, **named: Any) -> Any:
        x = arrays[0] * scale + 1
        print(sorted(named))
        return x * x

    check(f, sample("f8"), sample("f8"), calls=3, other=1)


def test_locals_do_not_show_us() -> None:
    def f(x: Any) -> Any:
        y = x * 2 + 1
        print(sorted(locals()))
        return y * y

    check(f, sample("f8"), calls=3)


def test_variables_shared_with_inner_functions() -> None:
    """Each call has cells of its own: a segment reads those of the call that it runs in."""

    def script(jit: Decorator, x: Any) -> Any:
        def f(x: Any, k: Any, change: Any) -> Any:
            def inner() -> Any:
                nonlocal k
                k += 1
                return k

            y = x * 2
            print("shared")
            z = y - 1
            if change:
                inner()
            return z * k + 1, inner

        g = jit(f)
        results = []
        for k, change in ((1.0, False), (2.0, False), (3.0, True), (4.0, False), (5, True), (6, 0)):
            result, inner = g(x, k, change)
            results.append((result, inner()))
        return results

    check_script(script, sample("f8"))


def test_new_exits_when_no_more_versions_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """An old version still runs and captures an exit that the newest version does not know."""

    def script(jit: Decorator, a: Any) -> Any:
        def f() -> Any:
            while True:
                x, k, other, j = yield
                y = x * 2
                z = y + k
                print("one", z)
                y = other * 2
                z = y + j
                print("two", z)

        g = jit(f)
        object_ = a.astype(object)
        old = g()
        next(old)
        for j in (a, a, a, object_, object_):
            old.send((a, a, a, j))
        for _ in range(3):
            old.send((a, object_, a, a))
        new = g()
        next(new)
        for _ in range(3):
            new.send((a, object_, a, a))

    monkeypatch.setattr(segments, "MAX_VERSIONS", 2)
    check_script(script, sample("f8"))


def test_closures_with_a_break() -> None:
    def maker(k: Any) -> Any:
        def f(x: Any) -> Any:
            y = x * k + 1
            print("closed over")
            return y * k

        return f

    check(maker(3.0), np.linspace(0, 1, 7), calls=3)
