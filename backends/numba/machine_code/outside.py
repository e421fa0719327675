"""Kernels that are compiled outside of the process, by the compile helper.

`COMPILES.ask` sends a text and returns at once. The object code that comes back is loaded as it is
from disk, so that the program never imports Numba. Whatever goes wrong outside, the kernel can
still be compiled inside; `COMPILES.why_inside` counts the reasons.
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
"""All that the helper imports, but for the standard library."""
PYTHON = re.compile(r"python[\d.]*[td]*")
"""Names of interpreters. A program that embeds Python may have its own name in sys.executable:
executed, it would run again, and not Python."""
PASSED_ON = ("LD_LIBRARY_PATH",)
"""Variables of the environment that the interpreter may need to start."""
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""NumPy's libraries would start threads for all cores."""


class Pending:
    """One kernel that was asked for. In a forked child it is `forgotten`: ask again there."""

    __slots__ = ("__weakref__", "_cached", "_code", "_question", "_text", "_why_inside")

    def __init__(self, text: str, cached: bool, question: Question, why: Counter[str]) -> None:
        self._text, self._cached, self._question = text, cached, question
        self._why_inside = why
        self._code: Code | None = None

    def is_done(self) -> bool:
        """True if `code` can be called: a look at the socket, some microseconds."""
        return self._question.is_done()

    def wait(self, timeout: float | None = None, stop: bytearray | None = None) -> bool:
        """Waits without the GIL until it is done, `stop[0]` is not 0 or the time is over."""
        return self._question.wait(timeout, stop)

    @property
    def forgotten(self) -> bool:
        """True in a child that was forked after it was asked for."""
        return self._question.forgotten

    @property
    def cpu(self) -> float:
        """Seconds of the helper's processor time; those of its start are the first answer's."""
        return self._question.cpu

    def code(self) -> Code | None:
        """Loads the machine code; None if the kernel has to be compiled inside."""
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
        """Why there is no object code; empty if there is."""
        answer = self._question.answer
        if answer is None:
            return self._question.why_none
        if answer.kind is Kind.FAILED:
            return answer.body.decode(errors="replace").strip()
        return "the code needs the interpreter" if answer.kind is Kind.BOUND_TO_PROCESS else ""

    def _count(self, kind: Kind) -> None:
        """For this process; the helper has counted for all that share the folder."""
        if not self._cached:
            count(Outcome.OFF, self._text, None)
        elif kind is Kind.FOUND:
            count(Outcome.FOUND, self._text, None)
        elif kind is Kind.MADE_NOT_KEPT:
            count(Outcome.REFUSED, self._text, None)


class Compiles:
    """The kernels that are compiled outside, one compile for each text."""

    def __init__(self, command: Callable[[], Command]) -> None:
        self.helper = Helper(command)
        self.why_inside: Counter[str] = Counter()
        """For kernels that were asked for and had to be compiled inside, the reasons."""
        self._pending: WeakValueDictionary[tuple[str, bool], Pending] = WeakValueDictionary()

    def ask(self, text: str, cached: bool) -> Pending | None:
        """Has a kernel compiled, and does not wait; None if there is no helper.

        `cached`: the machine code is also put on disk, or taken from there if it is there by then.
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
    """How the helper is started.

    Raises:
        Unavailable: it cannot be, or would not be worth it.
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
    """The file that a package is imported from."""
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        spec = None
    if spec is None or spec.origin is None or not isinstance(spec.loader, SourceFileLoader):
        raise Unavailable(f"{package} is not imported from files")
    return spec.origin


COMPILES = Compiles(command)
"""Those of the process."""
