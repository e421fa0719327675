"""The NumPy versions that framejit serves, and its behaviour with newer ones."""

from __future__ import annotations

from functools import cache

OLDEST, NEWEST = (2, 3), (2, 5)
"""The oldest version with the same answers, and the newest with which all tests have passed."""


def _installed() -> tuple[str, tuple[int, int]]:
    """Return the installed version as text, and its first two numbers."""
    import numpy

    major, minor = numpy.__version__.split(".")[:2]
    return numpy.__version__, (int(major), int(minor))


def why_too_old() -> str | None:
    """Return the reason why everything runs eagerly with this NumPy; None if it does not."""
    text, version = _installed()
    if version >= OLDEST:
        return None
    oldest = ".".join(map(str, OLDEST))
    return f"NumPy {text} is older than {oldest}, before which some answers have other bits"


@cache
def is_tested() -> bool:
    """True unless the installed NumPy is newer than all that framejit was tested with."""
    return _installed()[1] <= NEWEST


def untested() -> str:
    """Return a sentence about a NumPy that is newer than all tested ones, without a full stop."""
    newest = ".".join(map(str, NEWEST))
    return f"NumPy {_installed()[0]} is newer than {newest}, with which framejit was tested last"
