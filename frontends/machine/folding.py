"""Calls whose arguments are all constants: made once, at capture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...jit.filters import filtered
from .breaks import NUMPY_REFUSED, GraphBreak


def folded(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """What a pure function gives for constants.

    Raises:
        GraphBreak: it raises, warns or sets a floating point flag: that has to happen at each call.
    """
    try:
        with filtered("error"), np.errstate(all="raise"):
            return function(*args, **kwargs)
    except Exception as error:
        raise GraphBreak(NUMPY_REFUSED, f"{type(error).__name__}: {error}") from None
