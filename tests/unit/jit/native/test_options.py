"""The options in force: per context, also in contexts that outlive the block that set them."""

from __future__ import annotations

import asyncio
import contextvars
import gc
import subprocess
import sys
import threading
import weakref
from typing import Any

import numpy as np
import pytest
from oracle import assert_counts

from framejit import config, disable, jit
from framejit.jit.native import _core


class Options:
    """Stands for a set of options."""


def test_pushed_options_are_in_force_until_popped() -> None:
    """Blocks nest; None switches off; every object is given back."""
    outside = _core.options_now()
    first, second = Options(), Options()
    before = [sys.getrefcount(first), sys.getrefcount(second)]
    seen = []
    one = _core.push_options(first)
    seen.append(_core.options_now())
    two = _core.push_options(second)
    seen.append(_core.options_now())
    three = _core.push_options(None)
    seen.append(_core.options_now())
    for token in (three, two, one):
        _core.pop_options(token)
        seen.append(_core.options_now())

    assert seen == [first, second, None, second, first, outside]
    seen.clear()
    del one, two, three, token
    assert [sys.getrefcount(first), sys.getrefcount(second)] == before


def test_a_token_is_used_once() -> None:
    """A second time, in another context, or something else: an error, and nothing changes."""
    outside = _core.options_now()
    token = _core.push_options(None)
    with pytest.raises(ValueError, match="different Context"):
        contextvars.Context().run(_core.pop_options, token)
    _core.pop_options(token)
    with pytest.raises(RuntimeError):
        _core.pop_options(token)
    with pytest.raises(TypeError):
        _core.pop_options(None)

    assert _core.options_now() is outside


def test_default_options() -> None:
    """They hold where nothing is pushed, and are replaced and given back."""
    outside = _core.options_now()
    mine = Options()
    died = weakref.ref(mine)
    try:
        _core.set_default_options(mine)
        assert _core.options_now() is mine
        _core.set_default_options(None)
        assert _core.options_now() is None
    finally:
        _core.set_default_options(outside)
    del mine
    gc.collect()

    assert died() is None
    assert _core.options_now() is outside


def test_a_copied_context_keeps_its_options() -> None:
    """A context that was copied in a config() block has its options when the block has ended."""
    f = jit(lambda x: x * 2 + 1)
    x = np.arange(3.0)
    f(x)
    with config(backend="eager"):
        context = contextvars.copy_context()
    for _ in range(3):
        context.run(f, x)

    assert_counts([f], hits=1)
    f(x)
    assert_counts([f], hits=2)


def test_a_task_keeps_the_options_it_was_made_under() -> None:
    """The same for asyncio, whose tasks run when the block has ended."""
    f = jit(lambda x: x * 2 + 1)
    x = np.arange(3.0)
    f(x)

    async def call() -> Any:
        await asyncio.sleep(0)
        return f(x)

    async def main() -> list[Any]:
        with disable():
            eager = asyncio.ensure_future(call())
        return [await eager, await asyncio.ensure_future(call())]

    results = asyncio.run(main())

    assert [one.tolist() for one in results] == [[1.0, 3.0, 5.0]] * 2
    assert_counts([f], hits=2)


def test_a_new_thread_has_the_default() -> None:
    """Options of a block are its context's; a thread starts with a context of its own."""
    seen: list[Any] = []
    outside = _core.options_now()
    token = _core.push_options(Options())
    thread = threading.Thread(target=lambda: seen.append(_core.options_now()))
    thread.start()
    thread.join()
    _core.pop_options(token)

    assert seen == [outside] or hasattr(sys.flags, "thread_inherit_context")


def test_a_tracer_switches_off() -> None:
    """While a debugger or a profiler watches there are no options."""
    seen = []
    old = sys.getprofile()
    sys.setprofile(lambda *_: None)
    try:
        seen.append(_core.options_now())
    finally:
        sys.setprofile(old)

    assert seen == [None]
    assert (_core.options_now() is None) == (old is not None or sys.gettrace() is not None)


def test_importing_and_calling_leaves_the_context_as_it_was() -> None:
    """A variable of NumPy's that stays set there is looked up past at each later call of NumPy."""
    code = (
        "import contextvars, numpy, framejit\n"
        "@framejit.jit\n"
        "def f(x): return numpy.exp(x * 1e300)\n"
        "for _ in range(2): f(numpy.ones(3))\n"
        "print(list(contextvars.copy_context()))\n"
    )
    done = subprocess.run([sys.executable, "-Wignore", "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
