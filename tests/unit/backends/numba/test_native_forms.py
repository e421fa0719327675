"""Each primitive has a native form: code that kernels write for it, or a reason to call NumPy.

Forms of functions of numbers are in `test_code_table.py`.
"""

from __future__ import annotations

import numpy as np
import pytest

import framejit.backends.numba.backend as _writers  # noqa: F401 (imports every module of writers)
from framejit.backends.numba.clusters import lower
from framejit.backends.numba.native import NATIVE
from framejit.backends.numba.writers import WRITERS
from framejit.jit.ir.graph import Node, Value
from framejit.jit.ir.ops import OPS, UFUNC, Kind
from framejit.jit.ir.primitives.ufuncs import ROWS
from framejit.jit.ir.types import ArrayType, Layout, Sym

LOOPS = dict.fromkeys(
    (
        *("ceil", "copysign", "floor", "floor_divide", "fmax", "fmin", "isfinite", "isinf"),
        *("isnan", "maximum", "minimum", "nextafter", "power", "remainder", "rint", "sign"),
        *("signbit", "spacing", "trunc"),
    ),
    "NumPy's own inner loop, called for a stretch of items: no expression was proved",
)
"""Ufuncs with a row of primitives that kernels do not write themselves, and what they do."""
CALLED: dict[str, str] = {}
"""Ops without a writer, which are calls of their references, and why that is fast enough."""
OF_BOOLS = {"invert": "of bools it has the loop of `logical_not`; of ints NumPy's loop is called"}


def elementwise(ufunc: np.ufunc, dtype: str) -> Node:
    """Return a node that applies a ufunc to lines of a dtype."""
    type_ = ArrayType(np.dtype(dtype), (Sym(0),), Layout.contiguous(1))
    inputs = tuple(Value(type_) for _ in range(ufunc.nin))
    return Node(UFUNC, inputs, {"ufunc": ufunc}, (Value(type_),))


def test_each_op_has_a_writer_or_is_lowered() -> None:
    """Ops of a fused loop are lowered to expressions; all others have a writer."""
    lowered = lower.RULES.keys()

    assert lowered == {name for name, row in OPS.items() if row.kind is Kind.ELEMENTWISE}
    assert WRITERS.keys() | lowered | CALLED.keys() == OPS.keys()
    assert WRITERS.keys() & lowered == {"ufunc"}, "one on numbers"


def test_each_ufunc_has_an_expression_or_a_reason() -> None:
    """A new row of primitives asks for its native form."""
    names = {row.name for row in ROWS}

    assert NATIVE.keys() <= names
    assert names - NATIVE.keys() == LOOPS.keys() | OF_BOOLS.keys()


@pytest.mark.parametrize("name", LOOPS)
def test_the_others_are_loops(name: str) -> None:
    """A kernel calls NumPy's inner loop for a ufunc that has no expression."""
    found = lower.lower(elementwise(getattr(np, name), "f8"))

    assert found is not None
    assert found.loop is not None
    assert not found.template
