"""The dispatcher: arguments in every form, what it holds while it runs, what it refuses."""

from __future__ import annotations

import functools
import gc
import sys
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import entries as make
import pytest
from entries import OPTIONS, entry

from framejit.jit.native import _core


@pytest.fixture(autouse=True)
def _options() -> Iterator[None]:
    with make.options():
        yield


class Manager:
    """The Python side of a dispatcher: captures nothing unless told to."""

    def __init__(self, miss: Callable[..., bool] = lambda *_: False) -> None:
        self.miss = miss
        self.missed: list[Any] = []

    def prepare(self) -> bool:
        self.missed.append("prepare")
        return True


def dispatcher(function: Any, *entries: Any, miss: Callable[..., bool] | None = None) -> Any:
    """A dispatcher with these entries; without `miss` it captures no more."""
    made = _core.Dispatcher(function, Manager(miss or (lambda *_: False)))
    made._closed = miss is None
    for one in entries:
        made._add(one)
    return made


def echo(n_live: int) -> Any:
    """An entry that gives back what was bound."""
    return entry(n_live=n_live, python_kernel=lambda *slots: (0, slots))


def nothing() -> None:
    return None


def both(a: Any, b: Any) -> Any:
    return a, b


def rich(a: Any, /, b: Any, c: Any = 3, *, d: Any, e: Any = 5) -> Any:
    return a, b, c, d, e


def all_default(a: Any = 1, b: Any = 2) -> Any:
    return a, b


CALLS: list[tuple[Any, tuple[Any, ...], dict[str, Any]]] = [
    (nothing, (), {}),
    (nothing, (1,), {}),
    (nothing, (), {"a": 1}),
    (both, (1, 2), {}),
    (both, (1,), {"b": 2}),
    (both, (), {"b": 2, "a": 1}),
    (both, (1,), {}),
    (both, (), {}),
    (both, (1, 2, 3), {}),
    (both, (1, 2), {"b": 3}),
    (both, (1,), {"a": 3}),
    (both, (1, 2), {"c": 3}),
    (both, (1,), {"c": 3}),
    (rich, (1, 2), {"d": 4}),
    (rich, (1,), {"b": 2, "d": 4, "c": 9}),
    (rich, (1, 2, 3), {"d": 4, "e": 6}),
    (rich, (1, 2, 3, 4), {"d": 4}),
    (rich, (1, 2), {}),
    (rich, (), {"a": 1, "b": 2, "d": 4}),
    (rich, (1, 2), {"d": 4, "a": 1}),
    (rich, (1,), {"d": 4}),
    (all_default, (), {}),
    (all_default, (7,), {}),
    (all_default, (), {"b": 7}),
    (all_default, (1, 2), {"aa": 3}),
]


def outcome(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A result, or the class and text of an exception."""
    try:
        return function(*args, **kwargs)
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize(("function", "args", "kwargs"), CALLS)
@pytest.mark.parametrize("hits", [True, False])
def test_arguments_are_bound_as_a_function_binds_them(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], hits: bool
) -> None:
    """Whatever is passed, an entry gets what the function would; what does not fit is a TypeError.

    The text is the function's own.
    """
    count = function.__code__.co_argcount + function.__code__.co_kwonlyargcount
    made = dispatcher(function, *[echo(count)] * hits)
    expected = outcome(function, args, kwargs)
    if function is nothing and hits and expected is None:
        expected = ()

    assert outcome(made, args, kwargs) == expected
    if not isinstance(expected, tuple) or not isinstance(expected[:1], type):
        assert made._calls == 1
    assert made._hits == (hits and not (expected and isinstance(expected[0], type)))


def test_keywords_need_not_be_interned() -> None:
    """A keyword that was put together at run time, or is a str of another class."""

    class Word(str):
        __slots__ = ()

    made = dispatcher(both, echo(2))
    got = [made(**{"".join(["a"]): 1, Word("b"): 2}), made(1, **{Word("b"): 2})]

    assert got == [(1, 2), (1, 2)]
    assert made._hits == 2


def test_keywords_that_are_no_text() -> None:
    """The same TypeError."""
    made = dispatcher(both, echo(2))
    expected: dict[Any, int] = {"a": 1, 2: 2}

    assert outcome(made, (), expected) == outcome(both, (), expected)


def test_methods() -> None:
    """Bound through an instance, through the class, through classmethod and partial."""

    class C:
        plain = dispatcher(both, echo(2))
        of_class = classmethod(dispatcher(both, echo(2)))  # type: ignore[var-annotated]
        static = staticmethod(dispatcher(both, echo(2)))

    c = C()

    assert c.plain(1) == (c, 1)
    assert C.plain(c, b=1) == (c, 1)
    assert c.of_class(1) == (C, 1)
    assert c.static(1, 2) == (1, 2)
    assert functools.partial(C.static, b=2)(1) == (1, 2)
    assert list(map(C.static, [1, 2], [3, 4])) == [(1, 3), (2, 4)]
    assert outcome(c.plain, (), {}) == (
        TypeError,
        "both() missing 1 required positional argument: 'b'",
    )


def test_signatures_that_are_not_bound() -> None:
    """*args, **kwargs and very many parameters: asked once for segments, then the function runs."""
    many: dict[str, Any] = {}
    exec(f"def many({', '.join(f'a{k}' for k in range(17))}): return a16", many)
    for function, args in ((lambda *a: a, (1, 2)), (lambda **k: k, ()), (many["many"], range(17))):
        made = dispatcher(function, miss=lambda *_: False)
        results = [made(*args), made(*args)]

        assert results == [function(*args)] * 2
        assert (made._bindable, made._manager.missed) == (0, ["prepare"])


def test_sixteen_parameters_are_bound() -> None:
    """The most that is."""
    namespace: dict[str, Any] = {}
    names = ", ".join(f"a{k}={k}" for k in range(16))
    exec(f"def f({names}): return None", namespace)
    made = dispatcher(namespace["f"], echo(16))

    assert made(*range(9), a15=0) == (*range(15), 0)


def test_entries_of_another_size_are_passed_over() -> None:
    """An entry reads as many live-ins as it was made for: it must not read more than there are."""
    made = dispatcher(both, echo(2), echo(1), echo(5))

    assert made(1, 2) == (1, 2)
    assert [one.hits for one in made._entries] == [1, 0, 0]


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
    """Who calls may drop the dispatcher meanwhile, as functools.partial does: the call holds it."""

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
