"""`python -m framejit run` against `python`: what a program sees of itself, says, and ends with."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

PROLOGUE = "import numpy as np\ndef f(x): return x * 2 + 1\nfor _ in range(4): f(np.ones(3))\n"
"""Something to capture, before the rest of a program."""

PROGRAMS = {
    "argv": "import sys\nprint(sys.argv, sys.path, sys.flags.safe_path)",
    "names": """
import sys
me = sys.modules["__main__"]
for k in sorted(set(vars(me)) - {"me", "np", "f", "_"}):
    print(k, type(vars(me)[k]), str(vars(me)[k]).split(" at 0x")[0])
print(type(me), __name__, vars(me) is globals(), __builtins__.__name__)
""",
    "exit 3": "import sys\nsys.exit(3)",
    "exit none": "import sys\nsys.exit()",
    "exit true": "import sys\nsys.exit(True)",
    "exit text": "import sys\nsys.exit('told why')",
    "exit object": "raise SystemExit([1, 2])",
    "exit array": "import sys, numpy\nsys.exit(numpy.zeros(2))",
    "exit class": "raise SystemExit",
    "exit inside": "def g():\n  try:\n    raise KeyError\n  finally:\n    exit(4)\ng()",
    "uncaught": "def g(x):\n  return 1 / x\ndef h():\n  return g(0)\nh()",
    "chained": "try:\n  {}['a']\nexcept KeyError as e:\n  raise ValueError('b') from e",
    "context": "try:\n  {}['a']\nexcept KeyError:\n  int('x')",
    "group": "raise ExceptionGroup('g', [ValueError(1), KeyError(2)])",
    "notes": "e = ValueError('a')\ne.add_note('note')\nraise e",
    "jitted": "def g(x):\n  y = x * 2 + 1\n  raise ValueError(y.shape)\nimport numpy as np\n"
    "for k in range(4):\n  try:\n    g(np.ones(3))\n  except ValueError:\n    pass\ng(np.ones(3))",
    "syntax": "def g(:\n  pass",
    "nested syntax": "compile('a b', 'c', 'exec')",
    "no hook": "import sys\ndel sys.excepthook\n1 / 0",
    "own hook": "import sys\nsys.excepthook = lambda k, e, t: print(k, t.tb_lineno)\n1 / 0",
    "bad hook": "import sys\ndef hook(*a): raise KeyError('hook')\nsys.excepthook = hook\n1 / 0",
    "exit hook": "import sys\nsys.excepthook = lambda *a: sys.exit(9)\n1 / 0",
    "last": "import atexit, sys\natexit.register(lambda: print(sys.last_value))\n1 / 0",
    "os._exit": "import os, sys\nprint('a')\nsys.stdout.flush()\nos._exit(5)",
    "atexit": "import atexit\natexit.register(print, 1)\natexit.register(print, 2)\nprint(0)",
    "atexit after error": "import atexit\natexit.register(print, 'bye')\n1 / 0",
    "thread exit": "import sys, threading\nt = threading.Thread(target=lambda: sys.exit(3))\n"
    "t.start()\nt.join()\nprint('on')",
    "thread error": "import threading\ndef g(): 1 / 0\nt = threading.Thread(target=g)\nt.start()\n"
    "t.join()",
    "thread outlives": "import threading, time\ndef g():\n  time.sleep(.2)\n  print('last')\n"
    "threading.Thread(target=g).start()\nprint('first')",
    "interrupt": "import atexit\natexit.register(print, 'bye')\nraise KeyboardInterrupt",
    "signal": "import os, signal\nos.kill(os.getpid(), signal.SIGTERM)",
    "stdin": "print(input(), input())",
    "warning": "import warnings\nwarnings.warn('careful')\n"
    "def g(): warnings.warn('deep', stacklevel=2)\ng()",
    "pickle": """
import pickle
class C:
    def __init__(self): self.x = 3
def g(): return 4
print(pickle.dumps(C(), 0), pickle.loads(pickle.dumps(C())).x, pickle.loads(pickle.dumps(g))())
""",
    "processes": """
import multiprocessing as mp, sys
class C:
    def __init__(self, x): self.x = x
def g(c):
    import numpy as np
    return C(float((np.ones(3) * c.x + 1).sum()))
