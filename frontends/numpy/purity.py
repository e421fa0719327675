"""Registry of pure functions of NumPy and SciPy: they return a result and do nothing else.

NumPy does not document if a function reads files, calls back or depends on more than its arguments.
The listed modules contain functions on arrays; the listed names are exceptions among them. A
function that is not covered breaks the graph and runs as plain Python. Writing into arguments and
drawing from the global generator are detected when the result is inferred (jit/ir/infer.py).
"""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np

OF_MATH = ("math", "math.integer")
"""Names that functions of `math` give as their module; since 3.15 the second is that of ints'."""

_WRITING_METHODS = """
    byteswap dump fill itemset partition put resize setfield setflags sort tofile
"""
"""Array methods that change the array or something outside."""
_MODULES = """
    numpy numpy.char numpy.fft numpy.lib.array_utils numpy.lib.scimath numpy.lib.stride_tricks
    numpy.linalg numpy.polynomial numpy.strings
    scipy.constants scipy.fft scipy.fftpack scipy.integrate scipy.interpolate scipy.linalg
    scipy.ndimage scipy.signal scipy.signal.windows scipy.spatial.distance scipy.special
    scipy.stats
"""
"""Modules whose functions are pure, with the private modules that define them."""
_IMPURE = """
    apply_along_axis apply_over_axes array2string array_repr array_str bisplrep bmat copyto empty
    empty_like
    errstate fill_diagonal from_dlpack fromfile fromfunction fromiter frompyfunc fromregex
    genfromtxt get_printoptions get_workers getbufsize geterr geterrcall info load loadtxt
    mannwhitneyu mask_indices may_share_memory memmap ndenumerate nditer nested_iters piecewise
    place printoptions put put_along_axis putmask register_backend rvs save savetxt savez
    savez_compressed set_backend set_global_backend set_printoptions set_workers setbufsize seterr
    seterrcall shares_memory show_config show_runtime skip_backend test vectorize
"""
"""Functions that write, read files, print, call back, inspect their caller's frame or an array's
address, depend on more than their arguments (such as process options), or keep results where others
see them."""
_UNDERLYING_NAMES = """
    _monotonicity _unique_hash c_einsum correlate correlate2 count_nonzero interp interp_complex
"""
"""Pure C functions that validate their arguments, called by NumPy's Python code."""
_INDEX_MAKERS = frozenset(map(type, (np.mgrid, np.ogrid, np.r_, np.c_, np.s_)))
_RANDOM = frozenset(("rng", "random_state", "seed"))
"""Parameters of functions that draw numbers."""
_OF_PARTS = tuple(map(frozenset, (("lu_and_piv",), ("tck",), ("Q", "R"))))
"""Parameters that represent several arrays made by another function, which have to fit together:
knots, coefficients and degree of a spline, or factors and permutation of a matrix. If they do not,
compiled code writes out of bounds."""
_TRUSTED = tuple(
    map(frozenset, (("footprint", "structure"), ("origin",), ("origin1",), ("origin2",)))
)
"""Parameters of filters that are trusted if given: the arrays must have equal lengths, some of the
footprint be true, and the origin lie in the structure. Otherwise C reads out of bounds."""
_WRITING = frozenset(_WRITING_METHODS.split())
_NOT_PURE = frozenset(_IMPURE.split())
PURE_MODULES = frozenset(_MODULES.split())
_UNDERLYING = frozenset(_UNDERLYING_NAMES.split())
_FUNCTIONS = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    type(np.concatenate),
)
_OTHERS = frozenset(("cython_function_or_method", "_Function", "_lru_cache_wrapper"))
"""Types of functions that cannot be named without importing SciPy: compiled ones, those of
scipy.fft with several backends, and those that cache results."""


def changes_its_array(method: str) -> bool:
    """True if the array method of this name has an effect."""
    return method in _WRITING


def makes_of_indices(kind: type) -> bool:
    """True if subscripts of the class's objects depend on the object and the index only.

    These are NumPy's, such as `np.mgrid`. A string index may be looked up in the caller's frame.
    """
    return kind in _INDEX_MAKERS


def is_at(function: Any) -> bool:
    """True for the method `at` of a ufunc, which writes into its first argument."""
    return _is_ufunc(getattr(function, "__self__", None)) and function.__name__ == "at"


def _is_ufunc(owner: Any) -> bool:
    # Not isinstance(): it reads `__class__`, which may run code of the user's.
    return issubclass(type(owner), np.ufunc)


def is_pure(function: Any) -> bool:
    """True for a callable of NumPy or SciPy that depends on nothing but its arguments.

    A callable object, such as `np.poly1d` makes, may change between two calls.
    """
    if isinstance(function, np.ufunc):
        return True
    owner = getattr(function, "__self__", None)
    if _is_ufunc(owner):
        return not is_at(function)
    kind = type(function)
    if kind not in _FUNCTIONS and kind.__name__ not in _OTHERS:
        return False
    if owner is not None and type(owner) is not types.ModuleType:
        return False
    if kind is types.BuiltinFunctionType and not _is_numpys(function):
        return False
    return (
        function.__name__ not in _NOT_PURE
        and _is_public(function, getattr(function, "__module__", None) or "")
        and not _may_not_be_asked(function)
    )


def answers_for_itself(function: Any) -> bool:
    """True if NumPy may be asked about a function's result: a pure function or an array method.

    Also a function that depends on nothing else but callbacks, like np.piecewise; np.fromiter would
    consume the iterator.
    """
    if is_pure(function) or getattr(function, "__objclass__", None) is np.ndarray:
        return True
    is_public = type(function) in _FUNCTIONS and getattr(function, "__module__", None) == "numpy"
    return is_public and function is not np.fromiter


def _is_numpys(function: Any) -> bool:
    """True if a C function is NumPy's, which validates its arguments.

    Public C functions of SciPy have no Python wrapper that does: `sepfir2d` writes out of bounds if
    an image is smaller than the filter, and examples are small.
    """
    return (function.__module__ or "").partition(".")[0] == "numpy"


def _is_public(function: Any, module: str) -> bool:
    """True if one of the modules has the function under its own name.

    `scipy.stats._qmc` belongs to the module `scipy.stats`; `scipy.stats.qmc` is another one.
    Functions in private modules only, or with private names, trust their arguments: compiled ones
    may write out of bounds if arrays do not fit together, which examples do not.
    """
    parent, _, name = module.rpartition(".")
    if function.__name__.startswith("_") and function.__name__ not in _UNDERLYING:
        return False
    if module == "numpy._core._multiarray_umath" and function.__name__ in _UNDERLYING:
        return True
    if module in PURE_MODULES or parent == "numpy.polynomial":
        home = sys.modules.get(module)
        return home is not None and vars(home).get(function.__name__) is function
    return name.startswith("_") and _is_public(function, parent)


def trusts_arguments(function: Any, count: int, keywords: Iterable[str]) -> bool:
    """True if the call has arguments that must fit together, which examples may not.

    `count` is the number of positional arguments.
    """
    given = frozenset((*_parameters(function)[:count], *keywords))
    return any(trusted <= given for trusted in _TRUSTED)


def _may_not_be_asked(function: Any) -> bool:
    """True if it draws numbers, or trusts components of an argument that examples lack."""
    named = frozenset(_parameters(function))
    return not _RANDOM.isdisjoint(named) or any(parts <= named for parts in _OF_PARTS)


@lru_cache(maxsize=1000)
def _parameters(function: Any) -> tuple[str, ...]:
    try:
        return tuple(inspect.signature(function).parameters)
    except (TypeError, ValueError):  # compiled, without a signature
        return ()
