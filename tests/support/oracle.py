"""The only comparison: a function run eagerly and jitted, and everything a program can see of it.

    jitted = check(lambda x, y: x * y + 1, a, b)    # raises AssertionError when anything differs
    assert_counts(jitted, captures=1, hits=2)

Compared bit by bit after each call: the result (types, dtype, shape, strides, flags, values, which
parts are the same object, whose memory they share), the arguments, what the function's closure, its
globals and its defaults hold, stdout and stderr, warnings, the exception and its traceback, the
state of np.random, of `random` and of np.errstate, and whether an argument is kept alive.
"""

from __future__ import annotations

import contextlib
import functools
import io
import itertools
import random
import re
import sys
import traceback
import types
import warnings
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from compare import Facts, arrays_in, differences, portrait
from copies import deep_copy
from modes import HOSTILE

import framejit

Function = Callable[..., Any]
Jit = Callable[[Function, str], Function]
Setup = Callable[[], tuple[Any, ...]]

SHOWN = 12
"""Lines of differences in a message."""
WARMTH_MOVES_COLUMNS = sys.version_info < (3, 12)
"""CPython 3.11 blames the first of two loads in a row, if it has run the code eight times, and
the other one before: so plain Python shows both columns, too."""
CODE = (types.ModuleType, type, types.FunctionType, types.BuiltinFunctionType, np.ufunc)
"""Globals of these kinds are code, not state."""


LIBRARIES = str(Path(np.__file__).parents[1])
"""The folder of NumPy and of other packages."""
DATA = (np.ndarray, bool, int, float, complex, np.float64, np.int64, np.bool_)
"""Types of locals whose values are compared in tracebacks."""
ADDRESS = re.compile(r"(?<= at )0x[0-9a-f]+(?=>)")
"""In the `repr` of an object: two runs have two objects."""
BACKENDS = ["numba", "numpy"]
"""The backends compared with eager; a session may leave numba to other sessions (conftest.py)."""


def id_of(part: Any) -> str:
    """The text of a test's parameter, the same in each process: pytest-xdist compares ids."""
    return ADDRESS.sub("...", str(part))[:40]


def framejit_jit(function: Function, backend: str) -> Function:
    """The decorator under test."""
    jitted: Function = framejit.jit(function, backend=backend)
    return jitted


def check(  # noqa: PLR0913 (keywords of tests, each documented)
    function: Function | None = None,
    *args: Any,
    calls: int = 2,
    backends: Sequence[str] | None = None,
    nan: str = "any",
    filters: Sequence[str] = (),
    setup: Setup | None = None,
    use: Function | None = None,
    jit: Jit = framejit_jit,
    ignore: Sequence[tuple[str, str]] = (),
    **kwargs: Any,
) -> list[Any]:
    """Compares eager and jitted; returns the jitted function of each backend, for its stats.

    Eager and each backend get `calls` calls, the first of them cold, each on fresh copies of the
    arguments. It is done once with every warning shown and, where there are warnings, again under
    the filters "default" and "error".

    Args:
        function: the function to compare.
        *args: its arguments.
        **kwargs: its keyword arguments.
        calls: how often each of them is called.
        backends: names for `framejit.jit(function, backend=...)`; BACKENDS unless they are given.
        nan: "any": a NaN equals any NaN; "bits": sign and payload count.
        filters: actions for `warnings.simplefilter` in place of these.
        setup: in place of `function`; makes (function, args) or (function, args, kwargs) for each
            run, when the function changes what its closure or its globals hold. All calls of a run
            then get these very arguments.
        use: what to do with a result inside the watched call, such as `list` for a generator.
        jit: makes the function to compare; takes a function and the name of a backend.
        ignore: facts that may differ, for a reason that stands beside the call.

    Raises:
        AssertionError: they differ; the text has the difference, backend and call.
        ValueError: the function changes state that a copy of its arguments does not hold.
    """
    made = setup or _copying_setup(function, args, kwargs)
    run = _Run(made, setup is None, calls, nan, use)
    actions = list(filters) or ["always"]
    first: list[Any] = []
    with _random_state_kept():
        for action in actions:
            _, expected = run(None, action)
            if not filters and action == "always" and any(seen.warned for seen in expected):
                actions += ["default", "error"]
            for backend in BACKENDS if backends is None else backends:
                target, actual = run(functools.partial(jit, backend=backend), action)
                for seen, fact in itertools.product((*expected, *actual), ignore):
                    seen.facts.pop(fact, None)
                _compare(expected, actual, f"backend {backend!r}, warnings {action!r}")
                if action == actions[0]:
                    first.append(target)
    if setup is None:
        run.setup()  # complains when the last call changed the function's surroundings
    return first


