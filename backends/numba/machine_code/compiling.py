"""Machine code for the text of a kernel, by Numba; imported where a kernel is compiled.

This module and those that it imports decide what comes of a text: stored.py has the list.
"""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numba
from numba.core import errors
from numba.core.compiler_lock import global_compiler_lock

from ..library.intrinsics import WORD_POINTER, namespace
from .emitting import object_code
from .passes import KernelCompiler
from .settings import defaults


def compiled(text: str) -> tuple[bytes, str]:
    """Object code, and there the name of the function that C calls."""
    filename = f"<framejit kernel {abs(hash(text)):x}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    scope = dict(namespace())
    exec(compile(text, filename, "exec"), scope)
    signature = numba.types.int64(WORD_POINTER)
    try:
        with defaults(), _filters_left_alone():
            made: Any = numba.cfunc(signature, error_model="numpy", pipeline_class=KernelCompiler)(
                scope["kernel"]
            )
            return object_code(made._library._final_module), made.native_name
    finally:
        del linecache.cache[filename]


@contextmanager
def _filters_left_alone() -> Iterator[None]:
    """Numba exchanges the filters of warnings for each statement that it infers the types of.

    They are everybody's: other threads would lose warnings, and blocks of catch_warnings() that are
    not one inside of the other leave filters behind. Kernels give no warnings. Who else compiles
    with Numba has to wait for its lock.
    """
    with global_compiler_lock:
        fixer: Any = vars(errors)["WarningsFixer"]
        before = fixer.catch_warnings
        fixer.catch_warnings = _catch_nothing
        try:
            yield
        finally:
            fixer.catch_warnings = before


@contextmanager
def _catch_nothing(self: Any, filename: Any = None, lineno: Any = None) -> Iterator[None]:
    yield
