"""Places where no stub may stand: each trap of the recipe has its reason."""

import dis

import pytest
from programs import PROGRAMS
from roundtrip import nested

from framejit.frontends.bytecode import isa
from framejit.frontends.bytecode.decode import decode
from framejit.frontends.bytecode.flow import analyse
from framejit.frontends.bytecode.placement import why_no_entry, why_no_stub
from framejit.frontends.bytecode.version import LAYOUT

FLOWS = [analyse(decode(code)) for function, _ in PROGRAMS for code in nested(function.__code__)]


def pairs():
    """(flow, instruction before, instruction) of all programs."""
    for flow in FLOWS:
        instructions = flow.decoded.instructions
        for one in instructions[1:]:
            yield flow, instructions[one.index - 1], one


@pytest.mark.parametrize("opcode", ["KW_NAMES", "PRECALL", "YIELD_VALUE"])
def test_never_behind(opcode):
    """The pieces of a 3.11 call, and RESUME behind YIELD_VALUE."""
    reasons = [why_no_stub(flow, one.index) for flow, last, one in pairs() if last.opcode == opcode]

    assert all(reasons)
    assert len(reasons) > 5 or opcode not in dis.opmap
    assert all(
        why_no_entry(flow, one.index) for flow, last, one in pairs() if last.opcode == opcode
    )


@pytest.mark.parametrize("opcode", ["END_FOR", "END_ASYNC_FOR", "SEND"])
def test_never_before(opcode):
    """Instructions that FOR_ITER steps over; the end of an async for; the loop of SEND."""
    reasons = [why_no_stub(flow, one.index) for flow, _, one in pairs() if one.opcode == opcode]

    assert all(reasons)
    assert len(reasons) >= 2 or opcode not in dis.opmap


def is_send(flow, index):
    """3.13 leaves a with statement by the same jump."""
    return any(op.name == isa.SEND for op in flow.decoded.instructions[index].ops)


def test_never_between_send_and_its_jump_back():
    """The generator protocol reads these instructions."""
    count = 0
    for flow in FLOWS:
        for one in flow.decoded.instructions:
            if one.opcode == "JUMP_BACKWARD_NO_INTERRUPT" and is_send(flow, one.target):
                for index in range(one.target, one.index + 1):
                    assert why_no_stub(flow, index)
                    count += 1
                # right behind it is an ordinary place again
                reason = why_no_stub(flow, one.index + 1) or ""
                assert "SEND" not in reason

    assert count > 20


def test_never_before_the_first_resume():
    """Cells are not made, free variables not copied, the generator not returned."""
    for flow in FLOWS:
        first = next(x.index for x in flow.decoded.instructions if x.opcode == "RESUME")
        assert all(why_no_stub(flow, index) for index in range(first + 1))


def test_never_in_unreachable_code():
    """END_FOR and what belongs to it among them."""
    for flow in FLOWS:
        for one in flow.decoded.instructions:
            if not flow.is_reachable(one.index):
                assert why_no_stub(flow, one.index)


def test_the_pop_behind_end_for():
    """3.13 only: FOR_ITER steps over it as well."""
    reasons = [
        why_no_stub(flow, one.index) for flow, last, one in pairs() if last.opcode == "END_FOR"
    ]

    assert all(reasons) is (LAYOUT.version >= (3, 13)) or not reasons


def test_the_rest_is_legal():
    """Nothing else is refused: nine instructions in ten may have a stub."""
    total = legal = 0
    for flow in FLOWS:
        for one in flow.decoded.instructions:
            total += 1
            legal += why_no_stub(flow, one.index) is None

    assert legal > 0.85 * total


def test_entry_is_weaker_than_stub():
    """Where a stub may stand an exit may lead; also to a SEND, where no stub may stand."""
    sends = 0
    for flow in FLOWS:
        for one in flow.decoded.instructions:
            if why_no_stub(flow, one.index) is None:
                assert why_no_entry(flow, one.index) is None
            if any(op.name == isa.SEND for op in one.ops):
                sends += 1
                assert why_no_entry(flow, one.index) is None

    assert sends > 10
