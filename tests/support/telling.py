"""Asserts that the oracle tells two plain functions apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from oracle import check

Function = Callable[..., Any]


def compare(eager: Function, other: Function, *args: Any, **options: Any) -> None:
    """Has the oracle compare two plain functions."""
    check(eager, *args, jit=lambda function, backend: other, backends=("fake",), **options)


def told(eager: Function, other: Function, *args: Any, **options: Any) -> str:
    """The oracle's complaint about two functions; about one of them it must have none."""
    compare(eager, eager, *args, **options)
    compare(other, other, *args, **options)
    with pytest.raises(AssertionError) as caught:
        compare(eager, other, *args, **options)
    return str(caught.value)
