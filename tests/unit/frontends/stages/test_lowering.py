"""f.trace().lower(): what the passes of the backend made of the graphs."""

from __future__ import annotations

import numpy as np
import pytest
from stage_programs import X, simple

import framejit

pytestmark = pytest.mark.counts("which segments there are")


def test_the_graphs_are_those_of_a_call():
    """`trace`, `lower` and `compile` show the graphs and the kernel of `inspect`."""
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
