"""A stub that would crash the interpreter is refused before a byte is written."""

import pytest

from framejit.frontends.bytecode import isa
from framejit.frontends.bytecode.decode import decode
from framejit.frontends.bytecode.flow import analyse
from framejit.frontends.bytecode.rewrite import rewrite
from framejit.frontends.bytecode.stub import Exit, Stub


def function(a, f):
    if a:
        x = 1
    g = lambda: f  # noqa: E731
    y = print(a)
    return x, y, g


DECODED = decode(function.__code__)
FLOW = analyse(DECODED)
A, X, Y, F = (DECODED.localsplus.index(name) for name in "axyf")


def index_of(name, nth=0):
    found = [one.index for one in DECODED.instructions if any(op.name == name for op in one.ops)]
    return found[nth]


START = next(one.index for one in DECODED.instructions if one.opcode == "RESUME") + 1
CALL = FLOW.group_start(index_of(isa.CALL))
STORE = index_of(isa.CALL) + 1
SEGMENT = object()

BAD = {
    "before the first RESUME": Stub(0, SEGMENT, 0, (), (Exit(START, (), 0),)),
    "the stack has 0 items": Stub(START, SEGMENT, 1, (), (Exit(START, (), 1),)),
    "may be NULL": Stub(CALL, SEGMENT, 3, (), (Exit(CALL, (), 3),)),
    "may be unbound: x": Stub(CALL, SEGMENT, 0, (X,), (Exit(CALL, (), 0),)),
    "it has no exit": Stub(START, SEGMENT, 0, (), ()),
    "exit to 0": Stub(START, SEGMENT, 0, (), (Exit(0, (), 0),)),
    "exactly one value": Stub(START, SEGMENT, 0, (), (Exit(START, (), 0, bare=True),)),
    "leaves 1 items where 0 belong": Stub(START, SEGMENT, 0, (), (Exit(START, (), 1),)),
    "no locals: f": Stub(START, SEGMENT, 0, (), (Exit(START, (F,), 0),)),
    "changes a slot twice": Stub(START, SEGMENT, 0, (), (Exit(START, (A, A), 0),)),
    "not bound at exit": Stub(START, SEGMENT, 0, (), (Exit(START, (), 0, deletes=(A,)),)),
    "still bound at exit": Stub(START, SEGMENT, 0, (), (Exit(START, (Y,), 0),)),
    "is Kind.OBJECT, not Kind.NULL": Stub(START, SEGMENT, 0, (), (Exit(CALL, (), 3),)),
    "not among the pushes": Stub(START, SEGMENT, 0, (), (Exit(START, (), 0, nulls=(0,)),)),
}


@pytest.mark.parametrize("reason", BAD)
def test_bad_stubs(reason):
    """Each by a ValueError that names the place and the reason."""
    with pytest.raises(ValueError, match=f"stub before instruction .*{reason}"):
        rewrite(DECODED, [BAD[reason]], FLOW)


def test_two_stubs_at_one_place():
    """They would have to be one segment."""
    stub = Stub(START, SEGMENT, 0, (), (Exit(START, (), 0),))
    with pytest.raises(ValueError, match="two stubs"):
        rewrite(DECODED, [stub, stub], FLOW)


def test_the_analysis_is_made_when_it_is_not_given():
    """The same code either way."""
    stub = Stub(START, SEGMENT, 0, (A,), (Exit(START, (A,), 0),))

    assert rewrite(DECODED, [stub]).co_code == rewrite(DECODED, [stub], FLOW).co_code


def test_the_pushed_result():
    """A call's result may be delivered by a segment, above what stays."""
    kept = len(FLOW.stack_at(STORE)) - 1
    stub = Stub(START, SEGMENT, 0, (), (Exit(STORE, (X,), kept + 1),))
    with pytest.raises(ValueError, match="not bound at exit"):
        rewrite(DECODED, [stub], FLOW)
