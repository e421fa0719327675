"""Running loops that go over into compiled code: programs whose loops are entered once."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from crossing import crossings
from fuzzing import KINDS, Fuzzer
from modes import HOSTILE
from oracle import assert_normally, check

from framejit.jit import native

X = np.linspace(0.5, 1.5, 7)


def time_loop(x: Any, n: int) -> Any:
    x = x.copy()
    total = 0.0
    for k in range(n):
        x = x + 0.5 * (np.sin(x) - x) * 0.01
        total += float(x[3]) * k
    return x, total


def while_loop(x: Any, n: int) -> Any:
    k, total = 0, 0.0
    while k < n and total < 1e9:
        total = total + float((x * k).sum())
        k += 1
    return k, total


def nested(x: Any, n: int) -> Any:
    rows = np.zeros((n, 7))
    for i in range(n):
        for j in range(n):
            rows[i] = rows[i] + x * (i - j)
            if j == i:
                continue
            rows[i, 0] += j
    return rows


def two_loops(x: Any, n: int) -> Any:
    y = x * 0
    for k in range(n):
        y = y + x * k
    for k in range(n):
        y = y - x / (k + 1)
    return y, k


def leaves(x: Any, n: int) -> Any:
    found = None
    for k in range(n):
        x = x * 1.01
        if x[0] > 0.56:
            found = k
            break
    else:
        found = -1
    return found, x


def has_else(x: Any, n: int) -> Any:
    for k in range(n):
        x = x + k
    else:
        x = x * 2
    return x


def finally_around(x: Any, n: int, log: list[Any]) -> Any:
    try:
        for k in range(n):
            x = x + k
            if k == n - 2:
                raise KeyError(k)
    except KeyError as error:
        log.append(str(error))
    finally:
        log.append(float(x[0]))
    return x


def try_inside(x: Any, n: int, log: list[Any]) -> Any:
    for k in range(n):
        try:
            x = x + k
            if k % 5 == 3:
                raise ValueError(k)
        except ValueError as error:
            log.append(str(error))
            continue
        finally:
            x = x * 1.5
    return x


def with_block(x: Any, n: int, log: list[Any]) -> Any:
    @contextlib.contextmanager
    def block() -> Iterator[int]:
        log.append("in")
        try:
            yield 3
        finally:
            log.append("out")

    with block() as c:
        for k in range(n):
            x = x + c * k
    with np.errstate(divide="ignore"):
        for k in range(n):
            x = x / (x - 0.5 - k)
    return x


def in_a_handler(x: Any, n: int) -> Any:
    try:
        raise KeyError("k")
    except KeyError as error:
        for k in range(n):
            x = x + k
        return x, str(error)


def items_on_the_stack(x: Any, n: int) -> Any:
    for a in (1.0, 2.0) * 6:
        y = [a, sum([float((x * k).sum()) for k in range(n)])]
        x = x + y[1]
    return x


def prints(x: Any, n: int) -> Any:
    for k in range(n):
        x = x * 1.01 + k
        if k % 7 == 5:
            print(end="")
    return x


def deletes(x: Any, n: int) -> Any:
    for k in range(n):
        y = x * k
        x = x + y
        del y
    return sorted(locals())


def cells(x: Any, n: int) -> Any:
    total = 0.0

    def add(value: float) -> None:
        nonlocal total
        total += value

    for k in range(n):
        x = x + 1
        add(float(x[0]) * k)
    return total, x


def raises(x: Any, n: int) -> Any:
    for k in range(n):
        x = x + k
        if k == n - 3:
            print(end="")
            x = x + np.zeros(3)
    return x


def recursive(x: Any, n: int) -> Any:
    for k in range(3):
        x = x + k
    if n > 20:
        x = recursive(x, n - 1)
    for k in range(n):
        x = x * 1.5 - k
    return x


def many_arguments(x: Any, n: int, *rest: Any, a: Any = 2.0, **more: Any) -> Any:
    for k in range(n):
        x = x + a * k + rest[0] - more["b"]
    return x, len(rest)


def generator(x: Any, n: int) -> Any:
    for k in range(n):
        x = x * 1.01 + k
        yield x
    for k in range(n):
        x = x - k
    yield x


def yields_from(x: Any, n: int) -> Any:
    for k in range(n):
        yield from (x * k, x + k)


def looks_at_frames(x: Any, n: int) -> Any:
    seen = []

    def look() -> None:
        frame: Any = sys._getframe(1)
        seen.append((frame.f_lineno, sorted(frame.f_locals)))

    for k in range(n):
        x = x * 1.01 + k
        look()
    return x, seen


def many_names(x: Any, n: int) -> Any:
    a = b = c = d = e = f = g = h = x
    for k in range(n):
        a, b, c, d, e, f, g, h = b + k, c, d * 1.5, e, f - 1, g, h, a
    return a, b, c, d, e, f, g, h


def over_a_list(x: Any, n: int) -> Any:
    items = list(range(n))
    seen = []
    for k in items:
        x = x * 1.01 + k
        seen.append(k)
        if k == n // 2:
            items.extend((1, 2, 3))
    return x, seen


def over_a_tuple_and_a_str(x: Any, n: int) -> Any:
    for k in tuple(range(n)):
        x = x * 1.01 + k
    for letter in "ab" * n:
        x = x + ord(letter)
    return x


PLAIN = (
    *(over_a_list, over_a_tuple_and_a_str),
    *(time_loop, while_loop, nested, two_loops, leaves, has_else, in_a_handler),
    *(items_on_the_stack, prints, deletes, cells, raises, recursive, looks_at_frames, many_names),
)
NOWHERE = (in_a_handler,)
"""The exception that is being handled holds on to the frame, which therefore stays as it is."""


@pytest.mark.parametrize("iterations", [1, 2, 9])
@pytest.mark.parametrize("program", PLAIN, ids=lambda one: one.__name__)
def test_a_loop_goes_over(program: Any, iterations: int) -> None:
    """With its first iteration or a later one, once or more often."""
    with crossings(lambda header: iterations) as made:
        check(program, X, 24, jit=made.jit)
    assert HOSTILE or (made.over > 0) == (program not in NOWHERE)


@pytest.mark.parametrize("program", [finally_around, try_inside, with_block])
def test_blocks_around_and_inside(program: Any) -> None:
    """Handlers and exits of `with` run as often as in eager, and in its order."""
    with crossings() as made:
        check(program, X, 24, [], jit=made.jit)
    assert made.over > 0


def test_any_signature() -> None:
    """Stars and keywords stay where they are in the frame."""
    with crossings() as made:
        check(many_arguments, X, 24, 1.5, 2, jit=made.jit, a=0.25, b=X)
    assert made.over > 0


@pytest.mark.parametrize("program", [generator, yields_from])
def test_generators(program: Any) -> None:
    """The frame belongs to the generator, and it may be suspended between two iterations."""
    with crossings() as made:
        check(program, X, 24, jit=made.jit, use=list)
    assert made.over > 0


def test_the_kernel_runs_the_rest() -> None:
    """Eager runs a few of 1,000 iterations, whichever function called."""
    with crossings() as made:
        (f,) = check(time_loop, X, 1000, jit=made.jit, backends=["numpy"], calls=1)
        manager: Any = native.owned(f)
    assert HOSTILE or sum(entry.native.hits for entry in manager.entries) == 1
    assert HOSTILE or sum(made.visits.values()) < 10


def test_two_frames_of_one_function() -> None:
    """One of them stands in its loop for long: each goes over by itself."""

    def program(x: Any, iterate: Any, log: list[Any]) -> Any:
        for k in range(40):
            x = x * 1.01 + k
            iterate(x, k, log)
        return x

    def outer(x: Any, log: list[Any]) -> Any:
        def inner(x: Any, k: int, log: list[Any]) -> None:
            log.append(k)

        def iterate(x: Any, k: int, log: list[Any]) -> None:
            if k == 20:
                log.append(float(program(x, inner, log)[0]))

        return program(x, iterate, log)

    with crossings() as made:
        gated = made.jit(program, "numpy")
        closure = {"program": gated}
        got: list[Any] = []
        want: list[Any] = []
        expected = outer(X, want)
        cell: Any = outer.__closure__
        kept = cell[0].cell_contents
        cell[0].cell_contents = closure["program"]
        try:
            actual = outer(X, got)
        finally:
            cell[0].cell_contents = kept
    assert got == want
    assert actual.tobytes() == expected.tobytes()
    assert_normally(made.over > 1)


def test_threads() -> None:
    """Many run the same loop; whoever captures, all come to eager's answer."""
    with crossings() as made:
        f = made.jit(prints, "numpy")
        results: list[bytes] = []
        start = threading.Barrier(4)

        def work() -> None:
            start.wait()
            results.append(f(X, 3000).tobytes())

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert results == [prints(X, 3000).tobytes()] * 4
    assert made.over > 0


@pytest.mark.parametrize("kind", ["rules", "arrays"])
def test_programs_of_the_fuzzer(kind: str) -> None:
    """Written by rules; their loops go over at random iterations, before or after others."""
    rng = np.random.default_rng(sys.version_info[1])
    with crossings(lambda header: int(rng.integers(1, 6))) as made:
        tally = Fuzzer(KINDS[kind], ("numpy",), jit=made.jit).run(50, "loops that go over")
    assert tally.differing == []
    assert HOSTILE or kind != "rules" or made.over > 20
