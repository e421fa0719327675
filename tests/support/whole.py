"""Programs that are captured whole: one segment, no break, no bail, and eager's answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oracle import assert_counts, check

Program = Callable[..., Any]
Call = tuple[Program, tuple[Any, ...]]


class Programs(list[Call]):
    """Programs of one file, each with the calls that are compared."""

    def runs(self, *calls: tuple[Any, ...]) -> Callable[[Program], Program]:
        """Registers a program with these calls."""

        def register(program: Program) -> Program:
            self.extend((program, call) for call in calls)
            return program

        return register

    @property
    def names(self) -> list[str]:
        """One for each call."""
        return [f"{program.__name__}-{k}" for k, (program, _) in enumerate(self)]


def check_whole(program: Program, args: tuple[Any, ...]) -> None:
    """Compares the call with eager, cold and from the cache; it is one kernel's."""
    jitted = check(program, *args, calls=2)

    assert_counts(jitted, captures=1, hits=2, breaks=0, bails=0, segments=1)
