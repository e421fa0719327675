"""f.trace(), .lower() and .compile(): what a user sees of the stages."""

from __future__ import annotations

import asyncio
import dis
import gc
import types
import weakref

import numpy as np
import pytest
from oracle import BACKENDS, assert_normally, check

import framejit
from framejit import Compiled, FramejitError, GraphBreakError, Lowered, StageError, Traced
from framejit.frontends import ahead, tracing

pytestmark = pytest.mark.counts("which segments there are")
CALLS = []
X = np.linspace(0.0, 1.0, 100)


def scaled(x, k=2.0):
    CALLS.append("scaled")
    return x


def simple(x, k=2.0):
    return np.negative(-x) * 1.0 + k


def broken(x, y):
    residual = x - y
    print("residual:", residual.shape)
    return np.exp(-0.5 * residual**2)


def staged(function, backend="numpy", args=(X,), **options):
    """The three stages of a function."""
    traced = framejit.jit(function, backend=backend, **options).trace(*args)
    lowered = traced.lower()
    return traced, lowered, lowered.compile()


def compiled_for(*args):
    """For the oracle: what compiles a function for these arguments, before it is called."""
    return lambda function, backend: staged(function, backend, args)[2]._function


# ---- tracing -------------------------------------------------------------------------------------


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


# ---- lowering ------------------------------------------------------------------------------------


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
    assert compiled.as_text() == jitted.inspect("numba")


def test_lowered_tells_what_each_pass_did():
    """The number of operations by pass, and counts of operations and bytes."""
    lowered = framejit.jit(simple).trace(X).lower()
    (runs,) = lowered.passes
    assert {run.name: run.number for run in runs}["algebra"] > 0
    (cost,) = lowered.costs
    assert (cost.bytes_in, cost.bytes_out) == (800, 800)
    assert cost.operations["ufunc"] == 1
    assert sum(cost.operations.values()) == runs[-1].after


def test_lowered_tells_what_is_fused():
    """Clusters with their operations and bytes; what two of them compute counts as recomputed."""

    def standard(x):
        d = x - x.mean()
        return d / np.sqrt((d * d).sum())

    lowered = framejit.jit(standard).trace(X).lower()
    (fusion,) = lowered.fusion
    assert [one.operations for one in fusion.clusters] == [
        ("ufunc", "ufunc", "reduce"),
        ("ufunc", "ufunc"),
    ]
    assert [one.recomputed for one in fusion.clusters] == [0, 1]
    assert (fusion.operations, fusion.bytes_read, fusion.bytes_written) == (5, 1600, 800)
    assert str(lowered).endswith(
        "# fused: 5 operations in 2 clusters, 1600 bytes read, 800 bytes written"
    )
    (by_op,) = framejit.jit(standard, backend="numpy").trace(X).lower().fusion
    assert (by_op.clusters, str(by_op)) == ((), "nothing is fused")


def test_bytes_are_none_where_the_data_decide():
    """The length of x[x > 0] is not known before the call."""
    lowered = framejit.jit(lambda x: np.exp(x[x > 0.5]) + 1.0).trace(X).lower()
    assert (lowered.costs[0].bytes_in, lowered.costs[0].bytes_out) == (800, None)
    assert lowered.fusion[0].bytes_written is None
    assert "unknown bytes written" in str(lowered)


# ---- compiling -----------------------------------------------------------------------------------


def test_compile_makes_all_that_a_call_runs():
    """A call compiles nothing, and its kernel is that of `kernels`."""
    for backend in BACKENDS:
        _, _, compiled = staged(simple, backend)
        before = compiled.stats()
        assert (before["captures"], before["calls"], before["launches"]) == (1, 0, 0)
        compiled(X)
        compiled(X[:50])
        after = compiled.stats()
        assert (after["captures"], after["hits"], after["launches"]) == (1, 2, 2)
        assert compiled.misses == {}


def test_compiled_kernels_of_one_trace_are_apart():
    """Numbers of calls belong to the object; the jitted function has its own."""
    jitted = framejit.jit(simple, backend="numpy")
    lowered = jitted.trace(X).lower()
    first, second = lowered.compile(), lowered.compile()
    first(X)
    assert [one.stats()["calls"] for one in (first, second, jitted)] == [1, 0, 0]


