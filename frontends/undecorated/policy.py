"""Selects undecorated functions to capture, and names the rule by which others are not."""

from __future__ import annotations

import os
import site
from collections.abc import Iterator
from itertools import islice
from types import (
    BuiltinFunctionType,
    CellType,
    FunctionType,
    MemberDescriptorType,
    ModuleType,
)
from typing import Any

import numpy as np

MAX_FUNCTIONS = 8
"""Maximum number of captured functions (closures) per code object; beyond, the code is left alone.
"""

NUMERIC = ("numpy", "scipy")
"""Packages whose functions work on arrays."""

PACKAGE = os.path.join(os.path.abspath(os.path.join(__file__, *[os.pardir] * 3)), "")
"""framejit's folder."""
EXAMPLES = tuple(os.path.join(PACKAGE, name, "") for name in ("examples", "tests"))
"""Folders in it with programs like those of users."""

_ARRAY_FUNCTION = type(np.where)
"""The type of functions that other array types may override."""

FUNCTION = 0x01 | 0x02
"""Flags of the code of functions; bodies of modules and classes lack one of them."""

LIBRARIES = tuple(
    dict.fromkeys(
        (
            os.path.dirname(os.__file__),
            *site.getsitepackages(),
            *((site.getusersitepackages(),) if site.ENABLE_USER_SITE else ()),
        )
    )
)
"""Folders of the standard library and of installed packages."""


def is_library(file: str) -> bool:
    """True for files of the standard library and of installed packages."""
    return file.startswith(("<frozen", *LIBRARIES))


def is_framejit(file: str) -> bool:
    """True for files of this package, except its examples."""
    return file.startswith(PACKAGE) and not file.startswith((*EXAMPLES,))


def is_own(file: str) -> bool:
    """True for files of the program, not of a library."""
    return not is_library(file) and not is_framejit(file)


def why_left_alone(function: FunctionType) -> str | None:
    """Return the rule by which a function is not captured; None if it may be."""
    code = function.__code__
    module = str(function.__globals__.get("__name__", ""))
    if module.startswith("framejit.") and not module.startswith("framejit.examples."):
        return "framejit"
    if is_library(code.co_filename) or module.startswith("namedtuple_"):
        return "library"
    return None


# ---- array code --------------------------------------------------------------------------------


def touches_arrays(function: FunctionType, arguments: tuple[Any, ...]) -> bool:
    """True if a live function works on arrays, judged by its arguments and the names in its code.

    That is: an argument, an attribute or item of one that the code names, a cell or a global is an
    array or NumPy scalar; or the code names something of NumPy or SciPy. No code of the user runs
    for it.
    """
    names = frozenset(function.__code__.co_names)
    if any(_leads_to_array(value, names, 2) for value in arguments):
        return True
    if any(_leads_to_array(cell, names, 2) for cell in function.__closure__ or ()):
        return True
    space = function.__globals__
    return any(name in space and _is_numeric(space[name]) for name in names)


def _leads_to_array(value: Any, names: frozenset[str], depth: int) -> bool:
    if isinstance(value, CellType):
        try:
            value = value.cell_contents
        except ValueError:
            return False
    if _is_numeric(value):
        return True
    if depth == 0 or value is None or isinstance(value, type | ModuleType):
        return False
    if type(value) in (list, tuple):
        return any(_leads_to_array(item, names, depth - 1) for item in value[:8])
    if type(value) is dict:
        items = islice(value.values(), 8)
        return any(_leads_to_array(item, names, depth - 1) for item in items)
    return any(_leads_to_array(one, names, depth - 1) for one in _attributes(value, names))


def _attributes(value: Any, names: frozenset[str]) -> Iterator[Any]:
    """Yield the attributes of an instance that the code names, without running the user's code."""
    kind = type(value)
    if kind.__module__ == "builtins":
        return
    for name in names:
        found = next((vars(one)[name] for one in kind.__mro__ if name in vars(one)), None)
        if found is not None and not isinstance(found, MemberDescriptorType):
            continue
        try:
            yield object.__getattribute__(value, name)
        except AttributeError:
            continue


def _is_numeric(value: Any) -> bool:
    """True for arrays, NumPy scalars, and callables of NumPy or SciPy."""
    kind = type(value)  # isinstance() would call the value's __class__
    if issubclass(kind, np.ndarray | np.generic | np.ufunc):
        return True
    if kind is ModuleType:
        home = vars(value).get("__name__")
    elif kind is type:
        home = vars(value).get("__module__")
    elif kind in (BuiltinFunctionType, FunctionType, _ARRAY_FUNCTION):
        home = value.__module__
    else:
        return False
    return isinstance(home, str) and home.split(".")[0] in NUMERIC


REASONS = {
    "framejit": "it belongs to framejit itself",
    "library": "it belongs to {package}",
    "body": "it is the body of a module or class",
    "closures": f"more than {MAX_FUNCTIONS} functions were made of this code",
    "deep": "there was too little C stack or recursion depth to spare",
    "tools": "a debugger, profiler or tracer was watching",
    "exchanged": "the program had put others in the place of builtins that framejit relies on",
    "cold": "it was called too few times, or took too little time, to be worth compiling",
}
"""Reasons why frames of a code object ran unchanged, by the stable name of the rule."""


def package_of(file: str) -> str:
    """Return the installed package or standard library module that a file belongs to."""
    if file.startswith("<frozen "):
        return file.removeprefix("<frozen ").rstrip(">").split(".")[0]
    homes = sorted((home for home in LIBRARIES if file.startswith(home)), key=len)
    if not homes:
        return "a library"
    first = file[len(homes[-1]) :].lstrip("/\\").replace("\\", "/").split("/")[0]
    return first.removesuffix(".py")
