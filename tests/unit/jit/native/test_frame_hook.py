"""The frame hook: whom it asks, what it hands over, and that nothing shows of it."""

from __future__ import annotations

import gc
import operator
import sys
import traceback
import types
import weakref
from typing import Any

import pytest
from hooking import HANDLE, SKIP, handled_in_c, hooked

from framejit.jit.native import _core

pytestmark = pytest.mark.usefixtures("clean_hook")


# ---- the words of code objects ----------------------------------------------------------------


def test_a_mark_is_kept_with_a_count_of_frames() -> None:
    """hook_get_mark tells the mark and how many frames were seen since there is one."""

    def f() -> int:
        return 1

    assert _core.hook_get_mark(f.__code__) == (_core.MARK_UNKNOWN, 0)
    hooked(lambda: [f() for _ in range(5)], lambda *_: None, f, mark=SKIP)
    assert _core.hook_get_mark(f.__code__) == (SKIP, 5)
    _core.hook_mark(f.__code__, HANDLE)
    assert _core.hook_get_mark(f.__code__) == (HANDLE, 5)


def test_wrong_arguments_are_refused() -> None:
    """Only code objects have marks, only three marks exist, callbacks are callable or None."""
    code = test_wrong_arguments_are_refused.__code__
    with pytest.raises(TypeError):
        _core.hook_mark(1, 1)
    with pytest.raises(TypeError):
        _core.hook_get_mark(len)
    for mark in (-1, 3):
        with pytest.raises(ValueError, match="no mark"):
            _core.hook_mark(code, mark)
    for callbacks in ((1, None), (None, 1), (None,)):
        with pytest.raises(TypeError):
            _core.hook_set_callbacks(*callbacks)


def test_a_mark_does_not_keep_its_code_alive() -> None:
    """co_extra holds a word, no reference: marked code goes when its function goes."""
    namespace: dict[str, Any] = {}
    exec("def f(): return 1", namespace)
    code = weakref.ref(namespace["f"].__code__)
    hooked(namespace["f"], lambda *_: 2, namespace["f"])
    namespace.clear()

    assert code() is None


# ---- asking ------------------------------------------------------------------------------------


def test_decide_is_asked_once_with_the_function() -> None:
    """The first frame of unmarked code asks; its answer holds for that frame and all later ones."""
    asked = []

    def f() -> str:
        return "eager"

    def decide(function: Any) -> Any:
        asked.append(function)
        return HANDLE if function is f else SKIP

    _core.hook_set_callbacks(decide, lambda *_: "handled")
    _core.hook_enable()
    results = [f(), f()]
    _core.hook_disable()

    assert (results, asked[0], asked.count(f)) == (["handled", "handled"], f, 1)


def test_an_answer_of_unknown_asks_again() -> None:
    """UNKNOWN leaves the code unmarked and the frame to the interpreter."""
    asked = []

    def f() -> str:
        return "eager"

    def decide(function: Any) -> Any:
        asked.append(function)
        return _core.MARK_UNKNOWN

    _core.hook_set_callbacks(decide, handled_in_c)
    _core.hook_enable()
    results = [f(), f()]
    _core.hook_disable()

    assert (results, asked[:2]) == (["eager", "eager"], [f, f])


def test_what_decide_calls_is_not_asked_about() -> None:
    """Capture is not re-entered: frames under `decide` run as they are."""

    def helper() -> str:
        return "eager"

    answers = []

    def decide(_: types.FunctionType) -> Any:
        answers.append(helper())
        return SKIP

    def f() -> None:
        return None

    _core.hook_mark(helper.__code__, HANDLE)
    _core.hook_set_callbacks(decide, lambda *_: "handled")
    _core.hook_enable()
    f()
    _core.hook_disable()

    assert answers == ["eager"]


