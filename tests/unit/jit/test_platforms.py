"""The table of processors: its facts are those of the C core, of NumPy and of this machine."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable

import pytest

from framejit.backends.numba.machine_code.objects import features
from framejit.jit import native
from framejit.jit.native import _core
from framejit.jit.platforms import PROCESSOR

LOG = ctypes.CDLL("libm.so.6").log
LOG.restype, LOG.argtypes = ctypes.c_double, [ctypes.c_double]
RAISE: dict[str, Callable[[float], float]] = {
    "invalid": lambda one: one * math.inf - math.inf,
    "divide": lambda one: LOG(one - 1.0),
    "over": lambda one: one * 1e308 * 10.0,
    "under": lambda one: one * 1e-308 * 1e-10,
}
"""An operation that raises each flag, given 1.0."""


@pytest.mark.parametrize("kind", RAISE)
def test_flags_of_the_status(kind: str) -> None:
    """The bit of each kind is the processor's after an operation of that kind."""
    _core.fp_clear()
    assert _core.fp_raised() == 0
    RAISE[kind](1.0)
    raised = _core.fp_raised()
    _core.fp_clear()

    assert raised == getattr(PROCESSOR, kind)


def test_all_flags_of_the_core() -> None:
    """C and Python name the same bits."""
    bits = PROCESSOR.invalid | PROCESSOR.divide | PROCESSOR.over | PROCESSOR.under

    assert bits == native.FP_FLAGS


def test_width_of_vectors() -> None:
    """Each processor has some; the features of this one decide their width."""
    assert PROCESSOR.vector_bytes(frozenset()) == 16
    assert PROCESSOR.vector_bytes(frozenset({"+avx", "+fma"})) == 32
    assert PROCESSOR.vector_bytes(frozenset({"+avx", "+avx512f"})) == 64
    assert PROCESSOR.vector_bytes(features()) in (16, 32, 64)


def test_facts_are_shown() -> None:
    """Machine code on disk is for these facts: each process has to show them alike."""
    facts = repr(PROCESSOR)

    assert facts == repr(type(PROCESSOR)())
    assert "stmxcsr" in facts
    assert "+avx512f" in facts
    assert " at 0x" not in facts
