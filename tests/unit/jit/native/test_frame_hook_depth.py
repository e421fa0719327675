"""The frame hook in deep recursion, in threads and after a fork."""

from __future__ import annotations

import operator
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest
from hooking import HANDLE, handled_in_c, hooked, python

from framejit.jit.native import _core

pytestmark = pytest.mark.usefixtures("clean_hook")


# ---- depth -------------------------------------------------------------------------------------


DEEP = """
import sys, threading
from framejit.jit.native import _core
def plain(n): return 0 if n == 0 else 1 + plain(n - 1)
def mapped(n): return 0 if n == 0 else 1 + next(map(mapped, (n - 1,)))
def generated(n):
    if n: yield from generated(n - 1)
    yield n
def listed(n): return len(list(generated(n))) - 1
def handled(n): return n
def work():
    assert {function}({depth}) == {depth}
    state = _core.hook_state()
    assert state["installed"], state
    print(bool(state["defaulted"]["deep"]), bool(state["handled"]))
def handle(function, n): return 0 if n == 0 else 1 + function(n - 1)
def main():
    _core.hook_mark(handled.__code__, 2)
    _core.hook_set_callbacks(lambda f: 1, handle)
    _core.hook_enable()
    if {elsewhere}:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    else:
        work()
sys.setrecursionlimit({limit})
if {stack}:
    threading.stack_size({stack})
    thread = threading.Thread(target=main)
    thread.start()
    thread.join()
else:
    main()
"""

SMALL = 15 if sys.version_info >= (3, 14) else 60
"""Calls through C for which 64 KiB are enough without a hook: 3.14 keeps half of them back."""


@pytest.mark.parametrize(
    ("function", "depth", "limit", "stack", "elsewhere", "deep"),
    [
        ("plain", 900, 1000, 0, False, False),
        ("plain", 150_000, 200_000, 0, False, True),
        ("plain", 900, 1000, 65536, False, True),
        ("plain", 20_000, 30_000, 65536, True, True),
        ("listed", 900, 1000, 0, False, False),
        ("listed", 10_000, 30_000, 0, False, True),
        ("listed", 100, 1000, 65536, False, True),
        ("mapped", 700, 1000, 0, False, False),
        ("mapped", SMALL, 1000, 65536, False, True),
        ("handled", 900, 1000, 0, False, True),
    ],
)
def test_what_plain_python_survives_we_survive(
    function: str, depth: int, limit: int, stack: int, elsewhere: bool, deep: bool
) -> None:
    """Below a measured part of the C stack the hook steps aside; it is back afterwards."""
    printed = python(
        DEEP.format(function=function, depth=depth, limit=limit, stack=stack, elsewhere=elsewhere)
    )

    assert printed.split() == [str(deep), str(function == "handled")]


def test_the_recursion_limit_is_where_it_was() -> None:
    """RecursionError comes at the same depth, hooked or not, and before `handle` is called."""

    def f() -> None:
        return None

    def depth(n: int) -> int:
        try:
            return depth(n + 1)
        except RecursionError:
            pass
        try:
            f()
        except RecursionError:
            return n
        return -1

    def measure(enable: Callable[[], Any]) -> int:
        enable()
        return depth(0)

    _core.hook_mark(f.__code__, HANDLE)
    _core.hook_set_callbacks(operator.truth, handled_in_c)
    eager = measure(_core.tools_active)

    assert measure(_core.hook_enable) == eager > 0


# ---- threads, forks, other hooks ---------------------------------------------------------------


def test_enabling_nests_and_the_last_one_restores() -> None:
    """The interpreter's own function is back when the last hook_enable() is undone."""
    for _ in range(3):
        _core.hook_enable()
    depths = []
    for _ in range(3):
        depths.append((_core.hook_state()["thread_depth"], _core.hook_state()["installed"]))
        _core.hook_disable()

    assert depths == [(3, True), (2, True), (1, True)]
    assert not _core.hook_state()["installed"]
    with pytest.raises(RuntimeError, match="without"):
        _core.hook_disable()


def test_a_thread_is_hooked_only_when_it_asks() -> None:
    """Enabling belongs to a thread; a thread that ends disables itself."""

    def f() -> str:
        return "eager"

    got = []

    def other() -> None:
        got.append(f())
        _core.hook_enable()
        got.append(f())
        got.append(_core.hook_state()["threads"])

    def call() -> None:
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()

    hooked(call, lambda *_: "handled", f)
    assert got == ["eager", "handled", 2]
    assert _core.hook_state()["threads"] == 0


FORK = """
import os, threading
from framejit.jit.native import _core
def f(): return "eager"
def recurse(n):
    if n: return recurse(n - 1)
    ready.set()
    done.wait()
def other():
    _core.hook_enable()
    recurse({depth})
_core.hook_mark(f.__code__, 2)
_core.hook_set_callbacks(lambda _: 1, lambda *_: "handled")
ready, done = threading.Event(), threading.Event()
threading.stack_size(131072)
thread = threading.Thread(target=other)
thread.start()
ready.wait()
_core.hook_enable()
before = _core.hook_state()
pid = os.fork()
if pid == 0:
    now = _core.hook_state()
    good = (now["threads"], now["thread_depth"], now["installed"], f()) == (1, 1, True, "handled")
    _core.hook_disable()
    os._exit(0 if good and not _core.hook_state()["installed"] and f() == "eager" else 1)
status = os.waitpid(pid, 0)[1]
done.set()
thread.join()
print(before["threads"], before["installed"], status, _core.hook_state()["installed"], f())
"""


@pytest.mark.parametrize("depth", [0, 400])
def test_after_a_fork_only_the_forking_thread_is_left(depth: int) -> None:
    """The child forgets the other threads, and that one of them had taken the hook out."""
    printed = python(FORK.format(depth=depth), "-W", "ignore")

    assert printed.split() == ["2", str(depth == 0), "0", "True", "handled"]


LEAVING = """
import threading
import time
from framejit.jit.native import _core
_core.hook_set_callbacks(lambda f: 2, lambda f, *a: _core.RUN_ORIGINAL)
_core.hook_enable()
threading.Thread(target=_core.hook_enable).start()
class C:
    def __del__(self): self.x = [1]
kept = C()
"""


def test_leaving_while_enabled_is_quiet() -> None:
    """A program may end without disabling, in any thread."""
    assert python(LEAVING) == ""


SUBINTERPRETER = """
import _testcapi
from framejit.jit.native import _core
print(_testcapi.run_in_subinterp('''
from framejit.jit.native import _core
try:
    _core.hook_enable()
except RuntimeError as error:
    assert str(error) == "frames cannot be hooked: this is a subinterpreter"
else:
    raise SystemError
'''))
"""


def test_a_subinterpreter_is_told_why_not() -> None:
    """hook_enable names the reason where frames cannot be hooked."""
    pytest.importorskip("_testcapi")

    assert python(SUBINTERPRETER, "-W", "ignore") == "0\n"
