"""`python -m framejit doctor`: reports what is installed, what works and which options are set."""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from ...backends.registry import EAGER, backend_names, load_backend
from ...jit import native
from ...jit.config import OPTIONS, SETTINGS
from ...jit.threads import threads_of
from ..support import CHECKED, why_no_numba, why_unsupported
from .further import further_lines
from .words import counted

PACKAGES = ("framejit", "numpy", "numba", "llvmlite", "bytecode", "scipy")
WIDTH = 12
FILE_OF_NUMBA = ".numba_config.yaml"
"""Numba reads this file in the working directory."""
FOR_NUMBA = "for Numba code of your own; kernels are compiled with Numba's defaults"
MEANINGS = {
    "NUMBA_CACHE_DIR": "for Numba code of your own; FRAMEJIT_CACHE_DIR is the one for kernels",
    "NUMBA_NUM_THREADS": "for Numba code of your own; FRAMEJIT_THREADS is the one for kernels",
    "NUMBA_TRACE": "Numba writes about kernels, too",
    "NUMBA_CHROME_TRACE": "Numba writes about kernels, too",
}
"""Environment variables that do not mean for kernels what they mean for Numba."""


def main(argv: Sequence[str] | None = None) -> int:
    """Print the report; return 0 if functions are compiled here, 1 if everything runs eagerly."""
    parser = argparse.ArgumentParser(prog="python -m framejit doctor", description=__doc__)
    parser.parse_args(argv)
    reason = _why_eager()
    trial = "" if reason else _trial()
    for title, text in _lines(reason, trial):
        print(f"{title:<{WIDTH}}{text}")
    return 0 if reason is None and _works(trial) else 1


def _lines(reason: str | None, trial: str) -> Iterator[tuple[str, str]]:
    version = sys.version.split()[0]
    yield "python", f"{platform.python_implementation()} {version}, {platform.platform()}"
    yield "executable", sys.executable
    for name in PACKAGES:
        yield name, _version(name)
    yield "installed", str(Path(__file__).resolve().parents[2])
    yield from _support(reason, trial)
    for name in backend_names():
        yield "backend", f"{name}: {_backend(name)}"
    if why_unsupported() is None and not _why_not_loaded("numba"):
        from ...backends.numba.self_checks import summary

        yield "self-checks", summary()
    yield from _options()
    if why_unsupported() is None:
        yield "threads", f"{threads_of(CHECKED)}, which share large loops of a kernel"
        yield from _cache()
        yield from further_lines()
    yield from _settings_of_numba()


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        if name == "framejit":
            return "not installed: it runs from a checkout"
        return "not installed"


def _support(reason: str | None, trial: str) -> Iterator[tuple[str, str]]:
    core = why_unsupported()
    yield "C core", "works" if core is None else f"not used: {core}"
    if trial:
        yield "trial", trial
    if reason:
        yield "verdict", f"everything runs eagerly: {reason}"
    elif _works(trial):
        yield "verdict", "functions are compiled"
    else:
        yield "verdict", "everything runs eagerly: kernels do not work here, see trial"


def _trial() -> str:
    """Compile and run a function; return the time it took, or what went wrong."""
    import numpy as np

    from ..api import jit
    from ..context import config

    jitted: Any = jit(_program, compile="now")
    x = np.linspace(-1.0, 1.0, 1000)
    began = time.perf_counter()
    try:
        with config(cache=False, compile="now"):
            answers = [jitted(x) for _ in range(2)]
    except Exception as error:  # raised in strict mode
        return f"{FAILED} {type(error).__name__}: {error}"
    took = time.perf_counter() - began
    if failures := jitted._manager.failures:
        return f"{FAILED} {failures[0].text.splitlines()[-1]}"
    if not jitted.stats()["launches"]:
        return f"{FAILED} no kernel ran"
    if any(answer.tobytes() != _program(x).tobytes() for answer in answers):
        return f"{FAILED} the answer differs from NumPy's"
    return f"{WORKED} compiled in {took:.1f} s, with NumPy's bits"


WORKED, FAILED = "a kernel was", "a kernel failed:"


def _works(trial: str) -> bool:
    return trial.startswith(WORKED)


def _program(x: Any) -> Any:
    total = 0.0
    for k in range(len(x)):
        total += x[k] * x[k]
    return x * 2 + total


def _why_eager() -> str | None:
    if reason := why_unsupported():
        return reason
    if SETTINGS["disable"]:
        return f"{OPTIONS['disable'].variable} is set"
    backend = CHECKED.values["backend"]
    if backend == EAGER:
        return f"backend = {EAGER}"
    return f"backend {backend} does not load" if _why_not_loaded(backend) else None


def _backend(name: str) -> str:
    if name == EAGER:
        return "runs everything as plain Python"
    reason = _why_not_loaded(name)
    return f"does not load: {reason}" if reason else "loads"


def _why_not_loaded(name: str) -> str | None:
    if why := native.why_unsupported() or (why_no_numba() if name == "numba" else None):
        return why
    try:
        load_backend(name)
    except Exception as error:  # plug-ins and broken installations raise anything
        return f"{type(error).__name__}: {error}"
    return None


def _options() -> Iterator[tuple[str, str]]:
    for option in OPTIONS.values():
        if option.scope == "function":
            continue
        value = CHECKED.values[option.name] if option.scope == "call" else SETTINGS[option.name]
        text = os.environ.get(option.variable, "").strip()
        given = f"from {option.variable}" if text else "default"
        if text and value == option.default and option.parse(text) != value:
            given = f"{option.variable}={text!r} is ignored"
        shown = ", ".join(value) or "none" if isinstance(value, tuple) else value
        yield "option", f"{option.name} = {shown} ({given})"


def _cache() -> Iterator[tuple[str, str]]:
    """Yield the folder of machine code, or the reason why each process compiles anew."""
    from ...backends.numba.machine_code import stored  # needs the C core

    folder = stored.folder()
    if folder is None or not CHECKED.cache:
        switch = "FRAMEJIT_CACHE_DIR" if folder is None else "FRAMEJIT_CACHE"
        yield "cache", f"none: {switch} switches it off"
    elif why := folder.why_unusable() or folder.why_unwritable():
        yield "cache", f"not used: {folder.path}: {why}"
    else:
        yield "cache", f"{folder.path}, {counted(len(folder.files()))}"


def _settings_of_numba() -> Iterator[tuple[str, str]]:
    """Yield Numba's own settings with their effect on kernels."""
    for name, value in sorted(os.environ.items()):
        if name.startswith(("NUMBA_", "LLVMLITE_")):
            yield "set", f"{name}={value}: {MEANINGS.get(name, FOR_NUMBA)}"
    if os.path.isfile(FILE_OF_NUMBA):
        yield "set", f"by the file {os.path.abspath(FILE_OF_NUMBA)}: {FOR_NUMBA}"
