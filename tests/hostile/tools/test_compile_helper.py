"""The compile helper is a process that programs do not see, and that ends with them."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from helper_programs import SECONDS, is_there, run, start, until

pytestmark = pytest.mark.counts("who answered: kernels or plain Python")

# ---- the program sees nothing --------------------------------------------------------------------


def test_no_child_and_no_signal(tmp_path: Path) -> None:
    """Loops that wait for all children, and handlers of SIGCHLD, find the same as eagerly."""
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
    """Numbers of a program's own stay the same, and those of others may be closed."""
    program = """
def numbers():
    pipe, file, connection = os.pipe(), open("/dev/null"), socket.socket()
    found = *pipe, file.fileno(), connection.fileno()
    os.closerange(*pipe[:1], pipe[1] + 1); file.close(); connection.close()
    return found

os.closerange(3, 512)  # libffi may keep a file open
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
    """At once, whatever the helper does; and the helper ends, with what it was asked for."""
    process = start(f"print(stopped(), flush=True)\n{end}", tmp_path)
    out, errors = process.communicate(timeout=SECONDS)
    assert errors == ""
    helper = int(out)
    assert is_there(helper)
    os.kill(helper, signal.SIGCONT)
    assert until(lambda: not is_there(helper))
    assert len([*tmp_path.glob("cache/kernels/*")]) == 2


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
    """The child runs neither a program nor Python's handlers: the helper looks at the pid."""
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
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job starts with it ignored
f = make(2)
assert compiles(f)
try:
    print(helper.pid, flush=True)
    time.sleep(100)
except KeyboardInterrupt:
    print(os.path.exists(f"/proc/{helper.pid}"), compiles(make(3)), inside())
"""
    process = start(program, tmp_path, group=True)
    assert process.stdout is not None
    process.stdout.readline()
    os.killpg(process.pid, signal.SIGINT)
    out, errors = process.communicate(timeout=SECONDS)
    assert (out.strip(), errors, process.returncode) == ("True True 0", "", 0)


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
