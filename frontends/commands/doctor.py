"""`python -m framejit doctor`: what is installed, what works here, which options are in force."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path

from ...backends.registry import backend_names, load_backend
from ...jit import native
from ...jit.config import OPTIONS, SETTINGS
from ..support import CHECKED, why_unsupported

PACKAGES = ("framejit", "numpy", "numba", "llvmlite", "bytecode", "scipy")
WIDTH = 12


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the report; 0 when functions are compiled here, 1 when everything runs eagerly."""
    parser = argparse.ArgumentParser(prog="python -m framejit doctor", description=__doc__)
    parser.parse_args(argv)
    for title, text in _lines():
        print(f"{title:<{WIDTH}}{text}")
    return 0 if _why_eager() is None else 1


def _lines() -> Iterator[tuple[str, str]]:
    version = sys.version.split()[0]
    yield "python", f"{platform.python_implementation()} {version}, {platform.platform()}"
    yield "executable", sys.executable
    for name in PACKAGES:
        yield name, _version(name)
    yield "installed", str(Path(__file__).resolve().parents[2])
    yield from _support()
    for name in backend_names():
        yield "backend", f"{name}: {_backend(name)}"
    yield from _options()


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        if name == "framejit":
            return "not installed: it runs from a checkout"
        return "not installed"


def _support() -> Iterator[tuple[str, str]]:
    core = native.why_unsupported()
    yield "C core", "works" if core is None else f"missing: {core}"
    reason = _why_eager()
    yield "verdict", f"everything runs eagerly: {reason}" if reason else "functions are compiled"


def _why_eager() -> str | None:
    if reason := why_unsupported():
        return reason
    if SETTINGS["disable"]:
        return f"{OPTIONS['disable'].variable} is set"
    backend = CHECKED.values["backend"]
    if backend == "eager":
        return "backend = eager"
    return f"backend {backend} does not load" if _why_not_loaded(backend) else None


def _backend(name: str) -> str:
    if name == "eager":
        return "runs everything as plain Python"
    reason = _why_not_loaded(name)
    return f"does not load: {reason}" if reason else "loads"


def _why_not_loaded(name: str) -> str | None:
    try:
        load_backend(name)
    except Exception as error:  # whatever a plug-in or a broken installation raises
        return f"{type(error).__name__}: {error}"
    return None


def _options() -> Iterator[tuple[str, str]]:
    for option in OPTIONS.values():
        if option.scope == "function":
            continue
        value = SETTINGS[option.name] if option.scope == "process" else CHECKED.values[option.name]
        text = os.environ.get(option.variable, "").strip()
        given = f"from {option.variable}" if text else "default"
        if text and value == option.default and option.parse(text) != value:
            given = f"{option.variable}={text!r} is ignored"
        shown = ", ".join(value) or "none" if isinstance(value, tuple) else value
        yield "option", f"{option.name} = {shown} ({given})"
