"""A segment that runs a whole loop in one launch is timed by the loop, not by the iteration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import entries as make
import pytest
from entries import entry

from framejit.jit import native
from framejit.jit.native import _core

pytestmark = pytest.mark.counts("which side serves")

ITERATIONS, NANOSECONDS = 8, 1000
"""Iterations of the loop, and nanoseconds that one takes in plain Python."""
PATIENCE = 32
CALLS = 400
KINDS_OF_ITERATORS = {
    "range": lambda: iter(range(ITERATIONS)),
    "list": lambda: iter([0] * ITERATIONS),
    "tuple": lambda: iter((0,) * ITERATIONS),
    "zip": lambda: zip(range(ITERATIONS), range(ITERATIONS), strict=True),
}


@pytest.fixture(autouse=True)
def _trials() -> Iterator[None]:
    _core.hook_set_callbacks(None, None)  # they know nothing of these options
    before = native.set_trials(True)
    with make.options():
        yield
    native.set_trials(before)
    native.stop_clock(-1)


class Point:
    """A capture point that has nothing to say."""

    def miss(self, *given: Any) -> bool:
        return False

    def slower(self, segment: Any) -> None:
        pass

    def in_vain(self, segment: Any) -> None:
        pass


class Program:
    """A function with a loop, at whose header a segment stands; and maybe one before the loop."""

    def __init__(self, kernel: int, *, is_marked: bool, is_for: bool = True) -> None:
        """`kernel`: nanoseconds that a launch takes."""
        self.now, self.kernel = 0, kernel
        self.launches = 0
        timing = _core.Timing()
        iterator = 0 if is_for else -1
        self.segment = _core.Segment(Point(), 1, timing=timing, iterator=iterator, leaves=b"\1")
        made = entry(python_kernel=self._launch)
        made.patience = PATIENCE
        self.segment.add(made)
        self.mark = _core.Segment(Point(), 1, timing=timing) if is_marked else None
        if self.mark is not None:
            self.mark.closed = True

    def _pass(self, nanoseconds: int) -> None:
        self.now += nanoseconds
        native.stop_clock(self.now)

    def _launch(self, live: tuple[Any, ...]) -> tuple[int, Any]:
        self.launches += 1
        self._pass(self.kernel)
        return 0, "behind the loop"

    def run(self, iterator: Iterator[Any]) -> None:
        """One call."""
        if self.mark is not None:
            self.mark()
        while self.segment(iterator) is None:
            if next(iterator, None) is None:
                break
            self._pass(NANOSECONDS)

    def serves_plain_python(self, make_iterator: Any) -> bool:
        """True if plain Python serves after a trial."""
        for _ in range(CALLS):
            self.run(make_iterator())
        trials, plain, compiled, as_it_is = self.segment.trial()
        assert trials > 0
        assert compiled == self.kernel
        assert as_it_is >= ITERATIONS * NANOSECONDS or as_it_is >= 16 * compiled
        return bool(plain)


@pytest.mark.parametrize("kind", ["range", "list", "tuple"])
@pytest.mark.parametrize("is_marked", [False, True])
@pytest.mark.parametrize("kernel", [100, 3000, 6000, 20_000])
def test_all_iterations_of_plain_python_count(kind: str, is_marked: bool, kernel: int) -> None:
    program = Program(kernel, is_marked=is_marked)

    loses = program.serves_plain_python(KINDS_OF_ITERATORS[kind])

    assert loses == (kernel > ITERATIONS * NANOSECONDS)


@pytest.mark.parametrize("kernel", [100, 3000, 6000, 20_000])
def test_what_is_called_before_each_loop_marks_its_beginning(kernel: int) -> None:
    """Iterators that do not tell the number of items left, and loops without one."""
    for is_for in (True, False):
        program = Program(kernel, is_marked=True, is_for=is_for)

        assert program.serves_plain_python(KINDS_OF_ITERATORS["zip"]) == (
            kernel > ITERATIONS * NANOSECONDS
        )


def test_where_nothing_tells_the_kernel_serves() -> None:
    program = Program(20_000, is_marked=False)
    for _ in range(CALLS):
        program.run(KINDS_OF_ITERATORS["zip"]())

    assert program.segment.trial()[0] == 0
    assert program.launches == CALLS
