"""FJ5 and FJ9: side effects, and internal errors of framejit."""

from __future__ import annotations

from .entry import BreakCode, Cause, Pair

SETFLAGS = Cause(
    "setflags",
    r"^the method `(?P<method>setflags|resize)` of an array",
    "do it behind the call, with the array that it returns",
    Pair(
        """\
@jit
def f(x):
    y = x * 2
    y.setflags(write=False)
    return y

answer = f(np.arange(4.0))
""",
        """\
@jit
def f(x):
    y = x * 2
    return y

answer = f(np.arange(4.0))
answer.setflags(write=False)
""",
    ),
    named=("return {reads} from `{f}`, and write `{line}` behind its call",),
)
EFFECT = BreakCode(
    "FJ501",
    "this writes to something that outlives the segment",
    "A segment does its writes to objects of the program at its end. This one cannot wait until "
    "then, or cannot be undone if the kernel is left before.",
    "do it behind the call, with what the function returns",
    SETFLAGS.pair,
    named=("return what it needs from `{f}`, and write `{line}` behind its call",),
    causes=(SETFLAGS,),
)
INTERNAL = BreakCode(
    "FJ901",
    "framejit met an error of its own; eager ran instead",
    "Something in framejit is wrong. The answers are those of plain Python.",
    "please report it, with the traceback that the report holds",
    None,
)
