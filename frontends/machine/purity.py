"""What NumPy and SciPy functions do besides giving a result: a registry.

NumPy does not say of a function whether it reads files, calls back or depends on more than its
arguments. These are the ones that do. Whether a call writes into its arguments, or advances the
global random generator, is asked when its result is inferred (jit/ir/infer.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np

_WRITING_METHODS = """
    byteswap dump fill itemset partition put resize setfield setflags sort tofile
"""
"""Array methods that change the array, or something outside."""
_MODULES = ("numpy", "scipy")
_IMPURE_MODULES = (
    "numpy.random",
    "numpy.testing",
    "numpy.ctypeslib",
    "numpy.f2py",
    "scipy.datasets",
    "scipy.io",
)
_IMPURE = """
    apply_along_axis apply_over_axes copyto empty empty_like errstate fill_diagonal fromfile
    fromfunction fromiter frompyfunc genfromtxt geterr geterrcall info load loadtxt memmap
    ndenumerate nditer piecewise place printoptions put put_along_axis putmask rvs save savetxt
    savez savez_compressed set_printoptions setbufsize seterr seterrcall show_config vectorize
"""
"""Functions that write, read files, call back, or depend on more than their arguments."""
_WRITING = frozenset(_WRITING_METHODS.split())
_NOT_PURE = frozenset(_IMPURE.split())


def changes_its_array(method: str) -> bool:
    """Whether an array method of this name has an effect."""
    return method in _WRITING


def is_pure(function: Any) -> bool:
    """Whether a callable belongs to NumPy or SciPy and depends on nothing but its arguments."""
    module = getattr(function, "__module__", None) or ""
    name = getattr(function, "__name__", "")
    if isinstance(function, np.ufunc):
        return True
    # Not isinstance(): it asks for `__class__`, which may run code of the user's.
    if issubclass(type(getattr(function, "__self__", None)), np.ufunc):
        return name != "at"
    if module.split(".")[0] not in _MODULES or module.startswith(_IMPURE_MODULES):
        return False
    return name not in _NOT_PURE and not isinstance(function, type)
