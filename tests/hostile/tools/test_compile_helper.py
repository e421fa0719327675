"""The compile helper is a process that programs do not see, and that ends with them."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.counts("who answered: kernels or plain Python")

SECONDS = 120
PROGRAM = """
import ctypes, os, resource, signal, socket, struct, subprocess, sys, time
import numpy as np
from framejit import jit, wait_for_compiles
from framejit.backends.numba.machine_code.outside import COMPILES
from framejit.frontends import function
function.Manager._may_capture_now = lambda self: True  # from the first call on

helper = COMPILES.helper
X = np.linspace(0, 1, 5)

def make(k):
    return jit(eval(f"lambda x: np.tanh(x * {k}) + {k}"), compile="auto")

def compiles(f):
    "True if a kernel answers after the wait, as plain Python does before."
    expected = f.__wrapped__(X).tobytes()
    assert f(X).tobytes() == expected
    assert wait_for_compiles(100)
    hits = f.stats()["hits"]
    return f(X).tobytes() == expected and f.stats()["hits"] > hits

def inside():
    return sum(COMPILES.why_inside.values())

def stopped():
    "Starts a compile that is never finished: the helper is stopped. Returns the helper's pid."
    assert compiles(make(2))
    os.kill(helper.pid, signal.SIGSTOP)
    make(3)(X)
    time.sleep(0.05)
    return helper.pid
"""


def start(
    program: str, folder: Path, group: bool = False, **variables: str
) -> subprocess.Popen[str]:
    """A program whose standard output and errors are read by the test."""
    return subprocess.Popen(
        [sys.executable, "-c", f"{PROGRAM}\n{program}"],
        env={**os.environ, "FRAMEJIT_CACHE_DIR": str(folder / "cache"), **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=group,
    )


def run(program: str, folder: Path, code: int = 0, **variables: str) -> str:
    """What a program prints; it must end in this way and complain of nothing."""
    process = start(program, folder, **variables)
    out, errors = process.communicate(timeout=SECONDS)
    assert (process.returncode, errors) == (code, "")
    return out.strip()


def until(condition: Callable[[], bool]) -> bool:
    """Waits for what another process does on its own."""
    end = time.monotonic() + SECONDS / 2
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def is_there(process: int) -> bool:
    """False for a zombie, which init has not looked at yet."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


# ---- the program sees nothing --------------------------------------------------------------------


def test_no_child_and_no_signal(tmp_path: Path) -> None:
    """Loops that wait for all children, and handlers of SIGCHLD, find what they find eagerly."""
    program = """
heard = []
signal.signal(signal.SIGCHLD, lambda *_: heard.append(1))

def no_child(wait, *args):
    try:
        wait(*args)
    except ChildProcessError:
        return True

f = make(2)
f(X)
found = []
while not wait_for_compiles(0.02):
    found.append(no_child(os.wait))
    found.append(no_child(os.waitpid, -1, os.WNOHANG))
    found.append(no_child(os.waitid, os.P_ALL, 0, os.WEXITED | os.WNOHANG))
assert compiles(f) and found and all(found) and heard == [] and inside() == 0
task = f"/proc/self/task/{os.getpid()}/children"
assert open(task).read() == ""
subprocess.run(["true"])
print(len(heard), os.getsid(helper.pid) == helper.pid, os.getsid(0) == helper.pid)
"""
    assert run(program, tmp_path) == "1 True False"


def test_descriptors(tmp_path: Path) -> None:
    """Numbers of a program's own are what they were, and those of others may be closed."""
    program = """
def numbers():
    pipe, file, connection = os.pipe(), open("/dev/null"), socket.socket()
    found = *pipe, file.fileno(), connection.fileno()
    os.closerange(*pipe[:1], pipe[1] + 1); file.close(); connection.close()
    return found

before = numbers()
f = make(2)
f(X)
time.sleep(0.05)
os.closerange(3, 512)
print(numbers() == before, compiles(f), inside(), sorted(os.listdir("/proc/self/fd"))[:3])
print([os.get_inheritable(int(fd)) for fd in os.listdir("/proc/self/fd") if int(fd) >= 512])
"""
    assert run(program, tmp_path).split("\n") == ["True True 0 ['0', '1', '2']", "[False]"]


