"""Kernels call references of ops for nodes that have no code of their own."""

from __future__ import annotations

import subprocess
import sys

from framejit.jit.ir import references
from framejit.jit.ir.ops import OPS

LOADS = """
import sys
import numpy
import framejit.frontends.kept.resolving as resolving
before = set(sys.modules)
for name in resolving.CALLED:
    __import__(name)
print(*sorted(one for one in {*sys.modules} - before if one.startswith("framejit.")))
"""


def test_each_has_a_name() -> None:
    """By which a later process finds it again."""
    found = [(name, op.reference) for name, op in OPS.items() if op.reference is not None]

    assert len(found) > 30
    assert [name for name, one in found if getattr(references, one.__name__, None) is not one] == []


def test_they_load_nothing_else() -> None:
    """A process that meets only kept entries loads nothing that captures."""
    done = subprocess.run([sys.executable, "-c", LOADS], capture_output=True, text=True, check=True)

    found = set(done.stdout.split())
    assert found == {"framejit.jit.ir", "framejit.jit.ir.references", "framejit.jit.generators"}
