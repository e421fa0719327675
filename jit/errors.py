"""Exceptions and warnings of the public interface."""

from __future__ import annotations

import importlib
import os
import sys
import warnings

_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_INSIDE = ("__init__.py", "__main__.py", "jit/", "frontends/", "backends/", "guards/")
_OURS = (*(os.path.join(_ROOT, *path.split("/")) for path in _INSIDE), str(importlib.__file__))
"""Prefixes of the names of framejit's files; importlib is one, as lazy imports go through it."""


class FramejitError(Exception):
    """Base of all exceptions that framejit raises on purpose."""


class GraphBreakError(FramejitError):
    """The function has a graph break and `fullgraph=True`; the message describes the break."""


class BackendError(FramejitError):
    """A backend is unknown or could not be loaded."""


class StageError(FramejitError):
    """`f.trace()`, `.lower()` or `.compile()` cannot make a stage; the message has the reason."""


class VerifyError(FramejitError):
    """With `verify=True`, a kernel's result differs from that of the numpy backend."""


class UnsupportedCodeError(ValueError):
    """A code object that CPython's own compiler would not have produced.

    Raised by `decode` and `analyse`. The function runs eagerly; nothing is wrong with it.
    """


class FramejitWarning(UserWarning):
    """Base of all warnings about framejit itself."""


class FallbackWarning(FramejitWarning):
    """Nothing can be compiled in this process.

    Unsupported platform, or no C core in the package.
    """


def warn(message: str, category: type[FramejitWarning] = FramejitWarning) -> None:
    """Warn at the line of the program that led here, skipping framejit's frames.

    If the program's filters turn the warning into an error, it is printed to stderr instead: the
    program works without framejit, and must not end with an exception that eager would not raise.
    """
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and _is_passed_over(frame.f_code.co_filename):
        level += "importlib._bootstrap" not in frame.f_code.co_filename  # Python skips them
        frame = frame.f_back
    try:
        warnings.warn(message, category, stacklevel=level + 1)
    except category:
        if sys.stderr is not None:
            print(f"{category.__name__}: {message}", file=sys.stderr)


def _is_passed_over(filename: str) -> bool:
    return filename.startswith(_OURS) or "importlib._bootstrap" in filename
