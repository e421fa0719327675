"""f.trace().lower().compile(): kernels, what they are called with, and their memory."""

from __future__ import annotations

import numpy as np
import pytest
from oracle import BACKENDS, check
from stage_programs import X, broken, compiled_for, simple, staged

import framejit

pytestmark = pytest.mark.counts("which segments there are")


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
    """Nothing is captured for them, and `misses` has the reason why no kernel ran."""
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
