"""Processes that `multiprocessing` starts for a program under `python -m framejit run`.

One that is forked goes on as its parent was. One that is spawned, or comes from a fork server,
begins anew: the data that multiprocessing sends it have an item of ours, which has it look at its
functions from then on. If a report is wanted, each process leaves what it knows in a folder: at its
end and, as `with Pool()` terminates its workers, behind tasks of a pool. The first process adds it
to its own.
"""

from __future__ import annotations

import os
import sys
from time import perf_counter
from types import ModuleType

TYPE_CHECKING = False  # the one of `typing` would take as long as the start of the interpreter
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from ...jit.report import ProgramFacts

SPAWN, POOL = "multiprocessing.spawn", "multiprocessing.pool"
LAST = -1000
"""The priority with which multiprocessing calls us: when the work is done."""
SOON, LATE = 2, 20
"""Times what a record takes: before that much has passed no other one is written. The second where
another task waits already."""

_BEGIN = """
import sys
sys.path.append({root!r})
try:
    from {package}.entrance import begin_child
    begin_child({folder!r})
except ImportError:
    pass
finally:
    sys.path.remove({root!r})
"""
"""Program text of a spawned process; it imports framejit from where this process did."""


class _Item:
    """Executes that text where it is unpickled, with nothing there that could be missing."""

    def __reduce__(self) -> tuple[Any, ...]:
        root = os.path.abspath(__file__)
        for _ in __name__.split("."):
            root = os.path.dirname(root)
        package = __name__.rpartition(".")[0]
        text = _BEGIN.format(root=root, package=package, folder=_folder)
        return exec, (text, {})


_folder = ""
"""The folder in which processes leave what they know; "" if nobody wants it."""
_known: Callable[[], ProgramFacts | None]
"""Return the facts that this process has collected."""
_anew: Callable[[], None]
"""Nothing was seen so far."""


def follow(folder: str, known: Callable[[], ProgramFacts | None], anew: Callable[[], None]) -> None:
    """Before the program: its children leave what they know in a folder, if it has a name."""
    global _folder, _known, _anew
    _folder, _known, _anew = folder, known, anew
    if folder and hasattr(os, "register_at_fork"):  # Windows forks no process
        os.register_at_fork(after_in_child=_forked)


def spawned() -> None:
    """Leave what this process knows at its end; it was spawned to do so."""
    _forked()
    _at_end()  # one that a server has forked forgets this, and begins as others do


def patches() -> dict[str, Callable[[ModuleType], None]]:
    """By module, what is to be done when the program has loaded it."""
    return {SPAWN: _follow_spawned, **({POOL: _follow_tasks} if _folder else {})}


def _follow_spawned(spawn: Any) -> None:
    """All processes that are spawned get an item more."""
    plain = spawn.get_preparation_data

    def get_preparation_data(name: str) -> dict[str, Any]:
        return {**plain(name), "framejit": _Item()}

    spawn.get_preparation_data = _alike(get_preparation_data, plain)


def _follow_tasks(pool: Any) -> None:
    """Workers of pools leave what they know before they hand over a result."""
    plain = pool.worker

    def worker(inqueue: Any, outqueue: Any, *rest: Any, **named: Any) -> None:
        plain(inqueue, _Results(inqueue, outqueue), *rest, **named)

    pool.worker = _alike(worker, plain)


def _alike(ours: Any, plain: Any) -> Any:
    """A function with the looks of another one: it is pickled by name."""
    ours.__module__, ours.__name__ = plain.__module__, plain.__name__
    ours.__qualname__, ours.__doc__ = plain.__qualname__, plain.__doc__
    return ours


class _Results:
    """The queue of results of a worker."""

    def __init__(self, tasks: Any, results: Any) -> None:
        self._tasks, self._results = tasks, results
        self._took, self._last = 0.0, 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._results, name)

    def put(self, result: Any) -> None:
        """As that of the queue."""
        from contextlib import suppress  # takes as long to import as all of this

        with suppress(Exception):
            self._leave()
        self._results.put(result)

    def _leave(self) -> None:
        """The parent may terminate this process when it has the result."""
        began = perf_counter()
        times = LATE if self._tasks._reader.poll() else SOON
        if began - self._last >= times * self._took:
            leave()
            self._last = perf_counter()
            self._took = self._last - began


# ---- what children leave -----------------------------------------------------------------------


class _Child:
    """A process that multiprocessing has made."""

    def begin(self) -> None:
        """Forget the parent's facts: those from now on are this process's own."""
        _anew()
        _at_end()


def _at_end() -> None:
    from multiprocessing import util

    util.Finalize(None, leave, exitpriority=LAST)


_children: list[_Child] = []
"""multiprocessing keeps them by weak references only."""


def _forked() -> None:
    """Has multiprocessing tell us, when it has forgotten its parent's ends; not for other forks."""
    if "multiprocessing.util" in sys.modules:
        from multiprocessing import util

        _children[:] = [_Child()]
        util.register_after_fork(_children[0], _Child.begin)


def leave() -> None:
    """Writes down what this process knows, in the place of what it wrote before."""
    import pickle  # rarely needed
    from contextlib import suppress

    with suppress(Exception):
        facts = _known()
        if facts is None or not (facts.functions or facts.skipped):
            return
        os.makedirs(_folder, mode=0o700, exist_ok=True)
        name = os.path.join(_folder, str(os.getpid()))
        with open(f"{name}.new", "wb") as file:
            pickle.dump(facts, file)
        os.replace(f"{name}.new", name)


def left() -> Iterator[ProgramFacts]:
    """Return the reports of the children, once, and remove their folder."""
    if not os.path.isdir(_folder):
        return
    import pickle
    from contextlib import suppress

    for name in sorted(os.listdir(_folder)):
        path = os.path.join(_folder, name)
        if name.isdecimal():
            with suppress(Exception), open(path, "rb") as file:
                yield pickle.load(file)
        os.unlink(path)
    os.rmdir(_folder)
