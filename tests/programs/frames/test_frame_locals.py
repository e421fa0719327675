"""Readers of frames see the locals that eager has: behind loops, at breaks, in tracebacks.

Nothing in the bytecode reads these locals again; `locals()`, `eval`, a callee that looks at its
caller's frame (as `DataFrame.query`, `pd.eval` and `numexpr.evaluate` do) and debuggers do.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check
from samples import sample


def evaluate(text: str) -> Any:
    """As `numexpr.evaluate`: names are looked up in the frame of the caller."""
    frame = sys._getframe(1)
    return eval(text, frame.f_globals, dict(frame.f_locals))


def names_seen() -> dict[str, Any]:
    """The caller's locals, as copies of their present values."""
    found = sys._getframe(1).f_locals
    return {
        name: (type(held).__name__, np.array(held, copy=True) if _is_data(held) else None)
        for name, held in sorted(found.items())
    }


def _is_data(held: Any) -> bool:
    return isinstance(held, np.ndarray | np.generic | float | int)


def test_array_assigned_by_a_loop() -> None:
    """It has its value from the last iteration, not the one from before the loop."""

    def f(x: Any, n: Any) -> Any:
        t = x * 0
        s = x * 0
        for i in range(n):
            t = x * i + 1
            s = s + t
        return s, evaluate("t * 2")

    assert_counts(check(f, sample("f8"), 3, calls=3), breaks=1)
    check(f, sample("f8"), 0, calls=3)


def test_array_first_assigned_by_a_loop() -> None:
    """It is missing where the loop has no iteration, and there afterwards."""

    def f(x: Any, n: Any) -> Any:
        s = x * 0
        for i in range(n):
            t = x * i + 1
            s = s + t
        return s, names_seen()

    for n in (0, 1, 4):
        check(f, sample("f8"), n, calls=3)


def test_iterations_with_changing_counts() -> None:
    """One function meets both: bound by the loop, and not."""

    def script(jit: Any, x: Any) -> Any:
        @jit
        def f(x: Any, n: Any) -> Any:
            s = x * 0
            for i in range(n):
                t = x * i + 1
                s = s + t
            return s, names_seen()

        return [f(x, n) for n in (3, 0, 2, 0, 5)]

    from oracle import check_script

    check_script(script, sample("f8"))


def test_while_loop_with_a_break() -> None:
    """Loops that are left in the middle hand over what that iteration has made so far."""

    def f(x: Any, limit: Any) -> Any:
        s = x * 0
        k = 0
        while True:
            before = s
            s = s + x * k
            k += 1
            if s.sum() > limit:
                break
            after = s * 2
        return k, locals()

    check(f, np.arange(1.0, 6.0), 50.0, calls=3)


def test_branch_in_a_loop() -> None:
    """A local of one side of a branch is the one of the last iteration that took it."""

    def f(x: Any, n: Any) -> Any:
        s = x * 0
        for i in range(n):
            if i % 3 == 0:
                t = x + i
                s = s + t
            else:
                u = x * i
                s = s - u
        return s, locals()

    for n in (0, 1, 2, 7):
        check(f, sample("f8"), n, calls=3)


def test_branch_on_data() -> None:
    """Arms bring other arrays, lists and nothing at all."""

    def f(x: Any) -> Any:
        if x.sum() > 0:
            t = x * 2
            both = [1, 2]
        else:
            u = x - 1
            both = [3]
        return locals()

    for x in (np.ones(3), -np.ones(3)):
        check(f, x, calls=3)


def test_list_made_by_a_branch_in_a_loop() -> None:
    """A list that no graph hands over keeps the loop in Python, where it is right."""

    def f(x: Any, n: Any) -> Any:
        s = x * 0
        for i in range(n):
            pair = [i, i + 1]
            s = s + x * pair[1]
        return s, locals()

    check(f, sample("f8"), 3, calls=3)


def test_print_in_a_loop_then_locals() -> None:
    """A loop that is left for a print now and then, and goes on."""

    def f(x: Any, n: Any) -> Any:
        s = x * 0
        for i in range(n):
            if i % 4 == 1:
                print(i, sorted(locals()), evaluate("str(s.sum())"))
            t = x * i
            s = s + t
        return s, locals()

    check(f, sample("f8"), 9, calls=3)


def test_rows_of_an_array() -> None:
    """The loop's variable is a view of the array that the loop goes through."""

    def f(x: Any) -> Any:
        s = 0.0
        for row in x:
            scaled = row * 2
            s = s + scaled.sum()
        return s, locals()

    check(f, np.arange(12.0).reshape(4, 3), calls=3)


