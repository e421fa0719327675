"""Captures in a forked copy of the process, while the program goes on.

A capture takes longer than a short program can spare, and needs the live arguments of a call. So
the process is forked at the call (jit/native/copying.c); the copy captures, compiles, stores the
results on disk, and exits. The program loads them as it loads what earlier processes stored; if it
has ended by then, its next run does. Captures that cannot be stored are useless from a copy: they
happen inside the program, where that pays.

The copies of a program run one after the other, each with the state of the moment at which it was
made; near the program's end they wait for that.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from time import monotonic, perf_counter, process_time, sleep, thread_time
from typing import TYPE_CHECKING, Any, cast
from weakref import WeakMethod

from ...jit import native
from ...jit.config import SETTINGS, is_hostile
from ...jit.cores import cores
from ...jit.disk import cache_home
from ...jit.giving_way import LAST, give_way
from ...jit.log import log
from . import this_process, waiting, warming
from .accounts import ACCOUNT
from .ledger import FOLDER, Ledger, folder_in
from .prices import COPY, units_of

if TYPE_CHECKING:
    from ..runtime.function import Manager
    from ..runtime.owner import Owner
    from .sites import Site

MOST_SECONDS = 20
"""CPU seconds after which a copy is ended in any state."""
MOST_WAITING = 4
"""Maximum number of unfinished copies per process: each holds the memory changed since its fork."""
MOST_MEMORY = 1 << 30
"""Maximum resident size, in bytes, of a process that is copied."""
PER_BYTE = 1e-10
"""Seconds charged per resident byte: a page that the program writes later is copied."""
CHANNEL = 3
"""The descriptor number of the copy's end of the channel."""
LOCK = "copies.lock"
"""Lock file beside the ledger, held by the copy that runs."""
SOON = 4.0
"""If the rest of the program, by the time of earlier runs, is below this multiple of a copy's
price, the copy waits for its end: it would be of little use before, and slow the program down, by
up to half where threads of a BLAS wait for each other."""
PAUSE = 0.002
"""Seconds between two looks for answers that are waited for."""
LATE = 2.0
"""Multiple of that rest after which it waits no longer."""
GENERIC = {"it has made room", "it bails", "plain Python is faster", "its options"}
"""Reasons for not storing entries that served the program before the fork; they do not count
against copies."""

_at_work: list[Copy] = []
_refused = False
"""Forking failed, or the process is too large."""


class Copy:
    """A copy that captures a function for this process."""

    def __init__(self, manager: Manager, descriptor: int) -> None:
        self.manager = manager
        self._channel = descriptor
        self._said = b""
        self.has_ended = False
        """All that it says was received; it is taken over once no kernel is under way."""

    def hurry(self) -> None:
        """Ask for the results: the copy waits no longer for the end of the program."""
        import socket

        # An end of the stream: a byte that the copy has not read would lose what it says.
        with suppress(OSError), socket.socket(fileno=os.dup(self._channel)) as channel:
            channel.shutdown(socket.SHUT_WR)

    def is_over(self) -> bool:
        """Receive its answer; once it has ended, take over the result and return True.

        What runs kernels of the function meanwhile needs the code that they continue in.
        """
        if not (self.has_ended or self._receive()):
            return False
        dispatcher = self.manager.dispatcher
        if dispatcher is not None and dispatcher._launches:
            return False
        try:
            _at_work.remove(self)
        except ValueError:  # a tick or wait() was faster
            return True
        self._take_over()
        return True

    def _receive(self) -> bool:
        """Receive what it has said so far; True if that is all."""
        try:
            while part := native.receive_some(self._channel):
                self._said += part
            if part is None:
                return False
        except OSError:  # closed, by a tick meanwhile or by the program
            if self.has_ended:
                return True
            self._said = b""
        with suppress(OSError):
            os.close(self._channel)
        self.has_ended = True
        return True

    def _take_over(self) -> None:
        account = self.manager.copied
        import json  # only needed once a copy has answered

        try:
            said: dict[str, Any] = json.loads(self._said)
        except ValueError:  # it was killed
            said = {"cpu": float(MOST_SECONDS), "kept": False, "why": "it did not come to an end"}
        ACCOUNT.helper += said["cpu"]
        account.has_copied(said["cpu"], kept=said["kept"])
        account.needs_inside |= bool(said.get("unnamed"))
        name, took = self.manager.journal.function, 1e3 * said["cpu"]
        log("tiers", "%s: a copy has captured for %.1f ms: %s", name, took, said["why"])
        if said["kept"]:
            self._take()
        elif self.manager.site is None and not account.needs_inside:
            self.manager.price = said["cpu"]
        if (dispatcher := self.manager.dispatcher) is not None:
            dispatcher._rest = dispatcher._unasked = 0  # its next call asks again

    def _take(self) -> None:
        """Load what it stored; running frames switch over at their gates."""
        from ..kept.reading import restore_again

        began, manager = thread_time(), self.manager
        manager.guarded_capture(lambda: restore_again(manager))
        if manager.site is not None:
            manager.site.taken += thread_time() - began


