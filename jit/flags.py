"""Floating point flags: the processor's bits, and the kinds that NumPy's users know them by."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np

from .frozen import dataclass

FLAG_KINDS = (
    (0x04, "divide", "divide by zero"),
    (0x08, "over", "overflow"),
    (0x10, "under", "underflow"),
    (0x01, "invalid", "invalid value"),
)
"""x86 flag, its name in np.errstate, its words in NumPy's warnings; in NumPy's order."""
KINDS = frozenset(kind for _, kind, _ in FLAG_KINDS)


def bits_of(kinds: Collection[str]) -> int:
    """The flags of these kinds."""
    return sum(bit for bit, kind, _ in FLAG_KINDS if kind in kinds)


@dataclass(frozen=True, slots=True)
class Modes:
    """What blocks of `np.errstate` say about kinds of flags; about the others nothing is said."""

    ignored: frozenset[str] = frozenset()
    warned: frozenset[str] = frozenset()
    """Kinds of which there is a warning, whatever is said around the call."""
    told: frozenset[str] = frozenset()
    """Kinds that raise, print or call somebody: eager does it."""

    def within(self, given: Mapping[str, str]) -> Modes:
        """In a block that gives kinds a mode."""
        return Modes(
            *(
                kinds.difference(given) | {kind for kind, mode in given.items() if is_one(mode)}
                for kinds, is_one in (
                    (self.ignored, lambda mode: mode == "ignore"),
                    (self.warned, lambda mode: mode == "warn"),
                    (self.told, lambda mode: mode not in ("ignore", "warn")),
                )
            )
        )

    @property
    def heard(self) -> frozenset[str]:
        """Kinds that are not silent, whatever is said around the call."""
        return self.warned | self.told

    def enforced(self) -> np.errstate:
        """A context that ignores what is ignored, and raises what is heard."""
        modes: dict[str, Any] = dict.fromkeys(self.ignored, "ignore")
        modes |= dict.fromkeys(self.heard, "raise")
        return np.errstate(**modes)


NO_MODES = Modes()


class Within:
    """A function that is called in a block of such modes."""

    __slots__ = ("function", "modes")

    def __init__(self, function: Callable[..., Any], modes: Modes) -> None:
        self.function, self.modes = function, modes

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls it; raises what would be heard."""
        with self.modes.enforced():
            return self.function(*args, **kwargs)
