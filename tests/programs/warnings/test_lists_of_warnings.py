"""Programs that catch their own warnings read them where eager has given them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import check_script


def told(x: Any) -> Any:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        y = x / 0
        y = y - y
        texts = [str(one.message) for one in seen]
    return texts, y


def counted(x: Any) -> Any:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        y = np.log(x)
        if seen:
            y = np.where(x > 0, y, 0.0)
        first = len(seen)
        z = 1 / x
    return y + z, first, len(seen)


def in_a_loop(x: Any) -> Any:
    found = []
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        for k in range(3):
            x = 1 / (x - k)
            found.append(len(seen))
    return x, found


def nested(x: Any) -> Any:
    with warnings.catch_warnings(record=True) as outer:
        warnings.simplefilter("always")
        y = 1 / x
        with warnings.catch_warnings(record=True) as inner:
            z = np.sqrt(-x)
            inside = len(inner), len(outer)
        w = y - y
    return w, z, inside, len(inner), len(outer)


@pytest.mark.parametrize("program", [told, counted, in_a_loop, nested])
def test_what_is_seen(program: Callable[..., Any]) -> None:
    """In calls that warn behind calls that do not, and in others."""

    def script(decorate: Callable[..., Any]) -> list[Any]:
        jitted = decorate(program)
        lines = ([4.0, 5.0], [4.0, 5.0], [0.0, 1.0], [np.nan, 0.0], [-1.0, 2.0], [4.0, 6.0])
        return [jitted(np.array(line)) for line in lines]

    check_script(script)
