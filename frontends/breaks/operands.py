"""FJ3: operands, indices and containers."""

from __future__ import annotations

from .entry import BreakCode, Cause, Pair
from .other_arrays import OBJECTS, OTHER_ARRAYS

NUMPY_REFUSED = BreakCode(
    "FJ301",
    "NumPy refuses these operands",
    "NumPy or Python raises an exception here, and plain Python is there to raise it.",
    "ask for the shape, key or length first, in place of waiting for the exception",
    Pair(
        """\
@jit
def f(x, other):
    y = x * 2
    try:
        return y + other
    except ValueError:
        return y

answer = f(np.arange(4.0), np.ones(3))
""",
        """\
@jit
def f(x, other):
    y = x * 2
    if y.shape == other.shape:
        return y + other
    return y

answer = f(np.arange(4.0), np.ones(3))
""",
    ),
    named=("ask first, in place of waiting for the {error}",),
    found=r"(?P<error>[A-Z]\w+Error)",
)

PERCENT = Cause(
    "percent",
    r"^(?:a str$|mod of a str)",
    "an f-string goes into the graph",
    Pair(
        """\
@jit
def f(x):
    y = x * 2
    label = "%d items" % y[1]
    return y, label

answer = f(np.arange(4.0))
""",
        """\
@jit
def f(x):
    y = x * 2
    label = f"{int(y[1])} items"
    return y, label

answer = f(np.arange(4.0))
""",
    ),
    named=("an f-string goes into the graph: `{new}`",),
    rewrites=(("_text % _values", "f-string"),),
)

NOT_PLAIN = BreakCode(
    "FJ302",
    "this is not a plain array or number",
    "Kernels compute with exact ndarrays of bool, integer, float and complex dtypes, and numbers. "
    "Subclasses, other dtypes and other objects may do something else for each operator.",
    "pass plain arrays of bool, int, float or complex dtypes: `np.asarray(a, float)`",
    OBJECTS.pair,
    named=("pass `np.array({name}, float)` in place of `{name}`, or another dtype of numbers",),
    found=r"^(?:argument|local|global) `(?P<name>[^`]+)` \(",
    causes=(PERCENT, *OTHER_ARRAYS),
)

CAST = Cause(
    "cast",
    r"^a write of complex\d+ to where an array says",
    "write the real parts",
    Pair(
        """\
@jit
def f(x, places):
    y = x * 2
    y[places] = np.sqrt(x[places] + 0j)
    return y

answer = f(np.arange(4.0), np.array([0, 2]))
""",
        """\
@jit
def f(x, places):
    y = x * 2
    y[places] = np.real(np.sqrt(x[places] + 0j))
    return y

answer = f(np.arange(4.0), np.array([0, 2]))
""",
    ),
    named=("write the real parts: `{new}`",),
    rewrites=(("_a[_i] = _v", "_a[_i] = np.real(_v)"),),
)
DICT_OF_LISTS = Cause(
    "defaultdict",
    r"^a subscript of .*\((?:defaultdict|Counter)\)",
    "use a plain dict with `setdefault` or `get`",
    Pair(
        """\
from collections import defaultdict

@jit
def f(x):
    y = x * 2
    groups = defaultdict(list)
    for k in range(4):
        groups[k % 2].append(y[k])
    return y + groups[0][1]

answer = f(np.arange(4.0))
""",
        """\
@jit
def f(x):
    y = x * 2
    groups = {}
    for k in range(4):
        groups.setdefault(k % 2, []).append(y[k])
    return y + groups[0][1]

answer = f(np.arange(4.0))
""",
    ),
    named=("with a plain dict: `{new}`",),
    rewrites=(
        ("_d[_key].append(_item)", "_d.setdefault(_key, []).append(_item)"),
        ("_d[_key] += _more", "_d[_key] = _d.get(_key, 0) + _more"),
    ),
)
DEQUE_ITEM = Cause(
    "deque",
    r"^a subscript of .*\(deque\)",
    "use a list; `del items[0]` in place of `popleft`",
    Pair(
        """\
from collections import deque

@jit
def f(x):
    y = x * 2
    last = deque(maxlen=int(y[1]))
    for k in range(4):
        last.append(y * k)
    return last[0] + 1

answer = f(np.arange(4.0))
""",
        """\
@jit
def f(x):
    y = x * 2
    last = []
    for k in range(4):
        last.append(y * k)
        if len(last) > int(y[1]):
            del last[0]
    return last[0] + 1

answer = f(np.arange(4.0))
""",
    ),
)
GROWN = Cause(
    "list-as-argument",
    r"^the items of a list that has grown in a loop",
    "keep the numbers in an array: `np.array(numbers)`",
    Pair(
        """\
@jit
def f(x):
    y = x * 2
    row = tuple(y.tolist())
    return y + row[0]

answer = f(np.arange(4.0))
""",
        """\
@jit
def f(x):
    y = x * 2
    row = y
    return y + row[0]

answer = f(np.arange(4.0))
""",
    ),
    named=("keep the numbers in an array: `{new}`",),
    rewrites=(
        ("tuple(_a.tolist())", "_a"),
        ("tuple(_a)", "np.array(_a)"),
    ),
)
KEYS = Cause(
    "dict-key",
    r"^a key of a dict that is not known",
    "let an array tell which item it is: `np.unique(keys, return_inverse=True)` numbers the keys",
    Pair(
        """\
@jit
def f(x):
    y = x * 2
    found = {}
    for item in y:
        found[float(item)] = 1
    return y + len(found)

answer = f(np.array([1.0, 2.0, 1.0]))
""",
        """\
@jit
def f(x):
    y = x * 2
    found = np.unique(y)
    return y + len(found)

answer = f(np.array([1.0, 2.0, 1.0]))
""",
    ),
)

