"""Machine code for the text of a kernel, by Numba; imported where a kernel is compiled.

This module and those that it imports decide what comes of a text: stored.py has the list.
"""

from __future__ import annotations

import linecache
from typing import Any

import numba

from .intrinsics import WORD_POINTER, namespace
from .objects import Code
from .passes import KernelCompiler


def compiled(text: str) -> tuple[Code, bytes, str]:
    """The code in memory; its object code, and there the name of the function that C calls."""
    filename = f"<framejit kernel {abs(hash(text)):x}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    scope = dict(namespace())
    exec(compile(text, filename, "exec"), scope)
    signature = numba.types.int64(WORD_POINTER)
    made: Any = numba.cfunc(signature, error_model="numpy", pipeline_class=KernelCompiler)(
        scope["kernel"]
    )
    assert made.address is not None
    return Code(made.address, made), made._library._get_compiled_object(), made.native_name
