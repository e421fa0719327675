"""Platforms on which framejit does not compile, simulated in processes of this one.

A process reads this file as `sitecustomize`, before the program; `TESTS_ELSEWHERE` names
the platform. It then lacks what Python lacks there: modules and functions of `os`, framejit's own C
modules, and Numba, which is not installed there.
"""

from __future__ import annotations

import os
import sys
from importlib.abc import MetaPathFinder
from typing import Any

VARIABLE = "TESTS_ELSEWHERE"
NOT_ON_WINDOWS = (
    *("O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "O_PATH", "listxattr", "confstr"),
    *("fork", "getuid", "geteuid", "getgid", "nice", "pread", "posix_spawn"),
    *("register_at_fork", "sched_getaffinity", "sysconf", "uname", "waitid", "mkfifo"),
)
NOT_ON_MACOS = ("sched_getaffinity", "pidfd_open", "memfd_create", "eventfd")
POSIX = ("fcntl", "grp", "pwd", "resource", "termios", "posix_spawn")
"""Modules that Windows lacks."""
OURS = ("framejit.jit.native._core", "framejit.frontends.commands._outermost")
COMPILERS = ("llvmlite", "numba")


class Absent(MetaPathFinder):
    """Finds none of these modules, wherever they are."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        """Raise the error of a missing module."""
        if name in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def simulate(platform: str) -> None:
    """Make this process look like one on another platform: "macos", "windows", "aarch64", ..."""
    import platform as asked
    import subprocess  # noqa: F401 - these choose by platform when they are imported
    import tempfile  # noqa: F401

    import numpy  # noqa: F401

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
    sys.meta_path.insert(0, Absent(*absent))


def _set_machine(asked: Any, system: str, machine: str) -> None:
    """Let `os.uname` and `platform` name another system and processor."""
    told = os.uname()
    named = (system, *told[1:4], machine)
    os.uname = lambda: os.uname_result(named)  # type: ignore[assignment]
    asked.machine = lambda: machine
    asked.platform = lambda *_: f"{system}-{machine}"


if __name__ == "sitecustomize" and os.environ.get(VARIABLE):
    simulate(os.environ[VARIABLE])