class Decorator:
    """The decorator of a script: `jit` of one backend, or nothing at all."""

    def __init__(self, backend: str | None = None) -> None:
        self.backend = backend
        self.made: list[Any] = []
        """The functions in the order in which they were made; eager ones too, so that what their
        closures hold is kept alive on both sides."""

    def __call__(self, function: Function, **options: Any) -> Any:
        if self.backend is not None:
            function = framejit.jit(function, **{"backend": self.backend, **options})
        self.made.append(function)
        return function


def check_script(script: Function, *args: Any, calls: int = 1, **options: Any) -> list[list[Any]]:
    """Compares a program that decorates functions itself, and may then change what they rely on.

    The script takes the decorator and `args`; `options` are those of `check`. Returns for each
    backend the list of the jitted functions that its script made.
    """

    def jit(function: Function, backend: str) -> Function:
        return functools.partial(script, Decorator(backend))

    targets = check(functools.partial(script, Decorator()), *args, calls=calls, jit=jit, **options)
    return [target.args[0].made for target in targets]


def assert_counts(jitted: Sequence[Any], **expected: int) -> None:
    """Compares some of the stats of jitted functions."""
    for function in jitted:
        actual = function.stats()
        assert_normally({name: actual[name] for name in expected}, expected)


def assert_normally(actual: Any, expected: Any = True) -> None:
    """Compares results of the normal mode; hostile modes change such numbers at will.

    This is the only place where a test asks less of a hostile mode.
    """
    if not HOSTILE:
        assert actual == expected


