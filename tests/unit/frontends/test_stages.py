"""f.trace(), .lower() and .compile(): what a user sees of the stages."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
from oracle import check

import framejit
from framejit.jit.errors import FramejitError

pytestmark = pytest.mark.counts("which segments there are")
CALLS = []


def scaled(x, k=2.0):
    CALLS.append("scaled")
    return x


def simple(x, k=2.0):
    return np.negative(-x) * 1.0 + k


def broken(x, y):
    residual = x - y
    print("residual:", residual.shape)
    return np.exp(-0.5 * residual**2)


X = np.linspace(0.0, 1.0, 100)


def test_trace_runs_nothing_of_the_program(capsys):
    """Neither the function nor what it calls; arguments, stats() and graphs stay as they are."""
    jitted, other = framejit.jit(broken), framejit.jit(scaled)
    x = X.copy()
    before = jitted.stats()
    jitted.trace(x, x)
    other.trace(x)
    assert capsys.readouterr().out == ""
    assert CALLS == []
    assert x.tobytes() == X.tobytes()
    assert jitted.stats() == before
    assert jitted.inspect("graph") == "nothing was captured yet"
    assert str(framejit.explain(jitted)(x, x)).count("1 call") == 1


def test_traced_has_graphs_guards_and_breaks():
    """Segments behind a break are there too; a break has the record of the report."""
    traced = framejit.jit(broken).trace(X, y=X)
    assert [one.after_break for one in traced.segments] == [False, True]
    assert [one.count for one in traced.breaks] == [0]
    assert (traced.breaks[0].code, traced.breaks[0].detail) == ("FJ201", "call of `print`")
    assert traced.breaks[0].source.startswith("print(")
    assert "argument `x`: float64[n]" in traced.guards[0]
    assert "ufunc=subtract" in traced.as_text().split("# segment 2")[0]


def test_the_graphs_are_those_of_a_call():
    """Of a whole function: before the backend's passes, after them, and its kernel."""
    jitted = framejit.jit(simple)
    traced = jitted.trace(X)
    lowered = traced.lower()
    compiled = lowered.compile()
    jitted(X)
    assert traced.as_text() == jitted.inspect("graph", stage="captured")
    assert lowered.as_text() == jitted.inspect("graph")
    assert traced.as_text() != lowered.as_text()
    assert compiled.kernels[0].rstrip() == jitted.inspect("numba")


def test_lowered_tells_what_each_pass_did():
    """The number of operations by pass, and counts of operations and bytes."""
    lowered = framejit.jit(simple).trace(X).lower()
    (runs,) = lowered.passes
    assert {run.name: run.number for run in runs}["algebra"] > 0
    (cost,) = lowered.costs
    assert (cost.bytes_in, cost.bytes_out) == (800, 800)
    assert cost.operations["ufunc"] == 1
    assert sum(cost.operations.values()) == runs[-1].after


def test_bytes_are_none_where_the_data_decide():
    """The length of x[x > 0] is not known before the call."""
    (cost,) = framejit.jit(lambda x: np.exp(x[x > 0.5]) + 1.0).trace(X).lower().costs
    assert (cost.bytes_in, cost.bytes_out) == (800, None)


@pytest.mark.parametrize("program", [simple, broken], ids=lambda program: program.__name__)
def test_compiled_answers_like_eager(program):
    """Also for arguments of other types than those that were traced."""
    args = (X, X[::-1].copy()) if program is broken else (X,)
    compiled = framejit.jit(program).trace(*args).lower().compile()
    assert len(compiled.kernels) == len(compiled.memory) == len(compiled.costs) > 0

    def staged(function, backend):
        return framejit.jit(function, backend=backend).trace(*args).lower().compile()

    check(program, *args, jit=staged)
    check(program, *[one.astype(np.float32) for one in args], jit=staged)


def test_traced_does_not_keep_the_arguments():
    """They die when the caller drops them."""
    x = X.copy()
    traced, dead = framejit.jit(simple).trace(x), weakref.ref(x)
    del x
    gc.collect()
    assert dead() is None
    assert traced.lower().costs[0].bytes_in == 800


def test_every_signature_is_traced():
    """Star arguments, keyword-only ones, closures and methods, which take their object first."""
    shift = 3.0

    def stars(x, *others, k=1.0, **more):
        return x * k + others[0] + shift + more["z"]

    class Model:
        weight = 2.0

        @framejit.jit
        def run(self, x):
            return x * self.weight + 1.0

    assert "multiply" in framejit.jit(stars).trace(X, X, k=2.0, z=1.0).as_text()
    model = Model()
    assert "multiply" in model.run.trace(model, X).as_text()


def test_what_does_not_fit_is_told():
    """Arguments that do not bind, and a backend that captures nothing."""
    with pytest.raises(TypeError, match="missing a required argument: 'x'"):
        framejit.jit(simple).trace()
    with pytest.raises(FramejitError, match="the backend 'eager' captures nothing"):
        framejit.jit(simple, backend="eager").trace(X)
