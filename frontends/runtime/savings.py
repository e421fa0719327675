"""Time that kernels have saved: launches times the difference per call to plain Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..function import Manager

NEVER = 1 << 62
"""Nanoseconds that nothing takes."""
UNTRIED = 0.5
"""What kernels are taken to save of the time in their function while they are not there yet."""


def saved_by(manager: Manager) -> tuple[float, float]:
    """Seconds that the kernels of a function have saved in this process.

    By its trials; and of what was not tried, since it took long or was called once, where plain
    Python is taken to be half as fast.
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
        tried = [trial for one in point.segments if (trial := one.trial())[0]]
        if tried:
            saved += _saved(launches, tried[-1])
        else:
            untried += sum(one.early for one in point.segments) / 1e9
    return saved, untried


def _saved(launches: int, trial: tuple[int, int, int, int]) -> float:
    """Seconds, by how long calls took with a kernel and without; 0 where that was not tried."""
    trials, _, compiled, plain = trial
    known = trials and max(compiled, plain) < NEVER  # a side that was not tried has taken for ever
    return launches * max(0, plain - compiled) / 1e9 if known else 0.0


def has_lost(trial: tuple[int, ...]) -> bool:
    """True if plain Python serves since it was faster; while a trial goes on nobody has lost."""
    _, plain_serves, compiled, plain = trial[:4]
    return bool(plain_serves) and max(compiled, plain) < NEVER


def has_served(manager: Manager) -> bool:
    """True if a kernel of a function has answered a call in this process."""
    return any(one.native is not None and one.native.hits for one in manager.entries)


def serves(manager: Manager) -> bool:
    """True if something of a function serves, as far as it is not known that it loses."""
    points = [] if manager.segmented is None else [*manager.segmented.points.values()]
    if any(point.entries and not point.dropped for point in points):
        return True
    kinds = [one.native.trials() for one in manager.whole if one.native is not None]
    return any(not of_entry or not all(map(has_lost, of_entry)) for of_entry in kinds)


def awaited_lines(manager: Manager) -> list[int]:
    """The lines of the kernels of a function that are asked for and not compiled yet."""
    jobs = (entry.job for entry in manager.entries if entry.job is not None)
    return [job.lines for job in jobs if not job.ended]