def are_possible() -> bool:
    """True if captures are left to copies of this process."""
    if _refused or this_process.is_copy or warming.is_on or _why_none():
        return False
    return _others() <= 0


def _others() -> int:
    """Return the number of other Python threads, except the compile thread, which is waited for.

    They may hold locks, which would stay locked in a copy.
    """
    return len(sys._current_frames()) - 1 - _compiles()


def _compiles() -> bool:
    """True while the compile thread works or waits for the helper."""
    return this_process.is_compiling is not None and this_process.is_compiling()


@cache
def _why_none() -> str:
    """Return the reason why this process is never copied; "" if it may be."""
    if not (SETTINGS["copies"] and SETTINGS["entries"] and SETTINGS["cache"] and cache_home()):
        return "nothing is kept on disk, or copies are switched off"
    if not folder_in(cache_home()).is_usable():
        return "nothing can be kept on disk"
    if is_hostile():
        return "everything is captured inside"
    if native.adopts_orphans():
        return "orphaned processes become children of this one"
    return "" if cores() >= 2 else "this process may use one core only"


def may_begin(owner: Owner) -> bool:
    """True if a copy may be made now."""
    global _refused
    if not are_possible() or _compiles() or len(_at_work) >= MOST_WAITING:
        return False
    if this_process.is_capturing is not None and this_process.is_capturing():
        return False  # the copy would inherit the lock
    if count_for(owner) or not owner.copied.may_be_copied():
        return False
    size = _memory()
    _refused = size > MOST_MEMORY
    return not _refused and ACCOUNT.allowed_inside() >= PER_BYTE * size


