"""Workloads of the benchmark of arrays give eager's answers; some promise to be one kernel."""

from __future__ import annotations

import pytest
from bench.workloads import load
from oracle import check

WORKLOADS = load()


@pytest.mark.parametrize("name", WORKLOADS)
def test_same_bits(name: str) -> None:
    """Sizes of some hundred elements give kernels blocks that are not full."""
    workload = WORKLOADS[name]
    check(workload.function, *workload.arguments(700, "float64"))
    check(workload.function, *workload.arguments(90, "float32"), backends=["numpy"])
