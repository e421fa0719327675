"""The public calls: what @jit takes, what it refuses and in which words, options, contexts."""

from __future__ import annotations

import asyncio
import functools
import inspect
import pickle
import types
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, Literal, get_type_hints

import numpy as np
import pytest
from oracle import assert_counts, assert_normally

from framejit import capture, config, disable, explain, graph_break, jit
from framejit.frontends.typed import JitOptions
from framejit.frontends.wrong_use import CALLED
from framejit.jit.config import CALLERS, NUMBAS, OPTIONS
from framejit.jit.errors import BackendError, FramejitError, GraphBreakError

X = np.arange(4.0)


def affine(x: Any) -> Any:
    """Twice x and one."""
    return x * 2 + 1


def broken(x: Any) -> Any:
    y = x * 2
    print("here")
    return y + 1


def same(actual: Any) -> bool:
    return bool(np.array_equal(actual, X * 2 + 1))


# ---- what @jit takes -----------------------------------------------------------------------------


def test_the_three_forms() -> None:
    """jit(f), @jit and @jit(...) compile; a jitted function is itself, or another with options."""
    first, second = jit(affine), jit(backend="numpy")(affine)

    assert same(first(X))
    assert same(second(X))
    assert jit(first) is first
    assert jit(first, backend="numpy") is not first
    assert jit(first, backend="numpy").__wrapped__ is affine
    assert_counts([first, second], captures=1)


def test_looks_like_the_function() -> None:
    """Name, docs, signature, pickling by name, defaults."""
    jitted = jit(affine)

    assert (jitted.__name__, jitted.__doc__) == ("affine", "Twice x and one.")
    assert inspect.signature(jitted) == inspect.signature(affine)
    assert jitted.__wrapped__ is affine
    assert pickle.loads(pickle.dumps(increment)) is increment


@jit
def increment(x: Any) -> Any:
    return x + 1


class Holder:
    """Every kind of method, with @jit above and below the other decorator."""

    @jit
    def method(self, x: Any) -> Any:
        return x * 2 + 1

    @jit
    @staticmethod
    def static_below(x: Any) -> Any:
        return x * 2 + 1

    @staticmethod
    @jit
    def static_above(x: Any) -> Any:
        return x * 2 + 1

    @jit
    @classmethod
    def of_class(cls, x: Any) -> Any:
        return x * 2 + 1

    @property
    @jit
    def value(self) -> Any:
        return X * 2 + 1


def test_methods() -> None:
    """Objects of staticmethod and classmethod are wrapped inside; a bound method stays bound."""
    holder = Holder()

    assert same(holder.method(X))
    assert same(Holder.method(holder, X))
    assert same(Holder.static_below(X))
    assert same(holder.static_above(X))
    assert same(Holder.of_class(X))
    assert same(holder.value)
    assert isinstance(vars(Holder)["static_below"], staticmethod)
    bound = jit(holder.method, backend="numpy")
    assert isinstance(bound, types.MethodType)
    assert same(bound(X))


def test_generators_and_coroutines() -> None:
    """They stay what they are, for inspect and for who runs them."""

    def generator(x: Any) -> Iterator[Any]:
        yield x * 2 + 1

    async def coroutine(x: Any) -> Any:
        return x * 2 + 1

    async def both(x: Any) -> AsyncIterator[Any]:
        yield x * 2 + 1

    async def collect() -> list[Any]:
        return [value async for value in jit(both)(X)]

    assert inspect.isgeneratorfunction(jit(generator))
    assert inspect.iscoroutinefunction(jit(coroutine))
    assert inspect.isasyncgenfunction(jit(both))
    assert same(next(jit(generator)(X)))
    assert same(asyncio.run(jit(coroutine)(X)))
    assert same(asyncio.run(collect())[0])


# ---- what @jit refuses ---------------------------------------------------------------------------


class Callable_:  # noqa: N801
    """An object that can be called."""

    def __call__(self) -> None:
        pass


WRONG: dict[str, tuple[Any, str]] = {
    "class": (int, "the class int: put @jit above its methods"),
    "builtin": (
        len,
        "the builtin len: it has no Python code to compile; "
        "put @jit above the function that calls it",
    ),
    "ufunc": (
        np.add,
        "NumPy's add: NumPy's functions are compiled already; "
        "put @jit above the function that calls them",
    ),
    "NumPy": (
        np.linalg.norm,
        "NumPy's norm: NumPy's functions are compiled already; "
        "put @jit above the function that calls them",
    ),
    "vectorize": (
        np.vectorize(affine),
        "an np.vectorize: put @jit above the function that calls it",
    ),
    "number": (3, f"3 of type int: {CALLED}"),
    "string": ("numpy", "the string 'numpy': options go by name, as in @jit(backend='numpy')"),
    "dict": ({}, "a dict: options go by name, as in @jit(backend='numpy')"),
    "property": (
        property(affine),
        "a property: put @jit under @property, so that it gets the function",
    ),
    "partial": (
        functools.partial(affine),
        "a functools.partial: write functools.partial(jit(function), ...)",
    ),
    "cache": (
        functools.lru_cache(affine),
        "a function behind functools.lru_cache: put @jit under the cache, so that it gets the "
        "function",
    ),
    "object": (
        Callable_(),
        "a callable object of type Callable_: put @jit above Callable_.__call__",
    ),
}


