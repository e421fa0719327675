"""Measures a command: wall time until it ends, and the CPU time of all processes that it leaves."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile

LINGER = 60.0
"""Seconds that processes may go on after the command has ended; then they are killed."""
PR_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True, slots=True)
class Cost:
    """The measurements of one run of a command."""

    wall: float
    """Seconds until the command itself had ended."""
    cpu: float
    """Seconds of its process and of all processes below it, also those that outlived it."""
    outlived: int
    """Processes that did."""
    killed: int
    """Number of these that ran for longer than LINGER and were killed."""
    output: bytes
    """The standard output."""


def adopt_orphans() -> None:
    """Makes this process the parent of descendants whose own parent ends.

    Then `os.wait4` tells their CPU time, to the microsecond, even if they are daemons in
    sessions of their own. Looking for them in /proc would miss those that have ended meanwhile.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER) failed")


def cost(command: Sequence[str], environment: Mapping[str, str], folder: Path) -> Cost:
    """Runs a command in a folder; the caller has no other children, and has adopted orphans.

    Raises:
        RuntimeError: the command has failed; the message is its output.
    """
    with TemporaryFile() as out, TemporaryFile() as errors:
        start = time.perf_counter()
        process = subprocess.Popen(command, env=environment, cwd=folder, stdout=out, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        cpu = usage.ru_utime + usage.ru_stime
        outlived, killed, more = _reap_orphans()
        if process.returncode != 0:
            errors.seek(0)
            said = errors.read().decode(errors="replace")
            raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}:\n{said}")
        out.seek(0)
        return Cost(wall, cpu + more, outlived, killed, out.read())


def _reap_orphans() -> tuple[int, int, float]:
    """Waits for all processes left: how many there were, how many were killed, their CPU time."""
    outlived, killed, cpu = 0, 0, 0.0
    end = time.monotonic() + LINGER
    while True:
        try:
            pid, _, usage = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return outlived, killed, cpu
        if pid:
            outlived += 1
            cpu += usage.ru_utime + usage.ru_stime
        elif time.monotonic() > end:
            for child in _children():
                os.kill(child, signal.SIGKILL)
                killed += 1
            time.sleep(0.05)
        else:
            time.sleep(0.002)


def _children() -> list[int]:
    """Processes whose parent is this one."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text("utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:  # has ended meanwhile
            continue
        if int(fields[1]) == os.getpid() and fields[0] != "Z":
            found.append(int(stat.parent.name))
    return found