def _copying_setup(
    function: Function | None, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Setup:
    """Makes copies of the arguments, as long as they are all that the function changes."""
    if function is None:
        raise TypeError("check: give a function or a setup")
    start = portrait("bits", **_surroundings(function))

    def setup() -> tuple[Any, ...]:
        changed = differences(start, portrait("bits", **_surroundings(function)))
        if changed:
            text = changed[0].replace("eager", "before").replace("jitted", "now")
            raise ValueError(f"the function changes its surroundings, use setup=: {text}")
        return function, *deep_copy((args, dict(kwargs)))

    return setup


@contextlib.contextmanager
def _random_state_kept() -> Iterator[None]:
    numpy_state, python_state = np.random.get_state(), random.getstate()
    try:
        yield
    finally:
        np.random.set_state(numpy_state)
        random.setstate(python_state)


@dataclass(slots=True)
class _Seen:
    """The observed facts of one call."""

    facts: Facts
    warned: bool
    error: str
    """The traceback of an exception, in full."""


@dataclass(frozen=True, slots=True)
class _Run:
    """Calls a function some times and watches."""

    setup: Setup
    fresh: bool
    """Each call has arguments of its own."""
    calls: int
    nan: str
    use: Function | None

    def __call__(
        self, jit: Callable[[Function], Function] | None, action: str
    ) -> tuple[Function, list[_Seen]]:
        made = self.setup()
        function = made[0]
        target = function if jit is None else jit(function)
        np.random.seed(12345)
        random.seed(12345)
        seen = []
        with np.errstate(), warnings.catch_warnings(record=True) as shown:
            warnings.simplefilter(action)  # type: ignore[arg-type]
            for _ in range(self.calls):
                made = self.setup() if self.fresh else made
                arguments = [weakref.ref(array) for array in arrays_in(made[1:])]
                one = self._call(target, function, shown, *made[1:])
                if self.fresh:
                    made = ()
                    alive = [ref() is not None for ref in arguments]
                    one.facts["arguments", "kept alive after the call"] = alive
                seen.append(one)
        return target, seen

    def _call(
        self,
        target: Function,
        function: Function,
        shown: list[warnings.WarningMessage],
        args: Sequence[Any],
        kwargs: Mapping[str, Any] = types.MappingProxyType({}),
    ) -> _Seen:
        text, before = io.StringIO(), len(shown)
        result = error = None
        with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
            try:
                result = target(*args, **kwargs)
                if self.use is not None:
                    result = self.use(result)
            except (Exception, SystemExit) as raised:
                error = raised
        facts = portrait(
            self.nan,
            args=tuple(args),
            kwargs=dict(kwargs),
            **_surroundings(function),
            result=result,
            exception=error,
            numpy_random=np.random.get_state(legacy=False),
            errstate=(np.geterr(), np.geterrcall()),
        )
        version, (*words, position), gauss = random.getstate()
        facts["random", "version, position, gauss"] = version, position, repr(gauss)
        facts["random", "words"] = words  # compared at once: there are hundreds
        facts["stdout and stderr", "text"] = ADDRESS.sub("0x...", text.getvalue())
        facts["exception", "frames"] = _frames(error)
        facts["exception", "locals"] = _frame_locals(error)
        facts["warnings", "shown"] = [
            (item.category.__name__, str(item.message), item.filename, item.lineno)
            for item in shown[before:]
        ]
        report = "".join(traceback.format_exception(error)) if error else ""
        error = None  # its traceback holds this frame, and with it the arguments
        return _Seen(facts, len(shown) > before, report)


def _frames(error: BaseException | None) -> list[tuple[object, ...]]:
    """Return the frames that an exception went through."""
    frames: list[tuple[object, ...]] = []
    place: tuple[object, ...]
    link = error.__traceback__ if error else None
    while link is not None:
        code = link.tb_frame.f_code
        if code is not _Run._call.__code__:
            place = list(code.co_positions())[link.tb_lasti // 2]
            if WARMTH_MOVES_COLUMNS and isinstance(error, UnboundLocalError):
                place = place[:2]
            frames.append((code.co_filename, code.co_qualname, link.tb_lineno, place))
        link = link.tb_next
    return frames


def _frame_locals(error: BaseException | None) -> list[dict[str, object]]:
    """The locals in the frames that an exception went through, as a debugger shows them.

    Of other objects than data only the names: scripts hold what they decorate with. In frames of
    libraries too: `np.pad` has an array there that nobody has written yet.
    """
    found = []
    link = error.__traceback__ if error else None
    while link is not None:
        if link.tb_frame.f_code is not _Run._call.__code__:
            shown = not link.tb_frame.f_code.co_filename.startswith(LIBRARIES)
            held = link.tb_frame.f_locals.items()
            found.append({name: _data(one) if shown else "" for name, one in sorted(held)})
        link = link.tb_next
    return found


def _data(held: Any) -> object:
    """An array or a number as text; a NaN is a NaN, as its sign is nobody's promise."""
    if type(held) not in DATA:
        return ""
    if type(held) is not np.ndarray or held.dtype.kind == "O":
        return repr(held)
    with np.errstate(all="ignore"):
        plain = np.where(np.isnan(held), np.nan, held) if held.dtype.kind in "fc" else held
    if held.dtype.char in "gG":  # between these are bytes that nobody writes
        return held.dtype.str, held.shape, repr(plain.tolist())
    return held.dtype.str, held.shape, np.ascontiguousarray(plain).tobytes()


def _surroundings(function: Function) -> dict[str, Any]:
    """Return all that a function can change besides its arguments: closure, globals, defaults."""
    plain = getattr(function, "__func__", function)
    if not isinstance(plain, types.FunctionType):
        return {}
    closure: dict[str, Any] = {}
    for name, cell in zip(plain.__code__.co_freevars, plain.__closure__ or (), strict=True):
        with contextlib.suppress(ValueError):  # an empty cell
            closure[name] = cell.cell_contents
    known = plain.__globals__
    names = [name for name in _names_in(plain.__code__) if name in known]
    data = {name: known[name] for name in names if not _is_code(known[name])}
    defaults = (plain.__defaults__, plain.__kwdefaults__)
    return {"closure": closure, "globals": data, "defaults": defaults}


def _is_code(object_: Any) -> bool:
    return isinstance(object_, CODE) or hasattr(object_, "__wrapped__")


def _names_in(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names_in(constant)


def _compare(expected: list[_Seen], actual: list[_Seen], where: str) -> None:
    for number, (eager, jitted) in enumerate(zip(expected, actual, strict=True), 1):
        lines = differences(eager.facts, jitted.facts)
        if not lines:
            continue
        if bool(eager.error) != bool(jitted.error):
            raised = f"jitted raised:\n{jitted.error}" if jitted.error else "jitted did not raise"
            lines = [f"exception: eager {eager.error or 'did not raise'}, {raised}"]
        more = [f"and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
        text = "\n  ".join([f"{where}, call {number}:", *lines[:SHOWN], *more])
        raise AssertionError(text)
