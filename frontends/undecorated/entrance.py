"""Finds functions worth capturing in a program under `python -m framejit run`.

Nothing happens before the program imports NumPy, as it has no arrays. From then on functions are
found by samples (`tiers/decisions.py`). With `compile="now"` and in `warm` each function is checked
at its first few calls instead, until it is captured or known not to use arrays; later calls cost
nothing extra. CPython reports the calls by a `sys.monitoring` event that can be disabled per code
object; 3.11 has none, and there the program's code is compiled with a call of ours at its beginning
(`trigger.py`).
"""

from __future__ import annotations

import atexit
import os
import sys
from importlib import machinery  # from which 3.15 imports `warnings` if a name is imported
from opcode import opname
from types import CodeType, ModuleType

TYPE_CHECKING = False  # the one of `typing` would take as long as the start of the interpreter
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, ClassVar

    from ...jit.report import ProgramFacts
    from .seen import Seen

NUMPY = "numpy"
FLAGS_OF_IMPORTS = 2 if sys.version_info >= (3, 15) else 0
"""Bits of IMPORT_NAME's argument below the index of the name."""
_BY_A_NAME = frozenset({"__import__", "exec", "eval", "import_module", "runpy"})
"""Names of what imports modules whose names are not in the code."""
BY_CODE = sys.version_info < (3, 12)
"""Calls are reported by code inserted at the beginning of functions."""

took = 0.0
"""CPU seconds of framejit before the program began, for the account."""
_prepared: list[tuple[CodeType, CodeType]] = []
"""Pairs of code with gates and the code that it replaces."""
_stop: Callable[[], None] | None = None
"""Stops observing calls, once that has begun."""
_reports = False
"""True if a report was requested."""
_may_rest = False
"""True in the process that was started, if no report was requested."""
_seen: Seen | None = None
_why_not: str | None = "the program never imported NumPy: there was nothing to capture"


def prepare(report: str | None, *, verbose: bool = False) -> None:
    """Waits for NumPy; writes a report at the end of the process when there is a file for it."""
    global _may_rest
    from ..tiers import bodies

    bodies.begin()
    _may_rest = report is None
    folder = ""
    if report is not None:
        parent = os.environ.get("TMPDIR") or "/tmp"
        folder = os.path.join(parent, f"framejit-report-{os.urandom(12).hex()}")
        atexit.register(_write, report, os.getpid(), verbose)
    _watch(folder)


def begin_child(folder: str) -> None:
    """Begin in a process that multiprocessing has spawned, before its main module is imported.

    What it sees goes to a folder, if that has a name.
    """
    from . import children

    _watch(folder)
    if folder:
        children.spawned()


def _watch(folder: str) -> None:
    """Waits for the modules that matter."""
    global _reports
    from . import children

    _reports = bool(folder)
    children.follow(folder, _known, _forget)
    _Watch.awaited = {NUMPY: lambda _: start(), **children.patches()}
    for name in [*_Watch.awaited]:
        if name in sys.modules:
            _Watch.awaited.pop(name)(sys.modules[name])
    if _Watch.awaited:
        sys.meta_path.insert(0, _Watch)


def prepared(code: CodeType) -> CodeType:
    """Return the main program's body with gates, if it may loop.

    It starts running before NumPy is imported. Its functions get gates then. Nothing that imports
    NumPy is imported here. A body that imports modules of the standard library only gets none: what
    makes gates takes longer to import than the interpreter to start.
    """
    if not _may_loop(code) or not _may_import_numpy(code):
        return code
    from ...jit.config import DEFAULT, SETTINGS, debug_mode

    all_gates = debug_mode("tier_everywhere")
    is_looked_at = all_gates or (DEFAULT.compiles_later and not _rests())
    if SETTINGS["disable"] or not is_looked_at:
        return code
    try:
        from ..bytecode import gating
    except ImportError:  # unsupported Python
        return code
    gated = gating.gated(code)
    if gated is None:
        return code
    _prepared.append((gated, code))
    return gated


def _may_loop(code: CodeType) -> bool:
    """False if no instruction jumps back: most scripts only call their functions."""
    return any("JUMP_BACKWARD" in opname[op] for op in {*code.co_code[::2]})


def _may_import_numpy(code: CodeType) -> bool:
    """True if a body or what is in it imports by a name that it computes, or another library."""
    if not _BY_A_NAME.isdisjoint(code.co_names):
        return True
    argument = 0
    for op, low in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        argument = argument << 8 | low
        if opname[op] == "EXTENDED_ARG":
            continue
        if opname[op] == "IMPORT_NAME":
            package = code.co_names[argument >> FLAGS_OF_IMPORTS].partition(".")[0]
            if package not in sys.stdlib_module_names:
                return True
        argument = 0
    return any(isinstance(one, CodeType) and _may_import_numpy(one) for one in code.co_consts)


def _is_auto() -> bool:
    """True if code is captured and compiled when that pays."""
    from ..support import DEFAULT_OPTIONS, why_unsupported

    supported = why_unsupported() is None
    return supported and DEFAULT_OPTIONS is not None and DEFAULT_OPTIONS.compiles_later


