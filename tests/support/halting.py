"""Loops that are halted between any two turns, however short: late bails in small programs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from framejit.backends.numba.nodes import polls
from framejit.frontends.capture.flow import halting


@contextmanager
def polled_often(turns: int = 1) -> Iterator[None]:
    """Kernels that are compiled in here poll after so many turns, and all loops may be halted."""
    with (
        mock.patch.object(polls, "OFTEN", turns),
        mock.patch.object(polls, "LEAST", turns),
        mock.patch.object(halting, "LONG", 0),
    ):
        yield