@pytest.mark.parametrize("kind", WRONG)
@pytest.mark.parametrize("face", [jit, explain])
def test_no_function(kind: str, face: Callable[..., Any]) -> None:
    """The message names the argument, its value and the correct form."""
    given, text = WRONG[kind]
    with pytest.raises(TypeError) as caught:
        face(given)

    if face is explain:
        text = text.replace(CALLED, "write explain(f)(x, y)")
    assert str(caught.value) == (
        f"{face.__name__}: `function` must be a Python function, not {text}"
    )


def test_the_report_of_no_block() -> None:
    """There is one as soon as the block is entered."""
    block = capture()
    with pytest.raises(FramejitError, match="write `with capture\\(\\) as block:`"):
        str(block.report)
    with block:
        assert "0 functions captured" in str(block.report)


def test_options_that_checkers_know() -> None:
    """Those of the table, by the same types."""
    known = {o.name: o.default for o in OPTIONS.values() if o.scope in CALLERS["jit"]}
    hints = get_type_hints(JitOptions)
    assert hints.keys() == known.keys()
    assert hints.pop("compile") == Literal[OPTIONS["compile"].choices]
    for name, hint in hints.items():
        assert isinstance(known[name], getattr(hint, "__origin__", hint))


def test_wrong_options() -> None:
    """Refused when the decorator is applied, not at the first call."""
    with pytest.raises(FramejitError, match=r"^jit: unknown option 'speed': valid options are"):
        jit(speed=3)
    with pytest.raises(BackendError) as caught:
        jit(affine, backend="nunba")
    assert str(caught.value) == (
        "jit: unknown backend 'nunba' (did you mean 'numba'?): use one of 'numba', 'numpy', 'eager'"
    )
    with pytest.raises(BackendError, match=r"^config: unknown backend 'x': use one of"):
        config(backend="x")


@pytest.mark.parametrize("name", NUMBAS)
def test_options_of_numba(name: str) -> None:
    """One sentence gives the alternative."""
    with pytest.raises(FramejitError, match=f"^jit: option '{name}' is Numba's, not framejit's: "):
        jit(**{name: True})


def test_what_tab_shows() -> None:
    """The methods of jitted functions, beside what the function has."""
    jitted: Any = jit(affine)
    jitted.mine = 3

    assert {"stats", "inspect", "trace", "mine", "__wrapped__", *dir(affine)} == {*dir(jitted)}
    assert repr(jitted).endswith(": plain Python; see .stats(), .inspect(what), .trace(*args)>")
    jitted(np.arange(3.0))
    jitted(np.arange(3.0))
    assert_normally(
        repr(jitted).endswith(": 1 kernel; see .stats(), .inspect(what), .trace(*args)>")
    )


def test_wrong_view() -> None:
    """inspect() lists what can be seen."""
    with pytest.raises(FramejitError) as caught:
        jit(affine).inspect("source")

    assert str(caught.value) == (
        "inspect: unknown view 'source': use one of 'graph', 'guards', 'numba', 'bytecode'"
    )
    argument: Any = X
    with pytest.raises(FramejitError, match="a view, not an object of type ndarray: use one of"):
        jit(affine).inspect(argument)


# ---- fullgraph -----------------------------------------------------------------------------------


@pytest.mark.counts("a call that is declined, or cut up, is not asked to be one graph")
def test_fullgraph_names_the_first_break() -> None:
    """The error stands in place of the call, each time, with code, place, reason and hint."""
    jitted = jit(broken, fullgraph=True)
    line = broken.__code__.co_firstlineno + 2
    for _ in range(2):
        with pytest.raises(GraphBreakError) as caught:
            jitted(X)
        assert str(caught.value) == (
            f"fullgraph=True, but broken has a graph break at {__file__}:{line}: FJ201, call of "
            "`print`; this function cannot go into a graph\n"
            'hint: do it before or behind the call of `broken`: `print("here")`'
        )


def test_fullgraph_lets_whole_functions_through() -> None:
    """No break, no error; an inlined or an eager call neither."""
    assert same(jit(affine, fullgraph=True)(X))
    assert same(jit(lambda x: affine(x), fullgraph=True)(X))
    with disable():
        assert same(jit(broken, fullgraph=True)(X))


def test_fullgraph_of_a_signature_that_is_never_whole() -> None:
    """*args would quietly run as plain Python."""
    with pytest.raises(FramejitError) as caught:
        jit(lambda *args: args[0] + 1, fullgraph=True)

    assert str(caught.value) == (
        "jit: fullgraph=True, but test_fullgraph_of_a_signature_that_is_never_whole.<locals>."
        "<lambda> takes *args, **kwargs or too many arguments, so that a call is never one graph: "
        "name its arguments"
    )


# ---- graph_break ---------------------------------------------------------------------------------


def test_graph_break_is_a_break_with_its_own_code() -> None:
    """It does nothing else, jitted or not."""

    def two(x: Any) -> Any:
        y = x * 2
        graph_break()
        return y + 1

    graph_break()
    report = explain(two)(X)

    assert same(report.result)
    assert_normally([record.code for record in report.breaks], ["FJ204"])
    assert_normally(report.captured.segments, 2)
