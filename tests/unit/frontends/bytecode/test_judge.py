"""The `bytecode` package, which shares no line with us, judges what we write."""

import random

import pytest
from bytecode import Bytecode, ControlFlowGraph, Instr, Label, TryBegin, TryEnd
from hostile import Counters, stub_everywhere
from programs import PROGRAMS
from roundtrip import codes_of, modules, nested

from framejit.frontends.bytecode.decode import decode

PLACES = random.Random(5).sample([path for path in modules() if path.stat().st_size < 40_000], 6)
FUNCTIONS = [function for function, _ in PROGRAMS if function.__name__ != "long_function"]


def judged_depth(items):
    """The stack size that the package computes, None where its own assertions fail.

    It computes exception depths too deep for some functions, so it is told to keep those that
    are in the table.  Its walk over nested regions does not finish for a few others.
    """
    graph = ControlFlowGraph.from_bytecode(items)
    try:
        return graph.compute_stacksize(compute_exception_stack_depths=False)
    except AssertionError:
        return None


def as_read_by_the_package(items):
    """(opcode, positions, index of the jump target, handler) of each instruction."""
    index_of, count = {}, 0
    for item in items:
        if isinstance(item, Label):
            index_of[id(item)] = count
        count += isinstance(item, Instr)
    region, result = None, []
    for item in items:
        if isinstance(item, TryBegin):
            region = index_of[id(item.target)], item.stack_depth, item.push_lasti
        elif isinstance(item, TryEnd):
            region = None
        elif isinstance(item, Instr):
            target = index_of[id(item.arg)] if isinstance(item.arg, Label) else None
            where = item.location
            positions = where and (
                where.lineno, where.end_lineno, where.col_offset, where.end_col_offset
            )  # fmt: skip
            result.append((item.name, positions or (None,) * 4, target, region))
    return result


def as_read_by_us(decoded):
    """The same."""
    result = []
    for one in decoded.instructions:
        handler = one.handler and (one.handler.target, one.handler.depth, one.handler.lasti)
        result.append((one.opcode, one.positions, one.target, handler))
    return result


def judge(code, rng):
    """Stub the code and have it judged; (functions, functions whose depth could be judged)."""
    count = depths = 0
    stubbed = nested(stub_everywhere(code, rng, Counters()))
    for plain, one in zip(nested(code), stubbed, strict=True):
        items = Bytecode.from_code(one, conserve_exception_block_stackdepth=True)

        assert as_read_by_the_package(items) == as_read_by_us(decode(one))

        depth = judged_depth(items)
        count += 1
        depths += depth is not None
        # the compiler may ask for more than is used; a stub does not
        if depth is not None and one.co_stacksize > plain.co_stacksize:
            assert depth == one.co_stacksize
        assert depth is None or depth <= one.co_stacksize
    return count, depths


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_programs(function):
    """Stack sizes, jumps, line tables and exception tables of programs with stubs."""
    count, depths = judge(function.__code__, random.Random(function.__name__))

    assert depths >= count - 1


def test_standard_library():
    """The same for modules, bounded in number and size of functions."""
    count = depths = 0
    for path in PLACES:
        for code in list(codes_of(path))[1:12]:
            if len(code.co_code) < 350:
                counts = judge(code, random.Random(code.co_qualname))
                count, depths = count + counts[0], depths + counts[1]

    assert count > 15
    assert depths > 0.95 * count
