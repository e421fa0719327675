"""The error of an unsupported version."""

from __future__ import annotations


class UnsupportedPythonError(ImportError):
    """The running CPython has no table here, so nothing of this subpackage can be imported.

    An `ImportError`, because that is when it is raised: whoever composes the package catches it
    and runs everything eagerly.
    """