if __name__ == "__main__":
    for way in ("spawn", "fork"):
        with mp.get_context(way).Pool(1) as pool:
            print([c.x for c in pool.map(g, [C(1), C(2)])], sys.argv)
""",
    "module level": "import sys\nx = 1\ndel x\ntry:\n  x\nexcept NameError as e:\n  print(e)",
    "future": "from __future__ import annotations\ndef g(a: b): pass\nprint(g.__annotations__)",
    "annotations": "x: int = 3\nprint(__annotations__)",
    "encoding": "# coding: latin-1\nprint('\u00e9')",
    "finaliser": "class C:\n  def __del__(self): print('gone', __name__)\nc = C()\nprint('end')",
    "finaliser with arrays": """
class C:
    def __init__(self, kind): self.data = np.ones(3, kind)
    def __del__(self):
        y = self.data * 2 + 1
        print('gone', float(y.sum()), self.data.itemsize, __name__)
for _ in range(4): C("f8")
c = C("f4")
print('end')
""",
    "inspect": "import inspect\ndef g(x):\n  return x\nprint(inspect.getsource(g))",
    "exchanged builtin": """
import builtins, math
def g(x): return x * len([1, 2]) + 1
kept = builtins.len, builtins.isinstance
for _ in range(3):
    builtins.len, builtins.isinstance = lambda v: 7, None
    h = lambda x: x + 1
    for _ in range(4): print(g(np.ones(2)).tolist(), h(np.ones(2)).tolist())
    builtins.len, builtins.isinstance = kept
    print(g(np.ones(2)))
""",
    "audit hook": """
import sys
def audit(event, args):
    if event == "mine": print(event, args)
sys.addaudithook(audit)
def g(x):
    sys.audit("mine", 3)
    return x * 2 + 1
for _ in range(4): print(g(np.ones(2)))
""",
    "no frames around": """
import inspect, sys, traceback, warnings
def g(x):
    y = x * 2
    return [one.function for one in inspect.stack()], y
for _ in range(4): print(g(np.ones(2)))
print(sys._getframe().f_back, len(traceback.extract_stack()))
try:
    sys._getframe(1)
except ValueError as error:
    print(error)
warnings.warn("from nowhere", stacklevel=2)
warnings.warn("from nowhere at all", stacklevel=5)
""",
    "settrace": """
import sys
def g(x):
    y = x * 2

    return y
def h(x): return x * 2
def told(frame, event, arg):
    if frame.f_code.co_name in "gh": print(frame.f_code.co_name, event, frame.f_lineno)
    return told
for _ in range(4):
    sys.settrace(told)
    g(np.ones(2)), h(np.ones(2))
    sys.settrace(None)
    g(np.ones(2)), h(np.ones(2))
""",
    "depths": """
import sys, functools
def deepest(f):
    n = 0
    def g():
        nonlocal n
        n += 1
        f(g)
    try: g()
    except RecursionError as error: print(n, error)
for limit in (1000, 400):
    sys.setrecursionlimit(limit)
    deepest(lambda g: g())
    deepest(lambda g: max([1], key=lambda _: g()))
    deepest(functools.partial(lambda g: g()))