def test_the_program_closes_our_descriptor(tmp_path: Path) -> None:
    """And opens files of its own with that number: nothing is written to them, nor closed."""
    program = f"""
assert compiles(make(2))
first = helper.pid
os.closerange(3, 2048)
file = os.open({str(tmp_path / "file")!r}, os.O_RDWR | os.O_CREAT)
for number in range(512, 520): os.dup2(file, number)
ok = compiles(make(3))
print(ok, os.fstat(file).st_size, [os.fstat(k).st_size for k in range(512, 520)] == [0] * 8)
assert compiles(make(4)) and helper.pid != first
os.close(file)
"""
    assert run(program, tmp_path) == "True 0 True"


def test_surroundings_of_the_helper(tmp_path: Path) -> None:
    """Nothing of the user's is imported there, and it holds nothing of the program's."""
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\nif 'start_helper' in ' '.join(sys.orig_argv): raise SystemExit(9)\n"
    )
    (tmp_path / "scipy.py").write_text("raise SystemExit(9)\n")
    (tmp_path / ".numba_config.yaml").write_text("opt: 0\n")
    program = f"""
signal.signal(signal.SIGTERM, signal.SIG_IGN)
file = open("/dev/null"); os.set_inheritable(file.fileno(), True)
os.chdir({str(tmp_path)!r})
assert compiles(make(2)) and inside() == 0, COMPILES.why_inside
process = f"/proc/{{helper.pid}}"
names = [one.split("=")[0] for one in open(f"{{process}}/environ").read().split("\\0") if one]
print(*sorted({{*names}} - {{"LD_LIBRARY_PATH"}}))
print(os.readlink(f"{{process}}/cwd"), [os.readlink(f"{{process}}/fd/{{k}}") for k in range(3)])
status = dict(line.split(":", 1) for line in open(f"{{process}}/status"))
print(status["SigBlk"].strip(), int(status["SigIgn"], 16) >> (signal.SIGTERM - 1) & 1)
print(os.getpriority(os.PRIO_PROCESS, helper.pid) > os.getpriority(os.PRIO_PROCESS, 0))
print([one for one in os.listdir(f"{{process}}/fd") if int(one) > 4
       and os.readlink(f"{{process}}/fd/{{one}}").startswith(("/dev/null", "pipe:"))])
"""
    lines = run(
        program, tmp_path, PYTHONPATH=str(tmp_path), NUMBA_DISABLE_JIT="1", NUMBA_OPT="0"
    ).split("\n")
    assert lines == [
        "FRAMEJIT_CACHE_DIR MKL_NUM_THREADS OMP_NUM_THREADS OPENBLAS_NUM_THREADS",
        "/ ['/dev/null', '/dev/null', '/dev/null']",
        "0000000000000000 0",
        "True",
        "[]",
    ]


# ---- ends ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "end", ["", "os._exit(0)", "os.kill(os.getpid(), signal.SIGKILL)", "sys.exit()"]
)
def test_the_program_ends(end: str, tmp_path: Path) -> None:
    """At once, whatever the helper does; and the helper ends after its job."""
    program = f"{PROGRAM}\nprint(stopped(), flush=True)\n{end}"
    process = start(program, tmp_path)
    out, errors = process.communicate(timeout=SECONDS)
    assert errors == ""
    helper = int(out)
    assert is_there(helper)
    os.kill(helper, signal.SIGCONT)
    assert until(lambda: not is_there(helper))
    assert until(lambda: len([*tmp_path.glob("cache/kernels/*")]) in (1, 2))


def test_another_program_is_executed(tmp_path: Path) -> None:
    """It has the same pid, and no helper."""
    program = """
assert compiles(make(2))
print(helper.pid, flush=True)
os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(100)"])
"""
    process = start(program, tmp_path)
    assert process.stdout is not None
    helper = int(process.stdout.readline())
    assert until(lambda: not is_there(helper))
    assert process.poll() is None
    process.kill()
    process.communicate()