def _rests() -> bool:
    """True if the program is left alone in this run."""
    from ..tiers import resting, warming

    would_rest = resting.rests()  # in any case: it notes the arguments before they change
    return would_rest and _may_rest and not warming.is_on


class _Watch:
    """Finds modules as ever, and acts when they have been loaded; then nothing of it is left."""

    awaited: ClassVar[dict[str, Callable[[ModuleType], None]]] = {}

    @classmethod
    def find_spec(
        cls, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> machinery.ModuleSpec | None:
        """The spec with a loader that acts at its end, None for modules that nobody awaits."""
        if name not in cls.awaited:
            return None
        act = cls.awaited.pop(name)
        if not cls.awaited:
            sys.meta_path.remove(cls)
        spec = machinery.PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None:
            return None
        spec.loader = _Loader(spec.loader, act)  # type: ignore[assignment]
        return spec


class _Loader:
    """Wraps the loader of NumPy until the module is imported."""

    def __init__(self, loader: Any, act: Callable[[ModuleType], None]) -> None:
        self._loader, self._act = loader, act

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: machinery.ModuleSpec) -> ModuleType | None:
        """Delegate to the wrapped loader."""
        made: ModuleType | None = self._loader.create_module(spec)
        return made

    def exec_module(self, module: ModuleType) -> None:
        """Restore the wrapped loader, execute the module with it, and start."""
        assert module.__spec__ is not None
        module.__loader__ = module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        self._act(module)


def start() -> None:
    """Observe calls from now on; after an internal error the program runs eagerly."""
    global _why_not
    try:
        _why_not = _started()
    except Exception as error:
        from ...jit.config import debug_mode

        if debug_mode("strict"):
            raise
        _why_not = f"framejit could not start: {error!r}"


def _started() -> str | None:
    """Start; return None, or the reason why everything runs eagerly."""
    from ...jit.config import DEFAULT, SETTINGS
    from ..tiers import warming

    if not SETTINGS["disable"] and DEFAULT.compiles_later and not warming.is_on and _rests():
        from ..tiers import resting

        _keep_freed()
        resting.begin(_first_look)
        return None
    return _started_looking()


def _keep_freed() -> None:
    from ...jit.config import SETTINGS
    from ...jit.heap import keep_freed

    if SETTINGS["keep_freed"]:
        keep_freed()


def _started_looking() -> str | None:
    """Look at the program; return None, or the reason why everything runs eagerly."""
    from ...jit import native
    from ...jit.config import debug_mode
    from .. import support
    from ..tiers import warming

    if support.DEFAULT_OPTIONS is not None and support.why_unsupported() is None:
        _keep_freed()
    if _is_auto() and not warming.is_on:
        _sample()
        return None
    support.start()  # puts the options of the environment in force
    if support.why_unsupported() is not None:
        support.warn_unsupported()
        return support.why_unsupported()
    if support.DEFAULT_OPTIONS is None:
        return "framejit is switched off: FRAMEJIT_DISABLE is set"
    if debug_mode("tier_everywhere") or warming.is_on:
        from . import gates

        gates.start(_prepared, changes_code=not (warming.is_on and BY_CODE))
    if warming.is_on:
        from ..tiers import decisions

        decisions.start_warming()
    atexit.register(native.set_policy, None, None)  # no policy during interpreter shutdown
    if _reports:
        _keep_report()
    global _stop
    from . import arrivals

    _stop = arrivals.stop
    return arrivals.report(by_code=BY_CODE)


def _sample() -> None:
    """Take samples of the program, and give its functions gates."""
    from ...jit import native
    from ..tiers import PERIOD, resting
    from ..tiers.accounts import ACCOUNT
    from . import gates

    if _reports:
        _keep_report()
    ACCOUNT.inside += took
    gates.start(_prepared)
    native.sample(_first_look, PERIOD)
    atexit.register(native.sample, None, 0.0)
    if _may_rest:
        atexit.register(resting.note_unlooked, os.getpid())


def _keep_report() -> None:
    global _seen
    from . import seen

    _seen = seen.Seen(tells_of_decorated=True)


def _first_look(frames: list[Any]) -> None:
    """Import the decisions at the first sample, when the program has run for a while."""
    from ..tiers import decisions

    decisions.start(frames)


def failed() -> None:
    """The program ends with an error: how long it took says nothing."""
    from ..tiers.accounts import ACCOUNT

    ACCOUNT.has_failed = True


def stop() -> None:
    """Stop observing calls."""
    if _stop is not None:
        _stop()


# ---- the report --------------------------------------------------------------------------------


def _write(file: str, process: int, verbose: bool) -> None:
    """Write the report in the process that was started, and in none that it forked."""
    if os.getpid() != process:
        return
    from . import reporting

    reporting.write(file, _seen, _why_not, verbose=verbose)


def _known() -> ProgramFacts | None:
    """Return the facts that this process has collected so far."""
    return None if _seen is None or _why_not is not None else _seen.facts()


def _forget() -> None:
    """A forked process begins: what was seen before is its parent's."""
    if _seen is not None:
        _keep_report()
