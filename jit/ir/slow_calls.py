"""Limits the time of calls on examples: a slow call is made once, or not at all.

Compiled code cannot be interrupted. The time that a function took on one example predicts the next;
before a first call on large examples it is timed on small parts of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log
from time import thread_time
from typing import Any

import numpy as np

from .call_limit import TakesLong

MAX_SECONDS = 1.0
"""CPU seconds that a call on an example may take; about five such calls are made per node."""
LARGE = 1 << 14
"""Total size of examples from which on a function is timed on small parts first."""
PARTS = (64, 16)
"""Two parts to time: each axis is divided by these numbers."""
REMEMBERED_FROM = 0.05
"""Seconds from which on the time of a call is remembered."""
_Rate = tuple[float, float]
"""Seconds, and the number of items for which they were measured."""
_known: dict[tuple[Any, Any], _Rate] = {}
"""Times by module and name of the function."""


def within_reason(
    function: Callable[..., Any],
    constants: Sequence[Any],
    examples: Sequence[Any],
    call: Callable[[Sequence[Any]], Any],
    plain: Callable[[Any], Any] = lambda value: value,
) -> Any:
    """Return `call(examples)`, unless the call is predicted to be slow.

    `call` passes examples and `constants` to `function`. Calls that are made only to be timed get
    examples converted by `plain`.

    Raises:
        TakesLong: the call would be slow, judging by earlier times of the function.
    """
    key = getattr(function, "__module__", None), getattr(function, "__name__", None)
    work = sum(map(_items, (*constants, *examples))) + 1.0
    rate = _known.get(key)
    # SciPy's compiled code may crash on arguments that do not fit together, and parts need not fit.
    if rate is None and sum(map(_items, examples)) >= LARGE and str(key[0]).startswith("numpy"):
        rate = _extrapolated([plain(one) for one in examples], call, work)
    if rate is not None and rate[0] * work / rate[1] > MAX_SECONDS:
        raise TakesLong
    result, seconds = _timed(call, examples)
    if rate is None and seconds > MAX_SECONDS and work < LARGE and examples:
        result, seconds = _timed(call, examples)  # the first call may have imported modules
    if seconds > REMEMBERED_FROM:
        _known[key] = seconds, work
    elif rate is not None and work >= rate[1]:
        _known.pop(key, None)
    return result


def _items(value: Any) -> float:
    """Return a value's share of the work.

    An int counts, as `np.fft.fft(x, n)` computes `n` items.
    """
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


def _extrapolated(
    examples: Sequence[Any], call: Callable[[Sequence[Any]], Any], work: float
) -> _Rate | None:
    """Extrapolate the call's time from two parts of its examples; None if it rejects these."""
    first, second = ([_part(one, n) for one in examples] for n in PARTS)
    if sum(map(_items, second)) * 4 > sum(map(_items, examples)):
        return None  # the size does not come from the arrays
    try:
        call(first)  # warm up: imports and caches
        begun = max(_timed(call, first)[1], 1e-6)
        taken = _timed(call, second)[1]
    except TakesLong:
        raise
    except Exception:
        return None
    power = max(log(max(taken, 1e-6) / begun) / log(PARTS[0] / PARTS[1]), 0.0)
    return taken * PARTS[1] ** min(power, 4.0), work


def _part(value: Any, parts: int) -> Any:
    """Return a corner of an array. Equal axes stay equal, and short ones keep their length."""
    if not isinstance(value, np.ndarray):
        return value
    return value[tuple(slice(max(n // parts, min(n, 4))) for n in value.shape)]
