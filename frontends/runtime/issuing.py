"""Issues the warnings that eager would have issued for flags that a kernel has logged."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np

from ...jit.flags import FLAG_KINDS


class Logged(NamedTuple):
    """An operation of the program whose flags a kernel logs separately."""

    name: str
    """NumPy's name for it in warnings."""
    filename: str
    line: int
    module: str
    warned: Collection[str]
    """Kinds of errors for which `np.errstate` blocks around it demand warnings."""
    namespace: dict[str, Any]
    """Globals of its frame, which hold `__warningregistry__`."""


def issue(logged: Logged, flags: int) -> None:
    """Issue the warnings that eager would have issued there."""
    modes: Mapping[str, object] = np.geterr()
    for flag, kind, words in FLAG_KINDS:
        if flags & flag and (modes[kind] == "warn" or kind in logged.warned):
            warnings.warn_explicit(
                f"{words} encountered in {logged.name}",
                RuntimeWarning,
                logged.filename,
                logged.line,
                logged.module,
                logged.namespace.setdefault("__warningregistry__", {}),
            )
