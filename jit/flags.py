"""Floating point flags: their bits in the processor and their names in NumPy."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np

from .frozen import dataclass
from .platforms import PROCESSOR

FLAG_KINDS = (
    (PROCESSOR.divide, "divide", "divide by zero"),
    (PROCESSOR.over, "over", "overflow"),
    (PROCESSOR.under, "under", "underflow"),
    (PROCESSOR.invalid, "invalid", "invalid value"),
)
"""(the processor's flag, name in np.errstate, words in NumPy's warnings), in NumPy's order."""
KINDS = frozenset(kind for _, kind, _ in FLAG_KINDS)


def bits_of(kinds: Collection[str]) -> int:
    """Return the bits of these kinds of flags."""
    return sum(bit for bit, kind, _ in FLAG_KINDS if kind in kinds)


@dataclass(frozen=True, slots=True)
class Modes:
    """Modes that `np.errstate` blocks set for kinds of flags.

    Other kinds keep the caller's mode.
    """

    ignored: frozenset[str] = frozenset()
    warned: frozenset[str] = frozenset()
    """Kinds that warn, whatever mode the caller has set."""
    escalated: frozenset[str] = frozenset()
    """Kinds that raise, print or call a handler; only eager does that."""

    def within(self, given: Mapping[str, str]) -> Modes:
        """Return the modes inside a block that sets modes for some kinds."""
        return Modes(
            *(
                kinds.difference(given) | {kind for kind, mode in given.items() if is_one(mode)}
                for kinds, is_one in (
                    (self.ignored, lambda mode: mode == "ignore"),
                    (self.warned, lambda mode: mode == "warn"),
                    (self.escalated, lambda mode: mode not in ("ignore", "warn")),
                )
            )
        )

    @property
    def trapped(self) -> frozenset[str]:
        """Return the kinds that are not ignored, whatever mode the caller has set."""
        return self.warned | self.escalated

    def enforced(self) -> np.errstate:
        """Return a context in which ignored kinds stay silent and reported ones raise."""
        modes: dict[str, Any] = dict.fromkeys(self.ignored, "ignore")
        modes |= dict.fromkeys(self.trapped, "raise")
        return np.errstate(**modes)


NO_MODES = Modes()


class Within:
    """A function that runs under these modes."""

    __slots__ = ("function", "modes")

    def __init__(self, function: Callable[..., Any], modes: Modes) -> None:
        self.function, self.modes = function, modes

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function; raises for flags that would be reported."""
        with self.modes.enforced():
            return self.function(*args, **kwargs)
