"""Which functions of NumPy and SciPy give a result and do nothing else: a registry.

NumPy does not say of a function whether it reads files, calls back or depends on more than its
arguments. The modules here are those of functions on arrays; the names are the ones in them that
do. What is not listed breaks the graph and runs as plain Python. Whether a call writes into its
arguments, or advances the global random generator, is asked when its result is inferred
(jit/ir/infer.py).
"""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np

_WRITING_METHODS = """
    byteswap dump fill itemset partition put resize setfield setflags sort tofile
"""
"""Array methods that change the array, or something outside."""
_MODULES = """
    numpy numpy.char numpy.fft numpy.lib.array_utils numpy.lib.scimath numpy.lib.stride_tricks
    numpy.linalg numpy.polynomial numpy.strings
    scipy.constants scipy.fft scipy.fftpack scipy.integrate scipy.interpolate scipy.linalg
    scipy.ndimage scipy.signal scipy.signal.windows scipy.spatial.distance scipy.special
    scipy.stats
"""
"""A function is one of theirs when it was defined there, or in a private module below."""
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
"""Functions that write, read files, print, call back, look at their caller's frame or at where an
array lies, or depend on more than their arguments: on options of the process, for one; or that keep
what they have computed where others see it."""
_UNDERLYING_NAMES = """
    _monotonicity _unique_hash c_einsum correlate correlate2 count_nonzero interp interp_complex
"""
"""Pure functions of C that look at their arguments, which NumPy's Python calls."""
_INDEX_MAKERS = frozenset(map(type, (np.mgrid, np.ogrid, np.r_, np.c_, np.s_)))
_RANDOM = frozenset(("rng", "random_state", "seed"))
"""Parameters of functions that draw numbers."""
_OF_PARTS = tuple(map(frozenset, (("lu_and_piv",), ("tck",), ("Q", "R"))))
"""Parameters that stand for several arrays which have to fit together, as another function made
them: the knots, the coefficients and the degree of a spline, the factors of a matrix and how its
rows were exchanged. Compiled code writes beyond its memory where they do not."""
_TRUSTED = tuple(
    map(frozenset, (("footprint", "structure"), ("origin",), ("origin1",), ("origin2",)))
)
"""Parameters of filters that are trusted where they are given: the arrays have to be as long as one
another, with something of the footprint true, and the origin has to lie in the structure. C reads
elsewhere where they do not."""
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
scipy.fft, which may have several backends, and those that remember their results."""


def changes_its_array(method: str) -> bool:
    """Whether an array method of this name has an effect."""
    return method in _WRITING


def makes_of_indices(kind: type) -> bool:
    """Whether a subscript of objects of a class depends on them and on the index alone.

    They are NumPy's, such as `np.mgrid`. A text as the index may be looked at in its caller.
    """
    return kind in _INDEX_MAKERS


def is_at(function: Any) -> bool:
    """Whether a function is the method `at` of a ufunc, which writes into its first argument."""
    return _is_ufunc(getattr(function, "__self__", None)) and function.__name__ == "at"


def _is_ufunc(owner: Any) -> bool:
    # Not isinstance(): it asks for `__class__`, which may run code of the user's.
    return issubclass(type(owner), np.ufunc)


def is_pure(function: Any) -> bool:
    """Whether a callable belongs to NumPy or SciPy and depends on nothing but its arguments.

    An object that can be called, as `np.poly1d` makes one, may change between two calls.
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
    """Whether NumPy can be asked what a function gives: True of pure functions and array methods.

    It is also true of those that depend on nothing else than what they call back, as np.piecewise
    does; np.fromiter would use up the iterator that it is given.
    """
    if is_pure(function) or getattr(function, "__objclass__", None) is np.ndarray:
        return True
    is_public = type(function) in _FUNCTIONS and getattr(function, "__module__", None) == "numpy"
    return is_public and function is not np.fromiter


def _is_numpys(function: Any) -> bool:
    """Whether a function of C is NumPy's, which looks at its arguments.

    One of SciPy's that is public as it is has no Python before it that would: `sepfir2d` writes
    beyond the end of an image that is smaller than the filter, and examples are small.
    """
    return (function.__module__ or "").partition(".")[0] == "numpy"


def _is_public(function: Any, module: str) -> bool:
    """Whether one of the modules has it under its name.

    `scipy.stats._qmc` belongs to the module `scipy.stats`; `scipy.stats.qmc` is another one. What
    stands in private modules alone, or under a private name, trusts its arguments: compiled code
    among it writes beyond the end of arrays that do not fit together, and examples do not.
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
    """Whether a call of a pure function hands over what has to fit; examples may not.

    `count` is how many of its arguments have no keyword.
    """
    given = frozenset((*_parameters(function)[:count], *keywords))
    return any(trusted <= given for trusted in _TRUSTED)


def _may_not_be_asked(function: Any) -> bool:
    """Whether it draws numbers, or trusts parts of an argument that examples do not have."""
    named = frozenset(_parameters(function))
    return not _RANDOM.isdisjoint(named) or any(parts <= named for parts in _OF_PARTS)


@lru_cache(maxsize=1000)
def _parameters(function: Any) -> tuple[str, ...]:
    try:
        return tuple(inspect.signature(function).parameters)
    except (TypeError, ValueError):  # of a compiled function nothing is known
        return ()
