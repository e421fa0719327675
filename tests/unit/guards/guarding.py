"""One guard in the real guard program: does C say that it holds, and what words go with it."""

from __future__ import annotations

from typing import Any

from framejit.frontends.report.misses import reason_of
from framejit.guards.program import Guard, GuardProgram
from framejit.guards.sources import Live
from framejit.jit.config import DEFAULT
from framejit.jit.native import GUARD_OPS, Entry

X, Y = Live(0, "argument `x`"), Live(1, "argument `y`")


def refusal(guard: Guard | tuple[Guard, ...], *live: Any) -> str | None:
    """Return the reason of the first guard that does not hold for these live-ins, or None."""
    program = _program(guard, len(live))
    index = _entry(program, len(live)).failed_guard(live)
    return None if index is None else reason_of(program, index, live)


def an_entry(guard: Guard, n_live: int) -> Entry:
    """An entry that does nothing but check the guard."""
    return _entry(_program(guard, n_live), n_live)


def _program(guard: Guard | tuple[Guard, ...], n_live: int) -> GuardProgram:
    program = GuardProgram(GUARD_OPS, n_live)
    for one in guard if isinstance(guard, tuple) else (guard,):
        program.add(one)
    return program


def _entry(program: GuardProgram, n_live: int) -> Entry:
    return Entry(
        objects=tuple(program.objects),
        guards=program.packed(),
        n_guards=len(program.code),
        loads=b"",
        n_loads=0,
        arrays=b"",
        calls=b"",
        recipes=b"",
        steps=b"",
        words=bytes(8 * 64),
        n_live=n_live,
        n_slots=program.n_slots,
        n_exits=1,
        scratch=0,
        reports=0,
        kernel=0,
        keepalive=None,
        python_kernel=lambda *slots: None,
        owner=None,
        options=DEFAULT,
        bails=bytes(1),
    )
