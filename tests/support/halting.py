"""Loops that are halted between any two iterations, however short: late bails in small programs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from framejit.backends.numba.nodes import interrupt_checks
from framejit.frontends.capture.flow import halting


@contextmanager
def polled_often(iterations: int = 1) -> Iterator[None]:
    """Let kernels compiled in the block poll every so many iterations, and halt any loop."""
    with (
        mock.patch.object(interrupt_checks, "OFTEN", iterations),
        mock.patch.object(interrupt_checks, "LEAST", iterations),
        mock.patch.object(halting, "LONG", 0),
    ):
        yield
