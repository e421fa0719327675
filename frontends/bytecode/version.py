"""The one place where the running version is asked for."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Final

from .errors import UnsupportedPythonError
from .table import Table

SUPPORTED: Final = {(3, 11): "v311", (3, 12): "v312", (3, 13): "v313"}


def select(implementation: str, version: tuple[int, int]) -> Table:
    """The table of a version; raises `UnsupportedPythonError` when there is none."""
    module = SUPPORTED.get(version)
    if implementation != "cpython" or module is None:
        raise UnsupportedPythonError(
            f"framejit reads the bytecode of CPython 3.11 to 3.13, not of "
            f"{implementation} {version[0]}.{version[1]}"
        )
    table: Table = import_module(f".{module}", __package__).TABLE
    return table


TABLE: Final = select(sys.implementation.name, sys.version_info[:2])
"""The table of the running version."""
