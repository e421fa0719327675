"""The analyses, on small functions where the answer can be seen, and on many where it is known."""

# ruff: noqa: C416 -- comprehensions that do nothing are the subject

import dis

import pytest
from roundtrip import codes_of, some_modules

from framejit.frontends.bytecode import isa
from framejit.frontends.bytecode.decode import decode
from framejit.frontends.bytecode.flow import analyse
from framejit.frontends.bytecode.kinds import Kind
from framejit.frontends.bytecode.version import LAYOUT, rows_of
from framejit.jit.errors import UnsupportedCodeError

ROWS = rows_of(LAYOUT.version)


def flow_of(function):
    return analyse(decode(function.__code__))


def find(flow, name, nth=0, arg=None):
    """Index of the n-th instruction that has an operation of this name (and argument)."""
    return [
        one.index
        for one in flow.decoded.instructions
        if flow.is_reachable(one.index)
        and any(op.name == name and arg in (None, op.arg) for op in one.ops)
    ][nth]


def slot(flow, name):
    return flow.decoded.localsplus.index(name)


def names(flow, slots):
    return {flow.decoded.localsplus[one] for one in slots}


UNCHECKED = ("LOAD_FAST", "LOAD_FAST_BORROW")


def test_every_unchecked_load_is_definitely_bound():
    """The compiler of 3.12 and later proves the same: where it loads unchecked, we know it too.

    Stacks never get deeper than the compiler says.
    """
    loads = 0
    for path in some_modules(3):
        for code in codes_of(path):
            flow = analyse(decode(code))
            for one in flow.decoded.instructions:
                if not flow.is_reachable(one.index):
                    continue
                assert len(flow.stack_at(one.index)) <= code.co_stacksize
                if "LOAD_FAST_CHECK" in dis.opmap and one.opcode in UNCHECKED:
                    loads += 1
                    assert flow.bound_bits[one.index] >> one.arg & 1

    assert loads > 3_000 or "LOAD_FAST_CHECK" not in dis.opmap


def test_stack_kinds_of_a_call():
    """NULL is known, and what a method look-up leaves may be NULL in one of two slots."""

    def function(x):
        return print(x.method(1))

    flow = flow_of(function)
    inner, outer = find(flow, isa.CALL), find(flow, isa.CALL, 1)
    assert Kind.MAYBE_NULL in flow.stack_at(inner)[2:4]
    assert Kind.NULL in flow.stack_at(outer)[:2]
    assert flow.stack_at(outer)[2:] == (Kind.OBJECT,)


def test_structural_kinds():
    """Iterators, exits, exception state."""

    def function(items, manager):
        for x in items:
            with manager:
                x()
        try:
            x()
        except KeyError:
            items.handler()

    flow = flow_of(function)
    first = next(
        one.index
        for one in flow.decoded.instructions
        for op in one.ops
        if op.name == isa.CALL and Kind.EXIT in flow.stack_at(one.index)[:-2]
    )
    inside = find(flow, isa.BEFORE_WITH if "BEFORE_WITH" in ROWS else isa.LOAD_SPECIAL)
    at = int(LAYOUT.has_indices)
    assert flow.stack_at(first)[at : at + 2] == (Kind.ITERATOR, Kind.EXIT)
    assert flow.stack_at(first)[:at] == (Kind.INDEX,) * at
    assert flow.stack_at(inside)[at] is Kind.ITERATOR
    assert all(kind.is_structural for kind in flow.stack_at(first)[at : at + 2])
    handler = find(flow, isa.LOAD_METHOD)
    assert flow.stack_at(handler)[0] is Kind.EXC_STATE
    push = find(flow, isa.PUSH_EXC_INFO)
    assert flow.stack_at(push)[-1] is Kind.EXCEPTION


def test_receivers():
    """The receiver of SEND stays in place."""

    async def function(x):
        return await x

    flow = flow_of(function)
    index = (Kind.NULL,) * LAYOUT.has_indices
    assert flow.stack_at(find(flow, isa.SEND)) == (Kind.RECEIVER, *index, Kind.OBJECT)


def test_exact_bools_are_known():
    """Where a jump relies on an exact bool, the kind says so."""

    def function(a, b):
        return 1 if a in b else 2

    flow = flow_of(function)
    assert flow.stack_at(find(flow, isa.POP_JUMP_IF_FALSE))[-1] is Kind.BOOL


def test_definite_assignment():
    """Arguments are bound, branches meet, del unbinds, a successful load proves."""

    def function(a, b):
        if a:
            x = y = 1
            print(1)
        else:
            y = 2
        print(y)
        del y
        print(x)
        return a

    flow = flow_of(function)
    start, first, second, third = (find(flow, isa.LOAD_GLOBAL, n) for n in (0, 0, 1, 2))
    assert names(flow, flow.bound_at(start)) == {"a", "b", "x", "y"}
    assert names(flow, flow.bound_at(second)) == {"a", "b", "y"}
    assert names(flow, flow.maybe_bound_at(second)) == {"a", "b", "x", "y"}
    assert names(flow, flow.bound_at(third)) == {"a", "b"}
    assert names(flow, flow.maybe_bound_at(third)) == {"a", "b", "x"}
    last = find(flow, isa.RETURN_VALUE)
    assert names(flow, flow.bound_at(last)) == {"a", "b", "x"}
    assert first == start


