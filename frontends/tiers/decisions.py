"""Decides which functions are captured and compiled, and when, from samples of the stack.

The sampler (jit/native/sampler.c) reports functions that have used time. A function whose time
reaches the price of a capture gets a stub; the kernel of its capture waits until the time also
reaches the price of a compile. What exceeds the account of the process waits, and is reconsidered
at each sample.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any
from weakref import ref

from ...jit import native
from ...jit.log import log
from ..bytecode.gating import gates_of
from ..bytecode.opening import open_gates
from ..undecorated import gates, policy
from . import PERIOD, copies, programs, resting, this_process, waiting, warming
from .accounts import ACCOUNT
from .ledger import LEDGER, Entry
from .prices import TAKING_FIRST
from .savings import UNTRIED, awaited_lines, has_served, saved_by, serves
from .sites import Site, key_of
from .this_process import SITES
from .warming import WARMED

LATER = 2.0
"""Code not worth a capture yet is reconsidered after this multiple of the time it has spent."""
LONE = 4.0
"""Code seen in one call only must have spent this multiple of the price."""
FIRST = 20_000_000
"""Nanoseconds of time after which code is first considered."""
PATIENT_RUNS = 3
"""Maximum runs in a row that may end before the captured kernels are compiled."""
SMALL = 0.01
"""Seconds of captures up to which a process is not counted as one that captured the site."""
REMEMBERED = 0.25
"""Fraction of the gain in the process before that is expected of entries that were taken, at least,
unless they were in vain before: a trial may go wrong on a busy machine, and they would be lost."""
KNOWN = 5_000_000
"""FIRST for code that saved time in earlier processes."""

Frame = tuple[FunctionType | None, CodeType, int, int, int, tuple[Any, ...]]
"""A sample as `native.sample` reports it."""

_functions: dict[int, ref[FunctionType]] = {}
"""Functions of modules and classes by the `id` of their code, for code whose frame had returned
before it was reported."""
_open = 0
"""Calls of begin() without their end()."""
_modules: set[str] = set()
"""Names of the modules seen."""
_own: dict[str, int] = {}
"""Modules of the program, with the number of names they had."""
resting.decides = True


def start(frames: list[Frame]) -> None:
    """Take decisions until the process ends; `frames` are the first samples."""
    begin()
    gates.ask_for_sites(lambda _, code: SITES.get(id(code)))
    programs.begin()
    for running, code in gates.bodies:
        known = LEDGER.find(key_of(code))
        if known is not None and known.kept:
            site = SITES[id(running)] = Site(code, running)
            if site.may_be_taken():
                open_gates(running)
    _look(frames)


def start_warming() -> None:
    """Measure what is captured until the process ends; warming takes no decisions."""
    begin()
    gates.ask_for_sites(site_in_any_case)


def site_in_any_case(function: FunctionType, running: CodeType) -> Site:
    """Return the site of a function, one for all versions of its code; create it if needed."""
    code = function.__code__
    if id(code) not in SITES:
        SITES[id(code)] = Site(code, running)
    return SITES[id(code)]


def begin() -> bool:
    """Sample the main thread until end(); calls nest.

    Do nothing and return False in other threads.
    """
    global _open
    if threading.current_thread() is not threading.main_thread():
        return False
    _open += 1
    if _open == 1:
        waiting.sampled(_look, PERIOD)
        _at_exit()
    return True


def end() -> None:
    """Undo one begin()."""
    global _open
    _open -= 1
    if not _open:
        native.sample(None, 0.0)
        waiting.tick_if_unsampled()


@cache
def _at_exit() -> None:
    """Register the writing of the ledger at exit, for this process and none that it forks."""
    if not resting.is_forked:
        atexit.register(_write_ledger, os.getpid())


def _write_ledger(process: int) -> None:
    native.sample(None, 0.0)
    if os.getpid() != process:
        return
    copies.settle()
    expected = {id(one) for one in SITES.values() if one.copies}
    saved: dict[int, tuple[float, float]] = {}
    serving: set[int] = set()
    used = False
    if native.all_owned():
        from ..undecorated.caught import hooked_managers

        for manager in hooked_managers():
            if manager.site is not None:
                key = id(manager.site)
                before, now = saved.get(key, manager.site.replaced_gain), saved_by(manager)
                saved[key] = before[0] + now[0], before[1] + now[1]
                used |= has_served(manager) or any(saved[key])
                if serves(manager):
                    serving.add(key)
                if lines := awaited_lines(manager):
                    expected.add(key)
                    manager.site.owes(lines)
    LEDGER.update(_rows(saved, serving, expected, has_served=used))


def _rows(
    saved: dict[int, tuple[float, float]],
    serving: set[int],
    expected: set[int],
    *,
    has_served: bool,
) -> dict[str, Entry]:
    """Return the ledger's rows of this process. The arguments have sites by their `id`.

    `saved`: seconds by trials, and in launches without a trial.
    """
    knows_plain, untried = programs.knows_plain(), dict.fromkeys(saved, 0.0)
    for site in SITES.values():
        launched = saved.get(id(site), (0.0, 0.0))[1]
        if launched:
            untried[id(site)] = site.untried_gain(launched, knows_plain=knows_plain)
    tried = sum(one[0] for one in saved.values())
    closing = programs.closing(SITES.values(), tried, sum(untried.values()), has_served=has_served)
    rows = {}
    for site in SITES.values():
        key, gain = id(site), 0.0
        if key in saved:
            gain = saved[key][0] + closing.believed * untried[key]
            log("tiers", "%s: about %.1f ms saved", site.code.co_qualname, 1e3 * gain)
        is_warmed = key in serving and _is_warmed(site)
        row = _warmed(site, gain) if is_warmed else _closed(site, gain, key in expected)
        rows[site.key] = row
    hopes = sum(row.gain >= TAKING_FIRST for row in rows.values())
    if not warming.is_on:
        rows[resting.key()] = closing.row(hopes)
    elif before := LEDGER.find(resting.key()):  # else the next run would rest
        rows[resting.key()] = before.but(hopes=hopes, debt=0.0)
    return rows


def _closed(site: Site, saved: float, is_expected: bool) -> Entry:
    """Return the ledger's row of a site.

    `is_expected` is set if kernels of it are not compiled yet; the next process is expected to find
    them.
    """
    before, kept = site.before, float(site.is_kept)
    if not site.captured:
        return Entry(site.spent, site.invested, before.gain, 0.0, before.runs, before.kept)
    runs = _runs_in_vain(site, saved)
    if is_expected and runs <= PATIENT_RUNS:
        saved = max(saved, UNTRIED * (site.spent - before.spent))
    if site.has_kept_entries and not before.runs:
        saved = max(saved, REMEMBERED * before.gain)
    return Entry(site.spent, site.invested, saved, 0.0, runs, kept)


def _runs_in_vain(site: Site, saved: float) -> float:
    """Return the number of processes, with this one, that captured a site and saved nothing."""
    if not site.copies and site.captured - site.taken <= SMALL:
        return site.before.runs
    if saved > site.captured_again:
        return 0.0
    is_pending = site.copies and not site.has_kept_entries  # what they store may serve later
    return site.before.runs + (not is_pending)


def _is_warmed(site: Site) -> bool:
    """True if its entries are on disk because a user warmed the cache."""
    return site.is_kept and (warming.is_on or site.was_warmed)


def _warmed(site: Site, saved: float) -> Entry:
    """Return the row of a warmed site.

    It is worth loading until its kernels have lost to plain Python.
    """
    gain = max(saved, site.before.gain, TAKING_FIRST)
    cost = site.before.cost if warming.is_on else site.invested
    runs = 0.0 if warming.is_on else _runs_in_vain(site, saved)
    return Entry(site.spent, cost, gain, 0.0, runs, WARMED)


# ---- samples
# --------------------------------------------------------------------------------------


def _look(frames: list[Frame]) -> None:
    """Called by sampler.c."""
    waiting.looked(lambda: _decide(frames))


def _decide(frames: list[Frame]) -> None:
    if this_process.is_copy:
        return
    if warming.is_on:
        waiting.try_again()
        return
    _write_down_functions()
    for frame in frames:
        _consider(frame)
    waiting.try_again()


def _consider(frame: Frame) -> None:
    """Decide about code that has used time."""
    function, code, at, spent, again, values = frame
    if not policy.is_own(code.co_filename) or _is_rewritten(code):
        native.tell_at(code, None)
        return
    function = function or _function_of(code)
    if function is None or native.running_code(function) is not code:
        native.tell_at(code, int(spent * LATER))
        return
    if (rule := policy.why_left_alone(function)) is not None:
        native.hook_mark(code, native.MARK_SKIP, rule)
        native.tell_at(code, None)
        return
    site = SITES.get(id(code))
    if site is None:
        site = SITES[id(code)] = Site(function.__code__, code)
        site.has_arrays = policy.touches_arrays(function, values)
    site.again, site.has_gates = bool(again), bool(gates_of(code))
    if site.may_be_taken() or (site.may_begin() and _has_arrays(site, function, values)):
        _capture(function, code, site, runs=at >= 0)
    native.tell_at(code, int(spent * LATER))


def _has_arrays(site: Site, function: FunctionType, values: tuple[Any, ...]) -> bool:
    """True if the function works on arrays, in this call or in one that was looked at before."""
    site.has_arrays = site.has_arrays or policy.touches_arrays(function, values)
    return site.has_arrays


def _capture(function: FunctionType, code: CodeType, site: Site, *, runs: bool) -> None:
    """Capture a function from its next call on, or a running frame from its next loop on."""
    is_function = code.co_flags & policy.FUNCTION == policy.FUNCTION
    if is_function and native.hook_state()["thread_depth"] > 0:
        if native.hook_get_mark(code)[0] != native.MARK_HANDLE:
            native.hook_mark(code, native.MARK_HANDLE)
        return
    manager = native.owned(function)
    is_called_once = not site.again if manager is None else manager.calls == 0
    if runs and is_called_once and open_gates(code):
        log("tiers", "%s: asked for at its next loop", code.co_qualname)
        return
    if manager is None and is_function:
        is_lone = is_called_once and not site.has_gates
        if site.again or (is_lone and site.pays(LONE * site.capture_price())):
            _adopt(function, site)


def _adopt(function: FunctionType, site: Site) -> None:
    """Give a function code with a stub at its entry."""
    log(
        "tiers",
        "%s: asked for at its next call, after %.1f ms",
        site.code.co_qualname,
        1e3 * site.spent,
    )
    with ACCOUNT.charged():
        from ..support import start
        from ..undecorated.inplace import adopt

        start()
        if not adopt(function, site):
            native.hook_mark(site.code, native.MARK_SKIP, "closures")


def _is_rewritten(code: CodeType) -> bool:
    """True for rewritten versions of a site's code, whose time counts for the site."""
    return native.hook_get_rule(code) == "rewritten"


