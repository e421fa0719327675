"""The passes that a kernel is compiled with leave out work, not code."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest

from framejit import jit
from framejit.backends.numba.intrinsics import WORD_POINTER, namespace
from framejit.backends.numba.passes import KernelCompiler


def arrays(x: Any, y: Any) -> Any:
    """Fused arithmetic, a reduction, integers."""
    z = np.where(x > 0, x * y + 1, np.exp(-x))
    return z, z.sum(), (y // 2).astype(np.int32) % 3


def loops(x: Any, y: Any) -> Any:
    """Numbers that a loop carries, and branches in it."""
    total, last = 0.0, 0
    for k in range(len(x)):
        if x[k] > total:
            total = total + y[k] * k
            last = k
        else:
            x[k] = total
    return total, last


def machine_code(text: str, **options: Any) -> str:
    """What LLVM has made of a kernel, without names and with numbers in place of addresses."""
    scope = dict(namespace())
    exec(text, scope)
    signature = numba.types.int64(WORD_POINTER)
    made = numba.cfunc(signature, error_model="numpy", **options)(scope["kernel"])
    return re.sub(r"\S*kernel\S*|[0-9a-f]{9,}", "", made.inspect_llvm())


@pytest.mark.parametrize("function", [arrays, loops])
def test_the_code_is_the_same_as_with_numbas_own(function: Callable[..., Any]) -> None:
    """Numba's list of passes comes to the same, later."""
    jitted = jit(function, backend="numba")
    jitted(np.arange(-3.0, 5.0), np.arange(8.0))
    text = jitted.inspect("numba")

    assert "for " in text
    assert machine_code(text, pipeline_class=KernelCompiler) == machine_code(text)
