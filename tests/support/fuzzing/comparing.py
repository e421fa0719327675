"""Programs against eager: written by a seed, compared by the oracle, made small if they differ."""

from __future__ import annotations

import functools
import gc
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from oracle import Jit, check, framejit_jit

from fuzzing.choices import Choices
from fuzzing.programs import Program, Running, TooLarge, bounded, endings
from fuzzing.scripts import CapturedScript, Script
from fuzzing.shrinking import smaller

FUSED = 3
"""Operations of a kernel that is worth the name."""
COLLECTED = 100
"""Programs between two collections of garbage: Numba makes much, and hardly any of it goes."""
SHRINKS = 15.0
"""Seconds for the shrinking of one difference."""
TOLD = 12
"""Lines at the beginning and at the end of a difference."""
Watch = Callable[[Program], None]
Write = Callable[[Choices], Program]


@dataclass(slots=True)
class Tally:
    """The results of some programs."""

    programs: int = 0
    fused: int = 0
    """Those with a kernel of at least FUSED operations."""
    whole: int = 0
    """Those captured whole: a call was answered without a Python frame."""
    launches: int = 0
    bails: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    """Differences by what differs."""
    differing: list[str] = field(default_factory=list)
    """Scripts of those that differ from eager, each with what differs."""


def captured(program: Any, backend: str) -> Any:
    """A jitted function, or a script that runs rewritten code."""
    if isinstance(program, Script):
        return CapturedScript(program.source, program.module, backend=backend)
    return framejit_jit(program, backend)


def compare(program: Program, backends: Sequence[str], jit: Jit = captured) -> list[Any]:
    """Compares all calls of a program; gives the jitted functions.

    One jitted function serves all calls: the first one is cold, later ones may find a kernel that
    was made for other arguments and other surroundings.
    """
    made: list[Any] = []
    in_eager: list[list[bool]] = []

    def setup() -> tuple[Any, ...]:
        running = Running(program, in_eager)
        return functools.partial(_step, running), (running.shown,)

    def decorated(step: Any, backend: str) -> Any:
        module = step.args[0].module
        module.program = jit(module.program, backend)
        made.append(module.program)
        return step

    def run(**options: Any) -> None:
        check(setup=setup, calls=len(program.steps), backends=backends, **options)

    with np.errstate(all=program.errstate):  # type: ignore[call-overload]
        run(jit=decorated, filters=("always",))
        found = list(made)
        if program.filtered and program.errstate == "warn":
            run(jit=decorated, filters=("default", "error"))
    return found


def _step(running: Running, shown: object) -> Any:
    """A call; what stands around it is shown to the oracle as an argument."""
    return running.step()


def most_fused(jitted: Any) -> int:
    """Operations of the largest kernel of a jitted function."""
    from framejit.frontends.report.facts import facts

    return max((one.fused for one in facts(jitted._manager, jitted).segments), default=0)


class Fuzzer:
    """Writes programs by a seed and compares them."""

    def __init__(
        self,
        write: Write,
        backends: Sequence[str],
        *,
        shrinks: bool = True,
        jit: Jit = captured,
        watch: Watch = lambda program: None,
    ) -> None:
        self.tally = Tally()
        self._write = write
        self._backends = tuple(backends)
        self._shrinks = shrinks
        self._jit = jit
        self._watch = watch
        """Told of each program before it runs."""

    def run(self, count: int, seed: object, collect: bool = False) -> Tally:
        """So many programs more; with `collect` garbage is collected in between only."""
        until, index = self.tally.programs + count, 0
        while self.tally.programs < until:
            program = self.written(seed, index)
            index += 1
            if program is not None:
                self._one(program)
            if collect and index % COLLECTED == 1:
                gc.enable()
                gc.collect()
                gc.freeze()
                gc.disable()
        return self.tally

    def written(self, seed: object, index: int) -> Program | None:
        """The program of a seed and a number; None where that is none, or runs for too long."""
        try:
            program = self._write(Choices((seed, index)))
            bounded(lambda: endings(program))
        except (Exception, TooLarge):
            return None
        return program

    def _one(self, program: Program) -> None:
        self._watch(program)
        self.tally.programs += 1
        wrong, made = self._wrong(program, self._backends)
        for one in made:
            if hasattr(one, "stats"):
                stats = one.stats()
                self.tally.launches += stats["launches"]
                self.tally.bails += stats["bails"]
        if wrong:
            self._report(program, wrong)
            return
        known = [one for one in made if hasattr(one, "_manager")]
        self.tally.fused += max(map(most_fused, known), default=0) >= FUSED
        self.tally.whole += any(one.stats()["hits"] for one in known)

    def _wrong(self, program: Program, backends: Sequence[str]) -> tuple[str, list[Any]]:
        """Return the difference, "" if there is none, and the jitted functions."""
        made: list[Any] = []

        def jit(function: Any, backend: str) -> Any:
            made.append(self._jit(function, backend))
            return made[-1]

        try:
            compare(program, backends, jit)
            failures = [one.stats()["failures"] for one in made if hasattr(one, "stats")]
            assert not any(failures), "an error of framejit's own"
        except AssertionError as error:
            text = str(error)
            if is_cpythons_own(text, program):
                text = ""
            return text, made
        return "", made

    def _report(self, program: Program, wrong: str) -> None:
        """Adds the script of a program that differs, and what differs."""
        named = [one for one in self._backends if f"backend {one!r}" in wrong]
        backends = tuple(named[:1]) or self._backends  # it is shrunk where it was found
        if self._shrinks:
            kind = kind_of(wrong)
            known = set(endings(program))

            def differs(one: Program) -> bool:
                try:
                    if not set(bounded(lambda: endings(one))) <= known:
                        return False
                except (Exception, TooLarge):
                    return False
                return kind_of(self._wrong(one, backends)[0]) == kind

            program = smaller(program, differs, SHRINKS)
            wrong = self._wrong(program, backends)[0] or wrong
        lines = wrong.splitlines()
        if len(lines) > 2 * TOLD:
            lines = [*lines[:TOLD], "...", *lines[-TOLD:]]
        told = "".join(f"# {line}\n" for line in lines)
        self.tally.kinds[kind_of(wrong)] += 1
        self.tally.differing.append(f"{program.script(backends[-1])}{told}")


def is_cpythons_own(wrong: str, program: Program) -> bool:
    """True if all that differs is where an unbound variable was read.

    CPython 3.11 names another place, depending on how often the code has run: that of the
    instruction before, with which it runs the read as one.
    """
    lines = wrong.splitlines()[1:]
    places = len(lines) == 1 and lines[0].strip().startswith("exception: frames: ")
    return places and "UnboundLocalError" in endings(program)


def kind_of(wrong: str) -> str:
    """Return the kind of the difference, in some words; "" for none."""
    if not wrong:
        return ""
    lines = wrong.splitlines()
    if len(lines) < 2:
        return "own error"
    if lines[1].strip().startswith("exception: eager"):
        return "raised or not"
    where, _, what = lines[1].strip().partition(": ")
    known = {"args[0]['args']": "arguments", "args[0]['module']": "module"}
    place = next((word for text, word in known.items() if where.startswith(text)), "")
    return f"{place or re.match(r'[a-z_ ]*', where)[0]}: {what.split(':')[0]}"  # type: ignore[index]
