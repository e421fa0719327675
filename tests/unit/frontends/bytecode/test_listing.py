"""The listing, which a person reads."""

import random

from hostile import Counters, stub_everywhere
from programs import PROGRAMS

from framejit.frontends.bytecode.decode import decode
from framejit.frontends.bytecode.listing import listing
from framejit.frontends.bytecode.rewrite import rewrite
from framejit.frontends.bytecode.stub import Exit, Stub


class Segment:
    """Something with a name."""

    __name__ = "example:0"

    def __call__(self, *arguments):
        return None


def example(a, b):
    total = a + b
    for i in range(a):
        total += i
    return total


def test_plain_code():
    """Lines, labels, operators and names; no frame, as there is no stub."""
    text = listing(example.__code__)

    assert text.startswith("example  (")
    assert "0 segments; " in text
    assert "locals a, b, total, i" in text
    assert "range  (NULL)" in text
    assert "+=" in text
    assert "L1:" in text
    assert "+----" not in text


def test_a_stub_is_framed():
    """One frame, with the segment's name and the number of its live-ins; the rest as before."""
    decoded = decode(example.__code__)
    line = decoded.code.co_firstlineno
    first = next(one.index for one in decoded.instructions if one.line == line + 1)
    second = next(one.index for one in decoded.instructions if one.line == line + 2)
    stub = Stub(first, Segment(), 0, (0, 1), (Exit(second, (2,), 0, bare=True),))
    text = listing(rewrite(decoded, [stub]))
    framed = [row for row in text.splitlines() if row[7:8] == "|"]

    assert text.count("+---- segment example:0, 2 live-ins") == 1
    assert text.count("       +----\n") == 1
    assert len(framed) >= 10
    assert any("STORE_FAST" in row and "total" in row for row in framed)
    plain = [row.split() for row in listing(example.__code__).splitlines()[2:]]
    rest = [row.split() for row in text.splitlines()[2:] if row[7:8] not in "|+"]
    opcodes = [row[-2:-1] or row for row in rest if "L" not in row[0][:1]]
    assert len(opcodes) >= len([row for row in plain if "L" not in row[0][:1]]) - 2


def test_everything_can_be_listed():
    """Every program, plain and with stubs everywhere."""
    for function, _ in PROGRAMS:
        counters = Counters()
        if function.__name__ == "long_function":
            continue
        assert listing(function.__code__).count("\n") > 5
        if len(function.__code__.co_code) > 400:
            continue
        code = stub_everywhere(function.__code__, random.Random(1), counters)
        frames = listing(code).count("+---- segment")
        assert 0 < frames <= counters.stubs
