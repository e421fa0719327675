"""Surroundings in which there is no compile helper: a thread compiles, and answers are the same."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from helper_programs import SECONDS, run, start

pytestmark = pytest.mark.counts("who answered: kernels or plain Python")

CLONE, EXECVE = 56, 59
"""System calls of x86-64."""
REFUSED = """
load, equals, give, allow, refuse = 0x20, 0x15, 0x06, 0x7fff0000, 0x50000
lines = [(load, 0, 0, 0), (equals, 0, 1, {number})]
lines += [(give, 0, 0, refuse + {error}), (give, 0, 0, allow)]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in lines))
program = struct.pack("HxxxxxxP", len(lines), ctypes.addressof(code))
prctl = ctypes.CDLL(None).prctl
assert prctl(38, 1, 0, 0, 0) == 0 and prctl(22, 2, program, 0, 0) == 0
"""
DEAF = """
os.symlink("/bin/true", "python3"); sys.executable = os.path.abspath("python3")
"""
WITHOUT = {
    "processes": (
        REFUSED.format(number=CLONE, error=errno.EAGAIN),  # as RLIMIT_NPROC, which root has not
        "no process could be started: Resource temporarily unavailable",
    ),
    "exec": (
        REFUSED.format(number=EXECVE, error=errno.EPERM),
        "no process could be started: Operation not permitted",
    ),
    "interpreter": ("sys.executable = None", "sys.executable is no interpreter: ''"),
    "an interpreter that is there": (
        "sys.executable = '/nowhere/python3'",
        "sys.executable cannot be executed: '/nowhere/python3'",
    ),
    "being run by Python itself": (
        "sys.executable = '/bin/true'",
        "sys.executable is no interpreter: '/bin/true'",
    ),
    "an interpreter that works": (DEAF, "the compile helper is gone"),
    "descriptors": (
        "resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))",
        "no socket could be opened: Invalid argument",
    ),
    "cores": (
        "os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])",
        "this process may use one core only",
    ),
    "leaving orphans to init": (
        "ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)",
        "orphaned processes become children of this one",
    ),
}
"""(what the program does before it compiles, the reason that there is no helper)"""


@pytest.mark.parametrize("what", WITHOUT)
def test_without(what: str, tmp_path: Path) -> None:
    """Kernels are compiled in the process."""
    setup, reason = WITHOUT[what]
    program = f"""
os.chdir({str(tmp_path)!r})
{setup}
print(compiles(make(2)), compiles(make(3)), COMPILES.ask("", False), helper.pid)
try:
    os.wait()
except ChildProcessError:
    print(helper.why_none)
"""
    answers, why = run(program, tmp_path, FRAMEJIT_CACHE_DIR="off").split("\n")
    assert answers == "True True None 0"
    assert why.startswith(reason)


def test_the_log_says_why(tmp_path: Path) -> None:
    """Once, not for each kernel."""
    program = "sys.executable = ''\nassert compiles(make(2)) and compiles(make(3))"
    process = start(program, tmp_path, FRAMEJIT_LOG="kernels")
    _, errors = process.communicate(timeout=SECONDS)
    assert errors.count("no compile helper: sys.executable is no interpreter: ''") == 1
