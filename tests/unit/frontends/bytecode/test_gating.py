"""Gates in code: what they leave as it was, at which loops they stand, jumps that grow."""

from __future__ import annotations

import argparse
import asyncio.base_events
import configparser
import dis
import inspect
import itertools
import json.decoder
import pickle
import sys
import tarfile
import textwrap
import types
from collections.abc import Iterator
from typing import Any

import pytest

from framejit.frontends.bytecode import gating
from framejit.frontends.bytecode.decode import decode
from framejit.frontends.bytecode.flow import Flow, analyse
from framejit.frontends.bytecode.inserting import UNIT, find_jumps, insert, units_of
from framejit.frontends.bytecode.loops import outermost_loops
from framejit.frontends.bytecode.model import Decoded
from framejit.frontends.bytecode.opening import close_gates, open_gates
from framejit.frontends.bytecode.placement import why_no_stub
from framejit.frontends.bytecode.rewrite import rewrite

MODULES = (argparse, asyncio.base_events, configparser, inspect, json.decoder, pickle, tarfile)


def codes_in(code: types.CodeType) -> Iterator[types.CodeType]:
    """A code object and those inside of it."""
    yield code
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from codes_in(const)


def library() -> Iterator[types.CodeType]:
    """All code of some modules, compiled now."""
    for module in MODULES:
        file = inspect.getsourcefile(module)
        assert file is not None
        yield from codes_in(compile(inspect.getsource(module), file, "exec"))


def headers(flow: Flow) -> list[int]:
    """The offsets of the outermost loops, as the analysis of decoded code has them."""
    starts = [one.offset for one in flow.decoded.instructions]
    return sorted(starts[loop.header] for loop in outermost_loops(flow.loops))


def lines(code: types.CodeType) -> list[int | None]:
    """The lines that the instructions come to, one after the other."""
    return [line for line, _ in itertools.groupby(line for *_, line in code.co_lines())]


def compare(before: Decoded, after: Decoded, added: dict[int, int]) -> None:
    """All instructions are there in their order, with as many more before some offsets."""
    index_of: dict[int, int] = {}
    left = iter(after.instructions)
    inserted = {}
    for one in before.instructions:
        new = [next(left) for _ in range(added.get(one.offset, 0))]
        there = next(left)
        index_of[one.index] = new[0].index if new else there.index
        inserted[one.index] = (new, there)
    assert next(left, None) is None
    for one in before.instructions:
        new, there = inserted[one.index]
        assert there.opcode == one.opcode
        assert one.target is not None or there.arg == one.arg
        assert there.target == (None if one.target is None else index_of[one.target])
        for other in (*new, there):
            assert other.positions == one.positions
            assert (other.handler is None) == (one.handler is None)
            if one.handler is not None and other.handler is not None:
                assert other.handler.target == index_of[one.handler.target]
                assert other.handler.depth == one.handler.depth
                assert other.handler.lasti == one.handler.lasti


def test_gates_of_the_standard_library() -> None:
    """They stand before the loops that the full analysis finds, and all else is as it was.

    Turns of the loops come to them when they are open, and pass them by before.
    """
    size = 2 + len([*gating.words(0)])
    found = iterations = 0
    for code in library():
        made = gating.gated(code)
        flow = analyse(decode(code))
        gates = () if made is None else gating.gates_of(made)
        assert [gate.header for gate in gates] == headers(flow), code.co_qualname
        if made is None:
            continue
        edges = gating.back_edges(made.co_code, gates)
        assert edges.keys() == {gate.slot for gate in gates}
        iterations += sum(map(len, edges.values()))
        opened = bytearray(made.co_code)
        differ = set()
        for edge in itertools.chain(*edges.values()):
            last = UNIT * edge.at + 1
            places = range(last - UNIT * (edge.width - 1), last + 1, UNIT)
            before = made.co_code[places.start : places.stop : UNIT]
            assert int.from_bytes(before, "big") == edge.closed
            assert edge.opened - edge.closed >= size
            wider = edge.opened.to_bytes(edge.width, "big")
            opened[places.start : places.stop : UNIT] = wider
            pairs = zip(places, before, wider, strict=True)
            differ |= {at for at, one, other in pairs if one != other}
        shut = made._co_code_adaptive
        assert open_gates(made)
        there = made._co_code_adaptive
        assert {at for at in range(len(there)) if there[at] != shut[at]} == differ
        assert all(there[at] == opened[at] for at in differ)
        for gate in gates:
            close_gates(made, gate.header)
        assert made._co_code_adaptive == shut
        after = analyse(decode(made.replace(co_code=bytes(opened))))
        compare(flow.decoded, after.decoded, dict.fromkeys(headers(flow), size))
        assert max(len(one) for one in after.stacks if one is not None) <= made.co_stacksize
        assert lines(made) == lines(code)
        found += len(gates)
    assert iterations > found > 200


