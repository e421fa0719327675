"""Causes of breaks that are library calls for which NumPy has an alternative."""

from __future__ import annotations

from .entry import Cause, Pair

MATH = Cause(
    "math",
    r"^call of `math\.",
    "NumPy's functions go into the graph",
    Pair(
        """\
import math

@jit
def f(x):
    y = x * 2
    return y + math.prod(y)

answer = f(np.arange(1.0, 4.0))
""",
        """\
@jit
def f(x):
    y = x * 2
    return y + np.prod(y)

answer = f(np.arange(1.0, 4.0))
""",
    ),
    named=("NumPy's function goes into the graph: `{new}`",),
    rewrites=(
        ("math.prod(_a)", "np.prod(_a)"),
        ("math.fsum(_a)", "np.sum(_a)"),
        ("math.dist(_a, _b)", "np.linalg.norm(np.subtract(_a, _b))"),
        ("math.hypot(_a, _b)", "np.hypot(_a, _b)"),
    ),
)
VECTORIZE = Cause(
    "vectorize",
    r"^call of `(?:numpy\.)?(?:vectorize\b|frompyfunc)",
    "call the function itself on the array, with np.where in place of its `if`",
    Pair(
        """\
@jit
def f(x):
    clip = np.vectorize(lambda a: a if a > 1 else 0.0)
    return clip(x) * 2

answer = f(np.arange(4.0))
""",
        """\
@jit
def f(x):
    clip = lambda a: np.where(a > 1, a, 0.0)
    return clip(x) * 2

answer = f(np.arange(4.0))
""",
    ),
    named=(
        "take the function itself, with np.where in place of its `if`: `{new}`",
        "call the function itself on `{arg}`, with np.where in place of its `if`",
    ),
    rewrites=(("np.vectorize(_f)", "_f"), ("numpy.vectorize(_f)", "_f")),
)
INTERPOLATION = Cause(
    "interp1d",
    r"^call of `(?:interp1d\.|_Interpolator1D\.)",
    "np.interp goes into the graph, where linear interpolation is meant",
    Pair(
        """\
from scipy.interpolate import interp1d

@jit
def f(x, q):
    y = x * 2
    curve = interp1d(x, y)
    return curve(q) + 1

answer = f(np.arange(4.0), np.array([0.5, 1.5]))
""",
        """\
@jit
def f(x, q):
    y = x * 2
    return np.interp(q, x, y) + 1

answer = f(np.arange(4.0), np.array([0.5, 1.5]))
""",
    ),
)
BISECT = Cause(
    "bisect",
    r"^call of `_?bisect\.",
    "np.searchsorted goes into the graph",
    Pair(
        """\
import bisect

@jit
def f(x, edges):
    y = x * 2
    return y + bisect.bisect(edges, 2.5)

answer = f(np.arange(4.0), [1.0, 2.0, 3.0])
""",
        """\
@jit
def f(x, edges):
    y = x * 2
    return y + np.searchsorted(edges, 2.5, side="right")

answer = f(np.arange(4.0), [1.0, 2.0, 3.0])
""",
    ),
    named=("np.searchsorted goes into the graph: `{new}`",),
    rewrites=(
        ("bisect.bisect(_a, _x)", "np.searchsorted(_a, _x, side='right')"),
        ("bisect.bisect_right(_a, _x)", "np.searchsorted(_a, _x, side='right')"),
        ("bisect.bisect_left(_a, _x)", "np.searchsorted(_a, _x)"),
    ),
)
SETERR = Cause(
    "seterr",
    r"^call of `numpy\.seterr",
    "`with np.errstate(...)` goes into the graph",
    Pair(
        """\
@jit
def f(x):
    old = np.seterr(divide="ignore")
    y = 1 / x
    np.seterr(**old)
    return y

answer = f(np.arange(4.0))
""",
        """\
@jit
def f(x):
    with np.errstate(divide="ignore"):
        y = 1 / x
    return y

answer = f(np.arange(4.0))
""",
    ),
    named=("what it is for goes into a block: `{new}`",),
    rewrites=(
        ("_old = np.seterr(*_modes)", "with np.errstate(*_modes):"),
        ("np.seterr(*_modes)", "with np.errstate(*_modes):"),
    ),
)
MATRIX = Cause(
    "matrix",
    r"^call of `numpy\.(?:matrix|asmatrix|mat)\b",
    "use np.array, and `@` for products",
    Pair(
        """\
@jit
def f(x):
    m = np.matrix([[1.0, 2.0], [3.0, 4.0]])
    return np.array(x * m)

answer = f(np.ones((2, 2)))
""",
        """\
@jit
def f(x):
    m = np.array([[1.0, 2.0], [3.0, 4.0]])
    return x @ m

answer = f(np.ones((2, 2)))
""",
    ),
    named=("use an array, and `@` for products: `{new}`",),
    rewrites=(("np.matrix(_a)", "np.array(_a)"), ("np.asmatrix(_a)", "np.asarray(_a)")),
)
MASKED_CALL = Cause(
    "masked",
    r"^call of `(?:numpy\.ma\.|MaskedArray\.|_Masked\w+\.)",
    "use a plain array and a mask with np.where",
    Pair(
        """\
@jit
def f(x):
    m = np.ma.masked_greater(x, 2)
    return (m * 2).filled(0.0)

answer = f(np.arange(4.0))
""",
        """\
@jit
def f(x):
    mask = x > 2
    return np.where(mask, 0.0, x * 2)

answer = f(np.arange(4.0))
""",
    ),
)

NUMERIC = (MATH, VECTORIZE, INTERPOLATION, BISECT, SETERR, MATRIX, MASKED_CALL)