def _function_of(code: CodeType) -> FunctionType | None:
    """Return the function of a module or class with this code; None if unknown."""
    known = _functions.get(id(code))
    return known() if known is not None else None


def _write_down_functions() -> None:
    """Register functions of modules imported since, so that the sampler knows their code."""
    for name in sys.modules.keys() - _modules:
        _modules.add(name)
        if (names := _names_of(name)) is not None:
            _own[name] = len(names)
            _write_down_all(name, names)
    for name, size in [*_own.items()]:
        names = _names_of(name)
        if names is not None and len(names) != size:
            _own[name] = len(names)
            _write_down_all(name, names)


def _names_of(module: str) -> dict[str, Any] | None:
    """Return the namespace of a module of the program; None for others."""
    found = sys.modules.get(module)
    names = vars(found) if type(found) is ModuleType else {}
    file = names.get("__file__")
    return names if type(file) is str and policy.is_own(file) else None


def _write_down_all(module: str, names: dict[str, Any]) -> None:
    for value in [*names.values()]:
        _write_down(value)
        if type(value) is type and value.__module__ == module:
            for inner in [*vars(value).values()]:
                _write_down(inner)


def _write_down(value: object) -> None:
    if type(value) in (staticmethod, classmethod):  # isinstance() would run the user's code
        value = value.__func__  # type: ignore[attr-defined]
    if type(value) is not FunctionType:
        return
    code = native.running_code(value)
    if id(code) in _functions or policy.is_library(code.co_filename) or _is_rewritten(code):
        return
    _functions[id(code)] = ref(value)
    known = LEDGER.find(key_of(value.__code__)) if LEDGER.is_known else None
    native.tell_at(code, FIRST if known is None or not known.gain else KNOWN)
    if known is not None and known.kept and policy.why_left_alone(value) is None:
        _take(value, code)


def _take(function: FunctionType, code: CodeType) -> None:
    """Use a function's entries on disk; its running frames switch over."""
    site = SITES[id(code)] = Site(function.__code__, code)
    if site.may_be_taken():
        open_gates(code)
        _adopt(function, site)
