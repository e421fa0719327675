"""Rows of NumPy's functions of arrays of which somebody knows more than NumPy tells.

These are ufuncs, which reductions and scans carry too, and functions of lines. Other ufuncs, such
as SciPy's, need no row: NumPy is asked for their types, and they are computed by their own loops.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy._core import umath
from numpy.linalg import _umath_linalg

from .schema import Comparison, Family, Flags, Linear, Primitive, Unit

ELEMENTWISE = Family("a ufunc", ("flags", "exact"))
OF_LINES = Family("a function of the items along an axis, which is no ufunc", ("extreme",))
OF_MATRICES = Family(
    "a generalised ufunc of linear algebra",
    ("factorises",),
    {"least_dims": "each dim of its results is one of the operands"},
)
COMPARISON = Family("a comparison of arrays", ("flags", "exact", "compares", "takes_any_int"))

_REPORTS = "it reports flags"
_ROUNDS = "its last bits depend on the loop"


def core_dims(gufunc: np.ufunc) -> set[str]:
    """Return the names of the core dims of a generalised ufunc."""
    return {*re.findall(r"\w+", gufunc.signature or "")}


def _row(name: str, /, **more: Any) -> Primitive:
    return Primitive(name, getattr(umath, name), ELEMENTWISE, **more)


def _silent(name: str, exact: str = "f", /, **more: Any) -> Primitive:
    """Return the row of a ufunc that raises no flag for any real numbers."""
    return _row(name, flags=Flags.NEVER, exact=exact, **more)


def _wraps(name: str, exact: str = "", /, **more: Any) -> Primitive:
    """Return the row of a ufunc that raises no flag for ints."""
    return _row(name, flags=Flags.FLOATS, exact=exact, **more)


def _reports(name: str, exact: str = "", /, **more: Any) -> Primitive:
    """Return the row of a ufunc that may report flags."""
    lacks = {"flags": _REPORTS} | ({} if exact else {"exact": _ROUNDS})
    return _row(name, exact=exact, lacks=lacks, **more)


def _comparison(
    name: str, sign: str, mirrored: str, above: str, below: str, exact: str = "f"
) -> Primitive:
    others = (getattr(umath, one) for one in (mirrored, above, below))
    return Primitive(
        *(name, getattr(umath, name), COMPARISON),
        compares=Comparison(sign, *others),
        flags=Flags.NEVER,
        exact=exact,
        takes_any_int=True,
        plain_constants="fi",
    )


ROWS: tuple[Primitive, ...] = (
    # ---- arithmetic
    _wraps(
        *("add", "fc"),
        linear=Linear.SUM,
        adds=True,
        unit=Unit(-0.0),
        modular=True,
        cheap=True,
        plain_constants="fi",
    ),
    _wraps(
        *("subtract", "fc"),
        linear=Linear.DIFFERENCE,
        unit=Unit(0.0, right_only=True),
        cheap=True,
        plain_constants="fi",
    ),
    _wraps(
        *("multiply", "f"),
        linear=Linear.PRODUCT,
        unit=Unit(1.0),
        modular=True,
        cheap=True,
        plain_constants="f",
    ),
    _wraps("square", "f", cheap=True),
    _reports("divide", "f", linear=Linear.QUOTIENT, unit=Unit(1.0, right_only=True)),
    _reports("floor_divide", "f", unit=Unit(1, right_only=True, ints=True)),
    *(_reports(name, "f") for name in ("remainder", "reciprocal", "sqrt")),
    _reports("power", raises="iu", stride_dependent=True),
    _reports("clip", stride_dependent=True),
    _silent(
        *("negative", "fc"), passes_nan=True, linear=Linear.NEGATION, involutive=True, cheap=True
    ),
    _silent("positive", "fc", passes_nan=True, linear=Linear.SAME),
    _silent("absolute", idempotent=True, cheap=True),
    _silent("fabs", idempotent=True),
    _silent("conjugate", "fc"),
    _silent("signbit"),
    _silent("copysign"),
    *(_reports(name, "f", idempotent=True) for name in ("floor", "ceil", "trunc", "rint")),
    *(_reports(name, "f") for name in ("sign", "nextafter", "spacing")),
    # ---- comparisons and choices
    _comparison("less", "<", "greater", "less_equal", "less"),
    _comparison("less_equal", "<=", "greater_equal", "less_equal", "less"),
    _comparison("greater", ">", "less", "greater", "greater_equal"),
    _comparison("greater_equal", ">=", "less_equal", "greater", "greater_equal"),
    _comparison("equal", "==", "equal", "greater", "less", "fc"),
    _comparison("not_equal", "!=", "not_equal", "less_equal", "greater_equal", "fc"),
    _silent("maximum", passes_nan=True, extreme=">"),
    _silent("minimum", passes_nan=True, extreme="<"),
    *(_reports(name, "f", passes_nan=True, cut_dependent=True) for name in ("fmax", "fmin")),
    _silent("isnan"),
    _silent("isinf", tests_infinity=True),
    _silent("isfinite"),
    # ---- bits and truth
    _silent("bitwise_and", unit=Unit(-1), of_equals=True, plain_constants="i"),
    _silent("bitwise_or", unit=Unit(0), of_equals=True, plain_constants="i"),
    _silent("bitwise_xor", unit=Unit(0), plain_constants="i"),
    _silent("invert", involutive=True),
    *(
        _wraps(name, unit=Unit(0, right_only=True), lacks={"exact": "floats have no bits to shift"})
        for name in ("left_shift", "right_shift")
    ),
    _silent("logical_and", takes_any_int=True, of_truth=True),
    _silent("logical_or", takes_any_int=True, of_truth=True),
    _silent("logical_not", takes_any_int=True, involutive=True),
    _reports("logical_xor", "f"),
)

LINALG: tuple[Primitive, ...] = tuple(
    Primitive(
        *(name, function, OF_MATRICES),
        factorises=True,
        least_dims={"p": ("m", "n")} if "p" in core_dims(function) else {},
    )
    for name, function in vars(_umath_linalg).items()
    if isinstance(function, np.ufunc)
)
"""Rows of NumPy's generalised ufuncs for linear algebra."""

LINES: tuple[Primitive, ...] = (
    Primitive("argmax", np.argmax, OF_LINES, extreme=">"),
    Primitive("argmin", np.argmin, OF_LINES, extreme="<"),
)
