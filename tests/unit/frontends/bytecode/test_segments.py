"""Segments that cover many instructions, run by an interpreter of the neutral set.

See `machine_stubs`: the assertions inside it are about `Flow`, the comparison here about
everything together.
"""

import builtins
import random
from types import CodeType

import pytest
from hostile import Counters, outcome, with_code
from machine_stubs import machine_stub
from neutral_machine import HANDLERS
from programs import PROGRAMS, arguments

from framejit.frontends.bytecode import isa
from framejit.frontends.bytecode.decode import decode
from framejit.frontends.bytecode.flow import analyse
from framejit.frontends.bytecode.placement import why_no_stub
from framejit.frontends.bytecode.rewrite import rewrite


def with_segments(code, names, rng, counters):
    """The code, and all code in it, with machine segments at some places."""
    consts = tuple(
        with_segments(one, names, rng, counters) if isinstance(one, CodeType) else one
        for one in code.co_consts
    )
    decoded = decode(code.replace(co_consts=consts))
    flow = analyse(decoded)
    density = min(0.5, 60 / len(decoded.instructions))
    stubs = []
    for one in decoded.instructions:
        if rng.random() < density and why_no_stub(flow, one.index) is None:
            stubs.append(machine_stub(flow, one.index, names, rng, counters))
    stubs = [stub for stub in stubs if stub is not None]
    counters.functions += 1
    counters.stubs += len(stubs)
    return rewrite(decoded, stubs, flow)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("function", "calls"), PROGRAMS, ids=lambda x: getattr(x, "__name__", ""))
def test_programs(function, calls, seed):
    """Segments leave by the exit that they reach first, or give up."""
    rng = random.Random(f"{seed} {function.__name__}")
    names = function.__globals__, vars(builtins)
    other = with_code(function, with_segments(function.__code__, names, rng, Counters()))
    for call in calls:
        expected = outcome(function, arguments(call))
        actual = outcome(other, arguments(call))

        assert expected == actual


def test_segments_are_executed():
    """A harness that put none in would pass all the rest."""
    counters = Counters()
    for function, calls in PROGRAMS[:20]:
        names = function.__globals__, vars(builtins)
        rng = random.Random(function.__name__)
        other = with_code(function, with_segments(function.__code__, names, rng, counters))
        for call in calls:
            outcome(other, arguments(call))
    print(counters)

    assert counters.stubs > 400
    assert counters.exits > 500
    assert counters.covered > 1_500


def test_the_machine_knows_half_of_the_set():
    """So that the meaning of the operations is tested, not only their stack effects."""
    assert set(HANDLERS) <= set(isa.OPS)
    assert len(HANDLERS) >= 45