@pytest.mark.parametrize("answer", [7, -1, "x", 2**80, None])
def test_a_failing_decide_does_not_reach_the_user(answer: Any, monkeypatch: Any) -> None:
    """An error of the engine is reported, and its code is skipped from then on."""
    reported = []
    monkeypatch.setattr(sys, "unraisablehook", lambda report: reported.append(report.exc_type))

    def f() -> str:
        return "eager"

    def decide(function: types.FunctionType) -> Any:
        if function is not f:
            return SKIP
        if answer is None:
            raise LookupError
        return answer

    _core.hook_mark(f.__code__, _core.MARK_UNKNOWN)
    _core.hook_set_callbacks(decide, lambda *_: "handled")
    _core.hook_enable()
    results = [f(), f()]
    _core.hook_disable()

    assert results == ["eager", "eager"]
    assert len(reported) == 1
    assert issubclass(reported[0], (LookupError, ValueError, TypeError, OverflowError))
    assert _core.hook_get_mark(f.__code__)[0] == SKIP


def test_an_interrupt_in_decide_is_the_users() -> None:
    """Ctrl-C while the engine decides comes out at the call, without the engine's frames."""

    def f() -> str:
        return "eager"

    def decide(_: types.FunctionType) -> int:
        raise KeyboardInterrupt

    _core.hook_set_callbacks(decide, None)
    _core.hook_enable()
    try:
        f()
    except KeyboardInterrupt as error:
        _core.hook_set_callbacks(None, None)
        names = [entry.name for entry in traceback.extract_tb(error.__traceback__)]
    assert names == ["test_an_interrupt_in_decide_is_the_users"]
    assert _core.hook_get_mark(f.__code__)[0] == _core.MARK_UNKNOWN


# ---- answering ---------------------------------------------------------------------------------


def signatures() -> list[tuple[Any, tuple[Any, ...]]]:
    """Calls of functions, with the arguments as they are bound in the order of co_varnames."""

    def none() -> str:
        return "eager"

    def plain(a: int, b: int = 2) -> str:
        return "eager"

    def every(a: int, /, b: int, *rest: int, c: int, d: int = 4, **more: int) -> str:
        return "eager"

    def cell(a: int) -> Any:
        return lambda: a

    def local(a: int) -> int:
        b = c = d = a
        return b + c + d

    def passes(a: int) -> Any:
        pass

    many: dict[str, Any] = {}
    exec(f"def many({', '.join(f'a{k}' for k in range(40))}): return 'eager'", many)
    return [
        (lambda: (none, none()), ()),
        (lambda: (plain, plain(1)), (1, 2)),
        (lambda: (plain, plain(b=1, a=3)), (3, 1)),
        (lambda: (every, every(1, 2, 7, 8, c=3, e=5)), (1, 2, 3, 4, (7, 8), {"e": 5})),
        (lambda: (cell, cell(1)), (1,)),
        (lambda: (local, local(1)), (1,)),
        (lambda: (passes, passes(1)), (1,)),
        (lambda: (many["many"], many["many"](*range(40))), tuple(range(40))),
    ]


@pytest.mark.parametrize("case", range(8))
def test_handle_gets_the_bound_arguments(case: int) -> None:
    """handle(function, *localsplus up to the last parameter); its result is the call's."""
    call, expected = signatures()[case]

    def handle(function: types.FunctionType, *arguments: Any) -> Any:
        return function, arguments

    function = call()[0]
    _, (got_function, got) = hooked(call, handle, function)

    assert (got_function, got) == (function, expected)


def test_run_original_evaluates_the_frame() -> None:
    """RUN_ORIGINAL gives the frame back as it came."""

    def f(a: int, *rest: int) -> Any:
        return a, rest

    assert hooked(lambda: f(1, 2, 3), lambda *_: _core.RUN_ORIGINAL, f) == (1, (2, 3))


def test_without_handle_the_frame_runs() -> None:
    """A frame marked HANDLE runs as it is when nobody is there to handle it."""

    def f() -> str:
        return "eager"

    assert hooked(f, None, f) == "eager"