def test_assignment_seen_from_a_handler():
    """An exception may come before the store."""

    def function(f):
        try:
            x = f()
        except KeyError:
            return 1
        return x

    flow = flow_of(function)
    handler = find(flow, isa.PUSH_EXC_INFO)
    assert slot(flow, "x") not in flow.bound_at(handler)
    assert slot(flow, "x") in flow.bound_at(find(flow, isa.LOAD_FAST, arg=slot(flow, "x")))


def test_cells_are_bound_once_made():
    """A cell's slot holds the cell, whatever is in it."""

    def function(a):
        def inner():
            return a, x

        x = 1
        return inner

    flow = flow_of(function)
    x = slot(flow, "x")
    assert x not in flow.bound_at(0)
    assert x in flow.bound_at(find(flow, isa.MAKE_FUNCTION))
    inner = decode(next(c for c in function.__code__.co_consts if hasattr(c, "co_code")))
    assert analyse(inner).bound_at(len(inner.instructions) - 1) == {0, 1}


def test_the_variable_of_a_comprehension():
    """It is not live before, so a segment need not have it, nor bound after."""

    def function(items):
        total = [i for i in items]
        print(total)
        return total

    flow = flow_of(function)
    start = find(flow, isa.LOAD_FAST)
    after = find(flow, isa.LOAD_GLOBAL)
    assert names(flow, flow.live_at(start)) == {"items"}
    assert names(flow, flow.maybe_bound_at(after)) == {"items", "total"}
    assert names(flow, flow.live_at(after)) == {"total"}


def test_the_variable_of_a_comprehension_that_is_also_a_local():
    """Then it is saved around it, and is live."""

    def function(items):
        i = 1
        total = [i for i in items]
        return total, i

    flow = flow_of(function)
    start = find(flow, isa.LOAD_FAST, arg=slot(flow, "items"))
    assert names(flow, flow.live_at(start)) == {"items", "i"}


def test_liveness():
    """Across a loop, into a handler; del is a use."""

    def function(a, b, c, d):
        for _ in a:
            b = c
            try:
                b()
            except KeyError:
                return d
        del c
        return b

    flow = flow_of(function)
    body = find(flow, isa.STORE_FAST, arg=slot(flow, "b"))
    assert names(flow, flow.live_at(body)) == {"c", "d"}
    assert names(flow, flow.live_at(find(flow, isa.GET_ITER))) == {"b", "c", "d"}
    assert names(flow, flow.live_at(find(flow, isa.DELETE_FAST))) == {"b", "c"}


def test_stores_between():
    """On any path, up to the first time that the end is reached."""

    def function(a):
        b = 1
        for i in a:
            if i:
                c = 2
            else:
                d = 3
        e = 4
        return a, b, c, d, e

    flow = flow_of(function)
    start = find(flow, isa.GET_ITER)
    (loop,) = flow.loops
    after = find(flow, isa.LOAD_CONST, arg=4)
    assert names(flow, flow.stores_between(start, after)) == {"i", "c", "d"}
    assert names(flow, flow.stores_between(loop.header, loop.header)) == {"i", "c", "d"}
    assert names(flow, flow.stores_between(start, loop.header)) == set()
    assert names(flow, flow.stores_between(0, start)) == {"b"}
    assert names(flow, flow.stores_between(after, len(flow.stacks) - 1)) == {"e"}


def test_loops():
    """A for loop's header is its FOR_ITER; inner loops lie inside; try makes no loop."""

    def function(a):
        for i in a:
            try:
                while i:
                    i -= 1
            except KeyError:
                continue
        try:
            a()
        except KeyError:
            a = 1
        return a

    flow = flow_of(function)
    outer, inner = flow.loops
    assert outer.header == find(flow, isa.FOR_ITER)
    assert inner.header in inner.body < outer.body
    assert find(flow, isa.PUSH_EXC_INFO) in outer.body
    assert find(flow, isa.PUSH_EXC_INFO, 1) not in outer.body
    assert len(outer.back) >= 2
    instructions = flow.decoded.instructions
    assert all(one in inner.body for one in inner.back)
    targets = {other for _, other in outer.exits}
    assert instructions[find(flow, isa.FOR_ITER)].ops[-1].arg in targets


def test_waiting_is_no_loop():
    """The SEND of await and yield from."""

    async def function(items, x):
        async for i in items:
            await i
        return await x

    flow = flow_of(function)
    assert len(flow.loops) == 1


def test_edges_agree():
    """Predecessors are successors read backwards, but for unreachable code."""

    def function(a):
        for i in a:
            try:
                yield i
            finally:
                a()

    flow = flow_of(function)
    for index, after in enumerate(flow.successors):
        for other in after:
            assert (index in flow.predecessors[other]) is flow.is_reachable(index)


def test_group_start_of_a_call():
    """CALL is entered at its first prefix, if it has any."""

    def function(f):
        return f(a=1)

    flow = flow_of(function)
    call = find(flow, isa.CALL)
    start = flow.group_start(call)
    assert start in range(call - 2, call + 1)
    assert len(flow.stack_at(start)) == len(flow.stack_at(call))


def test_stacks_that_do_not_add_up_are_refused():
    """Code that takes from an empty stack, and code that runs past its end."""
    code = (lambda: 0).__code__
    end = 2 + 2 * LAYOUT.caches.get("RESUME", 0)
    resume = code.co_code[:end]
    pop = bytes((dis.opmap["POP_TOP"], 0))
    with pytest.raises(UnsupportedCodeError, match="POP_TOP"):
        analyse(decode(code.replace(co_code=resume + pop + code.co_code[end:])))
    with pytest.raises(UnsupportedCodeError, match="past its end"):
        analyse(decode(code.replace(co_code=resume)))
