"""Lowers the text of a kernel from its syntax tree to LLVM IR, in one pass.

Numba's front end gets there from bytecode through its own IR, SSA form, type inference and
rewrites, which took half of the compile time. Here each statement is emitted directly
(function_emitter.py). The meaning of operations and the code of intrinsics are still Numba's
(operations.py).
"""

from __future__ import annotations

import ast
import builtins
from functools import cache
from typing import Any

from llvmlite import ir
from numba.core import types

from ....jit.frozen import dataclass
from ....jit.native import KERNEL_BAIL
from ....jit.parsing import parse
from ..library.intrinsics import WORD_POINTER, namespace
from .function_emitter import Emitter
from .functions import call_of, part_of
from .inference import Inference

SYMBOL = "framejit_kernel"
"""Name of the function that C calls."""


@dataclass(frozen=True, slots=True)
class Lowered:
    """A kernel in LLVM IR."""

    module: Any
    """The llvmlite module."""
    has_nested_short_loops: bool
    """True if a loop with few iterations, known to LLVM, is inside another such loop."""


def lowered(text: str) -> Lowered:
    """Lower a text, which may define parts after the kernel."""
    names = dict(_names())
    function, *parts = parse(text).body
    assert isinstance(function, ast.FunctionDef)
    for each in parts:
        assert isinstance(each, ast.FunctionDef)
        names[each.name] = part_of(each, names)
    found = Inference(function, [WORD_POINTER], names, call_of)
    module = ir.Module("framejit")
    made = Emitter(module, SYMBOL, found, types.int64, KERNEL_BAIL)
    made.emit()
    return Lowered(module, made.has_nested_short_loops)


@cache
def _names() -> dict[str, Any]:
    """Return the global names of a kernel's text."""
    return {**vars(builtins), **namespace()}
