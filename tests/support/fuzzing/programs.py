"""Whole programs as text: a module with a function `program`, and what comes before each call."""

from __future__ import annotations

import contextlib
import io
import sys
import types
import warnings
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from types import CodeType, FrameType
from typing import Any

import numpy as np
from compare import arrays_in

from fuzzing.scripts import Script

MOST_LINES = 3_000
"""That all calls of a program may run."""
MOST_ITEMS = 100_000
"""Limit of items of an array or a container that a local of a program holds."""


@dataclass(frozen=True, slots=True)
class Program:
    """A module, and statements before each call of its function `program`."""

    source: str
    """The source of the module."""
    parameters: str
    """The parameters of the function, as they stand in a call."""
    steps: tuple[str, ...]
    """For each call the statements that make its arguments, and may change the module, `M`."""
    errstate: str = "ignore"
    """The argument of np.errstate(all=...) around the calls."""
    keeps: bool = False
    """Objects that a step replaces in the module and its classes stay alive, as by a patch that is
    undone later: what dies is noticed in another way."""
    at_module_level: bool = False
    """The statements of the function stand at module level, see scripts.py."""
    filtered: bool = False
    """True if warnings are also looked at under the filters "default" and "error"."""

    def script(self, backend: str = "numba") -> str:
        """Return a script that prints the results of each call, eager and jitted."""
        steps = []
        for k, step in enumerate(self.steps):
            body = "".join(f"    {line}\n" for line in (*step.split("\n"), f"return {self._given}"))
            steps.append(f"def step{k}(M):\n{body}\n")
        every = ", ".join(f"step{k}" for k in range(len(self.steps)))
        return (
            f"SOURCE = '''\n{self.source}'''\n\n"
            "import types\n\nimport numpy as np\nfrom numpy import inf, nan\n\n"
            "from framejit import jit\n\n"
            + "\n".join(steps)
            + f"for decorate in (lambda f: f, jit(backend={backend!r})):\n"
            "    M = types.ModuleType('program')\n"
            "    exec(compile(SOURCE, '<program>', 'exec'), vars(M))\n"
            + ("    # what steps replace is kept alive\n" if self.keeps else "")
            + ("    # the statements stand at module level\n" if self.at_module_level else "")
            + "    M.program = decorate(M.program)\n"
            f"    with np.errstate(all={self.errstate!r}):\n"
            f"        for step in ({every},):\n"
            "            given = step(M)\n"
            "            try:\n"
            "                print(M.program(*given), given)\n"
            "            except Exception as error:\n"
            "                print(repr(error), given)\n"
        )

    @property
    def _given(self) -> str:
        return f"({self.parameters},)" if self.parameters else "()"


class TooLarge(BaseException):
    """The program runs for too long or makes too large objects."""


class Running:
    """A program's module, made anew, and the calls of its function that have not been made yet."""

    def __init__(self, program: Program, in_eager: list[list[bool]] | None = None) -> None:
        """`in_eager`: which arrays live on after each call in eager; the first to run fills it."""
        self._program = program
        self._in_eager = [] if in_eager is None else in_eager
        self._taken = 0
        self._left = iter(program.steps)
        self.module = types.ModuleType("program")
        exec(compiled(program.source), vars(self.module))
        if program.at_module_level:
            self.module.program = Script(program.source, vars(self.module))
        self._kept: list[Any] = []
        self._seen: list[weakref.ref[Any]] = []
        """The arrays that the last call was given."""
        self.shown: dict[str, Any] = {}
        """The surroundings of the last call: its arguments, and the module's data."""

    def _still_alive(self) -> list[bool]:
        """Tell for each array of the last call if it lives on; in eager cyclic ones do, too."""
        alive = [one() is not None for one in self._seen]
        if len(self._in_eager) == self._taken:
            self._in_eager.append(alive)
        in_eager = self._in_eager[self._taken]
        self._taken += 1
        return [any(pair) for pair in zip_longest(alive, in_eager)]

    def step(self) -> Any:
        """Makes the arguments of the next call, and calls."""
        self.shown.clear()
        script = self.module.program
        if isinstance(script, Script):
            script.forget()
        self.shown["kept alive after the call before"] = self._still_alive()
        names = {"np": np, "inf": np.inf, "nan": np.nan, "M": self.module}
        known = {**vars(self.module), **names}
        if self._program.keeps:
            self._kept += _replaceable(self.module)
        exec(compiled(next(self._left), "<step>"), known)
        given = eval(self._program._given, known)
        self.shown["args"] = given
        self._seen = [weakref.ref(one) for one in arrays_in(given)]
        del known  # the arguments are the call's alone
        try:
            return self.module.program(*given)
        finally:
            self.shown["module"] = dict(_data(self.module))
            if isinstance(script, Script):
                self.shown["names"] = script.made()


