"""Running loops that go over into compiled code: under `python -m framejit run`.

When it is loaded, the program's code gets a closed gate before each outermost loop (`loading.py`).
Who finds that a loop is worth it opens its gate. The next frame that comes to the header asks
`crossed`, and goes on in the newest version of the function's rewritten code, in which a stub
stands at the header: what follows is captured when the stub is reached. New versions open the gates
of older ones, so a running frame has the exits that are found later from its next turn on.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable, Sequence
from types import CodeType, FunctionType
from typing import TYPE_CHECKING

from ...jit import native
from ...jit.interrupts import meant_for_program
from ..bytecode.opening import close_gates, open_gates
from ..runtime import tossing, warming
from ..runtime.accounts import ACCOUNT
from . import loading

if TYPE_CHECKING:
    from ..runtime.sites import Site
    from .inplace import InPlace

Entered = tuple[CodeType, int] | None

bodies: list[tuple[CodeType, CodeType]] = []
"""Of the main program, with gates, and the code that it stands in for."""
_site_of: Callable[[FunctionType, CodeType], Site | None] | None = None


def start(prepared: Sequence[tuple[CodeType, CodeType]] = (), *, changes_code: bool = True) -> None:
    """Code gets gates from now on, and open ones are answered.

    `prepared` code runs already, each in the place of other code. Who `changes_code` otherwise
    sees to gates too.
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
    """The code with gates, while the account has the time to make them."""
    if ACCOUNT.allowed_inside() <= 0 and not tossing.IS_ON:
        return code
    made = loading.with_gates(code)
    if _opens_at_once():
        open_gates(made)
    return made


def _opens_at_once() -> bool:
    """True where loops need not pay for being captured."""
    return tossing.IS_ON or warming.is_on


def ask_for_sites(site_of: Callable[[FunctionType, CodeType], Site | None]) -> None:
    """What is captured at gates is to pay for itself: `site_of` knows the code's account."""
    global _site_of
    _site_of = site_of


def crossed(function: FunctionType, code: CodeType, header: int) -> Entered | BaseException:
    """A frame has come to an open gate: the code to go on in, and where; None to go on as it is.

    An exception of the program's that has come meanwhile is to be raised there.
    """
    try:
        return _entered(function, code, header)
    except Exception as error:
        heard = meant_for_program(error)
        if heard is None:
            close_gates(code, header)
            raise
        return heard


def _entered(function: FunctionType, code: CodeType, header: int) -> Entered:
    if tossing.declines():
        return None
    site = None if _site_of is None else _site_of(function, code)
    if site is not None and not (site.may_be_taken() or site.may_begin()):
        close_gates(code, header)
        return None
    with ACCOUNT.charged():
        from .. import api  # all that captures, which a program without hot loops spares
        from .inplace import manager_of

        assert api.__all__, "importing it puts the options in force"
        manager = manager_of(function, site)
    if manager is None:
        close_gates(code, header)
        return None
    found: list[Entered] = []
    if not manager.guarded_capture(lambda: _found(found, manager, header)):
        if manager.failures or manager.left_alone:
            close_gates(code, header)
        return None  # another capture is going on: at the next turn
    if found[0] is None or found[0][0] is code:
        close_gates(code, header)
        return None
    return found[0]


def _found(found: list[Entered], manager: InPlace, header: int) -> bool:
    found.append(manager.enter(header))
    return True
