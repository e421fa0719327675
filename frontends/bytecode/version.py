"""The one place where the running version is asked for."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Final

from .supported import module_of
from .table import Table


def select(implementation: str, version: tuple[int, int]) -> Table:
    """The table of a version; raises `UnsupportedPythonError` when there is none."""
    module = module_of(implementation, version, unproved=True)
    table: Table = import_module(f".{module}", __package__).TABLE
    return table


TABLE: Final = select(sys.implementation.name, sys.version_info[:2])
"""The table of the running version."""
