"""The decorator and the other public calls; the only module that puts all parts together."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, overload

from ..jit import native
from ..jit.errors import FramejitError
from . import pickling  # noqa: F401 (it registers how jitted functions are pickled)
from .context import config, disable, graph_break
from .decorating import check_options, jitted
from .support import warn_unsupported, why_unsupported
from .wrong_use import CALLED

if TYPE_CHECKING:
    from typing import Unpack

    from ..jit.report import ProgramReport, Report
    from .typed import JitOptions, Jitted, P, R

__all__ = ["capture", "config", "disable", "explain", "graph_break", "jit"]


class capture:  # noqa: N801 (called as a function)
    """Capture undecorated code: `with capture() as block: main()`, then `print(block.report)`.

    Functions called in the block, directly or indirectly, are compiled as if they were decorated,
    except those of the standard library and of installed packages. Only this thread is watched.
    Where frames cannot be hooked everything runs eagerly, and a FallbackWarning says so once.
    """

    _active: bool | None = None

    def __enter__(self) -> Self:
        self._active = why_unsupported() is None
        if self._active:
            from .undecorated import hook, seen

            self._seen = seen.Seen()
            self._leave = hook.leave
            self._samples = hook.enter()
        else:
            warn_unsupported()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._active:
            native.hook_disable()  # first of all: what follows is not the program's
            self._leave(self._samples)
            self._seen.close()

    @property
    def report(self) -> ProgramReport:
        """The report: what was captured, and what ran as plain Python by which rule.

        Raises
        ------
        FramejitError
            The block has not been entered yet.
        """
        if self._active is None:
            raise FramejitError("capture: nothing to report yet: write `with capture() as block:`")
        from ..jit.report import Place, ProgramFacts, ProgramReport, SkipRecord

        if self._active:
            return ProgramReport(self._seen.facts)
        skip = SkipRecord("unsupported", str(why_unsupported()), Place("", 0, ""))
        return ProgramReport(lambda: ProgramFacts(skipped=(skip,)))


@overload
def jit(function: Callable[P, R], /, **options: Unpack[JitOptions]) -> Jitted[P, R]: ...
@overload
def jit(
    function: None = None, /, **options: Unpack[JitOptions]
) -> Callable[[Callable[P, R]], Jitted[P, R]]: ...
def jit(function: Any = None, /, **options: Any) -> Any:
    """Compile the array code of a function: `@jit`, `jit(f)` or `@jit(backend="numpy")`.

    Parameters
    ----------
    function : callable, optional
        A Python function; a generator or coroutine function; a staticmethod or classmethod, whose
        function is compiled; a bound method; or a jitted function. Without it a decorator is
        returned.
    **options
        backend : str
            "numba", "numpy" (op by op, the reference), "eager", or the name of a plug-in's.
        fullgraph : bool
            True makes a graph break an error.
        static : tuple of str
            Names of parameters that take Python numbers or tuples of them. Each value gets a
            kernel of its own, in which it is a constant.
        verify : bool
            True compares each kernel with NumPy in each call, on copies of its arguments; slow.
        cache : bool
            False compiles kernels anew in each process and keeps nothing on disk.
        compile : {"auto", "now"}
            "auto": plain Python answers the first call, and others until a helper process has
            compiled the kernel (see `wait_for_compiles`). "now": calls wait, as they always do
            with `verify=True` or `fullgraph=True`.
        threads : int
            How many threads may share the work of a kernel: 1 for the caller's alone, 0 (the
            default) for one per core.

    Returns
    -------
    callable
        It has the function's signature, docs and attributes, and `__wrapped__`, `stats()`,
        `inspect(what)` and `trace(*args)`.

    Raises
    ------
    TypeError
        `function` is not a function; the message says what to write instead.
    FramejitError
        An unknown option or value; the message lists the valid ones.
    GraphBreakError
        When called, with `fullgraph=True` and a graph break in the function.
    VerifyError
        When called, with `verify=True` and a kernel whose results differ from NumPy's.
    """
    check_options(options)
    if function is None:
        return functools.partial(jit, **options)
    return jitted(function, options)


def explain(function: Any, /, *, repeat: int = 1) -> Callable[..., Report]:
    """Call and report: `explain(f)(x, y)` calls f and tells what was captured, what broke, and why.

    The call waits for captures, and for kernels that are compiled in the background. There is
    exactly one call, unless `repeat` asks for more.

    Parameters
    ----------
    function : callable
        As for `jit`. A jitted function is called as it is, and the report has all that is known
        about it; any other function is jitted for this call.
    repeat : int
        Number of calls with the same arguments, all of which the report covers.

    Returns
    -------
    callable
        It takes the function's arguments and returns a `Report`, whose `result` is what the last
        call returned. Exceptions of the function propagate.

    Raises
    ------
    TypeError
        `function` is not a function; the message says what to write instead.
    FramejitError
        `repeat` is not a positive int.
    """
    try:
        made = jitted(function, {})
    except TypeError as error:
        words = str(error).replace("jit:", "explain:", 1)
        raise TypeError(words.replace(CALLED, "write explain(f)(x, y)")) from None
    if isinstance(made, staticmethod | classmethod):
        raise TypeError(
            f"explain: `function` is a {type(made).__name__} object: give the function itself, "
            f"or reach it through the class"
        )
    if type(repeat) is not int or repeat < 1:
        raise FramejitError(f"explain: `repeat` must be an int from 1 on, not {repeat!r}")
    from .explained import Explained

    return Explained(function, made, repeat)