INDEXING = BreakCode(
    "FJ303",
    "this kind of index is not captured yet",
    "Kernels index by ints, slices, None, ... and arrays of ints and bools, and write bools, ints "
    "and floats to places that arrays name, cast as NumPy casts them. "
    "Places and keys that only running tells are followed in lists of numbers or of arrays of one "
    "shape, and in dicts of numbers whose keys are ints or tuples of ints.",
    "index by ints, slices or arrays of ints and bools, and write bools, ints and floats",
    CAST.pair,
    causes=(CAST, DICT_OF_LISTS, DEQUE_ITEM, GROWN, KEYS),
)
LARGE = BreakCode(
    "FJ304",
    "this container holds too much to be followed",
    "Each item of a list, tuple or dict is guarded by itself, except where a loop goes through a "
    "list of numbers. Beyond a thousand items the guards would cost more than a kernel gains.",
    "put the numbers into an array before the call: `np.array(numbers)`",
    Pair(
        """\
@jit
def f(x, numbers):
    y = x * 2
    return y + sum(numbers[1:3])

answer = f(np.arange(4.0), [1.0] * 1001)
""",
        """\
@jit
def f(x, numbers):
    y = x * 2
    return y + sum(numbers[1:3])

answer = f(np.arange(4.0), np.array([1.0] * 1001))
""",
    ),
)
VARIES = BreakCode(
    "FJ305",
    "what this gives is another kind of thing each time",
    "The result of a call had one dtype or number of axes in some calls and another one in others, "
    "so that kernels made for the one were left again and again. They end before it now.",
    "give the call operands for which its result has one dtype and number of axes",
    Pair(
        """\
@jit
def f(x, p):
    y = np.roots(p) * 2
    return x[:2] + y

cases = ([1.0, -3.0, 2.0], [1.0, 2.0, 3.0]) * 6
answer = [complex(np.round(f(np.arange(4.0), p), 6)[0]) for p in cases]
""",
        """\
@jit
def f(x, p):
    y = np.roots(p) * 2
    return x[:2] + y

cases = ([1.0, -3.0, 2.0], [1.0, 2.0, 3.0]) * 6
answer = [
    complex(np.round(f(np.arange(4.0), [complex(one) for one in p]), 6)[0]) for p in cases
]
""",
    ),
)
