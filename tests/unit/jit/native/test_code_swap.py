"""Frames that go on with other code: what they keep, and when they stay with their own."""

from __future__ import annotations

import functools
import gc
import inspect
import os
import subprocess
import sys
import threading
import weakref
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from framejit.frontends.bytecode.decode import decode
from framejit.frontends.bytecode.flow import analyse
from framejit.frontends.bytecode.rewrite import rewrite
from framejit.frontends.bytecode.stub import Exit, Stub
from framejit.jit.native import _core

if _core.hook_state()["unsupported"] is not None:
    pytest.skip("frames cannot be hooked here", allow_module_level=True)

ran: list[str] = []


class Segment:
    """Takes exit 0, and says so."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *_: Any) -> None:
        ran.append(self.name)


def rewritten(function: Any, wide: bool = True) -> FunctionType:
    """A function with a stub wherever one may stand that passes all locals."""
    decoded = decode(function.__code__)
    flow = analyse(decoded)
    stubs = []
    for one in decoded.instructions:
        try:
            live = tuple(sorted(flow.bound_at(one.index))) if wide else ()
            stub = Stub(one.index, Segment(function.__name__), 0, live, (Exit(one.index, (), 0),))
            rewrite(decoded, [stub], flow)
        except (ValueError, KeyError):
            continue
        stubs.append(stub)
    code = rewrite(decoded, stubs, flow)
    _core.hook_mark(code, _core.MARK_SKIP)
    return FunctionType(code, function.__globals__, "other", None, function.__closure__)


def hooked(call: Callable[[], Any], *functions: Any) -> Any:
    """call() while these functions run rewritten."""
    other = {one: _core.CodeSwap(rewritten(one)) for one in functions}
    for function in functions:
        _core.hook_mark(function.__code__, _core.MARK_HANDLE)
    _core.hook_set_callbacks(lambda _: _core.MARK_SKIP, lambda function, *_: other[function])
    _core.hook_enable()
    try:
        return call()
    finally:
        _core.hook_disable()
        _core.hook_set_callbacks(None, None)


@pytest.fixture(autouse=True)
def _nothing_ran() -> Iterator[None]:
    ran.clear()
    yield
    assert not _core.hook_state()["installed"]


def every(a: Any, /, b: Any, *c: Any, d: Any, e: Any = 5, **f: Any) -> Any:
    """All kinds of parameters, one of them a cell."""
    g = [a for _ in range(2)]
    return (lambda: (a, b, c, d, e, f, g))()


def test_arguments_are_bound_by_the_interpreter() -> None:
    """Arguments of every kind and defaults have the values of a plain call."""
    expected = every(1, 2, 3, 4, d=5, z=6)
    before = _core.hook_state()["rewritten"]

    assert hooked(lambda: every(1, 2, 3, 4, d=5, z=6), every) == expected
    assert ran.count("every") > 3
    assert _core.hook_state()["rewritten"] == before + 1


def test_the_frame_is_the_callers_own() -> None:
    """No frame is added, no function is exchanged, names and lines stay."""

    def where() -> Any:
        frame = sys._getframe()
        return frame.f_back.f_back, frame.f_code.co_name, frame.f_lineno

    outer = sys._getframe()
    found, name, line = hooked(where, where)

    assert found is outer
    assert (name, line) == ("where", where.__code__.co_firstlineno + 2)
    assert ran


def test_what_is_raised_has_one_entry_a_frame() -> None:
    """The traceback is that of the plain function."""

    def fails(x: Any) -> Any:
        y = x + 1
        return y.nothing

    entries = []
    for call in (lambda: fails(1), lambda: hooked(lambda: fails(1), fails)):
        with pytest.raises(AttributeError) as raised:
            call()
        last = raised.traceback[-1]
        entries.append((last.name, last.lineno, str(raised.value)))

    assert entries[0] == entries[1]
    assert ran


def test_generators_keep_the_name_and_the_function() -> None:
    """They are made by the rewritten code and belong to the function that was called."""

    def numbers(n: int) -> Iterator[int]:
        """Has a cell."""
        for k in range(n):
            yield (lambda: n + k)()

    numbers.__name__, numbers.__qualname__ = "counted", "of.counted"
    expected = list(numbers(4))
    generator = hooked(functools.partial(numbers, 4), numbers)
    died = weakref.ref(numbers)

    assert (generator.__name__, generator.__qualname__) == ("counted", "of.counted")
    assert generator.gi_code is not numbers.__code__
    assert generator.gi_code.co_stacksize > numbers.__code__.co_stacksize
    del numbers
    gc.collect()
    assert died() is not None
    assert list(generator) == expected
    del generator
    gc.collect()
    assert died() is None
    assert ran


def test_coroutines_and_asynchronous_generators() -> None:
    """The calls return objects of eager's types, which yield eager's values."""

    async def numbers(n: int) -> AsyncIterator[int]:
        for k in range(n):
            yield k

    async def total(n: int) -> int:
        return sum([k async for k in numbers(n)])

    def run() -> Any:
        coroutine = total(5)
        assert inspect.iscoroutine(coroutine)
        assert inspect.isasyncgen(numbers(1))
        with pytest.raises(StopIteration) as stopped:
            coroutine.send(None)
        return stopped.value.value

    assert hooked(run, numbers, total) == 10
    assert {"numbers", "total"} <= set(ran)


def test_a_generator_that_is_passed_through_is_not_touched() -> None:
    """Only the one that the frame itself made."""
    generator = (k for k in range(3))

    def gives(value: Any) -> Any:
        return value

    assert hooked(lambda: gives(generator), gives) is generator
    assert generator.__name__ == "<genexpr>"
    assert ran


def test_recursion_that_fills_many_chunks_of_frames() -> None:
    """Frames grow where there is room behind them; else they run as they are, and are counted."""

    def deep(n: int) -> int:
        return 0 if n == 0 else 1 + deep(n - 1)

    def below(words: int) -> Any:
        """deep(300) on top of a frame with so many locals."""
        names = " = ".join(f"x{k}" for k in range(words + 1))
        space: dict[str, Any] = {"deep": deep}
        exec(f"def call():\n {names} = 0\n return deep(300)", space)
        return space["call"]()

    before = _core.hook_state()
    assert hooked(lambda: [below(words) for words in range(40)], deep) == [300] * 40
    after = _core.hook_state()
    grown = after["rewritten"] - before["rewritten"]
    refused = after["defaulted"]["no_room"] - before["defaulted"]["no_room"]

    assert grown + refused == 40 * 301
    assert 0 < refused < grown / 4


def test_code_of_another_kind_is_refused() -> None:
    """Other slots or flags: the frame runs its own code."""

    def f(a: int) -> Any:
        return a

    def others() -> Iterator[Any]:
        yield lambda: 2
        yield lambda a, b: 2
        yield lambda *a: 2

        def generator(a: int) -> Any:
            yield a

        yield generator

    for other in others():
        _core.hook_mark(f.__code__, _core.MARK_HANDLE)
        _core.hook_set_callbacks(None, lambda *_, other=other: _core.CodeSwap(other))
        _core.hook_enable()
        try:
            assert f(1) == 1
        finally:
            _core.hook_disable()
            _core.hook_set_callbacks(None, None)


def test_a_tool_that_came_up_meanwhile_sees_the_original() -> None:
    """The handler switches tracing on."""

    def f(a: int) -> int:
        return a + 1

    other = rewritten(f)
    lines = []

    def trace(frame: Any, event: str, _: Any) -> Any:
        lines.append((frame.f_code is f.__code__, event))
        return trace

    def handle(*_: Any) -> Any:
        sys.settrace(trace)
        return _core.CodeSwap(other)

    _core.hook_mark(f.__code__, _core.MARK_HANDLE)
    _core.hook_set_callbacks(lambda _: _core.MARK_SKIP, handle)
    _core.hook_enable()
    try:
        result = f(1)
    finally:
        sys.settrace(None)
        _core.hook_disable()
        _core.hook_set_callbacks(None, None)

    assert result == 2
    assert not ran
    assert all(own for own, event in lines if event == "return")


def test_nothing_leaks() -> None:
    """References to code and functions, over calls that return, raise and make generators."""

    def plain(a: Any) -> Any:
        return a.nothing

    def generator(a: Any) -> Any:
        yield a

    def calls() -> None:
        for _ in range(50):
            for function in (plain, generator):
                try:
                    for _ in function(1):
                        pass
                except AttributeError:
                    pass

    others = [_core.CodeSwap(rewritten(one)) for one in (plain, generator)]
    held = [plain, generator, plain.__code__, generator.__code__]
    held += [x for one in others for x in (one.function, one.function.__code__)]
    chosen = dict(zip((plain, generator), others, strict=True))
    for one in chosen:
        _core.hook_mark(one.__code__, _core.MARK_HANDLE)
    _core.hook_set_callbacks(lambda _: _core.MARK_SKIP, lambda function, *_: chosen[function])
    _core.hook_enable()
    calls()
    before = [sys.getrefcount(one) for one in held]
    calls()
    after = [sys.getrefcount(one) for one in held]
    _core.hook_disable()
    _core.hook_set_callbacks(None, None)

    assert before == after
    assert ran


def test_an_instead_is_made_of_a_function() -> None:
    """Nothing else."""
    with pytest.raises(TypeError):
        _core.CodeSwap(len)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        _core.CodeSwap()  # type: ignore[call-arg]


def test_threads() -> None:
    """Each has a stack of frames of its own."""

    def f(n: int) -> int:
        return 0 if n == 0 else 1 + f(n - 1)

    results: list[int] = []

    def work() -> None:
        _core.hook_enable()
        results.append(sum(f(50) for _ in range(50)))
        _core.hook_disable()

    def run() -> None:
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    hooked(run, f)

    assert results == [2500] * 4
    assert ran


UNDER_CPYTHONS_JIT = """
import sys
sys.path.insert(0, sys.argv[1])
import test_code_swap
test_code_swap.test_recursion_that_fills_many_chunks_of_frames()
test_code_swap.ran.clear()
test_code_swap.test_threads()
print(sys._jit.is_enabled())
"""


@pytest.mark.skipif(
    not (hasattr(sys, "_jit") and sys._jit.is_available()), reason="CPython has no JIT here"
)
def test_cpythons_jit_traces_no_frame_with_other_code() -> None:
    """3.15's would take the constants and the size of the stack from the function's own code."""
    done = subprocess.run(
        [sys.executable, "-c", UNDER_CPYTHONS_JIT, str(Path(__file__).parent)],
        env={**os.environ, "PYTHON_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert (done.returncode, done.stdout.split()) == (0, [str(sys.version_info < (3, 15))])
