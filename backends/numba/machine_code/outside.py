"""Compiles kernels outside of this process, in the compile helper.

`COMPILES.ask` sends a text and returns at once. The resulting object code is loaded as if from
disk, so the program never imports Numba. If anything fails outside, the kernel can still be
compiled inside; `COMPILES.why_inside` counts the reasons.
"""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from importlib.util import find_spec
from pathlib import Path
from weakref import WeakValueDictionary

from ....jit import native
from ....jit.cores import cores
from ....jit.helper_frames import Kind
from ....jit.helper_process import Command, Helper, Question, Unavailable
from ....jit.log import log
from ....jit.shared import setting
from . import stored
from .lookups import Outcome, count
from .objects import Code

PACKAGE = __name__.partition(".")[0]
PROGRAM = Path(__file__).with_name("start_helper.py")
PACKAGES = (PACKAGE, "numpy", "llvmlite", "numba")
"""Packages that the helper imports besides the standard library."""
PYTHON = re.compile(r"python[\d.]*[td]*")
"""Names of Python interpreters. sys.executable of a program that embeds Python may be the program
itself, which would then be started again."""
PASSED_ON = ("LD_LIBRARY_PATH",)
"""Environment variables that the interpreter may need to start."""
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""Keep libraries used by NumPy from starting threads for all cores."""


class Pending:
    """A kernel requested from the helper.

    In a forked child it is `forgotten` and must be asked again.
    """

    __slots__ = ("__weakref__", "_cached", "_code", "_question", "_text", "_why_inside")

    def __init__(self, text: str, cached: bool, question: Question, why: Counter[str]) -> None:
        self._text, self._cached, self._question = text, cached, question
        self._why_inside = why
        self._code: Code | None = None

    def is_done(self) -> bool:
        """True if `code` can be called; costs some microseconds for a look at the socket."""
        return self._question.is_done()

    def wait(self, timeout: float | None = None, stop: bytearray | None = None) -> bool:
        """Wait without the GIL until done, timeout, or `stop[0]` is nonzero."""
        return self._question.wait(timeout, stop)

    @property
    def forgotten(self) -> bool:
        """True in a child that was forked after the request."""
        return self._question.forgotten

    @property
    def cpu(self) -> float:
        """Return the CPU seconds that the helper spent on it.

        The first answer includes its start.
        """
        return self._question.cpu

    def code(self) -> Code | None:
        """Load the machine code; None if the kernel has to be compiled inside."""
        if self._code is None:
            self._code = self._loaded()
        return self._code

    def _loaded(self) -> Code | None:
        why = self._why_none()
        answer = self._question.answer
        code = stored.loaded(answer.body, self._text) if answer is not None and not why else None
        if code is None:
            why = why or "its object code could not be loaded"
            self._why_inside[why.partition("\n")[0]] += 1
            log("kernels", "compiled in the process: %s", why)
        elif answer is not None:
            self._count(answer.kind)
        return code

    def _why_none(self) -> str:
        """Return the reason why there is no object code; "" if there is."""
        answer = self._question.answer
        if answer is None:
            return self._question.why_none
        if answer.kind is Kind.FAILED:
            return answer.body.decode(errors="replace").strip()
        return "the code needs the interpreter" if answer.kind is Kind.BOUND_TO_PROCESS else ""

    def _count(self, kind: Kind) -> None:
        """Count the outcome for this process; the helper has counted it for the shared folder."""
        if not self._cached:
            count(Outcome.OFF, self._text, None)
        elif kind is Kind.FOUND:
            count(Outcome.FOUND, self._text, None)
        elif kind is Kind.MADE_NOT_KEPT:
            count(Outcome.REFUSED, self._text, None)


class Compiles:
    """Kernels being compiled outside, one job for each text."""

    def __init__(self, command: Callable[[], Command]) -> None:
        self.helper = Helper(command)
        self.why_inside: Counter[str] = Counter()
        """Reasons why requested kernels had to be compiled inside."""
        self._pending: WeakValueDictionary[tuple[str, bool], Pending] = WeakValueDictionary()

    def ask(self, text: str, cached: bool) -> Pending | None:
        """Request a kernel without waiting; None if there is no helper.

        With `cached` the machine code also goes to disk, or comes from there if it has appeared.
        """
        pending = self._pending.get((text, cached))
        if pending is None or pending.forgotten:
            kind = Kind.COMPILE_AND_KEEP if cached else Kind.COMPILE
            question = self.helper.ask(kind, text.encode())
            if question is None:
                return None
            pending = Pending(text, cached, question, self.why_inside)
            self._pending[text, cached] = pending
        return pending


def command() -> Command:
    """Return the command that starts the helper.

    Raises:
        Unavailable: it cannot be started, or would not pay.
    """
    if cores() < 2:
        raise Unavailable("this process may use one core only")
    if native.adopts_orphans():
        raise Unavailable("orphaned processes become children of this one")
    greeting = stored.versions()
    if greeting is None:
        raise Unavailable("what decides about machine code is not known")
    options = ["-I", "-S"]
    if sys.dont_write_bytecode:
        options.append("-B")
    if sys.pycache_prefix:
        options += ["-X", f"pycache_prefix={sys.pycache_prefix}"]
    module = f"{__name__.rpartition('.')[0]}.helper"
    packages = [f"{name}={_file_of(name)}" for name in PACKAGES]
    argv = [_interpreter(), *options, str(PROGRAM), module, str(os.getpid()), *packages]
    variables = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    variables |= {**ENVIRONMENT, "FRAMEJIT_CACHE_DIR": setting()}
    environment = [f"{name}={value}" for name, value in variables.items()]
    return Command([*map(os.fsencode, argv)], [*map(os.fsencode, environment)], greeting)


def _interpreter() -> str:
    path = sys.executable or ""
    if getattr(sys, "frozen", False) or not PYTHON.fullmatch(os.path.basename(path)):
        raise Unavailable(f"sys.executable is no interpreter: {path!r}")
    if not os.path.isabs(path) or not os.access(path, os.X_OK):
        raise Unavailable(f"sys.executable cannot be executed: {path!r}")
    if not PROGRAM.is_file():
        raise Unavailable(f"{PROGRAM} is no file")
    return path


def _file_of(package: str) -> str:
    """Return the file that a package was imported from."""
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        spec = None
    if spec is None or spec.origin is None or not isinstance(spec.loader, SourceFileLoader):
        raise Unavailable(f"{package} is not imported from files")
    return spec.origin


COMPILES = Compiles(command)
"""The compiles of this process."""
