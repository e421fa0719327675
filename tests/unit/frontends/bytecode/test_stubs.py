"""Stubs at every legal place change nothing that a program can see.

Results, exceptions with their chains, traceback lines and columns, `f_lineno`, `locals()`,
generator state, trace events.  Seeds are printed by the test ids.
"""

import gc
import inspect
import random
import re
import sys
import weakref

import pytest
from hostile import Counters, chain, outcome, silent_stub, stub_everywhere, with_code
from programs import PROGRAMS, arguments
from workloads import QUICK, compare

from framejit.frontends.bytecode.decode import decode
from framejit.frontends.bytecode.flow import analyse
from framejit.frontends.bytecode.kinds import Kind
from framejit.frontends.bytecode.rewrite import rewrite
from framejit.frontends.bytecode.stub import Exit, Stub

SHORT = [(function, calls) for function, calls in PROGRAMS if function.__name__ != "long_function"]


def each(programs):
    """One test a program, named after it."""
    ids = [function.__name__ for function, _ in programs]
    return pytest.mark.parametrize(("function", "calls"), programs, ids=ids)


@pytest.mark.parametrize("seed", range(2))
@each(PROGRAMS)
def test_programs(function, calls, seed):
    """Real exits and exit 0 by the toss of a coin."""
    rng = random.Random(f"{seed} {function.__name__}")
    other = with_code(function, stub_everywhere(function.__code__, rng, Counters()))
    for call in calls:
        expected = outcome(function, arguments(call))
        actual = outcome(other, arguments(call))

        assert expected == actual


def events_of(function, call):
    """Every trace event of a run inside the programs' file, and what the run gave."""
    events = []

    def trace(frame, event, arg):
        if frame.f_code.co_filename.startswith(function.__code__.co_filename):
            shown = arg[0].__name__ if event == "exception" else re.sub("0x.*", "", repr(arg))
            events.append((frame.f_code.co_qualname, event, frame.f_lineno, shown))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        result = outcome(function, call)
    finally:
        sys.settrace(before)
    return result, events


@each(SHORT)
def test_trace_events(function, calls):
    """A debugger steps through the same lines in the same order."""
    rng = random.Random(function.__name__)
    other = with_code(function, stub_everywhere(function.__code__, rng, Counters(), silent_stub))
    for call in calls:
        expected = events_of(function, arguments(call))
        actual = events_of(other, arguments(call))

        assert len(expected[1]) > 1
        assert expected == actual


@pytest.mark.parametrize("name", QUICK)
def test_standard_library(name):
    """A module whose every function has stubs does its work as before."""
    plain, other = compare(name, random.Random(name), Counters())

    assert plain == other


def test_stubs_are_executed():
    """A harness that put none in would pass all the rest."""
    counters = Counters()
    for function, calls in SHORT[:20]:
        rng = random.Random(function.__name__)
        other = with_code(function, stub_everywhere(function.__code__, rng, counters))
        for call in calls:
            outcome(other, arguments(call))
    print(counters)

    assert counters.stubs > 1_000
    assert counters.exits > 3_000
    assert counters.exit_0 > 3_000


class Returns:
    """A segment that gives fixed answers in turn, the last one for ever."""

    def __init__(self, *answers):
        self.answers = list(answers)

    def __call__(self, *arguments):
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def test_the_code_keeps_what_it_is():
    """Flags, names and signature; constants only grow at the end."""

    async def function(a, *, b=1):
        yield a, b

    decoded = decode(function.__code__)
    flow = analyse(decoded)
    at = next(one.index for one in decoded.instructions if one.opcode == "RESUME") + 1
    segment = Returns(None)
    code = rewrite(decoded, [Stub(at, segment, 0, (), (Exit(at, (), 0),))], flow)

    old = function.__code__
    assert code.co_flags == old.co_flags
    assert code.co_varnames == old.co_varnames
    assert code.co_names == old.co_names
    assert code.co_consts[: len(old.co_consts)] == old.co_consts
    assert code.co_consts[len(old.co_consts) :] == (segment,)
    assert inspect.signature(with_code(function, code)) == inspect.signature(function)
    assert hash(code) is not None


def test_no_stub_is_no_change():
    """An empty rewrite is an encoding."""
    for function, _ in PROGRAMS:
        code = rewrite(decode(function.__code__), [])
        assert code == function.__code__
        assert code.co_stacksize == function.__code__.co_stacksize