def _memory() -> int:
    """Return the resident size of this process in bytes."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return MOST_MEMORY + 1


def begin(owner: Owner, capture: Callable[[], bool]) -> None:
    """Fork a copy that captures, if possible; does not return in the copy."""
    global _refused
    manager = cast("Manager", owner)  # others are captured in this process
    began, rest = perf_counter(), ACCOUNT.usual - process_time()
    with ACCOUNT.charged():
        try:
            ours, theirs = native.open_channel()
        except OSError:
            return
        try:
            if native.copy_process(theirs, MOST_SECONDS):
                _work(manager, capture, rest)
        except BaseException as error:
            os.close(ours)
            if not isinstance(error, OSError):
                raise  # raised by a signal handler of the program
            _refused = True
            return
        finally:
            os.close(theirs)
    ACCOUNT.inside += PER_BYTE * _memory()
    copy = Copy(manager, ours)
    _at_work.append(copy)
    took = 1e3 * (perf_counter() - began)
    log(
        "tiers",
        "%s: a copy of the process captures, made in %.1f ms",
        manager.journal.function,
        took,
    )
    waiting.wait(WeakMethod(copy.is_over))


def wait(until: float | None) -> bool:
    """Wait for the answers of all copies, until a time of the monotonic clock if one is given.

    Return False if it came first.
    """
    for copy in _at_work:
        copy.hurry()
    while not all(copy.is_over() or copy.has_ended for copy in [*_at_work]):
        if until is not None and monotonic() >= until:
            return False
        sleep(PAUSE)
    return True


def count_for(owner: Owner) -> int:
    """Return the number of unfinished copies that capture a function."""
    return sum(one.manager is owner for one in _at_work)


def settle() -> None:
    """Charge the expected cost of unfinished copies at the end of the process."""
    for copy in _at_work:
        site = copy.manager.site
        if site is not None:
            price = COPY.of(units_of(site.code))
            ACCOUNT.helper += price
            site.has_copied(price, kept=True)


# ---- in the copy ---------------------------------------------------------------------------------


def _work(manager: Manager, capture: Callable[[], bool], rest: float) -> None:
    """Capture, store, report the outcome, and end the process.

    The program is expected to take `rest` more seconds.
    """
    this_process.is_copy = True
    said = {"kept": False, "why": "an error of framejit itself"}
    try:
        gc.disable()  # no finaliser of the program may run
        give_way(LAST)
        _wait_for_end(manager, rest)
        warming.begin()  # disables budgets and makes compiles synchronous
        _wait_for_turn()
        said |= _captured(manager, capture)
    except BaseException as error:
        said["why"] = f"an error of framejit itself: {error!r}"
    finally:
        with suppress(BaseException):
            import json

            if manager.site is not None and not said["kept"] and _is_alone_in(0.0):
                _write_down_in_vain(manager.site)
            os.write(CHANNEL, json.dumps({**said, "cpu": process_time()}).encode())
        os._exit(0)


def _captured(manager: Manager, capture: Callable[[], bool]) -> dict[str, Any]:
    """Capture and store; return the outcome for the program."""
    from ..kept.at_exit import put_down_now
    from ..kept.place import why_not

    entries, hopes = len(manager.entries), _hopes(manager)
    manager.guarded_capture(capture)
    why_not.clear()
    if len(manager.entries) <= entries:
        return _without_entry(manager, hopes)
    written = put_down_now(manager)
    if reasons := sorted(why_not.keys() - GENERIC):
        if manager.site is None:
            manager.copied.needs_inside = True
            put_down_now(manager)  # later processes make no copy
        return {"kept": False, "unnamed": True, "why": "; ".join(reasons)}
    return {"kept": written, "why": "it is on disk" if written else "the disk refuses it"}


def _without_entry(manager: Manager, hopes: set[int]) -> dict[str, Any]:
    """Store where segments may begin, as `hopes` were before; return the outcome."""
    from ..kept.at_exit import put_down_now
    from ..kept.writing import has_hopes

    if manager.site is None:
        kept = has_hopes(manager)
        put_down_now(manager)  # in any case: later processes are told what it took
    else:
        kept = not _hopes(manager) <= hopes and put_down_now(manager)
    where = "something to gain elsewhere in it" if kept else "nothing to gain"
    return {"kept": kept, "why": f"there is {where}"}


def _hopes(manager: Manager) -> set[int]:
    """Return the places where segments may begin, as found so far."""
    points = {} if manager.segmented is None else manager.segmented.points
    return {at for at, point in points.items() if point.is_awaited}


def _write_down_in_vain(site: Site) -> None:
    """Count a capture that came to nothing, as the program does not."""
    ledger, key = Ledger(), site.key
    row = ledger.find(key)
    if row is not None:
        ledger.update({key: row.but(runs=row.runs + 1)})


def _wait_for_end(manager: Manager, rest: float) -> None:
    """Wait until the program has ended, if that is expected soon: in `rest` seconds.

    Where nothing is known of the program, it may take as long as the copy will: a short one is over
    by then. The program may ask for the results meanwhile.
    """
    price = COPY.of(units_of(manager.function.__code__))
    if not ACCOUNT.runs and manager.site is None:
        _hears_in(price)
    elif 0.0 < rest < SOON * price:
        _hears_in(LATE * rest)


def _hears_in(seconds: float) -> None:
    """Wait until the program has ended or asks for the results, for so many seconds at most."""
    import select

    ready = select.poll()
    ready.register(CHANNEL, select.POLLIN)
    ready.poll(1e3 * seconds)


def _is_alone_in(seconds: float) -> bool:
    """True if the program ends within so many seconds, so that nobody receives the outcome."""
    import select

    end = select.poll()
    end.register(CHANNEL, 0)  # errors only: the other side is closed
    return bool(end.poll(1e3 * seconds))


def _wait_for_turn() -> None:
    """Wait for the lock of copies, which the end of the process releases."""
    import fcntl

    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    path = os.path.join(cache_home(), FOLDER, LOCK)
    fcntl.flock(os.open(path, flags, 0o600), fcntl.LOCK_EX)


os.register_at_fork(after_in_child=_at_work.clear)  # they belong to the parent
