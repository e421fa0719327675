"""Stubs at every legal place of a code object, and runs that are compared with the plain code.

A segment here covers no instruction: its exits lead back to its own stub and deliver exactly
what was there.  By a seeded coin it takes exit 0 or one of its exits, so a stub is passed after
a few rounds at most.
"""

from __future__ import annotations

import functools
import random
import sys
import traceback
from types import CodeType, FunctionType

from framejit.frontends.bytecode.decode import decode
from framejit.frontends.bytecode.flow import analyse
from framejit.frontends.bytecode.kinds import Kind, may_consume
from framejit.frontends.bytecode.model import SlotKind
from framejit.frontends.bytecode.placement import why_no_entry, why_no_stub
from framejit.frontends.bytecode.rewrite import rewrite
from framejit.frontends.bytecode.stub import Exit, Stub, why_unsafe

NOTHING = functools.partial(sys.audit, "framejit.test")
"""A segment in C that takes any arguments and returns None: tracers do not see it."""


class Counters:
    """Counts of the parts that were really executed; the tests have floors for them."""

    def __init__(self):
        self.functions = self.stubs = self.exit_0 = self.exits = 0
        self.covered = self.refused = 0

    def __repr__(self):
        return str(vars(self))


class Segment:
    """Delivers at random."""

    def __init__(self, rng, counters, given, live, exits):
        self.rng, self.counters, self.exits = rng, counters, exits
        self.given, self.live = given, live

    def __call__(self, *arguments):
        if self.rng.random() < 0.5:
            self.counters.exit_0 += 1
            return None
        self.counters.exits += 1
        number = self.rng.randrange(len(self.exits))
        way = self.exits[number]
        values = dict(zip(self.live, arguments[self.given :], strict=True))
        payload = tuple(values[slot] for slot in way.stores) + arguments[: self.given]
        if way.bare and len(self.exits) == 1 and payload[0] is None:
            return None  # a bare None cannot be told from exit 0: a real machine knows better
        return chain(number, len(self.exits), payload[0] if way.bare else payload)


def chain(number, count, payload):
    """The nested pairs by which a stub tells `count` exits apart."""
    result = payload if number == count - 1 else (True, payload)
    for _ in range(number):
        result = (False, result)
    return result


def random_stub(flow, index, rng, counters):
    """A stub that changes nothing, with a random number of exits and order of stores."""
    stack = flow.stack_at(index)
    consumed = rng.choice(consumable(stack))
    items = stack[len(stack) - consumed :]
    nulls = tuple(n for n, kind in enumerate(items) if kind is Kind.INDEX)
    given = consumed - len(nulls)
    kinds = flow.decoded.kinds
    live = rng.sample(sorted(flow.bound_at(index)), len(flow.bound_at(index)))
    values = [slot for slot in live if kinds[slot] is SlotKind.LOCAL]
    empty = set(range(len(kinds))) - flow.maybe_bound_at(index)
    unbound = [slot for slot in sorted(empty) if kinds[slot] is SlotKind.LOCAL]
    exits = []
    for _ in range(rng.choice((1, 1, 2, 3))):
        stores = tuple(rng.sample(values, rng.randint(0, len(values))))
        deletes = tuple(rng.sample(unbound, rng.randint(0, min(2, len(unbound)))))
        bare = len(stores) + given == 1 and rng.random() < 0.5
        exits.append(Exit(index, stores, consumed, deletes, bare, nulls))
    segment = Segment(rng, counters, given, live, exits)
    return Stub(index, segment, consumed, tuple(live), tuple(exits))


def consumable(stack):
    """Return the numbers of items from the top that a segment may take the place of."""
    return [count for count in range(len(stack) + 1) if may_consume(stack, len(stack) - count)]


def silent_stub(flow, index, rng, counters):
    """A stub whose segment is C and always takes exit 0, or None where none can be made.

    Its exit leads to the start of some line.  On 3.12 any other jump target that follows a call
    of a Python function gives the tracer one more line event, see `rewrite`.
    """
    stub = random_stub(flow, index, rng, counters)
    starts = line_starts(flow)
    for target in rng.sample(starts, min(len(starts), 8)):
        candidate = Stub(
            index, NOTHING, stub.consumed, stub.live, (exit_anywhere(flow, stub, target),)
        )
        if why_unsafe(flow, candidate) is None:
            return candidate
    return None


def line_starts(flow):
    """Reachable instructions that begin a line."""
    instructions = flow.decoded.instructions
    return [
        one.index
        for one in instructions[1:]
        if one.line is not None
        and one.line != instructions[one.index - 1].line
        and why_no_entry(flow, one.index) is None
    ]


def exit_anywhere(flow, stub, target):
    """An exit that is never taken, so what it stores and pushes need not make sense."""
    kept = len(flow.stack_at(stub.at)) - stub.consumed
    after = flow.stack_at(target)[kept:]
    stores = flow.bound_at(target) - flow.bound_at(stub.at)
    deletes = flow.maybe_bound_at(stub.at) - flow.maybe_bound_at(target)
    nulls = tuple(n for n, kind in enumerate(after) if kind in (Kind.NULL, Kind.INDEX))
    return Exit(target, tuple(stores), len(after), tuple(deletes), nulls=nulls)


def stub_everywhere(code: CodeType, rng: random.Random, counters, make=random_stub) -> CodeType:
    """The code, and all code in its constants, with a stub at every legal place."""
    consts = tuple(
        stub_everywhere(constant, rng, counters, make)
        if isinstance(constant, CodeType)
        else constant
        for constant in code.co_consts
    )
    decoded = decode(code.replace(co_consts=consts))
    flow = analyse(decoded)
    legal = [one.index for one in decoded.instructions if why_no_stub(flow, one.index) is None]
    made = [make(flow, index, rng, counters) for index in legal]
    stubs = [stub for stub in made if stub is not None]
    counters.functions += 1
    counters.stubs += len(stubs)
    return rewrite(decoded, stubs, flow)


def with_code(function: FunctionType, code: CodeType) -> FunctionType:
    """The same function on other code."""
    other = FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    other.__kwdefaults__ = function.__kwdefaults__
    return other


def outcome(function, arguments):
    """Everything that one can see of a call: the value, or the exception with its traceback."""
    try:
        return "returned", repr(function(*arguments))
    except Exception as error:
        return "raised", describe(error)


def describe(error):
    """Class, text, chain, and each traceback entry down to its columns."""
    if error is None:
        return None
    entries = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        positions = list(code.co_positions())[trace.tb_lasti // 2]
        entries.append((code.co_qualname, trace.tb_lineno, positions))
        trace = trace.tb_next
    chained = describe(error.__cause__), describe(error.__context__)
    text = traceback.format_exception_only(error)
    return type(error).__name__, text, entries[1:], chained
