"""The `bytecode` package, which shares no line with us, judges what we write."""

import random

import pytest
from bytecode import Bytecode, ControlFlowGraph
from hostile import Counters, stub_everywhere
from programs import PROGRAMS
from roundtrip import codes_of, modules, nested

from framejit.frontends.bytecode import analyse, decode

PLACES = random.Random(5).sample([path for path in modules() if path.stat().st_size < 40_000], 12)


def judged_depth(code):
    """The stack size that the package computes.

    Its own exception depths are too deep for some functions, so it is told to keep those that
    are in the table.
    """
    items = Bytecode.from_code(code, conserve_exception_block_stackdepth=True)
    graph = ControlFlowGraph.from_bytecode(items)
    return graph.compute_stacksize(compute_exception_stack_depths=False)


def judge(code, rng):
    """Stub the code and have it judged; the number of functions."""
    count = 0
    for one in nested(stub_everywhere(code, rng, Counters())):
        count += 1
        assert judged_depth(one) <= one.co_stacksize
        again = Bytecode.from_code(one, conserve_exception_block_stackdepth=True).to_code(
            stacksize=one.co_stacksize, compute_exception_stack_depths=False
        )
        # the package renumbers constants, but it can write what it has read
        assert len(decode(again).instructions) == len(decode(one).instructions)
    return count


@pytest.mark.parametrize("function", [f for f, _ in PROGRAMS[:-4]], ids=lambda f: f.__name__)
def test_programs(function):
    """Stack sizes and exception tables of rewritten programs."""
    if function.__name__ == "long_function":
        pytest.skip("the package needs seconds for it")
    assert judge(function.__code__, random.Random(function.__name__)) >= 1


def test_standard_library():
    """The same for modules, bounded in number of functions."""
    count = 0
    for path in PLACES:
        for code in list(codes_of(path))[1:12]:
            if len(code.co_code) < 500:
                count += judge(code, random.Random(code.co_qualname))

    assert count > 50


def test_depths_agree_exactly():
    """For plain code, our deepest stack is the package's, but for what a call pushes inside."""
    count = 0
    for path in PLACES:
        for code in list(codes_of(path))[:25]:
            count += 1
            flow = analyse(decode(code))
            deepest = max(len(stack) for stack in flow.stacks if stack is not None)
            assert deepest <= max(judged_depth(code), code.co_stacksize)

    assert count > 100
