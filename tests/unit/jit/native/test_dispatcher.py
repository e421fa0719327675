"""The dispatcher: what it holds while it runs, what it refuses."""

from __future__ import annotations

import functools
import gc
import sys
import weakref
from collections.abc import Iterator
from typing import Any

import entries as make
import pytest
from dispatchers import both, dispatcher, outcome
from entries import OPTIONS, entry

from framejit.jit.native import _core


@pytest.fixture(autouse=True)
def _options() -> Iterator[None]:
    with make.options():
        yield


def test_counts_of_arguments_and_defaults() -> None:
    """References are as before after hits, misses, errors and wrong calls."""
    argument, default, result = [object() for _ in range(3)]

    def f(a: Any, b: Any = default, *, c: Any = default) -> Any:
        return result

    def fails(*_: Any) -> Any:
        raise KeyError

    kernels = [lambda *_: (0, result), lambda *_: None, fails, lambda *_: 1, lambda *_: (1, 2, 3)]
    objects = (argument, default, result, f, f.__defaults__, f.__kwdefaults__)
    for kernel in kernels:
        made = dispatcher(f, entry(n_live=3, python_kernel=kernel))
        missing = dispatcher(f, miss=fails)
        before = [sys.getrefcount(one) for one in objects]
        for _ in range(100):
            outcome(made, (argument,), {})
            outcome(made, (argument, argument), {"c": argument})
            outcome(made, (), {"d": argument})
            outcome(missing, (argument,), {"c": 1})
        assert [sys.getrefcount(one) for one in objects] == before


def test_defaults_replaced_while_an_entry_runs() -> None:
    """The objects that were bound stay for as long as the call uses them."""

    class Default:
        pass

    def f(a: Any, b: Any = None, *, c: Any = None) -> Any:
        return None

    def set_defaults() -> tuple[Any, ...]:
        f.__defaults__, f.__kwdefaults__ = (Default(),), {"c": Default()}
        return weakref.ref(f.__defaults__[0]), weakref.ref(f.__kwdefaults__["c"])

    def miss(options: Any, live: tuple[Any, ...]) -> bool:
        del live
        f.__defaults__ = f.__kwdefaults__ = None
        gc.collect()
        made._add(entry(n_live=3, python_kernel=lambda *slots: (0, [type(s) for s in slots])))
        return True

    died = set_defaults()
    made = dispatcher(f, miss=miss)

    assert made(1) == [int, Default, Default]
    assert [ref() for ref in died] == [None, None]


def test_let_go_while_it_runs() -> None:
    """A caller may drop the dispatcher meanwhile, as functools.partial does: the call holds it."""

    def miss(options: Any, live: tuple[Any, ...]) -> bool:
        partial.__setstate__((both, (), {}, {}))
        gc.collect()
        return False

    made = dispatcher(both, miss=miss)
    died = weakref.ref(made)
    partial = functools.partial(made)
    del made

    assert partial(1, 2) == (1, 2)
    assert died() is None


def test_let_go_while_its_kernel_runs() -> None:
    """The same, with the last owner of the running entry gone."""
    kept: list[Any] = []

    def kernel(*slots: Any) -> Any:
        partial.__setstate__((both, (), {}, {}))
        kept.clear()
        gc.collect()
        return 0, slots

    made = dispatcher(both, entry(n_live=2, python_kernel=kernel))
    partial = functools.partial(made)
    del made

    assert partial(1, 2) == (1, 2)
    assert partial.func is both


def test_options_replaced_while_it_runs() -> None:
    """The options in force at the start of a call are those of the whole call."""

    class Options:
        pass

    seen = []

    def miss(options: Any, live: tuple[Any, ...]) -> bool:
        token = tokens.pop()
        _core.pop_options(token)
        tokens.append(_core.push_options(OPTIONS))
        gc.collect()
        made._add(entry(n_live=2, options=options))
        seen.append(type(options))
        return True

    made = dispatcher(both, miss=miss)
    tokens = [_core.push_options(Options())]
    result = made(7, 2)
    _core.pop_options(tokens.pop())

    assert (result, seen) == (7, [Options])


def test_miss_is_asked_again_only_when_it_added() -> None:
    """True means an entry to try; an entry that misses again means the function."""
    asked = []

    def miss(options: Any, live: tuple[Any, ...]) -> bool:
        asked.append(live)
        return True

    made = dispatcher(both, miss=miss)

    assert made(1, 2) == (1, 2)
    assert asked == [(1, 2)]


def test_errors_of_the_manager_come_out() -> None:
    """An exception in miss() or prepare(), or a manager without them, is the call's."""

    class Bad:
        def __bool__(self) -> bool:
            raise OSError

    def fails(*_: Any) -> Any:
        raise LookupError

    assert outcome(dispatcher(both, miss=fails), (1, 2), {})[0] is LookupError
    assert outcome(dispatcher(both, miss=lambda *_: Bad()), (1, 2), {})[0] is OSError  # type: ignore[arg-type, return-value]
    live = [object(), object()]
    before = [sys.getrefcount(one) for one in live]
    for function in (both, lambda *a: a):
        made = _core.Dispatcher(function, None)
        assert outcome(made, tuple(live), {})[0] is AttributeError

    assert [sys.getrefcount(one) for one in live] == before


def test_internals_are_checked() -> None:
    """Attributes that C relies on take nothing else."""
    made = dispatcher(both)
    with pytest.raises(TypeError):
        _core.Dispatcher(len, None)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        _core.Dispatcher(both)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        made._add(None)
    for name, wrong in (("_fallback", len), ("_resume", 1), ("_resume", both), ("_closed", "x")):
        with pytest.raises(TypeError):
            setattr(made, name, wrong)
    for name in ("_fallback", "_resume"):
        with pytest.raises(TypeError):
            delattr(made, name)
    made._resume = None
    assert made._resume is None


@pytest.mark.parametrize("resumable", [True, False])
def test_a_checkpoint_needs_a_way_to_resume(resumable: bool) -> None:
    """Without one the call is an error; with one that is never reached the payload is dropped."""
    payload = object()
    made = dispatcher(both, entry(n_live=2, n_exits=2, python_kernel=lambda *_: (1, payload)))
    if resumable:
        made._resume = make.segment()
    before = sys.getrefcount(payload)
    if resumable:
        assert made(1, 2) == (1, 2)
    else:
        with pytest.raises(SystemError, match="without a way to resume"):
            made(1, 2)

    assert sys.getrefcount(payload) == before


def test_a_cleared_dispatcher_runs_the_function() -> None:
    """A finaliser may call what the garbage collector has cleared already."""
    results: list[Any] = []

    def in_a_cycle() -> None:
        class Caller:
            """Not tracked by the collector: it dies when what it stands in is cleared."""

            __slots__ = ()

            def __del__(self) -> None:
                results.append(made(1, 2))

        def kernel(*slots: Any) -> Any:
            return 0, (made, *slots)[1:]

        made = dispatcher(both, entry(n_live=2, python_kernel=kernel))
        made.caller = Caller()

    in_a_cycle()
    gc.collect()

    assert results == [(1, 2)]