@pytest.mark.parametrize("python_handle", [True, False])
def test_a_traceback_has_no_entry_for_the_replaced_frame(python_handle: bool) -> None:
    """An exception comes out of the call: no entry at the def line, none of ours."""

    def f(a: int) -> None:
        return None

    def handle(_: Any, a: int) -> None:
        raise TypeError

    try:
        hooked(lambda: f(1), handle if python_handle else operator.truediv, f)
    except TypeError as error:
        names = [entry.name for entry in traceback.extract_tb(error.__traceback__)][1:]

    assert names == ["hooked", "<lambda>"] + ["handle"] * python_handle


def test_an_exception_meets_the_state_that_eager_would_meet() -> None:
    """__context__, the handler of the caller and sys.exception after it are as ever."""
    handled = []

    def f() -> None:
        return None

    def handle(_: Any) -> None:
        raise ValueError("inner")

    def call() -> BaseException | None:
        try:
            raise KeyError("outer")
        except KeyError:
            try:
                f()
            except ValueError as error:
                handled.append(sys.exc_info()[1] is error)
                return error.__context__
        return None

    assert isinstance(hooked(call, handle, f), KeyError)
    assert handled == [True]
    assert sys.exc_info() == (None, None, None)


def test_handle_stands_where_the_frame_stood() -> None:
    """The replaced frame is not on the stack: the caller of `handle` is the caller of f."""

    def f() -> Any:
        return None

    def handle(_: Any) -> str:
        return sys._getframe(1).f_code.co_name

    def caller() -> Any:
        return f()

    assert hooked(caller, handle, f) == "caller"


def test_everything_may_change_while_handle_runs() -> None:
    """Callbacks, marks, enabling and even the function's code may be replaced under the frame."""
    namespace: dict[str, Any] = {}
    exec("def f(a): return 'eager'", namespace)
    f = namespace["f"]
    code = weakref.ref(f.__code__)

    def handle(function: types.FunctionType, a: int) -> Any:
        function.__code__ = (lambda a: "new").__code__
        _core.hook_set_callbacks(None, None)
        _core.hook_disable()
        _core.hook_enable()
        gc.collect()
        return code() is not None

    assert hooked(lambda: f(1), handle, f) is True
    assert (code(), f(1)) == (None, "new")


def test_finalizers_of_arguments_run_python() -> None:
    """Arguments die with the frame, and what they run then is hooked as well."""
    died = []

    class Mortal:
        def __del__(self) -> None:
            died.append(f(None))

    def f(a: object) -> str:
        return "eager"

    assert hooked(lambda: f(Mortal()), lambda *_: "handled", f) == "handled"
    assert died == ["handled"]


@pytest.mark.parametrize("warm", [0, 200])
def test_specialised_call_sites_are_seen(warm: int) -> None:
    """A call reaches the hook, or runs as it is where the interpreter took a short cut."""

    class C:
        def __init__(self) -> None:
            self.made = "eager"

        @property
        def p(self) -> str:
            return "eager"

        def __getitem__(self, _: int) -> str:
            return "eager"

        def method(self) -> str:
            return "eager"

    def call() -> list[Any]:
        c = C()
        return [getattr(c, "made", "handled"), c.p, c[0], c.method()]

    for _ in range(warm):
        call()
    codes = (C.__init__, vars(C)["p"].fget, C.__getitem__, C.method)
    handle = {"__init__": None}
    got = hooked(call, lambda f, *_: handle.get(f.__name__, "handled"), *codes)

    # Some specialised instructions enter a frame without asking for the evaluation function:
    # __getitem__ on 3.11.2, __init__ on 3.13.0. Such a frame runs as it is.
    assert got[3] == "handled"
    assert warm or got == ["handled"] * 4
    assert set(got) <= {"handled", "eager"}
