"""Coverage, debuggers, profilers and tracers see a decorated program as they see the plain one."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import decorated
import pytest

HERE = Path(decorated.__file__).parent
PLAIN = "jit = lambda f=None, **o: f if f else lambda g: g"
"""Stands where the decorator is imported, on one line as that."""

WARM = "import decorated; decorated.main(); decorated.main()\n"
"""Captured and compiled before the tool comes."""


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The module as it is, and without framejit, each in a folder of its own."""
    text = Path(decorated.__file__).read_text()
    made = {}
    for name, here in (
        ("jitted", text),
        ("plain", text.replace("from framejit import jit", PLAIN)),
    ):
        made[name] = tmp_path_factory.mktemp(name)
        (made[name] / "decorated.py").write_text(here)
    return made


def run(folder: Path, *command: str, given: str = "") -> str:
    """Run a program in a folder, and return what it prints."""
    environment = {
        **os.environ,
        "FRAMEJIT_BACKEND": os.environ.get("FRAMEJIT_BACKEND", "numpy"),
        "PYTHONPATH": os.pathsep.join([str(folder), *sys.path]),
        "FRAMEJIT_DEBUG": "",
    }
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=environment,
        input=given,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def both(folders: dict[str, Path], *command: str, given: str = "") -> tuple[str, str]:
    """The same in both folders."""
    ours, pythons = (run(folders[name], *command, given=given) for name in ("jitted", "plain"))
    return ours.replace(str(folders["jitted"]), "."), pythons.replace(str(folders["plain"]), ".")


