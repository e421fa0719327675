"""Detects functions of NumPy that the program has replaced before framejit made its tables.

The tables identify NumPy's functions by the objects under their names. A replacement would be taken
for NumPy's own function.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

HOMES = ("numpy", "numpy.linalg", "numpy.fft")
_DEFINE = ("numpy._core.", "numpy.lib._", "numpy.linalg._", "numpy.fft._")
"""Name prefixes of modules that define functions; others only re-export them."""
_OF_TEXTS = ("numpy._core.strings", "numpy._core.defchararray")
"""Modules of string functions with names such as `mod`."""
_OF_NUMPY = (FunctionType, type(np.sum), np.ufunc)
"""Types of NumPy's functions."""


class ReplacedFunctionsError(Exception):
    """Nothing can be captured in this process; the message has the names."""


def check_functions() -> None:
    """Raise ReplacedFunctionsError if the program has replaced functions of NumPy."""
    if names := replaced_functions():
        raise ReplacedFunctionsError(", ".join(names))


@cache
def replaced_functions() -> tuple[str, ...]:
    """Return the names of functions that were replaced when this was first called."""
    return tuple(name for home in HOMES for name in _replaced_in(home))


def _replaced_in(home: str) -> Iterator[str]:
    module = sys.modules.get(home)
    for name, held in [*(vars(module) if type(module) is ModuleType else {}).items()]:
        if name.startswith("_") or getattr(held, "__name__", None) in (name, f"{home}.{name}"):
            continue
        own = [one for one in _under(name) if one.__name__ == name]
        if own and not any(one is held for one in own):
            yield f"{home}.{name}"


def _under(name: str) -> Iterator[Any]:
    """Yield functions that NumPy's modules define under a name."""
    for module, found in [*sys.modules.items()]:
        if module.startswith(_DEFINE) and module not in _OF_TEXTS and type(found) is ModuleType:
            held = vars(found).get(name)
            if type(held) in _OF_NUMPY and _is_numpys(held):
                yield held


def _is_numpys(held: Any) -> bool:
    return str(getattr(held, "__module__", "numpy") or "numpy").partition(".")[0] == "numpy"