def test_a_child_of_c_holds_the_socket(tmp_path: Path) -> None:
    """Which neither executes anything nor runs Python's handlers: the helper looks at the pid."""
    program = """
assert compiles(make(2))
child = ctypes.CDLL(None).fork()
if child == 0:
    time.sleep(100)
print(helper.pid, child, flush=True)
os._exit(0)
"""
    process = start(program, tmp_path)
    assert process.stdout is not None
    helper, child = map(int, process.stdout.readline().split())
    try:
        assert until(lambda: not is_there(helper))
        assert is_there(child)
    finally:
        os.kill(child, signal.SIGKILL)
    process.communicate()


def test_ctrl_c(tmp_path: Path) -> None:
    """SIGINT for the foreground group is the program's, and its compile goes on."""
    program = """
f = make(2)
assert compiles(f)
print(helper.pid, flush=True)
try:
    time.sleep(100)
except KeyboardInterrupt:
    print(os.path.exists(f"/proc/{helper.pid}"), compiles(make(3)), inside())
"""
    process = start(program, tmp_path, group=True)
    assert process.stdout is not None
    process.stdout.readline()
    os.killpg(process.pid, signal.SIGINT)
    out, errors = process.communicate(timeout=SECONDS)
    assert (out.strip(), errors) == ("True True 0", "")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_the_helper_dies(number: int, tmp_path: Path) -> None:
    """The kernel is compiled inside, and the next one by another helper; at last there is none."""
    program = f"""
pids = []
for k in range(3):
    pids.append(stopped())
    os.kill(helper.pid, {number}); os.kill(helper.pid, signal.SIGCONT)
    assert wait_for_compiles(100)
    assert inside() == k + 1, COMPILES.why_inside
    make = lambda k, make=make: make(k + 10)
print(len({{*pids}}), bool(helper.why_none), "numba" in sys.modules)
assert compiles(make(50))
"""
    assert run(program, tmp_path, FRAMEJIT_CACHE_DIR="off") == "3 True True"


@pytest.mark.parametrize(
    "change", ["ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)", "os.geteuid() or os.setgroups([12345])"]
)
def test_the_program_gives_up_rights(change: str, tmp_path: Path) -> None:
    """Then a helper that has them runs nothing for it; another one is started, which has not."""
    program = f"""
rights = lambda process: [line for line in open(f"/proc/{{process}}/status")
                          if line.startswith(("NoNewPrivs", "Groups"))]
assert compiles(make(2))
first = helper.pid
{change}
changed = rights("self") != rights(first)
assert compiles(make(3)) and compiles(make(4))
print(changed == (helper.pid != first), rights(helper.pid) == rights("self"))
"""
    assert run(program, tmp_path) == "True True"


# ---- forks ---------------------------------------------------------------------------------------


def test_forks_do_not_wait(tmp_path: Path) -> None:
    """A child has a helper of its own, and the parent's answer comes to the parent."""
    program = """
stopped()
first = time.monotonic()
child = os.fork()
if child == 0:
    mine = helper.pid
    ok = compiles(make(3)) and helper.pid != mine and inside() == 0
    os._exit(ok)
subprocess.Popen(["true"], preexec_fn=lambda: None).wait()
took = time.monotonic() - first
os.kill(helper.pid, signal.SIGCONT)
parent = compiles(make(3)), compiles(make(4)), inside()
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), *parent, took < 2)
"""
    assert run(program, tmp_path, FRAMEJIT_CACHE_DIR="off") == "1 True True 0 True"


# ---- there can be none ---------------------------------------------------------------------------

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


# ---- several programs ----------------------------------------------------------------------------


def test_programs_that_share_a_folder(tmp_path: Path) -> None:
    """Each kernel is compiled once, by the helper that is first; the others wait for it."""
    program = """
texts = [f"def kernel(w):\\n    return {k}\\n" for k in range(4)]
pending = [COMPILES.ask(text, True) for text in texts]
assert all(one.wait(100) for one in pending) and all(one.code() for one in pending)
print(*(one._question.answer.kind.name for one in pending))
"""
    processes = [start(program, tmp_path) for _ in range(4)]
    kinds = []
    for process in processes:
        out, errors = process.communicate(timeout=2 * SECONDS)
        assert (process.returncode, errors) == (0, "")
        kinds += out.split()
    assert sorted(kinds) == ["FOUND"] * 12 + ["MADE"] * 4
