"""The supported versions. Every process asks, so this module imports nothing."""

from __future__ import annotations

from typing import Final

from .errors import UnsupportedPythonError

SUPPORTED: Final = {
    (3, 11): "v311",
    (3, 12): "v312",
    (3, 13): "v313",
    (3, 14): "v314",
    (3, 15): "v315",
}
"""Module of the table, by version."""
UNPROVED: Final[dict[tuple[int, int], str]] = {}
"""Versions with a table on which not all tests have passed: everything runs eagerly there, unless
`FRAMEJIT_DEBUG` includes `unproved`."""


def module_of(implementation: str, version: tuple[int, int], *, unproved: bool = False) -> str:
    """Return the module of a version's table; raises `UnsupportedPythonError` if there is none."""
    module = SUPPORTED.get(version) or (UNPROVED.get(version) if unproved else None)
    if implementation != "cpython" or module is None:
        raise UnsupportedPythonError(
            f"framejit reads the bytecode of CPython 3.11 to 3.15, not of "
            f"{implementation} {version[0]}.{version[1]}"
        )
    return module
