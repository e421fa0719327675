"""FJ2: calls and attributes."""

from __future__ import annotations

from .call_causes import CALLS
from .containers import DEQUE_METHOD, SET_METHOD
from .effects_of_calls import BEHIND
from .entry import BreakCode, Cause, Pair
from .inputs import BEFORE

CALL = BreakCode(
    "FJ201",
    "this function cannot go into a graph",
    "The function has effects, or is written in C and framejit has no rule for it, or something in "
    "its body breaks. Plain Python calls it, and another segment begins behind it.",
    "call it outside: before, and pass its result, or behind, with what the function returns",
    Pair(
        """\
import zlib

@jit
def f(x):
    y = x * 2
    check = zlib.crc32(b"text")
    return y + check

answer = f(np.arange(4.0))
""",
        """\
import zlib

@jit
def f(x, check):
    y = x * 2
    return y + check

answer = f(np.arange(4.0), zlib.crc32(b"text"))
""",
    ),
    named=(
        "return {reads} too, and do it behind {call}: `{alone}`",
        "do it before or behind {call}: `{alone}`",
        "write `{taken}` before {call}, and pass `{made}`",
        "split `{f}` here: return {reads}, do `{line}` in plain Python, and pass the result to a "
        "second function",
    ),
    causes=(*BEHIND, *BEFORE, *CALLS),
)

OWN_LOOKUP = Cause(
    "getattr",
    r"^attribute `(?P<attribute>\w+)` of (?:argument|local|global) `(?P<name>[^`]+)` .*: "
    r"its class has __getattr",
    "read the attribute before the call, and pass its value",
    Pair(
        """\
class Holder:
    def __getattr__(self, name):
        return len(name)

@jit
def f(x, holder):
    y = x * 2
    return y * holder.factor

answer = f(np.arange(4.0), Holder())
""",
        """\
class Holder:
    def __getattr__(self, name):
        return len(name)

@jit
def f(x, factor):
    y = x * 2
    return y * factor

holder = Holder()
answer = f(np.arange(4.0), holder.factor)
""",
    ),
    named=("write `{attribute} = {name}.{attribute}` before {call}, and pass `{attribute}`",),
)
STREAM = Cause(
    "stream",
    r"^`(?P<method>write|writelines|flush|read|readline|close)` of .* \("
    r"(?:\w*TextIO\w*|\w*IO|Buffered\w+|\w*File\w*|\w*Tee\w*)\)",
    "write behind the call, with what the function returns",
    Pair(
        """\
import io

out = io.StringIO()

@jit
def f(x):
    y = x * 2
    out.write("half way")
    return y + 1

answer = f(np.arange(4.0)), out.getvalue()
""",
        """\
import io

out = io.StringIO()

@jit
def f(x):
    y = x * 2
    return y + 1

answer = f(np.arange(4.0)), out.write("half way") and out.getvalue()
""",
    ),
    named=("write `{line}` behind {call}",),
    looped=(
        "collect the texts in a list in the loop, return the list, and write them behind {call}",
    ),
)
ATTRIBUTE = BreakCode(
    "FJ202",
    "this attribute cannot be followed",
    "Looking this attribute up runs code of its class, or of a type that is written in C, which "
    "may do anything.",
    "read it before the call, and pass its value",
    OWN_LOOKUP.pair,
    named=("read it before {call}, and pass its value to `{f}`",),
    causes=(SET_METHOD, DEQUE_METHOD, STREAM, OWN_LOOKUP),
)
LONG_LIST = Cause(
    "long-list",
    r"^a sequence of more than",
    "put the numbers into an array before the call: `np.array(numbers)`",
    Pair(
        """\
@jit
def f(x, samples):
    y = x * 2
    return y + np.mean(samples)

answer = f(np.arange(4.0), [1.0] * 999)
""",
        """\
@jit
def f(x, samples):
    y = x * 2
    return y + np.mean(samples)

answer = f(np.arange(4.0), np.array([1.0] * 999))
""",
    ),
    named=("write `{arg} = np.array({arg})` before {call}, and pass that",),
)
ARGUMENT = BreakCode(
    "FJ203",
    "this argument is not followed for this function",
    "framejit has rules for the function, but none for an argument of this kind: an object where "
    "an array or a number is expected, a list of very many items, or a flag that only data tell.",
    "pass arrays and numbers, and flags that do not depend on data",
    LONG_LIST.pair,
    causes=(LONG_LIST,),
)
REQUESTED = BreakCode(
    "FJ204",
    "the program asks for a break here",
    "graph_break() ends a segment on purpose.",
    "remove the call of graph_break() to join the segments around it",
    Pair(
        """\
from framejit import graph_break

@jit
def f(x):
    y = x * 2
    graph_break()
    return y + 1

answer = f(np.arange(4.0))
""",
        """\
@jit
def f(x):
    y = x * 2
    return y + 1

answer = f(np.arange(4.0))
""",
    ),
)
