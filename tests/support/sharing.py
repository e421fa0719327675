"""Makes threads share all loops that they may, whatever their size."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import framejit
from framejit.backends.numba.nodes import shared_loops
from framejit.jit.native import share_everywhere
from framejit.jit.threads import EVERYWHERE


@contextmanager
def sharing_everywhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Share loops of the program and of arrays, in odd chunks, as long as the block runs."""
    monkeypatch.setattr(shared_loops, "LARGE", 0)
    share_everywhere(True)
    yield
    share_everywhere(EVERYWHERE)


def jit_that_shares(threads: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """Yield the decorator, for so many threads that share all loops; the body of a fixture."""
    with sharing_everywhere(monkeypatch):
        yield lambda function, backend="numba": framejit.jit(
            function, backend=backend, threads=threads, compile="now"
        )