def test_other_arguments_run_as_plain_python():
    """Nothing is captured for them, and `misses` says why no kernel ran."""
    for backend in BACKENDS:
        _, _, compiled = staged(simple, backend)
        single = X.astype(np.float32)
        assert compiled(single).tobytes() == simple(single).tobytes()
        assert compiled(X, k=3).tobytes() == simple(X, k=3).tobytes()
        stats = compiled.stats()
        assert (stats["captures"], stats["launches"], stats["eager_calls"]) == (1, 0, 2)
        assert compiled.misses == {
            "argument `x`: dtype was float64, now float32": 1,
            "argument `k`: was a float, now an int": 1,
        }
        compiled(X)
        assert compiled.stats()["launches"] == 1
    check(simple, X.astype(np.float32), jit=compiled_for(X))
    check(broken, X.astype(np.float32), X, jit=compiled_for(X, X))


def test_misses_end():
    """Many calls with other arguments do not pay for the reasons again and again."""
    _, _, compiled = staged(simple)
    for _ in range(40):
        compiled(X[::2])
    assert sum(compiled.misses.values()) == 16
    compiled(X)
    assert compiled.stats()["launches"] == 1


def test_compiled_runs_its_kernels_under_other_options():
    """Those of `trace()` count; only `disable()` makes calls eager."""
    with framejit.config(backend="numpy"):
        compiled = framejit.jit(simple).trace(X).lower().compile()
    with framejit.config(verify=True):
        compiled(X)
    assert compiled.stats()["launches"] == 1
    with framejit.disable():
        compiled(X)
    assert (compiled.stats()["launches"], compiled.stats()["eager_calls"]) == (1, 0)


def test_plain_python_does_not_take_over():
    """Calls of the jitted function measure if its segments pay; here they run each time."""
    _, _, compiled = staged(broken, args=(X[:3], X[:3]))
    for _ in range(30):
        compiled(X[:3], X[:3])
    assert compiled.stats()["launches"] == 60


def test_compile_is_now_whatever_the_option_says():
    """`compile="auto"` is for calls."""
    _, _, compiled = staged(simple, BACKENDS[0], compile="auto")
    compiled(X)
    assert compiled.stats()["launches"] == 1


def test_memory_lists_the_arrays():
    """Each with its role, dtype, dims and bytes, and whose memory it stands in."""

    def program(x):
        y = np.exp(np.outer(x, x).T @ x)
        return np.sort(y)[1:], np.sort(y * 2.0)

    _, lowered, compiled = staged(program, "numba")
    (plan,) = compiled.memory
    first = plan.arrays[0]
    assert (first.role, first.name, first.dtype, first.dims, first.bytes) == (
        "argument",
        "%0",
        np.float64,
        ("s0",),
        800,
    )
    assert {"result", "temporary"} <= {one.role for one in plan.arrays}
    names = {one.name for one in plan.arrays}
    for one in plan.arrays:
        assert one.name in lowered.as_text()
        assert {one.view_of, one.reuses} - {None} <= names
    assert any(one.view_of for one in plan.arrays)
    own = [one for one in plan.arrays if not one.view_of and not one.reuses]
    assert plan.allocated == sum(one.bytes for one in own if one.role != "argument")
    assert str(compiled).splitlines()[0] == "argument %0: float64[s0], 800 bytes"
    assert str(plan).endswith(f"allocated: {plan.allocated} bytes; scratch: {plan.scratch} bytes")


def test_memory_that_is_used_again():
    """An array that is read for the last time gives its memory to a result."""
    _, _, compiled = staged(lambda x: np.exp(np.sort(x) * 2.0) + 1.0, "numba")
    (plan,) = compiled.memory
    sorted_, result = plan.arrays[1:]
    assert (sorted_.role, result.role) == ("temporary", "result")
    assert result.reuses == sorted_.name
    assert plan.allocated == 800
    assert f"in the memory of {sorted_.name}" in str(plan)


def test_memory_of_the_numpy_backend():
    """Each operation has an array of its own there."""
    (plan,) = staged(lambda x: (x * 2.0 + 1.0)[1:], "numpy")[2].memory
    assert [one.role for one in plan.arrays] == ["argument", "temporary", "temporary", "result"]
    assert plan.arrays[3].view_of == plan.arrays[2].name
    assert plan.allocated == 1600


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
    """What comes behind the break is traced; of what computes nothing there are no segments."""

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
    """In a block of disable() a trace still shows what would be compiled."""
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
    """The message says what still works."""
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
