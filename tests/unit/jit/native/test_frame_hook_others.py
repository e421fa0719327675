"""The frame hook among other hooks, and what it does to memory."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import itertools
import mmap
import operator
import struct
import sys
import time
import tracemalloc
from collections.abc import Iterator
from typing import Any, ClassVar

import pytest
from hooking import HANDLE, SKIP, handled_in_c, hooked, python

from framejit.jit.native import _core

pytestmark = pytest.mark.usefixtures("clean_hook")


class OtherHook:
    """An evaluation function that counts its frames and passes them on (x86-64 machine code)."""

    kept: ClassVar[list[OtherHook]] = []
    """Each of them: the interpreter may be on its way through one when its test ends."""

    def __init__(self, target: int) -> None:
        self.kept.append(self)
        self.count = ctypes.c_int64(0)
        self.memory = mmap.mmap(-1, 64, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        counter = ctypes.addressof(self.count)
        # mov rax, counter; inc qword [rax]; mov rax, target; jmp rax
        text = (b"\x48\xb8", counter, b"\x48\xff\x00\x48\xb8", target, b"\xff\xe0")
        self.memory.write(struct.pack("<2sq5sq2s", *text))


def evaluation(*function: int) -> int:
    """Installs an evaluation function, when one is given; returns the one that is installed."""
    api = ctypes.pythonapi
    api.PyInterpreterState_Main.restype = ctypes.c_void_p
    api._PyInterpreterState_GetEvalFrameFunc.restype = ctypes.c_void_p
    main = ctypes.c_void_p(api.PyInterpreterState_Main())
    for address in function:
        api._PyInterpreterState_SetEvalFrameFunc(main, ctypes.c_void_p(address))
    return int(api._PyInterpreterState_GetEvalFrameFunc(main))


@pytest.fixture
def eager_hook() -> Iterator[int]:
    """CPython's own evaluation function, which is back in its place afterwards."""
    default = evaluation()
    yield default
    evaluation(default)


def test_a_hook_that_was_there_gets_our_frames(eager_hook: int) -> None:
    """Frames that we leave alone go to the earlier hook, and it is back when we go."""

    def f() -> str:
        return "eager"

    other = OtherHook(eager_hook)
    evaluation(other.address)
    _core.hook_set_callbacks(operator.truth, None)
    _core.hook_enable()
    before = other.count.value
    got = f()
    seen = other.count.value - before
    _core.hook_disable()

    assert (got, seen, evaluation()) == ("eager", 1, other.address)


def test_a_hook_on_top_of_ours_stays(eager_hook: int) -> None:
    """The last hook_disable() leaves what others have put on top of us; enabling works again."""

    def f() -> str:
        return "eager"

    _core.hook_mark(f.__code__, HANDLE)
    _core.hook_set_callbacks(operator.truth, handled_in_c)
    _core.hook_enable()
    ours = evaluation()
    other = OtherHook(ours)
    evaluation(other.address)
    got = [f()]
    _core.hook_disable()
    got.append(f())
    assert evaluation() == other.address
    _core.hook_enable()
    got.append(f())
    assert evaluation() == other.address
    evaluation(ours)
    _core.hook_disable()

    assert got == ["handled", "eager", "handled"]
    assert evaluation() == eager_hook


def test_a_hook_that_dropped_ours_is_noticed(eager_hook: int) -> None:
    """Where the function that we had replaced is back, enabling installs the hook again."""
    _core.hook_enable()
    evaluation(eager_hook)
    assert not _core.hook_state()["installed"]
    _core.hook_disable()
    _core.hook_enable()

    assert _core.hook_state()["installed"]


def test_a_hook_that_leads_back_to_ours_is_cut_short(eager_hook: int) -> None:
    """Standing on a hook that remembers us from before must not go round in circles."""

    def f() -> str:
        return "eager"

    _core.hook_set_callbacks(operator.truth, None)
    _core.hook_enable()
    other = OtherHook(evaluation())
    _core.hook_disable()
    evaluation(other.address)
    _core.hook_enable()
    got = f()
    _core.hook_disable()

    assert (got, evaluation()) == ("eager", other.address)


