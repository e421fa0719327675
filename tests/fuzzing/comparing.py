"""Programs against eager: drawn in small batches, compared by the oracle, shrunk if they differ."""

from __future__ import annotations

import contextlib
import gc
import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from oracle import Jit, check, framejit_jit

from fuzzing.programs import Program, ending, programs

BATCH = 10
"""Programs of one run of Hypothesis: from the eleventh on it repeats the earlier ones, a little
changed."""
FUSED = 3
"""Operations of a kernel that is worth the name."""
COLLECTED = 10
"""Batches between two collections of garbage: Numba makes much, and hardly any of it goes."""
SHRINKS = 60.0
"""Seconds for the shrinking of one difference by Hypothesis, and as many for that by lines."""
LOST = (("exception", "locals"),)
"""A local of a loop that nobody reads any more is not kept (docs/decisions.md)."""
TOLD = 12
"""Lines at the beginning and at the end of what differs."""
Watch = Callable[[Program], None]


@dataclass(slots=True)
class Tally:
    """What became of some programs."""

    programs: int = 0
    fused: int = 0
    """Those with a kernel of at least FUSED operations."""
    differing: list[str] = field(default_factory=list)
    """Scripts of those that differ from eager, each with what differs."""


def compare(program: Program, backends: Sequence[str], jit: Jit = framejit_jit) -> list[Any]:
    """Compares all calls of a program; gives the jitted functions.

    One jitted function serves all calls, each of which is made twice: the first one is cold, and
    later ones may find a kernel that was made for other lengths and values.
    """
    function = program.function()
    made = {backend: jit(function, backend) for backend in backends}
    with np.errstate(all=program.errstate):  # type: ignore[call-overload]
        for call in program.calls:
            args = program.arguments(call)
            check(
                function,
                *args,
                backends=backends,
                filters=("always",),
                jit=lambda _, backend: made[backend],
                ignore=LOST,
            )
        if program.filtered and program.errstate == "warn":
            args = program.arguments(program.calls[0])
            check(
                function,
                *args,
                backends=backends,
                filters=("default", "error"),
                jit=jit,
                ignore=LOST,
            )
    return list(made.values())


def most_fused(jitted: Any) -> int:
    """Operations of the largest kernel of a jitted function."""
    from framejit.frontends.report.facts import facts

    return max((one.fused for one in facts(jitted._manager, jitted).segments), default=0)


class Fuzzer:
    """Draws programs by a seed and compares them."""

    def __init__(
        self,
        backends: Sequence[str],
        *,
        shrinks: bool = True,
        jit: Jit = framejit_jit,
        watch: Watch = lambda program: None,
    ) -> None:
        self.tally = Tally()
        self._all = tuple(backends)
        self._backends = self._all
        self._jit = jit
        self._watch = watch
        """Told of each program before it runs."""
        self._passed: set[Program] = set()
        self._wrong: tuple[Program, str] | None = None
        self._until = 0.0
        """When shrinking ends."""
        phases = [Phase.generate, *([Phase.shrink] if shrinks else [])]
        self._settings = settings(
            max_examples=BATCH,
            database=None,
            deadline=None,
            phases=phases,
            suppress_health_check=list(HealthCheck),
        )

    def run(self, count: int, seed: object, collect: bool = False) -> Tally:
        """So many programs more; with `collect` garbage is collected in between only."""
        until, batch = self.tally.programs + count, 0
        while self.tally.programs < until:
            self._batch(f"{seed} {batch}")
            batch += 1
            if collect and batch % COLLECTED == 1:
                gc.enable()
                gc.collect()
                gc.freeze()
                gc.disable()
        return self.tally

    def _batch(self, seed: str) -> None:
        """Some programs; a difference ends the batch when it is shrunk."""
        self._passed.clear()
        self._backends, self._wrong = self._all, None
        number = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8])
        test = seeded(number)(self._settings(given(programs())(self._one)))
        try:
            test()
        except Exception:
            if self._wrong is None:
                raise
            self.tally.differing.append(self._report(self._wrong))
            self.tally.programs += 1

    def _report(self, wrong: tuple[Program, str]) -> str:
        """The script of a program that differs, and what differs."""
        program, error = wrong
        if Phase.shrink in self._settings.phases:
            self._until = time.perf_counter() + SHRINKS
            endings = {ending(program, call) for call in program.calls}
            program = with_fewer_lines(program, lambda fewer: self._differs(fewer, endings))
            error = (self._wrong or wrong)[1]
        lines = error.splitlines()
        if len(lines) > 2 * TOLD:
            lines = [*lines[:TOLD], "...", *lines[-TOLD:]]
        told = "".join(f"# {line}\n" for line in lines)
        return f"{program.script(self._backends[-1])}{told}"

    def _differs(self, program: Program, endings: set[str]) -> bool:
        """Whether a program that in eager ends in one of these ways still differs."""
        try:
            if {ending(program, call) for call in program.calls} <= endings:
                self._one(program)
        except AssertionError:
            return True
        except Exception:  # no program any more
            return False
        return False

    def _one(self, program: Program) -> None:
        if program in self._passed or program.ends_late():
            return
        if self._wrong is not None and time.perf_counter() > self._until:
            # Small enough: Hypothesis hears that whatever else it tries is right.
            if program == self._wrong[0]:
                raise AssertionError(self._wrong[1])
            return
        self._watch(program)
        try:
            made = compare(program, self._backends, self._jit)
            stats = [one.stats() for one in made if hasattr(one, "stats")]
            assert all(not one["failures"] for one in stats), "an error of framejit's own"
        except AssertionError as error:
            text = str(error)
            if self._wrong is None:
                self._until = time.perf_counter() + SHRINKS
            self._wrong = program, text
            # It is shrunk on the backend on which it was found.
            named = [one for one in self._all if f"backend {one!r}" in text]
            self._backends = tuple(named[:1]) or self._all
            raise
        self._passed.add(program)
        if self._wrong is None:
            self.tally.programs += 1
            kernels = [most_fused(one) for one in made if hasattr(one, "_manager")]
            self.tally.fused += max(kernels, default=0) >= FUSED


def with_fewer_lines(program: Program, differs: Callable[[Program], bool]) -> Program:
    """The program without the lines that it differs without."""
    lines = program.source.splitlines()
    for k in range(len(lines) - 2, 0, -1):
        fewer = lines[:k] + lines[k + 1 :]
        shorter = replace(program, source="\n".join(fewer) + "\n")
        with contextlib.suppress(SyntaxError):
            shorter.function()
            if differs(shorter):
                lines, program = fewer, shorter
    for call in program.calls:
        alone = replace(program, calls=(call,))
        if len(program.calls) > 1 and differs(alone):
            return alone
    return program
