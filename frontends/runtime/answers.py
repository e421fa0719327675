"""Answers to what users ask of a jitted function; `jit/native/dispatcher.c` hands it on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from ...jit.frozen import dataclass
from ...jit.native import Dispatcher
from ..tiers.savings import saved_by

if TYPE_CHECKING:
    from ..stages import Traced
    from .function import Manager


@dataclass(slots=True)
class Failure:
    """An error of framejit itself, after which eager answered."""

    where: str
    text: str


class Answers:
    """The questions of users that a manager answers."""

    def stats(self, dispatcher: Dispatcher) -> dict[str, int]:
        """Return counts as plain numbers."""
        from ..report.facts import stats

        return stats(cast("Manager", self), dispatcher)

    def trace(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Traced:
        """Return what capture makes of these arguments; changes nothing."""
        from ..tracing import trace

        return trace(cast("Manager", self), args, kwargs)

    def tier(self) -> str:
        """Return a phrase on what answers calls now, and what is awaited."""
        from ..report.tier import tier_of

        return tier_of(cast("Manager", self))

    def saved(self) -> float:
        """Return the seconds that its kernels have saved in this process."""
        return sum(saved_by(cast("Manager", self)))

    def inspect(self, dispatcher: Dispatcher, what: str, stage: str | None) -> str:
        """Return the text of a view of what runs."""
        from ..report.views import inspect

        return inspect(cast("Manager", self), dispatcher, what, stage)
