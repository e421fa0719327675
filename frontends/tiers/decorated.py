"""Decorated functions, whose captures need not pay, but are left to copies of the process, too.

A capture takes 0.1 to 3 s, the first one of a process with what it imports. While the program waits
for that, a program of a second is slower than plain Python, however fast its kernels are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ...jit.config import Options
from . import copies
from .at_once import is_at_once
from .first_calls import is_time_for, rest

if TYPE_CHECKING:
    from ..runtime.function import Manager
    from ..runtime.owner import Owner

MOST_IN_VAIN = 2
"""Copies of a process without result after which a function is left alone in it."""


class Decorated:
    """The account of captures of a decorated function in copies of the process."""

    __slots__ = ("_can_be_stored", "in_vain", "needs_inside")

    def __init__(self) -> None:
        self.needs_inside = False
        """Its captures cannot be stored, so that copies of the process are useless."""
        self.in_vain = 0
        """Copies that found nothing to store."""
        self._can_be_stored: bool | None = None

    def may_be_copied(self) -> bool:
        """True if a copy may capture it: it is asked for, and need not pay."""
        return not self.needs_inside and self.in_vain < MOST_IN_VAIN

    def has_copied(self, cpu: float, *, kept: bool) -> None:
        """Record that a copy has captured it in so many seconds; `kept` if that is on disk."""
        del cpu  # nothing is expected of the next one
        self.in_vain += not kept

    def can_be_stored(self, owner: Owner) -> bool:
        """True if there is a name under which its entries are stored."""
        if self._can_be_stored is None:
            from ..kept.place import name_of

            self._can_be_stored = name_of(cast("Manager", owner)) is not None
        return self._can_be_stored


def leaves_to_copies(owner: Owner, options: Options | None = None) -> bool:
    """True if captures of a decorated function are made in copies of the process.

    Args:
        owner: of the function.
        options: of the context; None for a capture that plain Python may answer in any case.
    """
    asked = owner.copied
    if owner.frozen or not isinstance(asked, Decorated) or asked.needs_inside or is_at_once():
        return False
    if options is not None:
        effective = owner.effective_options(options)
        if effective is None or not effective.compiles_later:
            return False
    return copies.are_possible() and asked.can_be_stored(owner)


def leave_to_copy(manager: Manager, options: Options, live: tuple[Any, ...]) -> None:
    """Have a call captured in a copy of the process if it is time for that."""
    if not is_time_for(manager, live):
        return

    def capture() -> bool:
        from ..runtime.whole_calls import capture_call_or_begin

        return capture_call_or_begin(manager, options, live)

    assert manager.dispatcher is not None
    if copies.may_begin(manager):
        copies.begin(manager, capture)
    elif not manager.copied.may_be_copied():
        manager.dispatcher._closed = 1
    rest(manager)
