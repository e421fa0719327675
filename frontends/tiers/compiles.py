"""Waiting for kernels that are made while plain Python answers."""

from __future__ import annotations

from time import monotonic

from ...jit.background import WORKER
from . import copies


def wait_for_compiles(timeout: float | None = None) -> bool:
    """Wait for the kernels that are made in the background (`compile="auto"`).

    Parameters
    ----------
    timeout : number or None
        Seconds to wait at most; None waits until all are made.

    Returns
    -------
    bool
        True if all are made, so that calls of everything captured so far run their kernels. False
        if the time ran out.

    Raises
    ------
    TypeError
        `timeout` is neither a number nor None.
    """
    if timeout is not None and not isinstance(timeout, int | float):
        raise TypeError(f"wait_for_compiles: `timeout` must be seconds or None, not {timeout!r}")
    until = None if timeout is None else monotonic() + timeout
    if not copies.wait(until):
        return False
    done = WORKER.wait(None if until is None else max(until - monotonic(), 0.0))
    if WORKER.errors:
        raise WORKER.errors.pop()
    return done
