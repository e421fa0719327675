"""The register of the programs: what each is called with, and under which name.

    @program(np.arange(4.0), 2)
    def keyword_call(x, k):
        ...

    @setup()
    def counter():
        seen = []
        def f(x):
            ...
        return f, np.arange(4.0)

A `program` gets copies of its arguments for each call. A `setup` makes a function and its arguments
anew for each run; all calls of a run share them: for programs that change what their closure or
their globals hold, and for arguments that cannot be copied. Names follow the file:
calls-keyword_call.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from oracle import check

Function = Callable[..., Any]
FAMILIES = sorted(file.stem for file in Path(__file__).parent.glob("families/*.py"))
"""The files with programs."""
PROGRAMS: list[Program] = []
"""All of them, in the order of the files."""

CYCLE = (("arguments", "kept alive after the call"),)
"""To ignore where the program makes a reference cycle: it dies when a garbage collection comes."""


@dataclass(frozen=True, slots=True)
class Program:
    """One program and how it is compared."""

    function: Function
    """The function that is compared; with `is_setup` the function that makes it."""
    args: tuple[Any, ...]
    is_setup: bool
    use: Function | None = None
    """A function applied to the result inside the watched call, such as `list` for a generator."""
    calls: int = 3
    """The first finds the breaks, the second captures the segments behind them, the third hits."""
    since: tuple[int, int] = (3, 11)
    """The first Python that it runs on."""
    bug: str = ""
    """The fault of framejit that the program shows, as yet."""
    bug_when: bool = True
    """True if the fault is there in this session (Python version, hostile mode)."""
    looks_out: bool = False
    """It looks at frames outside of itself."""
    ignore: Sequence[tuple[str, str]] = ()
    """Facts that may differ, for a reason that stands beside the program."""
    kwargs: dict[str, Any] = field(default_factory=dict)

    @property
    def family(self) -> str:
        """The file that it stands in."""
        return self.function.__module__.rpartition(".")[2]

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.function.__name__

    @property
    def is_open(self) -> bool:
        """True if the program is known to fail in this session."""
        return bool(self.bug) and self.bug_when

    @property
    def runs_here(self) -> bool:
        """True if this Python knows its features."""
        return sys.version_info[:2] >= self.since

    def check(self, backends: Sequence[str], **more: Any) -> list[Any]:
        """Compares it with eager; returns what was jitted, for its numbers."""
        options: dict[str, Any] = {
            "backends": backends,
            "calls": self.calls,
            "use": self.use,
            "ignore": self.ignore,
        } | more
        if self.is_setup:
            return check(setup=self.function, **options)
        return check(self.function, *self.args, **self.kwargs, **options)


def program(*args: Any, kwargs: dict[str, Any] | None = None, **options: Any) -> Function:
    """Registers a function with the arguments that it is called with."""

    def register(function: Function) -> Function:
        PROGRAMS.append(Program(function, args, False, kwargs=kwargs or {}, **options))
        return function

    return register


def setup(**options: Any) -> Function:
    """Registers a maker of (function, *args)."""

    def register(make: Function) -> Function:
        def made() -> tuple[Any, ...]:
            function, *args = make()
            return function, args

        made.__name__, made.__module__ = make.__name__, make.__module__
        PROGRAMS.append(Program(made, (), True, **options))
        return make

    return register
