"""Errors and warnings of the public face."""

from __future__ import annotations

import importlib
import os
import sys
import warnings

_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_ROOMS = ("__init__.py", "__main__.py", "jit/", "frontends/", "backends/", "guards/")
_OURS = (*(os.path.join(_ROOT, *room.split("/")) for room in _ROOMS), str(importlib.__file__))
"""What the names of our own files begin with; the lazy face asks importlib."""


class FramejitError(Exception):
    """Base of all errors that framejit raises on purpose."""


class GraphBreakError(FramejitError):
    """`fullgraph=True` and the function has a graph break; the message names it."""


class BackendError(FramejitError):
    """A backend is unknown or could not be loaded."""


class StageError(FramejitError):
    """`f.trace()`, `.lower()` or `.compile()` cannot give a stage; the message says why."""


class VerifyError(FramejitError):
    """`verify=True` and a kernel differs from the numpy backend."""


class UnsupportedCodeError(ValueError):
    """A code object that CPython's own compiler would not have written.

    Raised by `decode` and `analyse`.  The function runs eagerly; nothing is wrong with it.
    """


class FramejitWarning(UserWarning):
    """Base of all warnings that framejit issues on its own behalf."""


class FallbackWarning(FramejitWarning):
    """Nothing can be compiled in this process: the platform, or a package without its C core."""


def warn(message: str, category: type[FramejitWarning] = FramejitWarning) -> None:
    """Warns at the line of the program that led here, whatever of framejit lies between.

    Where the program's filters make an error of it, it is printed to stderr instead: the program
    works without framejit, and must not end with an exception that eager would not raise.
    """
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and _is_passed_over(frame.f_code.co_filename):
        level += "importlib._bootstrap" not in frame.f_code.co_filename  # which Python leaves out
        frame = frame.f_back
    try:
        warnings.warn(message, category, stacklevel=level + 1)
    except category:
        if sys.stderr is not None:
            print(f"{category.__name__}: {message}", file=sys.stderr)


def _is_passed_over(filename: str) -> bool:
    return filename.startswith(_OURS) or "importlib._bootstrap" in filename
