"""Cases of public suites, as `engagement.py` runs them: how each is loaded and called."""

from __future__ import annotations

import copy
import inspect
import json
import random
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from whole_programs import load as whole_programs

Call = Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Case:
    """A program of a suite."""

    name: str
    files: frozenset[str]
    """The files whose functions count."""
    load: Callable[[], Call]
    """Executes the modules anew, and returns what calls the program once."""


def _executed(path: Path, name: str) -> types.ModuleType:
    module = types.ModuleType(name)
    module.__file__ = str(path)
    code = compile(path.read_text("utf-8"), str(path), "exec", dont_inherit=True)
    exec(code, module.__dict__)
    return module


# ---- Pythran: a line `#runas` of a file has the call --------------------------------------------


def pythran(folder: Path) -> Iterator[Case]:
    """Return the cases with a `runas` line; seeds are set before each call."""
    for path in sorted(folder.glob("*.py")):
        told = (line.lstrip("# ") for line in path.read_text("utf-8").splitlines())
        lines = [line.removeprefix("runas").strip() for line in told if line.startswith("runas")]
        for line in dict.fromkeys(lines):
            statements = [one.strip() for one in line.split(";") if one.strip()]
            if statements:
                load = _runas(path, statements)
                yield Case(f"{path.stem}: {statements[-1]}", frozenset({str(path)}), load)


def _runas(path: Path, statements: list[str]) -> Callable[[], Call]:
    def load() -> Call:
        names = dict(_executed(path, path.stem).__dict__)

        def call() -> None:
            np.random.seed(0)
            random.seed(0)
            exec("\n".join(statements), names)

        return call

    return load


# ---- NPBench: a JSON file names the functions and sizes of a kernel ------------------------------


def npbench(folder: Path) -> Iterator[Case]:
    """Return its NumPy kernels, at size S."""
    for path in sorted((folder / "bench_info").glob("*.json")):
        info = json.loads(path.read_text("utf-8"))["benchmark"]
        within = folder / "npbench" / "benchmarks" / info["relative_path"]
        kernel = within / f"{info['module_name']}_numpy.py"
        if kernel.exists():
            load = _kernel(info, kernel, within / f"{info['module_name']}.py")
            yield Case(info["short_name"], frozenset({str(kernel)}), load)


def _kernel(info: dict[str, Any], kernel: Path, initialising: Path) -> Callable[[], Call]:
    def load() -> Call:
        data = dict(info["parameters"]["S"])
        if init := info.get("init"):
            np.random.seed(0)
            function = getattr(_executed(initialising, "initialising"), init["func_name"])
            made = function(*[data[name] for name in init["input_args"]])
            names = init["output_args"]
            data.update(zip(names, made if len(names) > 1 else (made,), strict=False))
        function = getattr(_executed(kernel, info["short_name"]), info["func_name"])
        return lambda: function(*[copy.deepcopy(data[name]) for name in info["input_args"]])

    return load


# ---- DaCe: tests in files that import dace and call functions under `@dace.program` --------------


def dace(folder: Path) -> Iterator[Case]:
    """Return its tests of NumPy programs. `dace` is a stand-in: its decorators do nothing."""
    sys.modules.update(_stand_ins())
    for path in sorted(folder.glob("*.py")):
        try:
            module = _executed(path, path.stem)
        except BaseException:
            continue
        for name, test in module.__dict__.items():
            if name.startswith("test") and callable(test) and not hasattr(test, "pytestmark"):
                yield Case(f"{path.stem}: {name}", frozenset({str(path)}), _test(path, name))


def _test(path: Path, name: str) -> Callable[[], Call]:
    def load() -> Call:
        test = getattr(_executed(path, path.stem), name)

        def call() -> None:
            np.random.seed(0)
            test()

        return call

    return load


@dataclass(frozen=True)
class _Described:
    """The annotation `dace.float64[N, M]`."""

    dtype: np.dtype[Any]
    shape: tuple[Any, ...] = ()


class _Type:
    """`dace.float64` and its like."""

    def __init__(self, name: str) -> None:
        self.dtype = np.dtype(name)

    def __getitem__(self, shape: Any) -> _Described:
        return _Described(self.dtype, shape if isinstance(shape, tuple) else (shape,))

    def __call__(self, number: Any) -> Any:
        return self.dtype.type(number)


def _program(function: Any = None, **options: Any) -> Any:
    return function if function is not None else lambda function: function


KINDS = ("float", "int", "uint", "complex")
"""Names of dtypes without their numbers of bits."""


def _stand_ins() -> dict[str, types.ModuleType]:
    made = types.ModuleType("dace")
    for name in np.sctypeDict:
        if isinstance(name, str) and name.rstrip("0123456789") in KINDS:
            setattr(made, name, _Type(name))
    made.bool = made.bool_ = _Type("?")  # type: ignore[attr-defined]
    made.program = _program  # type: ignore[attr-defined]
    dtypes = types.ModuleType("dace.dtypes")
    device = type("DeviceType", (), {"CPU": 0, "GPU": 1})
    made.dtypes, made.DeviceType, dtypes.DeviceType = dtypes, device, device  # type: ignore[attr-defined]
    common = types.ModuleType("common")
    common.compare_numpy_output = _compared  # type: ignore[attr-defined]
    return {"dace": made, "dace.dtypes": dtypes, "common": common}


def _compared(
    device: int = 0,
    non_zero: bool = False,
    positive: bool = False,
    max_value: int = 10,
    **rest: Any,
) -> Callable[[Any], Call]:
    """Stand in for DaCe's decorator of functions that are called with random arrays."""

    def decorated(function: Any) -> Call:
        def test() -> Any:
            rng = np.random.default_rng(42)
            low = 0 if positive else -max_value
            given = (one.annotation for one in inspect.signature(function).parameters.values())
            return function(*[_random(rng, one, low, max_value, non_zero) for one in given])

        return test

    return decorated


def _random(rng: np.random.Generator, of: Any, low: int, high: int, non_zero: bool) -> Any:
    if isinstance(of, _Type):
        of = _Described(of.dtype)
    elif isinstance(of, type):
        of = _Described(np.dtype(of))
    if of.dtype.kind == "c":
        made = (high - low) * (rng.random(of.shape) + 1j * rng.random(of.shape))
    elif of.dtype.kind == "f":
        made = (high - low) * rng.random(of.shape) + low
    else:
        made = rng.integers(0 if of.dtype.kind in "ub" else low, high, size=of.shape)
    made = np.where(made == 0, 1, made) if non_zero else made
    made = np.asarray(made).astype(of.dtype)
    return made if of.shape else of.dtype.type(made)


# ---- the whole programs of this repository -------------------------------------------------------


def programs(folder: Path | None) -> Iterator[Case]:
    """Return the programs of `tests/bench/programs`, at their small sizes."""
    for name, program in whole_programs().items():
        yield Case(name, frozenset({str(program.path)}), _script(program.path, program.small))


def _script(path: Path, arguments: tuple[str, ...]) -> Callable[[], Call]:
    def call() -> None:
        before = sys.argv
        sys.argv = [str(path), *arguments]
        try:
            _executed(path, "__main__")
        finally:
            sys.argv = before

    return lambda: call


SUITES: dict[str, Callable[[Any], Iterator[Case]]] = {
    "dace": dace,
    "npbench": npbench,
    "pythran": pythran,
    "programs": programs,
}
