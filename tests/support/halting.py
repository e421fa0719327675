"""Loops that are halted between any two iterations, however short: late bails in small programs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from framejit.backends.numba.nodes import interrupt_checks
from framejit.frontends.capture.flow import halting


@contextmanager
def polled_often(turns: int = 1) -> Iterator[None]:
    """Kernels that are compiled in here poll after so many turns, and all loops may be halted."""
    with (
        mock.patch.object(interrupt_checks, "OFTEN", turns),
        mock.patch.object(interrupt_checks, "LEAST", turns),
        mock.patch.object(halting, "LONG", 0),
    ):
        yield
