"""Objects whose `repr` and attributes run code: framejit runs it only where eager does."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np
import pytest
from oracle import assert_normally

import framejit

HEARD: list[str] = []


class Kind(enum.Enum):
    """Members that tell when they are shown."""

    ONE = 1
    TWO = 2

    def __repr__(self) -> str:
        HEARD.append("repr")
        return "a kind"

    def __getattr__(self, name: str) -> Any:
        HEARD.append(name)
        raise AttributeError(name)


def shifted(x: Any, kind: Kind) -> Any:
    """The member decides."""
    y = x * 2.0
    return y + 1.0 if kind is Kind.ONE else y - 1.0


@pytest.mark.parametrize("backend", ["numpy", "numba"])
def test_guards_on_members_are_told_of_without_their_repr(backend: str) -> None:
    """Captures describe each guard for the log and the report."""
    jitted = framejit.jit(shifted, backend=backend)
    HEARD.clear()
    for kind in (Kind.ONE, Kind.TWO, Kind.ONE, Kind.TWO):
        assert jitted(np.arange(3.0), kind)[0] == (1.0 if kind is Kind.ONE else -1.0)

    assert_normally("argument `kind` is this Kind" in jitted.inspect("guards"))
    assert HEARD == []
