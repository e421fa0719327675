"""Platforms on which framejit does not compile, simulated in processes of this one.

A process reads this file as `sitecustomize`, before the program; `TESTS_ELSEWHERE` names
the platform. It then lacks what Python lacks there: modules and functions of `os`, framejit's own C
modules, and Numba, which is not installed there.
"""

from __future__ import annotations

import os
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from typing import Any

VARIABLE = "TESTS_ELSEWHERE"
NOT_ON_WINDOWS = (
    *("O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "O_PATH", "listxattr", "confstr"),
    *("fork", "getuid", "geteuid", "getgid", "nice", "pread"),
    *("register_at_fork", "sched_getaffinity", "sysconf", "uname", "waitid", "mkfifo"),
)
NOT_ON_MACOS = ("sched_getaffinity", "pidfd_open", "memfd_create", "eventfd")
POSIX = ("fcntl", "grp", "pwd", "resource", "termios")
"""Modules that Windows lacks."""
OURS = ("framejit.jit.native._core", "framejit.frontends.commands._outermost")
COMPILERS = ("llvmlite", "numba")


class Finder(MetaPathFinder):
    """Finds modules in folders as Python does, except for some."""

    def __init__(self, *absent: str) -> None:
        self.absent = absent

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Return None for these modules, wherever they are."""
        return None if name in self.absent else PathFinder.find_spec(name, path, target)


def hide(*names: str) -> None:
    """Let this process find none of these modules."""
    sys.meta_path[sys.meta_path.index(PathFinder)] = Finder(*names)


def simulate(platform: str) -> None:
    """Make this process look like one on another platform.

    "macos", "windows", "aarch64", "free-threaded"; "new": an unknown Python; "numpy 2.9.0": this
    platform with another NumPy (`_exchange_numpy`).
    """
    import platform as asked
    import subprocess  # noqa: F401 - these choose by platform when they are imported
    import tempfile  # noqa: F401

    import numpy  # noqa: F401

    if platform.startswith("numpy "):
        _exchange_numpy(*platform.split()[1:])
        return
    absent = [*OURS, *COMPILERS]
    without: tuple[str, ...] = ()
    if platform == "macos":
        sys.platform, without = "darwin", NOT_ON_MACOS
        _set_machine(asked, "Darwin", "arm64")
    elif platform == "windows":
        sys.platform, without = "win32", NOT_ON_WINDOWS
        absent += POSIX
        _set_machine(asked, "Windows", "AMD64")
    elif platform == "aarch64":
        _set_machine(asked, "Linux", "aarch64")
    elif platform == "free-threaded":
        sys.abiflags = "t"
    elif platform == "new":
        sys.version_info = (3, 99, 0, "final", 0)  # type: ignore[assignment]
    else:
        raise ValueError(platform)
    for name in without:
        if hasattr(os, name):
            delattr(os, name)
    hide(*absent)


def _exchange_numpy(*words: str) -> None:
    """Let NumPy name another version, for Numba too unless the first word is its name.

    "none" stands for an installation without Numba.
    """
    import numpy

    if words == ("none",):
        hide(*COMPILERS)
        return
    if words[0] == "numba":
        import numba  # noqa: F401
    numpy.__version__ = words[-1]


def _set_machine(asked: Any, system: str, machine: str) -> None:
    """Let `os.uname` and `platform` name another system and processor."""
    told = os.uname()
    named = (system, *told[1:4], machine)
    os.uname = lambda: os.uname_result(named)  # type: ignore[assignment]
    asked.machine = lambda: machine
    asked.platform = lambda *_: f"{system}-{machine}"


if __name__ == "sitecustomize" and os.environ.get(VARIABLE):
    simulate(os.environ[VARIABLE])
