"""The error raised on unsupported Python versions."""

from __future__ import annotations


class UnsupportedPythonError(ImportError):
    """The running CPython has no table here, so this subpackage cannot be imported.

    An `ImportError`, because it is raised on import: the caller catches it and runs everything
    eagerly.
    """
