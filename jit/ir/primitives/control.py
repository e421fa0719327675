"""Rows of branches, loops, jumps, checkpoints and exits."""

from __future__ import annotations

from typing import Any

from .. import attributes as has
from ..intervals import point
from ..schema import Effect, Jump, Kind, Op, row
from ..type_rules import freely

__all__ = [
    "BAIL",
    "BREAK",
    "CHECKPOINT",
    "CONTINUE",
    "DISJOINT",
    "FOR",
    "HALTED",
    "IF",
    "LEAVE",
    "LOOP",
    "UNDEFINED",
    "UNDO",
]

_BY_BACKENDS = {"reference": "it is control flow, which backends write or run themselves"}


def _control(name: str, signature: str, effect: Effect | None = None, /, **more: Any) -> Op:
    """Add an op of control flow, which has no reference of its own."""
    more = {"effect": effect, "lacks": _BY_BACKENDS, **more}
    return row(name, Kind.CONTROL, None, signature, freely, **more)


IF = _control("if", "bool -> numeric*", Effect.REGION, blocks=2, branches=True, one_item=True)
"""Runs the first block if input 0 is true, else the second. A block that control leaves at its end
gives the results of the node."""

FOR = _control(
    "for",
    "int, int, int, numeric* -> numeric*",
    Effect.REGION,
    ended=has.optional(has.AN_INT),
    blocks=1,
    loops=True,
    counted=True,
)
"""`for i in range(start, stop, step)`. Inputs are these numbers and the initial state; the block's
parameters are i and the state. Results are the state after the last iteration (the initial one if
the range is empty) and the values that BREAK hands over. A loop with a BREAK has one more result
that says how it ended: `attrs["ended"]` if the range was exhausted."""

LOOP = _control("loop", "numeric* -> numeric*", Effect.REGION, blocks=1, loops=True)
"""A loop that only BREAK ends. Inputs are the initial state, the block's parameters are the state,
results are the values that BREAK hands over."""

HALTED = _control(
    "halted",
    "int* -> bool, int",
    Effect.HALT,
    locals_after=has.LOCALS_AFTER,
    within=has.optional(has.INSTRUCTIONS),
)
"""Tests if the preceding loop was halted between two iterations; the second result is, for a FOR,
the number of the next one. The kernel may halt a loop only if this node follows it: a FOR then ends
as if its range did, a LOOP as if it broke and handed over its state as its last results.

Eager continues at the loop's header without the locals that the loop does not hand on.
`attrs["locals_after"]` says which iterations, repeated there, assign all of them: any single one;
any in which the inner loops `within` (the instructions where they begin) iterate too; or none
surely. Inputs, if any, record which locals iterations have assigned (see `assigned.py`): then eager
has to repeat iterations until no input is BEFORE."""

CONTINUE = _control("continue", "numeric* ->", Effect.JUMP, jump=Jump.CONTINUE, ends=True)
"""Ends a block: continue the innermost loop with the inputs as its state."""

BREAK = _control("break", "numeric* ->", Effect.JUMP, jump=Jump.BREAK, ends=True)
"""Ends a block: leave the innermost loop with the inputs as results. If the loop can end in several
ways, the last input says in which."""

BAIL = _control("bail", "->", Effect.BAIL, ends=True)
"""Ends a block: eager continues from the last checkpoint."""

UNDEFINED = _control(
    *("undefined", "-> numeric"),
    interval=lambda attrs: point(0),
    silent=True,
    lacks={**_BY_BACKENDS, "effect": "it makes a value only"},
)
"""A value that nothing reads, for a block that has to produce one."""

UNDO = _control("undo", "stateful ->", Effect.UNDO, on_top=True, holds=True)
"""Records writes to the memory of input 0 from here on, so that a bail before the next checkpoint
undoes them."""

DISJOINT = _control("disjoint", "array, array ->", Effect.COMPARE)
"""Bails if the memory of the two inputs overlaps. Only passes insert it."""

CHECKPOINT = _control(
    "checkpoint", "any* ->", Effect.CHECKPOINT, exit=has.A_COUNT, on_top=True, holds=True
)
"""From here on the segment can be left through `attrs["exit"]`. The state is consistent, and
earlier effects must not be repeated."""

LEAVE = _control(
    "leave", "any* ->", Effect.LEAVE, exit=has.A_COUNT, ends=True, holds=True, one_item=True
)
"""Leaves the segment through `attrs["exit"]`."""