def test_jumps_grow() -> None:
    """So many units come in between that jumps need more bytes, and with them others do."""
    more = 60
    grown = 0
    for code in itertools.islice(library(), 0, None, 5):
        flow = analyse(decode(code))
        few = flow.decoded.instructions[5::11]
        at = [one.offset for one in few if why_no_stub(flow, one.index) is None]
        jumps = find_jumps(code.co_code)
        made = insert(
            code, {offset // UNIT: units_of((("NOP", 0),) * more) for offset in at}, jumps
        )
        compare(flow.decoded, decode(made), dict.fromkeys(at, more))
        wide = [jump.at - jump.start for jump in find_jumps(made.co_code)]
        grown += sum(wide) > sum(jump.at - jump.start for jump in jumps)
    assert grown > 5


def test_gated_code_runs() -> None:
    """Closed gates do nothing, wherever they stand; constants behind 255 others too."""
    many = ", ".join(f"'{k}'" for k in range(300))
    source = f"""
        def f(n):
            names = [{many}]
            found = []
            for k in range(n):
                for j in range(k):
                    if j % 3 == 1:
                        continue
                    found.append(names[j])
                else:
                    found.append(k)
            while n:
                try:
                    n -= 1
                    if n == 2:
                        raise KeyError(n)
                    if n == 1:
                        break
                except KeyError as error:
                    found.append(str(error))
                finally:
                    found.append(n)
            return found, [a for a in range(5) if [b for b in range(a)]]
    """
    space: dict[str, Any] = {}
    exec(textwrap.dedent(source), space)
    plain = space["f"]
    made = gating.gated(plain.__code__)
    assert made is not None
    assert types.FunctionType(made, {})(7) == plain(7)
    assert all(made.co_consts[gate.slot] is None for gate in gating.gates_of(made))


def test_rewritten_code_has_the_same_gates() -> None:
    """Frames of both have room for the other, and land behind what the gate calls."""
    flow = analyse(decode(json.decoder.py_scanstring.__code__))
    code = flow.decoded.code
    made = gating.gated(code)
    at = [loop.header for loop in outermost_loops(flow.loops)]
    again = rewrite(flow.decoded, (), flow, at)
    assert made is not None
    assert [one.header for one in gating.gates_of(again)] == headers(flow)
    assert again.co_stacksize == made.co_stacksize == gating.room(code)
    names = {one.offset: one.opname for one in dis.get_instructions(again)}
    assert [names[one.landing] for one in gating.gates_of(again)] == ["POP_TOP"] * len(at)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="comprehensions are functions of their own")
def test_inlined_comprehensions_have_gates() -> None:
    """The saved value, which may be NULL, is below the iterator."""
    space: dict[str, Any] = {}
    exec("def f(n):\n    return [k for k in range(n)]", space)
    made = gating.gated(space["f"].__code__)
    assert made is not None
    assert types.FunctionType(made, {"range": range})(3) == [0, 1, 2]


def test_code_keeps_its_hash() -> None:
    """Whichever gates are open: somebody may have put it into a dict."""
    opened = 0
    for code in itertools.islice(library(), 0, None, 3):
        made = gating.gated(code)
        if made is None:
            continue
        gates = gating.gates_of(made)
        before, table = hash(made), hash(made.co_consts)
        for gate in gates:
            assert open_gates(made, gate.header)
            assert hash(made) == before, made.co_qualname
            opened += 1
        for gate in gates:
            close_gates(made, gate.header)
            assert hash(made) == before, made.co_qualname
        assert hash(made.co_consts) == table
        if len(gates) > 1:
            assert open_gates(made)
            assert hash(made) == before
    assert opened > 50
