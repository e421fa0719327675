"""The programs of this folder through the decorator itself: plain Python stays what it is.

In the normal mode hardly anything of them is captured. With a stub everywhere each of their
instructions is a segment: here that mode meets every kind of bytecode, in the normal suite too.
"""

import pytest
from hostile import outcome
from programs import PROGRAMS, arguments

from framejit import capture, jit

EACH = pytest.mark.parametrize(
    ("function", "calls"), PROGRAMS, ids=[function.__name__ for function, _ in PROGRAMS]
)


@EACH
@pytest.mark.usefixtures("plain_and_stubs")
def test_programs(function, calls):
    """Results and exceptions of several calls: a stub has real exits from the second on."""
    jitted = jit(function)
    for call in (*calls, *calls, *calls):
        expected = outcome(function, arguments(call))
        actual = outcome(jitted, arguments(call))

        assert expected == actual


@EACH
@pytest.mark.usefixtures("plain_and_stubs")
def test_programs_caught_by_the_hook(function, calls):
    """Nobody decorated them, nor what they call."""
    for call in (*calls, *calls, *calls):
        expected = outcome(function, arguments(call))
        with capture():
            actual = outcome(function, arguments(call))

        assert expected == actual