def test_views_keep_their_memory() -> None:
    """A view that a loop assigned is changed by what is written afterwards."""

    def f(x: Any, n: Any) -> Any:
        s = 0.0
        for i in range(n):
            row = x[i]
            s = s + row.sum()
        x[:] = x + 1
        return s, locals()

    check(f, np.arange(12.0).reshape(4, 3), 3, calls=3)


def test_write_behind_a_loop() -> None:
    """The state behind a write that others see is complete, should eager go on from there."""

    def f(x: Any, out: Any, n: Any) -> Any:
        s = x * 0
        for i in range(n):
            t = x * i
            s = s + t
        out[:] = s
        return out[n * 100]

    def check_it(n: int) -> None:
        with pytest.raises(IndexError):
            f(np.ones(4), np.ones(4), n)
        check(f, np.ones(4), np.ones(4), n, calls=3)

    check_it(3)


def test_nested_loops() -> None:
    def f(x: Any, n: Any) -> Any:
        s = x * 0
        for i in range(n):
            for j in range(i):
                t = x * j
                s = s + t
            u = s * 2
        return locals()

    for n in (0, 1, 2, 4):
        check(f, sample("f8"), n, calls=3)


def test_exception_behind_a_loop() -> None:
    """Post-mortem debuggers read the frame of the traceback."""

    def f(x: Any, n: Any) -> Any:
        s = x * 0
        for i in range(n):
            t = x * i
            s = s + t
        return s[1000]

    check(f, sample("f8"), 3, calls=3)


def test_exception_in_a_loop() -> None:
    def f(x: Any, n: Any) -> Any:
        s = 0.0
        for i in range(n):
            t = x * i
            s = s + t[i]
        return s

    check(f, np.arange(4.0), 9, calls=3)


def test_exception_behind_a_branch() -> None:
    def f(x: Any) -> Any:
        if x.sum() > 0:
            t = x * 2
            size = t.size
        else:
            u = x - 1
            size = u.size
        return x[1000 + size]

    for x in (np.ones(3), -np.ones(3)):
        check(f, x, calls=3)


def test_generator() -> None:
    """At a yield the frame is complete: `gi_frame.f_locals`."""

    def f(x: Any, n: Any) -> Any:
        for k in range(n):
            s = x * k
            for j in range(3):
                t = x * j
                s = s + t
            yield s.sum()

    def use(generator: Any) -> Any:
        found = []
        for item in generator:
            found.append((item, dict(generator.gi_frame.f_locals)))
        return found

    check(f, sample("f8"), 3, calls=3, use=use)


def test_returns_cost_nothing() -> None:
    """Captured whole: nobody can see the locals of a frame that has returned."""

    def f(x: Any, n: Any) -> Any:
        s = x * 0
        for i in range(n):
            t = x * i
            s = s + t
        return s

    assert_counts(check(f, sample("f8"), 3, calls=3), captures=1, hits=3, breaks=0)


def test_loops_in_loops_are_kernels() -> None:
    """An array of the inner loop that nothing reads behind it is no state of either loop."""

    def f(q: Any, speed: Any, steps: Any) -> Any:
        for _ in range(steps):
            for i in range(q.shape[0]):
                flux = speed[i] * q[i]
                q[i, 1:] -= 0.5 * (flux[1:] - flux[:-1])
        return q

    jitted = check(f, np.arange(12.0).reshape(3, 4), np.ones(3), 4, calls=3)
    assert_counts(jitted, captures=1, hits=3, breaks=0)


def test_local_that_one_way_assigns() -> None:
    """A local that nothing reads is no live-in: on the other way it stays what it is."""

    def branch(a: Any, n: Any, m: Any) -> Any:
        print("before")
        if a[0] > n:
            m = a * 2
        a = a + 1
        return names_seen()

    def loop(a: Any, n: Any, m: Any) -> Any:
        print("before")
        for i in range(3):
            if a[i] > n:
                m = float(i)
        return a.sum(), names_seen()

    def loop_of_arrays(a: Any, n: Any, m: Any) -> Any:
        print("before")
        for i in range(3):
            if a[i] > n:
                m = a * 2
            a = a + 1
        return names_seen()

    for n in (-1, 1, 100):
        for function in (branch, loop, loop_of_arrays):
            check(function, np.arange(3.0), n, -0.5, calls=3)


def test_exception_in_a_handler_behind_a_loop_that_assigns_nothing() -> None:
    def f(a: Any, n: Any, m: Any) -> Any:
        for k in range(3, 0, -1):
            if k > n:
                m = a.sum()
            try:
                a = a + 1
            finally:
                n[:1] += 1
        return a

    check(f, np.arange(3.0), 5, -0.5, calls=3)
