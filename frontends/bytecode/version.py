"""The only module that asks for the running version."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Final

from .layouts import LAYOUTS, Layout
from .supported import module_of

if TYPE_CHECKING:
    from .rows import Row


def layout_of(implementation: str, version: tuple[int, int]) -> Layout:
    """Return a version's layout; raises `UnsupportedPythonError` if there is none."""
    module_of(implementation, version, unproved=True)
    return LAYOUTS[version]


def rows_of(version: tuple[int, int]) -> Mapping[str, Row]:
    """Return a version's rows; they are imported when code is first decoded."""
    module = module_of("cpython", version, unproved=True)
    rows: Mapping[str, Row] = import_module(f".{module}", __package__).ROWS
    return rows


LAYOUT: Final = layout_of(sys.implementation.name, sys.version_info[:2])
"""Layout of the running version."""