IS_TRACED = hasattr(sys, "_jit") and sys._jit.is_enabled()
"""CPython's own JIT is on. It traces hot code anew after each change of the evaluation function
and keeps the old traces: 11 KB here, with any evaluation function."""

# ---- memory ------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["handled", "fails", "original", "skipped"])
def test_references_and_memory_stay_exact(way: str) -> None:
    """100 000 frames leave every count and every byte where it was."""
    argument, result = object(), object()

    def f(a: object, *rest: object) -> object:
        return result

    def handle(_: Any, a: object, rest: tuple[object, ...]) -> Any:
        if way == "fails":
            raise ValueError
        return result if way == "handled" else _core.RUN_ORIGINAL

    def call(count: int) -> None:
        for _ in range(count):
            with contextlib.suppress(ValueError):
                f(argument, argument)

    def counts() -> list[int]:
        objects = (argument, result, f, f.__code__, handle, handle.__code__, _core.RUN_ORIGINAL)
        return [sys.getrefcount(each) for each in objects]

    def measure(count: int) -> int:
        hooked(lambda: call(count), handle, f, mark=SKIP if way == "skipped" else HANDLE)
        _core.hook_set_callbacks(None, None)
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    measure(100)
    before = counts()
    tracemalloc.start()
    start = measure(100)
    sizes = [start, *(measure(100_000) for _ in range(2))]
    tracemalloc.stop()
    grown = min(after - one for one, after in itertools.pairwise(sizes))  # a table may grow once

    assert counts() == before
    assert grown < (20_000 if IS_TRACED else 2000)


NO_MEMORY = """
import _testcapi, operator
from framejit.jit.native import _core
made = {}
exec(f"def f({', '.join(f'a{k}' for k in range(20))}): return 'eager'", made)
f, arguments = made["f"], tuple(range(20))
def outcomes(call, undo):
    seen = set()
    for k in range(60):
        _testcapi.set_nomemory(k, k + 1)
        try:
            result = call()
        except MemoryError:
            result = "MemoryError"
        finally:
            _testcapi.remove_mem_hooks()
        seen.add(str(result)[:11])
        undo(result)
    print(sorted(seen))
def undo_enable(result):
    now = _core.hook_state()
    assert now["thread_depth"] == now["threads"] == now["installed"] == (result is None), now
    if result is None:
        _core.hook_disable()
marks = set()
def fresh(_):
    marks.add(_core.hook_get_mark(f.__code__)[0])
    f.__code__ = f.__code__.replace(co_name="again")
    assert _core.hook_get_mark(f.__code__) == (0, 0)
outcomes(_core.hook_enable, undo_enable)
outcomes(_core.hook_state, lambda _: None)
fresh(None)
outcomes(lambda: _core.hook_mark(f.__code__, 1), fresh)
outcomes(lambda: f(*arguments), fresh)
_core.hook_enable()
_core.hook_set_callbacks(operator.truth, None)
marks.clear()
outcomes(lambda: f(*arguments), fresh)
print(marks)
_core.hook_set_callbacks(operator.truth, "handled".format)
_core.hook_mark(f.__code__, 2)
def call():
    return f(*arguments)
call()
outcomes(call, lambda _: None)
"""


def test_a_failed_allocation_is_a_memory_error_or_eager() -> None:
    """Any single allocation may fail: the API raises MemoryError, a frame runs as it is.

    Since 3.14 a call allocates by itself, for its arguments and to instrument new code: MemoryError
    is raised without a hook, too. What handles the last calls needs memory of its own.
    """
    pytest.importorskip("_testcapi")
    as_it_is = ["MemoryError"] * (sys.version_info >= (3, 14)) + ["eager"]

    assert python(NO_MEMORY, "-X", "dev").splitlines() == [
        "['MemoryError', 'None']",
        "['MemoryError', \"{'installed\"]",
        "['MemoryError', 'None']",
        str(as_it_is),
        str(as_it_is),
        "{0, 1}",
        "['MemoryError', 'eager', 'handled']",
    ]


@pytest.mark.alone
def test_enabling_is_cheap() -> None:
    """Each call of a function with breaks does it: the stack is not measured anew each time."""
    times = 2000
    start = time.perf_counter()
    for _ in range(times):
        _core.hook_enable()
        _core.hook_disable()

    assert (time.perf_counter() - start) / times < 20e-6
