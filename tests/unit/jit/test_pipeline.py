"""The pipeline: which passes run on what is compiled, and what is written down about each."""

from __future__ import annotations

import numpy as np
import pytest

import framejit
from framejit.jit.errors import FramejitError
from framejit.jit.passes.pass_manager import AT_CAPTURE, FOR_KERNELS

pytestmark = pytest.mark.counts("which segments there are")


def doubled(x):
    return np.negative(-x) * 1.0


def _entry(backend):
    jitted = framejit.jit(doubled, backend=backend)
    jitted(np.ones(5))
    (entry,) = jitted._manager.entries
    return jitted, entry


@pytest.mark.parametrize(
    ("backend", "passes"), [("numba", AT_CAPTURE + FOR_KERNELS), ("numpy", AT_CAPTURE)]
)
def test_every_pass_is_timed_and_counted(backend, passes):
    """The compiled graph lists the passes in the order of the pipeline, and they join up."""
    _, entry = _entry(backend)
    runs = entry.parts.graph.runs
    assert [run.name for run in runs] == [one.name for one in passes]
    assert all(run.seconds > 0 for run in runs)
    assert [run.after for run in runs[:-1]] == [run.before for run in runs[1:]]
    assert runs[-1].after == sum(1 for _ in entry.parts.graph.nodes())
    removed = sum(run.number for run in runs if run.done == "simplified")
    assert removed == entry.parts.done.get("simplified", 0)


def test_inspect_shows_the_graph_that_is_compiled():
    """With stage="captured" it shows the one before the passes of the backend."""
    jitted, _ = _entry("numba")
    captured = jitted.inspect("graph", stage="captured")
    assert captured.count("negative") == 2
    assert "negative" not in jitted.inspect("graph")
    assert jitted.inspect("graph", "compiled") == jitted.inspect("graph")


def test_a_backend_without_passes_compiles_the_captured_graph():
    """The reference computes what capture made."""
    jitted, entry = _entry("numpy")
    assert entry.parts.graph is entry.captured.graph
    assert jitted.inspect("graph") == jitted.inspect("graph", stage="captured")


@pytest.mark.parametrize(
    ("what", "stage", "message"),
    [
        ("graph", "late", "unknown stage 'late': use one of 'compiled', 'captured'"),
        ("numba", "captured", "stage='captured' is for 'graph' only, not for 'numba'"),
    ],
)
def test_a_wrong_stage_is_told(what, stage, message):
    """The message lists the stages, or names the view that has none."""
    with pytest.raises(FramejitError) as raised:
        framejit.jit(doubled).inspect(what, stage=stage)
    assert str(raised.value) == f"inspect: {message}"
