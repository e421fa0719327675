"""Inputs of two axes in layouts of their own: `x` with what is used beside it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from contract import Input, given

Array = np.ndarray[Any, Any]


def layouts() -> Iterator[tuple[str, Array]]:
    """By name: twelve numbers in a table of three rows."""
    plain = np.arange(1.0, 13).reshape(3, 4)
    wide = np.zeros((6, 8))
    wide[::2, ::2] = plain
    fixed = plain.copy()
    fixed.flags.writeable = False
    yield "C", plain
    yield "F", np.asfortranarray(plain)
    yield "gaps", wide[::2, ::2]
    yield "reversed", plain.copy()[::-1, ::-1]
    yield "read-only", fixed
    yield "broadcast", np.broadcast_to(np.arange(4.0), (3, 4))
    yield "transposed", np.arange(12.0).reshape(4, 3).T


def beside(name: str, x: Array) -> Input:
    """`x` with a table `y`, one of ints `n`, a mask `b`, and room for results `o`."""
    counted = np.arange(12).reshape(3, 4)
    room = np.full((3, 4), -7.0)
    return given(name, x=x, y=counted + 0.5, o=room, n=counted, b=counted % 2 == 0)


TABLES = {name: beside(name, x) for name, x in layouts()}
