"""The callable that `explain(f)` returns: it calls f and makes a report."""

from __future__ import annotations

import functools
from dataclasses import replace
from functools import partial
from inspect import Parameter, signature
from types import MethodType
from typing import TYPE_CHECKING, Any

from .support import EagerFunction, why_unsupported

if TYPE_CHECKING:
    from ..jit.report import Report, SkipRecord
    from .runtime.function import Manager


_FORMS: dict[Any, str] = {
    Parameter.VAR_POSITIONAL: "*{}",
    Parameter.VAR_KEYWORD: "**{}",
    Parameter.KEYWORD_ONLY: "{0}={0}",
}
"""Texts of arguments for some kinds of parameters; others are positional."""


class Explained:
    """A function whose call, with the original arguments, returns a `Report`."""

    def __init__(self, function: Any, jitted: Any, repeat: int) -> None:
        """Create it; `jitted` is called `repeat` times per report, `function` is the user's."""
        functools.update_wrapper(self, function)
        self._jitted = jitted
        self._repeat = repeat

    def __call__(self, *args: Any, **kwargs: Any) -> Report:
        jitted, times = self._jitted, self._repeat
        if why_unsupported() is not None:
            return _report(jitted, _last_of(times, jitted, args, kwargs))
        from .runtime import visits
        from .undecorated.seen import Seen

        seen = Seen()
        target: Any = jitted.__func__ if isinstance(jitted, MethodType) else jitted
        _await_kernels(target._manager)
        try:
            with visits.explained(target._manager) as total:
                result = _last_of(times, partial(total.of_call, jitted), args, kwargs)
        finally:
            seen.close()
        _await_kernels(target._manager)
        return _report(jitted, result, seen.facts().skipped)

    def __getattr__(self, name: str) -> Any:
        from ..jit.report import Report

        if not name.startswith("_") and hasattr(Report, name):
            raise AttributeError(f"explain: a report has {name!r}, but {self._why_none()}")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __repr__(self) -> str:
        return f"<framejit.explain: {self._why_none()}>"

    def _why_none(self) -> str:
        name = getattr(self, "__qualname__", "f")
        times = "once" if self._repeat == 1 else f"{self._repeat} times"
        return (
            f"{name} was not called yet: explain({name})({_parameters(self)}) calls it {times} and "
            "gives the report"
        )


def _parameters(explained: Explained) -> str:
    """Describe the required arguments by the names of the parameters."""
    try:
        found = signature(explained).parameters.values()
    except (TypeError, ValueError):
        return "..."
    needed = [one for one in found if one.default is Parameter.empty]
    return ", ".join(_FORMS.get(one.kind, "{}").format(one.name) for one in needed)


def _last_of(times: int, call: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function this many times and return the last result."""
    for _ in range(times - 1):
        call(*args, **kwargs)
    return call(*args, **kwargs)


def _await_kernels(manager: Manager) -> None:
    """Wait for background compiles, so that the next call runs the kernels."""
    jobs = [entry.job for entry in manager.entries if entry.job is not None]
    if any(not job.ended for job in jobs):
        from ..jit.background import WORKER

        WORKER.wait(None)


def _report(jitted: Any, result: Any, reached: tuple[SkipRecord, ...] = ()) -> Report:
    """Return what is known of a function, with the plain frames that it `reached`."""
    target: Any = jitted.__func__ if isinstance(jitted, MethodType) else jitted
    if isinstance(target, EagerFunction):
        return target._report(result)
    from ..jit.report import Report
    from .bytecode.model import GENERATORS
    from .report.facts import facts

    manager: Manager = target._manager
    if any(manager.function.__code__.co_flags & flag for flag in GENERATORS):
        # Nothing has run yet: the report collects its facts when it is read.
        return Report(result, lambda: facts(manager, target))
    known = facts(manager, target)
    others = tuple(one for one in reached if one.rule != "framejit")
    known = replace(known, skipped=known.skipped + others)
    return Report(result, lambda: known)
