"""The passes that a kernel is compiled with leave out work, not code."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest
from numba.core.compiler import Compiler
from numba.core.typed_passes import NativeLowering

from framejit import jit
from framejit.backends.numba.library.intrinsics import WORD_POINTER, namespace
from framejit.backends.numba.machine_code.passes import KernelCompiler, Lowering


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


def crossed(x: Any, y: Any) -> Any:
    """Numbers that loops in loops and branches assign by turns."""
    a, b, c = 0.0, 1.0, 0
    for i in range(len(x)):
        if x[i] > b:
            a, b = b, a + x[i]
        for j in range(i):
            if y[j] > a:
                c = c + j
                continue
            b = b * 0.5 if x[j] > y[i] else a
        a = a + c
    while a > 1:
        a, c = a / 2, c + 1
    return a, b, c


class NumbasPasses(Compiler):  # type: ignore[misc]
    """Numba's own list, with our function for C around the kernel."""

    def define_pipelines(self) -> list[Any]:
        [manager] = super().define_pipelines()
        manager.passes = [
            (Lowering if each is NativeLowering else each, name) for each, name in manager.passes
        ]
        manager._finalized = False
        manager.finalize()
        return [manager]


NAME = r"%(?!retptr)[A-Za-z.][\w.$]*"
"""Of a value or a label."""


def machine_code(text: str, **options: Any) -> str:
    """What LLVM has made of a kernel, without names, with numbers in place of addresses.

    Values are numbered as they come in each function: elsewhere a name is another value's.
    """
    scope = dict(namespace())
    exec(text, scope)
    signature = numba.types.int64(WORD_POINTER)
    made = numba.cfunc(signature, error_model="numpy", **options)(scope["kernel"])
    code = re.sub(r"\S*kernel\S*|[0-9a-f]{9,}|; preds = .*", "", made.inspect_llvm())
    return "".join(map(numbered, re.split(r"^(?=define )", code, flags=re.MULTILINE)))


def numbered(code: str) -> str:
    """A function in whose text values and labels have numbers for names."""
    names = dict.fromkeys(re.findall(NAME, code))
    numbers = {name: f"%.{k}" for k, name in enumerate(names)}
    return re.sub(NAME, lambda found: numbers[found[0]], code)


def body(code: str) -> str:
    """The function that the kernel is, without the one around it that C calls."""
    found = re.search(r"^define [^\n]*%retptr.*?^}", code, re.MULTILINE | re.DOTALL)
    assert found is not None
    return re.sub(r" #\d+", "", found[0])  # attributes are numbered through a module


@pytest.mark.parametrize("function", [arrays, loops, crossed])
def test_the_code_is_the_same_as_with_numbas_own(function: Callable[..., Any]) -> None:
    """Numba's list of passes comes to the same, later; what C calls is another function."""
    jitted = jit(function, backend="numba")
    jitted(np.arange(-3.0, 5.0), np.arange(8.0))
    text = jitted.inspect("numba")
    ours, numbas = machine_code(text, pipeline_class=KernelCompiler), machine_code(text)

    assert "for " in text
    assert ours == machine_code(text, pipeline_class=NumbasPasses)
    assert body(ours) == body(numbas)
    assert "PyErr" not in ours
    # Where LLVM sees that nothing is raised Numba's own does not tell the interpreter either.
    assert ("PyErr" in numbas) == (function is loops)