@lru_cache(64)
def compiled(text: str, name: str = "<program>") -> CodeType:
    """The code of a module or of a step."""
    return compile(text, name, "exec", dont_inherit=True)  # not our own future statements


def _data(module: types.ModuleType) -> Any:
    """Names in a module with what a program can change of them."""
    for name, value in vars(module).items():
        if name.startswith("__") or name == "program" or isinstance(value, types.ModuleType):
            continue
        value = getattr(value, "__wrapped__", value)
        if isinstance(value, types.FunctionType):
            if value.__globals__ is vars(module):
                cells = [_content(cell) for cell in value.__closure__ or ()]
                own = {k: v for k, v in vars(value).items() if k != "__wrapped__"}
                yield name, (value.__defaults__, value.__kwdefaults__, cells, own)
        elif isinstance(value, type):
            if value.__module__ == "program":
                plain = (bool, int, float, str, list, np.ndarray, np.generic)
                yield name, {k: v for k, v in vars(value).items() if isinstance(v, plain)}
        else:
            yield name, value


def _replaceable(module: types.ModuleType) -> list[Any]:
    """Return the objects in a module, its classes and functions, that a statement may replace."""
    found = list(vars(module).values())
    for one in list(found):
        if isinstance(one, type):
            found += [*vars(one).values(), one.__mro__]
        elif isinstance(one, types.FunctionType):
            cells = [_content(cell) for cell in one.__closure__ or ()]
            found += [one.__code__, one.__defaults__, one.__kwdefaults__, *cells]
        elif isinstance(one, types.SimpleNamespace):
            found += vars(one).values()
    return found


def _content(cell: types.CellType) -> Any:
    try:
        found = cell.cell_contents
    except ValueError:
        return "empty"
    return "code" if isinstance(found, types.FunctionType | type) else found


def endings(program: Program) -> tuple[str, ...]:
    """Return the ending of each call of the plain function: "return", or the name of an exception.

    Raises:
        TooLarge: it runs for too long or makes too large objects.
        Exception: it is no program: the module or a step fails.
    """
    running = Running(program)
    found = []
    with (
        np.errstate(all=program.errstate),  # type: ignore[call-overload]
        warnings.catch_warnings(),
        contextlib.redirect_stdout(io.StringIO()),
    ):
        warnings.simplefilter("ignore")
        for _ in program.steps:
            try:
                running.step()
            except Exception as error:
                if "module" not in running.shown:
                    raise
                found.append(type(error).__name__)
            else:
                found.append("return")
    return tuple(found)


def bounded(function: Callable[[], Any]) -> Any:
    """Calls it; TooLarge where a loop does not end or an object grows in each iteration."""
    left = MOST_LINES

    def watch(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal left
        if frame.f_code.co_filename != "<program>":
            return None
        left -= 1
        if left < 0 or any(map(_large, frame.f_locals.values())):
            raise TooLarge
        return watch

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        return function()
    finally:
        sys.settrace(before)


def _large(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.size > MOST_ITEMS
    if isinstance(value, int):
        return value.bit_length() > 500
    return isinstance(value, list | dict | set | bytearray) and len(value) > 500
