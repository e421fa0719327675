"""FJ4: branches and loops."""

from __future__ import annotations

from .entry import BreakCode, Cause, Pair

TRUTH = Cause(
    "truth",
    r"^the truth of a value that is known only at run time",
    "ask np.all or np.any of the array, or its one item",
    Pair(
        """\
@jit
def f(x):
    y = x * 2
    if y[:1] > 1:
        return y + 1
    return y

answer = f(np.arange(4.0))
""",
        """\
@jit
def f(x):
    y = x * 2
    if np.all(y[:1] > 1):
        return y + 1
    return y

answer = f(np.arange(4.0))
""",
    ),
    named=("say which truth is meant, or use np.where: `{new}`",),
    rewrites=(("if _test", "np.all(_test)"),),
)

DATA_BRANCH = BreakCode(
    "FJ401",
    "a branch depends on array data",
    "Which way is taken is known only when the kernel runs, and the two ways do not fit into one "
    "kernel: the truth is that of an array, or a variable is of another kind on each way.",
    "give each variable one type and one number of axes on both ways, or use np.where",
    TRUTH.pair,
    named=("give `{name}` one type and one number of axes on both ways, or use np.where",),
    found=r"^`(?P<name>\w+)`: ",
    causes=(TRUTH,),
)

SET_LOOP = Cause(
    "set",
    r"^iteration over (?:argument|local|global) `(?P<name>[^`]+)` \((?:set|frozenset)\)",
    "loop over a tuple that is made of the set before the call",
    Pair(
        """\
@jit
def f(x, kinds):
    y = x * 2
    for kind in kinds:
        y = y + kind
    return y

answer = f(np.arange(4.0), {1, 2, 3})
""",
        """\
@jit
def f(x, kinds):
    y = x * 2
    for kind in kinds:
        y = y + kind
    return y

answer = f(np.arange(4.0), tuple({1, 2, 3}))
""",
    ),
    named=("write `{name} = tuple({name})` before {call}, and pass that",),
)
MANY_ITEMS = Cause(
    "many-items",
    r"more than \d+ items$",
    "put arrays of one shape into one array before the call, `np.stack(arrays)`; lists of numbers "
    "of one type go into the graph",
    Pair(
        """\
@jit
def f(x, parts):
    y = x * 2
    for part in parts:
        y = y + part
    return y

answer = f(np.arange(4.0), [np.arange(4.0)] * 40)
""",
        """\
@jit
def f(x, parts):
    y = x * 2
    for part in parts:
        y = y + part
    return y

answer = f(np.arange(4.0), np.stack([np.arange(4.0)] * 40))
""",
    ),
)
OF_AN_ARRAY = Cause(
    "array",
    r"^iteration over an array",
    "take the items by their indices, or use a NumPy function",
    Pair(
        """\
@jit
def f(x):
    y = x * 2
    first = next(iter(y))
    return y + first

answer = f(np.arange(4.0))
""",
        """\
@jit
def f(x):
    y = x * 2
    first = y[0]
    return y + first

answer = f(np.arange(4.0))
""",
    ),
    named=("take the item by its index: `{new}`",),
    rewrites=(("next(iter(_a))", "_a[0]"),),
    only_rewritten=True,
)
ITERTOOLS = Cause(
    "itertools",
    r"^(?:iteration over an object \((?:product|chain|combinations|permutations|islice|accumulate|"
    r"pairwise|groupby|starmap|count|cycle|repeat|zip_longest|takewhile|dropwhile)\)"
    r"|call of `itertools\.)",
    "make a list of it before the call, and pass that",
    Pair(
        """\
import itertools

@jit
def f(x):
    y = x * 2
    for a, b in itertools.product(range(2), range(3)):
        y = y + a * b
    return y

answer = f(np.arange(4.0))
""",
        """\
import itertools

@jit
def f(x, pairs):
    y = x * 2
    for a, b in pairs:
        y = y + a * b
    return y

answer = f(np.arange(4.0), list(itertools.product(range(2), range(3))))
""",
    ),
    named=("make a list of it before {call}, and pass that: `list({value})`",),
)
NDITER = Cause(
    "nditer",
    r"^(?:iteration over an object \(nditer\)|call of `numpy\.nditer`)",
    "loop over `x.flat`",
    Pair(
        """\
@jit
def f(x):
    y = x * 2
    total = 0.0
    for item in np.nditer(x):
        total = total + item
    return y + total

answer = f(np.arange(4.0))
""",
        """\
@jit
def f(x):
    y = x * 2
    total = 0.0
    for item in x.flat:
        total = total + item
    return y + total

answer = f(np.arange(4.0))
""",
    ),
    named=("`flat` goes into the graph: `{new}`",),
    rewrites=(("np.nditer(_a)", "_a.flat"), ("numpy.nditer(_a)", "_a.flat")),
)

LOOP = BreakCode(
    "FJ402",
    "this loop is not captured as a whole",
    "The loop goes over something that a kernel cannot go through, or its iterations do not leave "
    "the variables of the same kinds. It stays a Python loop, with segments inside it.",
    "loop over a range, an array, a list or a tuple, and keep each variable of one type",
    SET_LOOP.pair,
    named=("pass a list or a tuple of what `{name}` holds: `{name} = list({name})` before {call}",),
    found=r"^iteration over (?:argument|global) `(?P<name>\w+)` \(",
    causes=(SET_LOOP, MANY_ITEMS, OF_AN_ARRAY, ITERTOOLS, NDITER),
)
TOO_LONG = BreakCode(
    "FJ403",
    "this is too much for one kernel",
    "A kernel of so many operations would take seconds to compile. It ends before the loop, branch "
    "or call that holds them, which plain Python goes through, with segments inside it.",
    "write it as statements of the function: kernels end between these, not in calls or loops",
    Pair(
        """\
def steps(x):
    y = x * 2 + 1
    z = y * y - x
    w = z + y * 3
    return w * z + y

@jit
def f(x):
    return steps(x)

answer = f(np.arange(4.0))
""",
        """\
@jit
def f(x):
    y = x * 2 + 1
    z = y * y - x
    w = z + y * 3
    return w * z + y

answer = f(np.arange(4.0))
""",
    ),
)
