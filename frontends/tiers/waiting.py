"""Actions that wait: for the account of the process, the time of a site, or a copy's answer.

They are tried at samples. In a process without samples, one with decorated functions only, they are
tried at ticks of their own while there are any.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable
from functools import cache
from typing import Any
from weakref import WeakMethod

from ...jit import native
from ...jit.config import debug_mode
from ...jit.interrupts import meant_for_program
from ...jit.log import tell

TICK = 0.02
"""Seconds between two ticks."""

_attempts: list[WeakMethod[Callable[[], bool]]] = []
"""Methods that return True when they are done."""
_ticks = False
"""True if the sampler runs for these methods only."""


def wait(attempt: WeakMethod[Callable[[], bool]]) -> None:
    """Call a method at samples until it returns True or its object has died."""
    _attempts.append(attempt)
    native.sample_eagerly(True)
    tick_if_unsampled()


def try_again() -> None:
    """Call the waiting methods; called at each sample."""
    if _attempts:
        _attempts[:] = [one for one in _attempts if (method := one()) is not None and not method()]
    if not _attempts:
        native.sample_eagerly(False)
        if ticks():
            native.sample(None, 0.0)


def tick_if_unsampled() -> None:
    """Call the waiting methods at ticks if there are any, and nobody samples."""
    global _ticks
    if _attempts and not native.is_sampling():
        native.sample(_tick, TICK)
        _ticks = True
        _end_before_interpreter()


def ticks() -> bool:
    """True if what looks like samples are ticks for the waiting methods."""
    return _ticks and native.is_sampling()


def sampled(look: Callable[[list[Any]], None], period: float) -> None:
    """Have `look` called at samples, which the waiting methods are tried at from now on."""
    global _ticks
    _ticks = False
    native.sample(look, period)


def looked(action: Callable[[], None]) -> None:
    """Do what is to be done at a sample. An internal error ends them; the program goes on."""
    try:
        action()
    except Exception as error:
        heard = meant_for_program(error)
        if heard is not None:
            raise heard from None
        native.sample(None, 0.0)
        if debug_mode("strict"):
            raise
        tell(f"met an error of framejit itself, and captures nothing more: {error!r}")


@cache
def _end_before_interpreter() -> None:
    """Have the ticks end before the interpreter does, in forked processes, too."""
    atexit.register(native.sample, None, 0.0)


def _tick(_: list[Any]) -> None:
    """Called by sampler.c."""
    looked(try_again)
