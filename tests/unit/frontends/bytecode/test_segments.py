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

from framejit.frontends.bytecode import analyse, decode, isa, rewrite, why_no_stub

TOTAL = Counters()


def with_segments(code, names, rng):
    """The code, and all code in it, with machine segments at some places."""
    consts = tuple(
        with_segments(one, names, rng) if isinstance(one, CodeType) else one
        for one in code.co_consts
    )
    decoded = decode(code.replace(co_consts=consts))
    flow = analyse(decoded)
    density = min(0.5, 60 / len(decoded.instructions))
    stubs = []
    for one in decoded.instructions:
        if rng.random() < density and why_no_stub(flow, one.index) is None:
            stubs.append(machine_stub(flow, one.index, names, rng, TOTAL))
    stubs = [stub for stub in stubs if stub is not None]
    TOTAL.functions += 1
    TOTAL.stubs += len(stubs)
    return rewrite(decoded, stubs, flow)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("function", "calls"), PROGRAMS, ids=lambda x: getattr(x, "__name__", ""))
def test_programs(function, calls, seed):
    """Segments leave by the exit that they reach first, or give up."""
    rng = random.Random(f"{seed} {function.__name__}")
    names = function.__globals__, vars(builtins)
    other = with_code(function, with_segments(function.__code__, names, rng))
    for call in calls:
        expected = outcome(function, arguments(call))
        actual = outcome(other, arguments(call))

        assert expected == actual


def test_enough_has_been_executed():
    """Floors, as everywhere."""
    print(TOTAL)

    assert TOTAL.stubs > 1_500
    assert TOTAL.exits > 1_000
    assert TOTAL.covered > 3_000


def test_the_machine_knows_half_of_the_set():
    """So that the meaning of the operations is tested, not only their stack effects."""
    assert set(HANDLERS) <= set(isa.OPS)
    assert len(HANDLERS) >= 45