@pytest.mark.parametrize("core", ["ctrace", "pytrace", "sysmon"])
def test_coverage(folders: dict[str, Path], core: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines and branches of coverage.py, however it measures."""
    if core == "sysmon" and sys.version_info < (3, 12):
        pytest.skip("sys.monitoring is of 3.12")
    monkeypatch.setenv("COVERAGE_CORE", core)
    program = (
        "import coverage, json, os, sys\n"
        f"cover = coverage.Coverage(branch={core != 'sysmon'}, data_file=None,"
        " include=[os.path.abspath('decorated.py')])\n"
        "cover.start()\n" + WARM + "cover.stop()\n"
        "cover.json_report(outfile='-')\n"
    )
    ours, pythons = both(folders, "-c", program)

    def numbers(text: str) -> object:
        found = json.loads(text[text.index("{") : text.rindex("}") + 1])["files"]
        return [
            {key: one[key] for key in one if key.endswith(("lines", "branches"))}
            for one in found.values()
        ]

    assert numbers(ours) == numbers(pythons)
    assert numbers(ours)[0]["missing_lines"]  # type: ignore[index]


STEPS = (
    "break decorated.walked\ncontinue\n"
    + "next\n" * 4
    + "step\n" * 12
    + (
        "p total\nup\ndown\nargs\nwhere\nreturn\nnext\nclear\ny\n"
        "tbreak decorated.failing\ncontinue\nnext\nnext\np y\nquit\n"
    )
)


def test_pdb(folders: dict[str, Path]) -> None:
    """A scripted session: the same lines and values, also in code that was compiled before."""
    program = WARM + "import pdb\npdb.run('decorated.main()', {'decorated': decorated})\n"
    ours, pythons = both(folders, "-c", program, given=STEPS)

    assert ours == pythons
    assert "total = total + float(x.sum())" in ours


TRACE = """
import sys
EVENTS = []
def watch(frame, event, arg):
    if frame.f_code.co_filename.endswith("decorated.py"):
        EVENTS.append((frame.f_code.co_qualname, event, frame.f_lineno))
    return watch
"""


@pytest.mark.parametrize("tool", ["settrace", "setprofile"])
@pytest.mark.parametrize("warm", ["", WARM])
def test_tracing(folders: dict[str, Path], tool: str, warm: str) -> None:
    """The same events at the same lines, and framejit is back when the tool has gone."""
    program = (
        TRACE + warm + "import decorated\n"
        f"sys.{tool}(watch)\ndecorated.main()\nsys.{tool}(None)\n"
        "print(*EVENTS, sep='\\n')\nprint(decorated.main())\n"
    )
    ours, pythons = both(folders, "-c", program)

    assert ours == pythons
    assert ours.count("walked") > 2


@pytest.mark.parametrize("module", ["cProfile", "profile"])
def test_profilers(folders: dict[str, Path], module: str) -> None:
    """The same functions, called as often."""
    program = (
        WARM + f"import {module} as profiler, pstats\n"
        "p = profiler.Profile()\np.runcall(decorated.main)\n"
        "stats = pstats.Stats(p).stats\n"
        "print(sorted((k[1:], v[:2]) for k, v in stats.items() if 'decorated' in k[0]))\n"
    )
    ours, pythons = both(folders, "-c", program)

    assert ours == pythons
    assert "walked" in ours


def test_tracemalloc(folders: dict[str, Path]) -> None:
    """Memory that the program's lines have taken is found at these lines."""
    program = (
        WARM + "import tracemalloc\ntracemalloc.start(5)\n"
        "import numpy as np\nx = np.arange(100_000.0)\n"
        "kept = [decorated.doubled(x), decorated.Box.less(x)]\n"
        "taken = tracemalloc.take_snapshot().statistics('filename')\n"
        "print(tracemalloc.get_traced_memory()[0] > 2_400_000, len(kept))\n"
    )

    assert run(folders["jitted"], "-c", program).split() == ["True", "2"]


def test_faulthandler(folders: dict[str, Path]) -> None:
    """A dump of the stack from inside jitted code shows the user's frames."""
    program = (
        "import faulthandler, sys, numpy as np\nfrom decorated import jit\n"
        "@jit\ndef f(x):\n    y = x * 2\n    faulthandler.dump_traceback(sys.stdout)\n"
        "    return y + 1\n"
        "for _ in range(3): f(np.ones(2))\n"
    )
    ours, pythons = both(folders, "-c", program)

    assert re.sub("0x[0-9a-f]+", "", ours) == re.sub("0x[0-9a-f]+", "", pythons)
    assert ours.count("line 6 in f") == 3


NEVER_LEFT = """
import logging
import numpy as np
from framejit import capture
capture().__enter__()
X = np.arange(3.0)
def last(x, k=2):
    return x * k + 1
last(X)
"""


def test_a_block_that_is_never_left(folders: dict[str, Path]) -> None:
    """Modules that outlive framejit's run code while the interpreter takes modules apart."""
    assert run(folders["jitted"], "-c", NEVER_LEFT) == ""


LEAVING = """
import atexit, threading, time, sys
import numpy as np
from decorated import jit, Box, stepped
@jit
def f(x):
    y = x * 2
    print(end="")
    return y + 1
X = np.arange(3.0)
f(X)
class Last:
    def __init__(self): self.f = f
    def __del__(self): print("del", self.f(X))
def forever():
    while True:
        f(X); Box(X).twice()
for _ in range(3): threading.Thread(target=forever, daemon=True).start()
open_ = stepped(3); next(open_)
atexit.register(lambda: print("atexit", f(X), Box(X).twice()))
late = atexit.register(lambda: print("new", jit(lambda x: x * 5)(X)))
last = Last()
kept = [last]; kept.append(kept)
time.sleep(0.05)
print("end")
"""


@pytest.mark.parametrize("backend", ["numpy", "numba"])
def test_the_end_of_the_program(
    folders: dict[str, Path], backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Functions called and jitted at exit, finalisers, daemon threads in the middle of calls."""
    monkeypatch.setenv("FRAMEJIT_BACKEND", backend)
    ours, pythons = both(folders, "-c", LEAVING)

    assert sorted(ours.splitlines()) == sorted(pythons.splitlines())
