"""Time that kernels have saved: launches times the difference per call to plain Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..runtime.function import Manager

NEVER = 1 << 62
"""Nanoseconds beyond any measurement: the side has not been tried."""
UNTRIED = 0.5
"""Fraction of a function's time that kernels are assumed to save before they exist."""


def saved_by(manager: Manager) -> tuple[float, float]:
    """Return the seconds that a function's kernels saved in this process: (by trials, untried).

    Kernels that took long or were called once have no trial; for them plain Python is assumed to
    take twice as long.
    """
    untried = 0.0
    saved = sum(
        _saved(launches, (trials, side, compiled, plain))
        for entry in manager.whole
        if entry.native is not None
        for trials, side, compiled, plain, launches in entry.native.trials()
    )
    points = [] if manager.segmented is None else [*manager.segmented.points.values()]
    for point in points:
        launches = sum(one.native.hits for one in point.entries if one.native is not None)
        tried = [trial for one in point.segments if _is_known(trial := one.trial())]
        if tried:
            saved += _saved(launches, tried[-1])
        else:
            untried += sum(one.early for one in point.segments) / 1e9
    return saved, untried


def _saved(launches: int, trial: tuple[int, int, int, int]) -> float:
    """Return the seconds saved, by the times of calls with and without the kernel.

    0 without a trial.
    """
    _, _, compiled, plain = trial
    return launches * max(0, plain - compiled) / 1e9 if _is_known(trial) else 0.0


def _is_known(trial: tuple[int, int, int, int]) -> bool:
    """True if both sides of a trial were measured: one that goes on says nothing yet."""
    trials, _, compiled, plain = trial
    return trials > 0 and max(compiled, plain) < NEVER


def has_lost(trial: tuple[int, ...]) -> bool:
    """True if plain Python serves because it was faster; False while a trial goes on."""
    _, plain_serves, compiled, plain = trial[:4]
    return bool(plain_serves) and max(compiled, plain) < NEVER


def has_served(manager: Manager) -> bool:
    """True if a kernel of a function has answered a call in this process."""
    return any(one.native is not None and one.native.hits for one in manager.entries)


def serves(manager: Manager) -> bool:
    """True if some entry of a function serves, unless a trial showed that it loses."""
    points = [] if manager.segmented is None else [*manager.segmented.points.values()]
    if any(point.entries and not point.dropped for point in points):
        return True
    kinds = [one.native.trials() for one in manager.whole if one.native is not None]
    return any(not of_entry or not all(map(has_lost, of_entry)) for of_entry in kinds)


def awaited_lines(manager: Manager) -> list[int]:
    """Return the line counts of a function's kernels that are requested and not compiled yet."""
    jobs = (entry.job for entry in manager.entries if entry.job is not None)
    return [job.lines for job in jobs if not job.ended]