def first_of_line(decoded, line):
    """The first instruction of the line so far below the def."""
    wanted = decoded.code.co_firstlineno + line
    return next(one.index for one in decoded.instructions if one.line == wanted and one.index)


def test_stubs_chain():
    """An exit to a place with a stub of its own calls that one's segment."""

    def function(a):
        b = a + 1
        c = b + 1
        return a, b, c

    decoded = decode(function.__code__)
    first, second, third = (first_of_line(decoded, line) for line in (1, 2, 3))
    one = Stub(first, Returns(10), 0, (0,), (Exit(second, (1,), 0, bare=True),))
    two = Stub(second, Returns((20,)), 0, (0, 1), (Exit(third, (2,), 0),))

    assert with_code(function, rewrite(decoded, [one]))(1) == (1, 10, 11)
    assert with_code(function, rewrite(decoded, [two]))(1) == (1, 2, 20)
    assert with_code(function, rewrite(decoded, [two, one]))(1) == (1, 10, 20)


@pytest.mark.parametrize("taken", range(4))
def test_exits_are_told_apart(taken):
    """Nested pairs; the last exit has no pair of its own; exit without values; deletion."""

    def function(a):
        b = a
        c = b
        return sorted(locals().items())

    decoded = decode(function.__code__)
    first, second, third = (first_of_line(decoded, line) for line in (1, 2, 3))
    exits = (
        Exit(second, (1,), 0),
        Exit(second, (1,), 0, bare=True),
        Exit(first, (), 0),
        Exit(third, (2, 1), 0),
    )
    payload = ((5,), 6, "nothing", (8, 7))[taken]
    segment = Returns(chain(taken, 4, payload), None)
    code = rewrite(decoded, [Stub(first, segment, 0, (0,), exits)])

    assert (
        dict(with_code(function, code)(1))
        == [
            {"a": 1, "b": 5, "c": 5},
            {"a": 1, "b": 6, "c": 6},
            {"a": 1, "b": 1, "c": 1},
            {"a": 1, "b": 7, "c": 8},
        ][taken]
    )


def test_deletes_unbind():
    """A local that is bound, and one that is not."""

    def function(a, b):
        del a
        c = 1
        del c
        return sorted(locals())

    decoded = decode(function.__code__)
    first, last = first_of_line(decoded, 1), first_of_line(decoded, 4)
    stub = Stub(first, Returns(()), 0, (), (Exit(last, (), 0, deletes=(0, 2)),))

    assert with_code(function, rewrite(decoded, [stub]))(1, 2) == ["b"]


def test_null_is_pushed_by_the_stub():
    """An exit may lead straight to a call whose callable the segment had on its own stack."""

    def function(a):
        return len(a), max(a, key=abs)

    decoded = decode(function.__code__)
    flow = analyse(decoded)
    first = first_of_line(decoded, 1)
    calls = [one.index for one in decoded.instructions if one.ops and one.ops[-1].name == "CALL"]
    call = flow.group_start(calls[0])
    stack = flow.stack_at(call)
    nulls = tuple(n for n, kind in enumerate(stack) if kind is Kind.NULL)
    way = Exit(call, (), len(stack), nulls=nulls)

    code = rewrite(decoded, [Stub(first, Returns((len, "four")), 0, (0,), (way,))], flow)
    assert len(nulls) == 1
    assert with_code(function, code)([1, -3]) == (4, -3)


def test_cells_are_passed_as_cells():
    """A segment changes a variable that an inner function shares by changing its cell."""

    def function(a):
        def inner():
            return a

        a += 1
        return inner()

    def segment_body(cell):
        cell.cell_contents = 41
        return "anything"

    decoded = decode(function.__code__)
    stub = Stub(
        first_of_line(decoded, 4), segment_body, 0, (0,), (Exit(first_of_line(decoded, 5), (), 0),)
    )

    assert with_code(function, rewrite(decoded, [stub]))(1) == 41


def test_segments_are_collected_with_the_code():
    """Rewritten code does not keep a segment alive beyond itself."""

    def function():
        return 1

    decoded = decode(function.__code__)
    segment = Returns(None)
    alive = weakref.ref(segment)
    at = len(decoded.instructions) - 1
    code = rewrite(decoded, [Stub(at, segment, 0, (), (Exit(at, (), 0),))])
    assert with_code(function, code)() == 1
    del segment, code
    gc.collect()

    assert alive() is None
