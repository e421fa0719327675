"""What calls on examples cost: one that takes long is made once, or not at all.

A call of compiled code cannot be interrupted. What a function took for one example tells what the
next will take; before large ones it is timed on small parts of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log
from time import thread_time
from typing import Any

import numpy as np

from .patience import TakesLong

MAX_SECONDS = 1.0
"""CPU time of a call on an example; some five are made to learn what a function gives."""
LARGE = 1 << 14
"""Items, from which a function is first timed on less."""
PARTS = (64, 16)
"""Of each axis so many parts are taken for that."""
NOTED = 0.05
"""Seconds: what takes less is not written down."""
_Rate = tuple[float, float]
"""Seconds, and the items that they were for."""
_known: dict[tuple[Any, Any], _Rate] = {}
"""By module and name of the function."""


def within_reason(
    function: Callable[..., Any],
    constants: Sequence[Any],
    examples: Sequence[Any],
    call: Callable[[Sequence[Any]], Any],
    plain: Callable[[Any], Any] = lambda value: value,
) -> Any:
    """`call(examples)`, which calls the function with constants too.

    `plain` gives what stands for an example where the call is only timed.

    Raises:
        TakesLong: it would take long, by what is known of the function.
    """
    key = getattr(function, "__module__", None), getattr(function, "__name__", None)
    work = sum(map(_items, (*constants, *examples))) + 1.0
    rate = _known.get(key)
    # SciPy's compiled code may trust that its arguments fit together, as parts of them need not.
    if rate is None and sum(map(_items, examples)) >= LARGE and str(key[0]).startswith("numpy"):
        rate = _foretold([plain(one) for one in examples], call, work)
    if rate is not None and rate[0] * work / rate[1] > MAX_SECONDS:
        raise TakesLong
    result, seconds = _timed(call, examples)
    if rate is None and seconds > MAX_SECONDS and work < LARGE and examples:
        result, seconds = _timed(call, examples)  # the first call may have imported something
    if seconds > NOTED:
        _known[key] = seconds, work
    elif rate is not None and work >= rate[1]:
        _known.pop(key, None)
    return result


def _items(value: Any) -> float:
    """What a value adds to the work: `np.fft.fft(x, n)` computes `n` items."""
    if isinstance(value, np.ndarray):
        return value.size
    if type(value) is int:
        return float(min(abs(value), 1 << 40))
    if isinstance(value, tuple | list):
        return sum(map(_items, value))
    return 0.0


def _timed(call: Callable[[Sequence[Any]], Any], examples: Sequence[Any]) -> tuple[Any, float]:
    start = thread_time()
    result = call(examples)
    return result, thread_time() - start


def _foretold(
    examples: Sequence[Any], call: Callable[[Sequence[Any]], Any], work: float
) -> _Rate | None:
    """What the call takes, from what it takes for two parts; None where it refuses these."""
    first, second = ([_part(one, n) for one in examples] for n in PARTS)
    if sum(map(_items, second)) * 4 > sum(map(_items, examples)):
        return None  # it is not the arrays that are large
    try:
        call(first)  # what is imported is there from then on
        begun = max(_timed(call, first)[1], 1e-6)
        taken = _timed(call, second)[1]
    except TakesLong:
        raise
    except Exception:
        return None
    power = max(log(max(taken, 1e-6) / begun) / log(PARTS[0] / PARTS[1]), 0.0)
    return taken * PARTS[1] ** min(power, 4.0), work


def _part(value: Any, parts: int) -> Any:
    """A corner of an array; axes of one length have one length in it, and short ones stay."""
    if not isinstance(value, np.ndarray):
        return value
    return value[tuple(slice(max(n // parts, min(n, 4))) for n in value.shape)]
