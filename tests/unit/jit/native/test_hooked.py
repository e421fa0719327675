"""The handler of the frame hook: which dispatcher a function has, and what is no dispatcher."""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Iterator
from typing import Any, ClassVar

import entries as make
import pytest
from entries import entry

from framejit.jit.native import _core


@pytest.fixture(autouse=True)
def _options() -> Iterator[None]:
    _core.hook_set_callbacks(None, None)  # they know nothing of these options
    with make.options():
        yield


def f(a: Any, b: Any = 2) -> Any:
    return "eager"


def g(a: Any, *, b: Any) -> Any:
    return "eager"


class Mortal:
    """An owner of a function that records when it is forgotten."""

    forgotten: ClassVar[list[Any]] = []

    def _forget(self) -> None:
        self.forgotten.append(self)


def dispatcher(function: Any, *entries: Any) -> Any:
    """A dispatcher that captures nothing."""
    made = _core.Dispatcher(function, None)
    made._closed = True
    for one in entries:
        made._add(one)
    return made


def handler(made: Any) -> Any:
    """A handler that adopts every function with this dispatcher."""
    return _core.HookHandler(lambda _: made)


def test_entries_answer_for_the_frame() -> None:
    """A hit is the result; without one the frame runs as it is."""
    hit = dispatcher(f, entry(n_live=2, python_kernel=lambda a, b: (0, (a, b))))

    assert handler(hit)(f, 1, 2) == (1, 2)
    assert hit._hits == 1
    assert handler(dispatcher(f))(f, 1, 2) is _core.RUN_ORIGINAL
    assert handler(None)(f, 1, 2) is _core.RUN_ORIGINAL


def test_rewritten_code_goes_on_in_the_frame() -> None:
    """Whatever the parameters are: they are bound already."""

    def star(*a: Any, b: Any, **c: Any) -> Any:
        return "eager"

    for function in (f, g, star):
        made = dispatcher(function)
        made._fallback = rewritten = lambda: "rewritten"
        answer = handler(made)(function, 1, 2)

        assert type(answer) is _core.CodeSwap
        assert answer.function is rewritten


def test_a_function_that_owns_a_dispatcher_is_not_adopted_again() -> None:
    """Only a dispatcher answers before adopt(); the frame of a function that owns others runs."""

    def h(a: Any, b: Any = 2) -> Any:
        return "eager"

    made = dispatcher(h, entry(n_live=2))
    asked: list[Any] = []
    _core.own(h, made)
    handle = _core.HookHandler(asked.append)  # type: ignore[arg-type]

    assert handle(h, "x", 2) == "x"
    assert handle(g, 1, 2) is _core.RUN_ORIGINAL
    _core.own(h, Mortal())
    assert handle(h, "x", 2) is _core.RUN_ORIGINAL
    assert asked == [g]


def test_another_number_of_arguments_is_left_alone() -> None:
    """A frame whose code was replaced has other locals than the dispatcher knows."""
    made = dispatcher(f, entry(n_live=2))
    for arguments in ((), (1,), (1, 2, 3)):
        assert handler(made)(f, *arguments) is _core.RUN_ORIGINAL
    star = dispatcher(lambda *a: a)
    assert handler(star)(f) is _core.RUN_ORIGINAL


def test_switched_off_the_frame_runs() -> None:
    """No options in force."""
    made = dispatcher(f, entry(n_live=2))
    with make.options(None):
        assert handler(made)(f, 1, 2) is _core.RUN_ORIGINAL


@pytest.mark.parametrize("wrong", [1.5, f, object(), entry()])
def test_what_is_no_dispatcher_is_refused(wrong: Any) -> None:
    """From adopt(): a TypeError, and nothing is kept."""
    before = sys.getrefcount(wrong)
    handle = handler(wrong)
    for _ in range(10):
        with pytest.raises(TypeError, match="a Dispatcher or None is needed"):
            handle(f, 1, 2)
    del handle

    assert sys.getrefcount(wrong) == before


def test_wrong_calls() -> None:
    """The hook passes a function and positional arguments; the constructor wants one thing."""
    for call in (lambda: handler(None)(), lambda: handler(None)(f, a=1)):
        with pytest.raises(TypeError, match="a function and its arguments"):
            call()
    for arguments in ((), ({}, len)):
        with pytest.raises(TypeError):
            _core.HookHandler(*arguments)


def test_errors_come_out() -> None:
    """Errors of adopt() and of the kernel reach the caller, and no reference is leaked."""

    def fails(*_: Any) -> Any:
        raise LookupError

    argument = object()
    before = sys.getrefcount(argument)
    made = dispatcher(f, entry(n_live=2, python_kernel=fails))
    for handle in (handler(made), _core.HookHandler(fails)):
        for _ in range(10):
            with pytest.raises(LookupError):
                handle(f, argument, argument)

    assert sys.getrefcount(argument) == before


def test_a_handler_in_a_cycle_is_collected() -> None:
    """The collector finds the cycle of a handler and its `adopt`."""

    class Adopts:
        handle: Any

        def __call__(self, function: Any) -> None:
            return None

    adopts = Adopts()
    adopts.handle = _core.HookHandler(adopts)
    died = weakref.ref(adopts)
    del adopts
    gc.collect()

    assert died() is None


def test_what_a_function_owns_dies_with_it() -> None:
    """It is told when the function dies, by itself or by the garbage collector."""
    Mortal.forgotten.clear()
    before = set(map(id, _core.all_owned()))  # of functions of other tests
    functions = [eval("lambda: 1") for _ in range(500)]
    things = [Mortal() for _ in functions]
    for function, thing in zip(functions, things, strict=True):
        _core.own(function, thing)
    assert [_core.owned(function) for function in functions] == things
    assert _core.owner(things[7]) is functions[7]
    del functions[::2]
    del function

    assert Mortal.forgotten == things[::2]
    assert [_core.owned(function) for function in functions] == things[1::2]
    functions.clear()
    assert len(Mortal.forgotten) == len(things)
    assert set(map(id, _core.all_owned())) == before


def test_the_garbage_collector_sees_what_a_function_owns() -> None:
    """A thing that leads back to its function keeps neither alive."""
    Mortal.forgotten.clear()

    def cyclic() -> weakref.ref[Any]:
        def h() -> None:
            return None

        thing = Mortal()
        thing.back = h  # type: ignore[attr-defined]
        _core.own(h, thing)
        return weakref.ref(h)

    ref = cyclic()
    gc.collect()
    Mortal.forgotten.clear()

    assert ref() is None


def test_what_is_owned_may_fail_to_let_go(monkeypatch: Any) -> None:
    """An error in _forget() is reported and reaches nobody."""
    reported = []
    monkeypatch.setattr(sys, "unraisablehook", lambda report: reported.append(report.exc_type))
    _core.own(eval("lambda: 1"), object())

    assert reported == [AttributeError]