""",
    "stdout closed": "import os\nprint('a', flush=True)\nos.close(1)",
}


def python(
    *arguments: str, cwd: Path, given: bytes = b"1\n2\n", backend: str = "numpy"
) -> subprocess.CompletedProcess[str]:
    """A process that Python starts; locale and debugging options are the same for all."""
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONIOENCODING": "utf-8"}
    environment["FRAMEJIT_BACKEND"] = backend
    done = subprocess.run(
        [sys.executable, *arguments],
        input=given,
        capture_output=True,
        cwd=cwd,
        env=environment,
        timeout=120,
        check=False,
    )
    texts = [text.decode("utf-8", "replace") for text in (done.stdout, done.stderr)]
    return subprocess.CompletedProcess(done.args, done.returncode, *texts)


def same(
    *arguments: str, cwd: Path, given: bytes = b"1\n2\n", options: tuple[str, ...] = ()
) -> str:
    """Compares plain Python with a run; returns what both printed."""
    eager = python(*options, *arguments, cwd=cwd, given=given)
    ours = python(*options, "-m", "framejit", "run", *arguments, cwd=cwd, given=given)

    assert (ours.stdout, ours.stderr) == (eager.stdout, eager.stderr)
    assert ours.returncode == eager.returncode
    return eager.stdout + eager.stderr


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_script_runs_as_ever(name: str, tmp_path: Path) -> None:
    """Output, errors and exit code of a script are those of plain Python."""
    source = PROGRAMS[name]
    plain = name in ("future", "encoding", "syntax", "stdin")
    text = source if plain else PROLOGUE + source
    path = tmp_path / "program.py"
    path.write_text(text, encoding="latin-1" if name == "encoding" else "utf-8")

    said = same("program.py", "-x", "--report", "y z", cwd=tmp_path)
    assert said or "exit" in name or name == "signal"


def test_an_exit_code_that_is_no_c_long(tmp_path: Path) -> None:
    """CPython goes down with an OverflowError set; whether it is printed hangs on who is asked."""
    path = tmp_path / "program.py"
    path.write_text("import sys\nimport numpy\nsys.exit(2**70)", encoding="utf-8")
    eager = python("program.py", cwd=tmp_path, given=b"")
    ours = python("-m", "framejit", "run", "program.py", cwd=tmp_path, given=b"")

    assert ours.stdout == eager.stdout == ""
    assert ours.returncode == eager.returncode == 255


WAYS = ["absolute", "dots", "link", "folder", "folder with dots", "archive", "module", "package"]


@pytest.mark.parametrize("way", WAYS)
def test_ways_to_name_a_program(way: str, tmp_path: Path) -> None:
    """By path, link, folder, zip file or module name: each sees itself as under plain Python."""
    text = PROGRAMS["names"] + PROGRAMS["argv"] + "\nprint(__spec__ and __spec__.name)\n1 / 0"
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "__init__.py").write_text("print('package')")
    (inner / "__main__.py").write_text(text)
    (tmp_path / "program.py").write_text(text)
    (inner / "link.py").symlink_to(tmp_path / "program.py")
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.write(tmp_path / "program.py", "__main__.py")
    arguments = {
        "absolute": [str(tmp_path / "program.py")],
        "dots": ["./inner/../program.py"],
        "link": ["inner/link.py"],
        "folder": ["inner"],
        "folder with dots": ["./inner/../inner/"],
        "archive": ["all.zip"],
        "module": ["-m", "program"],
        "package": ["-m", "inner"],
    }[way]

    assert "ZeroDivisionError" in same(*arguments, "a", cwd=tmp_path)


def test_code_and_stdin(tmp_path: Path) -> None:
    """`-c` and `-` are programs too."""
    text = PROGRAMS["names"] + PROGRAMS["argv"]

    assert same("-c", text, "a", cwd=tmp_path)
    assert same("-", "a", cwd=tmp_path, given=text.encode())
    assert same("-c", "def g(): 1 / 0\ng()", cwd=tmp_path)


@pytest.mark.parametrize("arguments", [["nothing.py"], ["-m", "nothing"], ["-m", "os.nothing"]])
def test_what_is_not_there(arguments: list[str], tmp_path: Path) -> None:
    """The message and the exit code are Python's."""
    assert same(*arguments, cwd=tmp_path)


def test_options_of_python_hold(tmp_path: Path) -> None:
    """-P, -O, -W: those of the process that runs."""
    (tmp_path / "program.py").write_text(PROGRAMS["argv"] + "\nassert 0\nprint(__debug__)")

    assert same("program.py", cwd=tmp_path, options=("-O",))


def test_ctrl_c_ends_by_the_signal(tmp_path: Path) -> None:
    """A shell sees that it was interrupted."""
    (tmp_path / "program.py").write_text(PROGRAMS["interrupt"])
    done = python("-m", "framejit", "run", "program.py", cwd=tmp_path)

    assert done.returncode == -signal.SIGINT
    assert done.stderr.splitlines()[-1] == "KeyboardInterrupt"


@pytest.mark.parametrize(
    "arguments", [[], ["--what"], ["--report"], ["-m"], ["-z", "x"], ["--report", "x.py", "y"]]
)
def test_wrong_use(arguments: list[str], tmp_path: Path) -> None:
    """Usage, the reason, exit code 2."""
    done = python("-m", "framejit", "run", *arguments, cwd=tmp_path)

    assert done.returncode == 2
    assert done.stderr.startswith("usage: ")
    assert "framejit run: " in done.stderr
