"""What the benchmark of arrays times has eager's answers, and is one kernel where it says so."""

from __future__ import annotations

import pytest
from bench.workloads import load
from oracle import check

WORKLOADS = load()


@pytest.mark.parametrize("name", WORKLOADS)
def test_same_bits(name: str) -> None:
    """Of some hundred elements, on which kernels have blocks that are not full."""
    workload = WORKLOADS[name]
    check(workload.function, *workload.arguments(700, "float64"))
    check(workload.function, *workload.arguments(90, "float32"), backends=["numpy"])
