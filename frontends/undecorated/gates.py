"""Switches running loops to compiled code, under `python -m framejit run`.

When the program's code is loaded it gets a closed gate before each outermost loop (`loading.py`). A
loop worth capturing has its gate opened. The next frame that reaches the header calls `crossed`,
and continues in the newest version of the function's rewritten code, in which a stub stands at the
header: the segment is captured when the stub is reached. New versions open the gates of older ones,
so a running frame gets the exits found later at its next iteration.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable, Sequence
from types import CodeType, FunctionType
from typing import TYPE_CHECKING

from ...jit import native
from ...jit.interrupts import meant_for_program
from ..bytecode.opening import close_gates, open_gates
from ..tiers import random_decisions, warming
from ..tiers.accounts import ACCOUNT
from . import loading

if TYPE_CHECKING:
    from ..tiers.sites import Site
    from .inplace import InPlace

Entered = tuple[CodeType, int] | None

bodies: list[tuple[CodeType, CodeType]] = []
"""Bodies of the main program with gates, and the code that they replace."""
_site_of: Callable[[FunctionType, CodeType], Site | None] | None = None


def start(prepared: Sequence[tuple[CodeType, CodeType]] = (), *, changes_code: bool = True) -> None:
    """Insert gates into loaded code from now on, and answer open ones.

    `prepared` are pairs of running code and the code it replaces. With `changes_code=False`
    somebody else changes code and inserts the gates.
    """
    loading.gates_wanted = True
    bodies.extend(prepared)
    for gated, code in prepared:
        native.stand_in(gated, code)
        if _opens_at_once():
            open_gates(gated)
    native.set_crossed(crossed)
    atexit.register(native.set_crossed, None)
    if changes_code:
        loading.change_code(_with_gates)


def _with_gates(code: CodeType) -> CodeType:
    """Return the code with gates, and functions in it, as long as the account has time for them."""
    made = _gated(code)
    if _opens_at_once():
        open_gates(made)
    return made


def _gated(code: CodeType) -> CodeType:
    ACCOUNT.charge_so_far()
    if ACCOUNT.allowed_inside() <= 0 and not random_decisions.IS_ON:
        return code
    return loading.settled(code, _gated)


def _opens_at_once() -> bool:
    """True if loops are captured without having to pay."""
    return random_decisions.IS_ON or warming.is_on


def ask_for_sites(site_of: Callable[[FunctionType, CodeType], Site | None]) -> None:
    """Require captures at gates to pay: `site_of` returns the site of the code."""
    global _site_of
    _site_of = site_of


def crossed(function: FunctionType, code: CodeType, header: int) -> Entered | BaseException:
    """Return the code and offset to continue at; None to go on unchanged.

    Called when a frame reaches an open gate. An exception of the program's that arrived meanwhile
    is returned, to be raised there.
    """
    try:
        return _entered(function, code, header)
    except Exception as error:
        for_program = meant_for_program(error)
        if for_program is None:
            close_gates(code, header)
            raise
        return for_program


def _entered(function: FunctionType, code: CodeType, header: int) -> Entered:
    if random_decisions.declines():
        return None
    site = None if _site_of is None else _site_of(function, code)
    if site is not None and not (site.may_be_taken() or site.may_begin()):
        close_gates(code, header)
        return None
    with ACCOUNT.charged():
        from ..support import start
        from .inplace import manager_of

        start()
        manager = manager_of(function, site)
    if manager is None:
        close_gates(code, header)
        return None
    found: list[Entered] = []
    if not manager.guarded_capture(lambda: _found(found, manager, header)):
        if manager.failures or manager.left_alone:
            close_gates(code, header)
        return None  # another capture is running: retry at the next iteration
    if found[0] is None or found[0][0] is code:
        close_gates(code, header)
        return None
    return found[0]


def _found(found: list[Entered], manager: InPlace, header: int) -> bool:
    found.append(manager.enter(header))
    return True
