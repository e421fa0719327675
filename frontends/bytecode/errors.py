"""The two errors of this subpackage: an unsupported version, an unsupported code object."""

from __future__ import annotations


class UnsupportedPythonError(ImportError):
    """The running CPython has no table here, so nothing of this subpackage can be imported.

    An `ImportError`, because that is when it is raised: whoever composes the package catches it
    and runs everything eagerly.
    """


class UnsupportedCodeError(ValueError):
    """A code object that CPython's own compiler would not have written.

    Raised by `decode` and `analyse`.  The function runs eagerly; nothing is wrong with it.
    """
