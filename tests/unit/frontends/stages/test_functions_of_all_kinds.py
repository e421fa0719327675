"""Stages of functions of all kinds, and the errors that stages raise."""

from __future__ import annotations

import asyncio
import dis
import gc
import types
import weakref

import numpy as np
import pytest
from oracle import BACKENDS, check
from stage_programs import X, broken, simple, staged

import framejit
from framejit import FramejitError, GraphBreakError, StageError
from framejit.frontends import ahead, tracing

pytestmark = pytest.mark.counts("which segments there are")


# ---- functions of all kinds ----------------------------------------------------------------------


def test_traced_does_not_keep_the_arguments():
    """They die when the caller drops them."""
    x = X.copy()
    traced, dead = framejit.jit(broken).trace(x, x), weakref.ref(x)
    del x
    gc.collect()
    assert dead() is None
    lowered = traced.lower()
    assert lowered.costs[0].bytes_in == 1600
    assert lowered.compile()(X, X).tobytes() == broken(X, X).tobytes()


def test_every_signature_is_traced():
    """Star arguments, keyword-only ones, closures and methods, which take their object first."""
    shift = 3.0

    def stars(x, *others, k=1.0, **more):
        return x * k + others[0] + shift + more["z"]

    class Model:
        weight = 2.0

        @framejit.jit(backend="numpy")
        def run(self, x):
            return x * self.weight + 1.0

    compiled = framejit.jit(stars, backend="numpy").trace(X, X, k=2.0, z=1.0).lower().compile()
    assert compiled(X, X, k=2.0, z=1.0).tobytes() == stars(X, X, k=2.0, z=1.0).tobytes()
    assert compiled.stats()["launches"] == 1
    model = Model()
    compiled = model.run.trace(model, X).lower().compile()
    assert compiled(model, X).tobytes() == model.run(X).tobytes()
    assert compiled.stats()["launches"] == 1


def generator(x):
    y = x * 2.0 + 1.0
    yield y
    yield np.sqrt(y)


async def coroutine(x):
    y = x * 2.0 + 1.0
    await asyncio.sleep(0)
    return np.sqrt(y)


def test_generators_and_coroutines_are_traced_between_their_stops():
    """Each `yield` and `await` is a break; their kernels run when the result is asked for."""
    for backend in BACKENDS:
        traced, _, compiled = staged(generator, backend)
        assert [one.detail for one in traced.breaks] == ["`yield`", "`yield`"]
        assert [y.sum() for y in compiled(X)] == [y.sum() for y in generator(X)]
        assert compiled.stats()["launches"] == 2
        traced, _, compiled = staged(coroutine, backend)
        assert len(traced.segments) == 2
        assert asyncio.run(compiled(X)).tobytes() == asyncio.run(coroutine(X)).tobytes()
        assert compiled.stats()["launches"] == 2


def test_functions_that_break_at_once_and_functions_without_arrays(capsys):
    """Code behind the break is traced; a function that computes nothing has no segments."""

    def at_once(x):
        print("here")
        return x * 2.0 + 1.0

    traced, _, compiled = staged(at_once)
    assert [one.after_break for one in traced.segments] == [True]
    assert compiled(X).tobytes() == (X * 2.0 + 1.0).tobytes()
    assert capsys.readouterr().out == "here\n"
    traced, lowered, compiled = staged(lambda x: x)
    assert traced.segments == traced.breaks == compiled.kernels == ()
    assert {str(one) for one in (traced, lowered, compiled)} == {"nothing is captured"}
    assert compiled(X) is X


def test_checkpoints_are_resumed():
    """A kernel that bails behind a write goes on in the middle of plain Python, as in a call."""

    def program(x, index):
        x += 1.0
        return x[index]

    def at_the_end(function, backend):
        return staged(function, backend, (X.copy(), 3))[2]._function

    check(program, X, 1000, jit=at_the_end)
    check(program, X, 5, jit=at_the_end)


# ---- errors --------------------------------------------------------------------------------------


def test_trace_goes_on_where_calls_are_eager():
    """In a block of disable() a trace still shows the code that would be compiled."""
    with framejit.disable():
        compiled = framejit.jit(simple, backend="numpy").trace(X).lower().compile()
        assert len(compiled.kernels) == 1
    compiled(X)
    assert compiled.stats()["launches"] == 1


def test_what_does_not_fit_is_told():
    """Arguments that do not bind, and a backend that captures nothing."""
    with pytest.raises(TypeError, match="missing a required argument: 'x'"):
        framejit.jit(simple).trace()
    with pytest.raises(StageError, match="the backend 'eager' captures nothing"):
        framejit.jit(simple, backend="eager").trace(X)
    assert issubclass(StageError, FramejitError)


def test_fullgraph_is_an_error_as_in_a_call():
    """The break is named."""
    with pytest.raises(GraphBreakError, match="call of `print`"):
        framejit.jit(broken, fullgraph=True).trace(X, X)
    assert framejit.jit(simple, fullgraph=True).trace(X).breaks == ()


def test_bytecode_that_is_not_cpythons_is_told():
    """The message names the calls that still work."""
    code = simple.__code__
    unknown = 0x79 if dis.opname[0xFF] == "ENTER_EXECUTOR" else 0xFF  # CPython looks for those
    made = code.replace(co_code=bytes((unknown, 0, unknown, 0)) + code.co_code[4:])
    jitted = framejit.jit(types.FunctionType(made, globals()))
    with pytest.raises(StageError, match="Calls of the function run as plain Python"):
        jitted.trace(X, 2.0)


def fail(*args):
    raise KeyError("inside")


@pytest.mark.parametrize(
    ("stage", "home", "name"),
    [
        ("trace", tracing, "capture_from_entry"),
        ("lower", ahead, "draft_entry"),
        ("compile", ahead, "_finished"),
    ],
)
def test_errors_of_framejit_itself_are_told_as_such(stage, home, name, monkeypatch):
    """The public error names the stage; the internal one is its cause."""
    jitted = framejit.jit(simple, backend="numpy")
    traced = jitted.trace(X)
    lowered = traced.lower()
    again = {"trace": lambda: jitted.trace(X), "lower": traced.lower, "compile": lowered.compile}
    monkeypatch.setattr(home, name, fail)
    with pytest.raises(StageError, match=f"{stage}: framejit met an error of its own") as caught:
        again[stage]()
    assert isinstance(caught.value.__cause__, KeyError)
