"""Causes of breaks that are arrays of other classes and dtypes."""

from __future__ import annotations

from .entry import Cause, Pair

MASKED = Cause(
    "masked",
    r"(?:(?:argument|local|global) `(?P<name>[^`]+)` )?\(MaskedArray, a subclass of ndarray\)",
    "pass the data and the mask, and use np.where",
    Pair(
        """\
@jit
def f(x, m):
    y = x * 2
    return y + m

answer = f(np.arange(4.0), np.ma.masked_greater(np.arange(4.0), 2)).filled(0.0)
""",
        """\
@jit
def f(x, data, mask):
    y = x * 2
    return np.where(mask, 0.0, y + data)

m = np.ma.masked_greater(np.arange(4.0), 2)
answer = f(np.arange(4.0), m.data, m.mask)
""",
    ),
    named=("pass `{name}.data` and `{name}.mask`, and use np.where",),
)
SUBCLASS = Cause(
    "subclass",
    r"(?:(?:argument|local|global) `(?P<name>[^`]+)` )?\((?P<kind>\w+), "
    r"(?:a subclass of ndarray|a class with __array)",
    "pass np.asarray of it",
    Pair(
        """\
@jit
def f(x, m):
    y = x * 2
    return np.array(y + m)

answer = f(np.ones((2, 2)), np.matrix([[1.0, 2.0], [3.0, 4.0]]))
""",
        """\
@jit
def f(x, m):
    y = x * 2
    return y + m

answer = f(np.ones((2, 2)), np.asarray(np.matrix([[1.0, 2.0], [3.0, 4.0]])))
""",
    ),
    named=("pass `np.asarray({name})` in place of `{name}`",),
)
OBJECTS = Cause(
    "object-array",
    r"(?:(?:argument|local|global) `(?P<name>[^`]+)` )?\(?an array of dtype object",
    "give the array a dtype of numbers",
    Pair(
        """\
@jit
def f(x, other):
    y = x * 2
    return (y + other).astype(float)

answer = f(np.arange(4.0), np.array([1, 2, 3, 4], object))
""",
        """\
@jit
def f(x, other):
    y = x * 2
    return y + other

answer = f(np.arange(4.0), np.array([1, 2, 3, 4], object).astype(float))
""",
    ),
    named=("pass `{name}.astype(float)` in place of `{name}`",),
)
TIMES = Cause(
    "datetime64",
    r"(?:(?:argument|local|global) `(?P<name>[^`]+)` )?"
    r"\(?(?:an array of dtype (?:datetime64|timedelta64)|datetime64|timedelta64)",
    "compute with the ints of it, `t.astype(np.int64)`",
    Pair(
        """\
@jit
def f(x, t):
    y = x * 2
    return y, t[1:] - t[:-1]

answer = f(np.arange(4.0), np.array(["2020-01-01", "2020-01-03"], "M8[D]"))[1].astype(int)
""",
        """\
@jit
def f(x, t):
    y = x * 2
    return y, t[1:] - t[:-1]

t = np.array(["2020-01-01", "2020-01-03"], "M8[D]")
answer = f(np.arange(4.0), t.astype(np.int64))[1]
""",
    ),
    named=("pass `{name}.astype(np.int64)` in place of `{name}`",),
)
STRINGS = Cause(
    "string-array",
    r"(?:(?:argument|local|global) `(?P<name>[^`]+)` )?\(?an array of dtype "
    r"(?:[<>|]?[US]\d+|StringDType)",
    "compare the strings before the call, and pass the array of bools or a number for each string",
    Pair(
        """\
@jit
def f(x, names):
    y = x * 2
    return y[names == "a"]

answer = f(np.arange(3.0), np.array(["a", "b", "a"]))
""",
        """\
@jit
def f(x, chosen):
    y = x * 2
    return y[chosen]

answer = f(np.arange(3.0), np.array(["a", "b", "a"]) == "a")
""",
    ),
    named=(
        "compare `{name}` before {call}, and pass the array of bools, or the numbers that "
        "`np.unique({name}, return_inverse=True)` gives",
    ),
)
STRUCTURED = Cause(
    "structured",
    r"(?:(?:argument|local|global) `(?P<name>[^`]+)` )?\(a structured array",
    "pass the fields as arrays of their own",
    Pair(
        """\
@jit
def f(x, points):
    y = x * 2
    return y + points["a"]

answer = f(np.arange(2.0), np.array([(1.0, 2), (3.0, 4)], [("a", float), ("b", int)]))
""",
        """\
@jit
def f(x, a):
    y = x * 2
    return y + a

points = np.array([(1.0, 2), (3.0, 4)], [("a", float), ("b", int)])
answer = f(np.arange(2.0), points["a"])
""",
    ),
    named=("pass the fields of `{name}` as arrays: `{name}[...]` goes before {call}",),
)
BYTE_ORDER = Cause(
    "byte-order",
    r"(?:(?:argument|local|global) `(?P<name>[^`]+)` )?\(?an array of dtype >",
    "convert it to the machine's byte order before the call",
    Pair(
        """\
@jit
def f(x, samples):
    y = x * 2
    return y + samples

answer = f(np.arange(2.0), np.array([1.0, 2.0], ">f8"))
""",
        """\
@jit
def f(x, samples):
    y = x * 2
    return y + samples

samples = np.array([1.0, 2.0], ">f8")
answer = f(np.arange(2.0), samples.astype(samples.dtype.newbyteorder("=")))
""",
    ),
    named=("pass `{name}.astype({name}.dtype.newbyteorder('='))` in place of `{name}`",),
)
UNALIGNED = Cause(
    "unaligned",
    r"(?:(?:argument|local|global) `(?P<name>[^`]+)` )?\(an array that is not aligned in memory",
    "pass a copy, which is aligned",
    Pair(
        """\
@jit
def f(x, samples):
    y = x * 2
    return y + samples

answer = f(np.arange(2.0), np.frombuffer(bytes(17), float, 2, offset=1))
""",
        """\
@jit
def f(x, samples):
    y = x * 2
    return y + samples

answer = f(np.arange(2.0), np.frombuffer(bytes(17), float, 2, offset=1).copy())
""",
    ),
    named=("pass `{name}.copy()` in place of `{name}`",),
)
OTHER_ARRAYS = (MASKED, OBJECTS, TIMES, STRINGS, STRUCTURED, SUBCLASS, BYTE_ORDER, UNALIGNED)
