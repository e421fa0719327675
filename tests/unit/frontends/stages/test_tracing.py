"""f.trace(): what a user sees of a function that is captured without being called."""

from __future__ import annotations

import numpy as np
import pytest
from oracle import assert_normally, check
from stage_programs import CALLS, X, broken, compiled_for, scaled, simple, staged

import framejit
from framejit import Compiled, Lowered, Traced

pytestmark = pytest.mark.counts("which segments there are")


def test_the_stages_are_public():
    """Their classes can be named in annotations."""
    traced, lowered, compiled = staged(simple)
    assert (type(traced), type(lowered), type(compiled)) == (Traced, Lowered, Compiled)


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
    assert traced.guards[0][:2] == ("local `x`: float64[n]", "local `y`: float64[n]")
    assert "local `residual`: float64[n]" in traced.guards[1]
    assert traced.untraced == ()
    first, second = traced.as_text().split("# segment 2")
    assert "ufunc=subtract" in first
    assert "ufunc=exp" in second
    assert str(traced) == traced.as_text()


def unseen(x):
    length = len(open(__file__).readline())  # noqa: SIM115
    y = np.cos(x) + 1.0
    return y * length


def test_what_a_trace_does_not_know_is_told():
    """The line that asks for what a break gives is named, in `untraced` and in the text."""
    traced, _, compiled = staged(unseen)
    first = unseen.__code__.co_firstlineno
    assert [one.place.line for one in traced.untraced] == [first + 1, first + 3]
    what = f"what line {first + 1} gives"
    opened = f"call of `{open.__module__}.open`"
    assert traced.untraced[0].reason == f"{what} ({opened}) is not known before a call"
    assert f"# line {first + 3} is not traced: {what}" in traced.as_text()
    assert "ufunc=cos" in traced.as_text()
    assert compiled(X).tobytes() == unseen(X).tobytes()
    assert compiled.stats()["launches"] == 1


def summed(x, n):
    total = 0.0
    for k in range(n):
        x = np.sin(x) + k
        print(k)
        total = total + x.sum()
    return total


def test_a_loop_with_a_break_is_traced_for_each_type_that_it_meets():
    """`total` is a float in the first iteration and a np.float64 in the others."""
    traced, _, compiled = staged(summed, args=(X, 3))
    assert [one.line for one in traced.segments] == [
        summed.__code__.co_firstlineno + k for k in (2, 4, 4)
    ]
    assert "local `total`: float" in traced.guards[1]
    assert "local `total`: float64" in traced.guards[2]
    assert compiled(X, 3) == summed(X, 3)
    assert compiled.stats()["launches"] == 6
    assert compiled.misses == {}
    check(summed, X, 3, jit=compiled_for(X, 3))


def held_in_many_ways(x, n):
    pair, many, window = (x * 2.0, n), [x + 1.0, 3.0], x[1:-1]
    print(n)
    return pair[0] * pair[1] + many[0] * many[1], window * 2.0


def shares_a_variable(x):
    shift = 2.0
    y = x * shift
    print(y.shape)
    return y + shift, lambda: shift


def writes(x, y):
    x += y
    print(x.shape)
    x *= 2.0
    return x


def sizes_of_data(x):
    y = x[x > 0.5]
    print(y.shape)
    return y * 2.0


@pytest.mark.parametrize(
    ("program", "args"),
    [
        (simple, (X,)),
        (broken, (X, X[::-1].copy())),
        (held_in_many_ways, (X, 3)),
        (shares_a_variable, (X,)),
        (writes, (X, X[::-1].copy())),  # memory that is shared makes a kernel bail
        (sizes_of_data, (X,)),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_kernels_behind_breaks_answer_like_eager(program, args):
    """With the very kernels of `.compile()`: none is compiled by a call, and each is launched."""
    use = (lambda result: result[0]) if program is shares_a_variable else None
    for jitted in check(program, *args, jit=compiled_for(*args), use=use):
        stats = jitted.stats()
        assert_normally(stats["launches"], 2 * stats["captures"])
        assert stats["failures"] == 0
