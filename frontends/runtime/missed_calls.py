"""Calls that no entry answers: entries are loaded, or captured here or in a copy of the process."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from time import thread_time
from typing import TYPE_CHECKING, Any

from ...backends.registry import default_is_loaded
from ...jit.config import SETTINGS, Options, is_hostile
from ..kept import place
from ..tiers import prices
from ..tiers.accounts import ACCOUNT
from ..tiers.at_once import is_at_once, is_explaining
from ..tiers.decorated import leave_to_copy, leaves_to_copies

if TYPE_CHECKING:
    from .function import Manager


def missed(manager: Manager, options: Options, live: tuple[Any, ...]) -> bool:
    """Load or capture an entry for these arguments; True if one answers them now.

    With a backend that captures nothing, the dispatcher does not ask again under these options.
    """
    if manager.effective_options(options) is None:
        manager.journal.skipped("backend", 0)
        manager.decline(options)
        return False
    if not leaves_to_copies(manager, options):
        return manager.guarded_capture(lambda: _capture_or_resume(manager, options, live))
    if not manager.was_looked_up and manager.guarded_capture(manager.take_kept):
        return True
    if manager.vain and manager.guarded_capture(lambda: _is_in_vain(manager, options, live)):
        return False
    leave_to_copy(manager, options, live)  # outside of the lock, which a copy would inherit
    for entry in manager.whole:
        entry.resume()
    return False


def _capture_or_resume(manager: Manager, options: Options, live: tuple[Any, ...]) -> bool:
    if manager.take_kept():
        return True
    if _is_in_vain(manager, options, live):
        return False
    effective = manager.effective_options(options)
    later = effective is not None and effective.compiles_later and not manager.frozen
    if later and not (is_at_once() or manager.may_capture_now(live)):
        return False
    with ACCOUNT.preparing(manager.site, default_is_loaded()):
        from .whole_calls import capture_call

        made = capture_call(manager, options, live)
    for entry in manager.whole if not made else ():
        entry.resume()
    return made


def _is_in_vain(manager: Manager, options: Options, live: tuple[Any, ...]) -> bool:
    """True if an earlier process has found nothing to capture in such a call."""
    if not manager.vain or manager.captures:
        return False
    from ..kept.in_vain import is_in_vain  # few functions have such a record

    return is_in_vain(manager, options, live)


def take_kept(manager: Manager) -> bool:
    """Load entries kept by earlier processes; True if calls can use one."""
    if not SETTINGS["entries"] or manager.frozen or is_explaining() or is_hostile():
        return False
    with ACCOUNT.preparing(manager.site, prices.loads_entries):
        began = thread_time()
        if place.store_alike is not None:
            place.store_alike(manager)
        taken = _take(manager, place.contents_for(manager))
    if manager.site is not None:
        manager.site.is_kept = taken
        manager.site.taken += thread_time() - began
    return taken


def _take(manager: Manager, contents: Iterator[bytes]) -> bool:
    first = next(contents, None)
    if first is None:  # in the common case nothing is imported
        return False
    from ..kept.reading import restore

    return restore(manager, itertools.chain((first,), contents))
