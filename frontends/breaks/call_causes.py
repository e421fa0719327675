"""Causes of breaks that are calls which can be written in another way."""

from __future__ import annotations

from .containers import DEQUE_METHOD, DICT_CALL, SET_CALL
from .control_flow import ITERTOOLS, NDITER
from .entry import Cause, Pair
from .numeric_calls import NUMERIC
from .statements import CLASS

COPY = Cause(
    "copy",
    r"^call of `copy\.",
    "give the class a method that makes the copy, and call that: `model.copy()`",
    Pair(
        """\
import copy

class Model:
    def __init__(self, w):
        self.w = w

    def copy(self):
        return Model(self.w.copy())

@jit
def f(x, model):
    best = copy.deepcopy(model)
    best.w[0] = 7.0
    return best.w * x

answer = f(np.arange(4.0), Model(np.ones(4)))
""",
        """\
class Model:
    def __init__(self, w):
        self.w = w

    def copy(self):
        return Model(self.w.copy())

@jit
def f(x, model):
    best = model.copy()
    best.w[0] = 7.0
    return best.w * x

answer = f(np.arange(4.0), Model(np.ones(4)))
""",
    ),
    named=("give the class of `{arg}` a method `copy` that makes one, and call that: `{new}`",),
    rewrites=(
        ("copy.deepcopy(_a)", "_a.copy()"),
        ("deepcopy(_a)", "_a.copy()"),
        ("copy.copy(_a)", "_a.copy()"),
    ),
)
COMPLEX = Cause(
    "complex",
    r"^call of `complex`",
    "call the method itself: `v.__complex__()`",
    Pair(
        """\
class Vector:
    def __init__(self, x):
        self.x = x

    def __complex__(self):
        return complex(self.x[0], self.x[1])

@jit
def f(x, v):
    y = x * 2
    return y + complex(v)

answer = f(np.arange(4.0), Vector(np.array([3.0, 4.0])))
""",
        """\
class Vector:
    def __init__(self, x):
        self.x = x

    def __complex__(self):
        return complex(self.x[0], self.x[1])

@jit
def f(x, v):
    y = x * 2
    return y + v.__complex__()

answer = f(np.arange(4.0), Vector(np.array([3.0, 4.0])))
""",
    ),
    named=("call the method of its class: `{new}`",),
    rewrites=(("complex(_a)", "_a.__complex__()"),),
)
LENGTH_OF_TEXT = Cause(
    "len-text",
    r"^call of `len`, of a string",
    "put the string together before the call, and pass it",
    Pair(
        """\
@jit
def f(x, n):
    name = f"{n} items"
    return x * 2 + len(name)

answer = f(np.arange(4.0), 3)
""",
        """\
@jit
def f(x, name):
    return x * 2 + len(name)

answer = f(np.arange(4.0), f"{3} items")
""",
    ),
    named=("put `{arg}` together before the call of `{f}`, and pass `{arg}`",),
)
LENGTH = Cause(
    "len",
    r"^call of `len`",
    "keep what is counted in a list, dict, set or array, whose lengths go into the graph",
    Pair(
        """\
@jit
def f(x, chosen):
    y = x * 2
    return y + len(chosen)

answer = f(np.arange(4.0), frozenset({1, 2}))
""",
        """\
@jit
def f(x, chosen):
    y = x * 2
    return y + len(chosen)

answer = f(np.arange(4.0), {1, 2})
""",
    ),
    named=("`{arg}` is no list, dict, set or array: keep it in one, or pass `len({arg})`",),
)
FORMAT = Cause(
    "format",
    r"^call of `str\.format`",
    "an f-string goes into the graph",
    Pair(
        """\
@jit
def f(x, spec):
    y = x * 2
    label = "{:{}}".format(y[1], spec)
    return y, label

answer = f(np.arange(4.0), ".2f")
""",
        """\
@jit
def f(x, spec):
    y = x * 2
    label = f"{y[1]:{spec}}"
    return y, label

answer = f(np.arange(4.0), ".2f")
""",
    ),
)
EVAL = Cause(
    "eval",
    r"^call of `(?:eval|exec|compile)`",
    "write the code itself, or compile it to a function before the call and pass that",
    Pair(
        """\
@jit
def f(x):
    y = x * 2
    return y + eval("1 + 1")

answer = f(np.arange(4.0))
""",
        """\
@jit
def f(x, rule):
    y = x * 2
    return y + rule()

answer = f(np.arange(4.0), eval("lambda: 1 + 1"))
""",
    ),
    named=("make a function of it before {call}, and pass that: `eval('lambda: ...')`",),
)
HASATTR = Cause(
    "hasattr",
    r"^whether (?:argument|local|global) `(?P<name>[^`]+)` .* has an attribute "
    r"`(?P<attribute>\w+)`",
    "give the attribute a value in `__init__`, and compare that with None",
    Pair(
        """\
class Model:
    def __init__(self):
        self.bias = 1.0

@jit
def f(x, model):
    y = x * 2
    if hasattr(model, "scale"):
        y = y * model.scale
    return y + model.bias

answer = f(np.arange(4.0), Model())
""",
        """\
class Model:
    def __init__(self):
        self.bias = 1.0
        self.scale = None

@jit
def f(x, model):
    y = x * 2
    if model.scale is not None:
        y = y * model.scale
    return y + model.bias

answer = f(np.arange(4.0), Model())
""",
    ),
    named=(
        "write `self.{attribute} = None` in its class's `__init__`, and ask "
        "`{name}.{attribute} is not None`",
    ),
)
HEAP = Cause(
    "heapq",
    r"^call of `_?heapq\.",
    "append to a list, and take its least item with `min`",
    Pair(
        """\
import heapq

@jit
def f(x, heap):
    y = x * 2
    heapq.heappush(heap, y[2])
    return y + heap[0]

answer = f(np.arange(4.0), [5.0])
""",
        """\
@jit
def f(x, heap):
    y = x * 2
    heap.append(y[2])
    return y + min(heap)

answer = f(np.arange(4.0), [5.0])
""",
    ),
    named=("append to a list, and take `min({arg})`: `{new}`",),
    rewrites=(
        ("heapq.heappush(_h, _item)", "_h.append(_item)"),
        ("heappush(_h, _item)", "_h.append(_item)"),
        ("heapq.heappop(_h)", "_h.pop(_h.index(min(_h)))"),
        ("heappop(_h)", "_h.pop(_h.index(min(_h)))"),
    ),
)

CALLS = (
    COPY,
    COMPLEX,
    LENGTH_OF_TEXT,
    LENGTH,
    FORMAT,
    EVAL,
    HASATTR,
    HEAP,
    SET_CALL,
    DEQUE_METHOD,
    DICT_CALL,
    ITERTOOLS,
    NDITER,
    CLASS,
    *NUMERIC,
)
