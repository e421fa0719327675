"""`python -m framejit warm`: the next run captures and compiles nothing, and answers alike."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

pytestmark = pytest.mark.counts("what was captured, kept and taken")

END = """
def _tell():
    import gc
    import json
    import sys
    gc.disable()  # what owns the captures of a body dies with garbage, between two of these lines
    caught = sys.modules.get("framejit.frontends.undecorated.caught")
    managers = [] if caught is None else caught.hooked_managers()
    decorated = [one for one in globals().values() if hasattr(one, "stats")]
    loaded = [name for name in sys.modules if name.startswith((
        "framejit.frontends.capture.", "framejit.frontends.numpy.",
        "framejit.jit.passes", "framejit.jit.ir", "numba."))
        and not name.startswith(("framejit.frontends.numpy.decompositions",
        "framejit.frontends.capture.values.models",
        "framejit.frontends.capture.values.python_bodies", "framejit.jit.ir.ref"))
        and name not in ("framejit.frontends.capture.values", "framejit.jit.ir")]
    if managers:
        from framejit.frontends.report.facts import stats
    captures = sum(stats(one, one.dispatcher)["captures"] for one in managers)
    captures += sum(one.stats()["captures"] for one in decorated)
    points = [p for m in managers if m.segmented for p in m.segmented.points.values()]
    hits = sum(e.native.hits for p in points for e in p.entries)
    hits += sum(one.stats()["launches"] for one in decorated)
    print(json.dumps({"captures": captures, "loaded": loaded, "hits": hits}), file=sys.stderr)
import atexit
atexit.register(_tell)
"""
FUNCTIONS = """
import numpy as np
def step(a):
    for _ in range(5):
        a = np.sqrt(a * a + 1.0) - a * 0.5
    return a
def main(n):
    a = np.linspace(0.0, 1.0, 2000)
    total = 0.0
    for k in range(n):
        total += step(a)[k % 7]
    print(total.hex(), step(a).tobytes().hex()[:64])
main(4000)
"""
BODY = """
import numpy as np
x = np.zeros(50)
for i in range(1000000):
    x[i % 50] += i * 0.5
print(x.tobytes().hex())
"""
FEW_CALLS = """
import numpy as np
def f(x, y):
    z = x * y + 1.0
    for k in range(20):
        z = np.sqrt(z) + k
    return z.sum()
for k in range(3):
    print(f(np.linspace(0.0, 1.0, 50 + k), float(k)).hex())
from time import process_time
until = process_time() + 0.1  # so long that something is sampled
while process_time() < until:
    pass
print(f(np.linspace(0.0, 1.0, 60), 2.0).hex(), f(np.linspace(0.0, 1.0, 60), 2.0).hex())
"""
DECORATED = """
import numpy as np
from framejit import jit
@jit
def f(x, y):
    z = x * y + 1.0
    return z.sum(), z
X = np.linspace(0.0, 1.0, 50)
for k in range(3):
    print(f(X, X + k)[0].hex(), f(X, X + k)[1].tobytes().hex())
"""
NO_NUMPY = "print(sum(range(10)))\n"
PROGRAMS = {
    "functions": FUNCTIONS,
    "body": BODY,
    "few calls": FEW_CALLS,
    "decorated": DECORATED,
}


@dataclass(frozen=True)
class Run:
    printed: str
    told: str
    """The messages of `warm`."""
    captures: int
    hits: int
    loaded: list[str]
    code: int


def start(words: list[str], folder: Path, **environment: str) -> Run:
    """One process; those in one folder share a cache."""
    done = subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=300,
        env={
            **os.environ,
            "FRAMEJIT_ENTRIES": "1",
            "FRAMEJIT_COMPILE": "auto",
            "FRAMEJIT_DEBUG": "strict",
            "FRAMEJIT_CACHE_DIR": str(folder / "cache"),
            **environment,
        },
    )
    lines = done.stderr.splitlines()
    told = [line for line in lines if line.startswith("framejit warm: ")]
    json_lines = [line for line in lines if line.startswith("{")]
    assert len(told) + len(json_lines) == len(lines), done.stderr
    known = json.loads(json_lines[0]) if json_lines else {"captures": 0, "hits": 0, "loaded": []}
    return Run(
        *(done.stdout, "\n".join(told), known["captures"], known["hits"], known["loaded"]),
        done.returncode,
    )


def command(name: str, program: str, folder: Path, **environment: str) -> Run:
    script = folder / "script.py"
    script.write_text(program + END)
    words = [] if name == "python" else ["-m", "framejit", name]
    return start([*words, str(script)], folder, **environment)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_next_run_finds_all_of_it(name: str, tmp_path: Path) -> None:
    """The next run finds functions that are called often, and those called a few times."""
    program = PROGRAMS[name]
    eager = command("python", program, tmp_path, FRAMEJIT_DISABLE="1")
    warm = command("warm", program, tmp_path)
    first, second = (command("run", program, tmp_path) for _ in range(2))

    assert eager.printed == warm.printed == first.printed == second.printed
    assert warm.captures > 0
    for run in (first, second):
        assert run.captures == 0
        assert run.loaded == []
        assert run.hits > 0


def test_decorated_functions_serve_any_program(tmp_path: Path) -> None:
    """`run` is not needed for them."""
    command("warm", DECORATED, tmp_path)
    run = command("python", DECORATED, tmp_path)

    assert (run.captures, run.loaded) == (0, [])
    assert run.hits > 0


def test_with_pytest(tmp_path: Path) -> None:
    """The tests of a package fill the cache for the program that uses it."""
    module, uses = FUNCTIONS.rsplit("main(4000)", 1)[0], "from calc import main\nmain(4000)\n"
    (tmp_path / "calc.py").write_text(module)
    (tmp_path / "test_calc.py").write_text(
        "from calc import main\ndef test_it(capsys):\n    main(5)\n    main(6)\n"
    )
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "test_calc.py"]
    tested = start(["-m", "framejit", "warm", *words], tmp_path, PYTHONPATH=str(tmp_path))
    run = command("run", uses, tmp_path, PYTHONPATH=str(tmp_path))

    assert "1 passed" in tested.printed
    assert ": 2 functions with " in tested.told
    assert run.printed == command("python", uses, tmp_path, FRAMEJIT_DISABLE="1").printed
    assert (run.captures, run.loaded) == (0, [])
    assert run.hits > 0


def test_what_it_says(tmp_path: Path) -> None:
    told = command("warm", FUNCTIONS, tmp_path).told
    again = command("warm", FUNCTIONS, tmp_path).told

    assert re.fullmatch(
        r"framejit warm: 2 functions with \d entries and \d+ new kernels, 0\.\d MB, in "
        + re.escape(str(tmp_path / "cache"))
        + r"; \d+\.\d s of CPU time with the program",
        told,
    )
    assert re.search(r": 0 functions with 0 entries and 0 new kernels, ", again)


def test_a_second_program_adds_to_it(tmp_path: Path) -> None:
    """Functions that both call serve both kinds of calls."""
    other = FUNCTIONS + "print(step(np.ones(3, 'f4')), step(np.ones(9, 'f4')))\n" * 3
    command("warm", FUNCTIONS, tmp_path)
    command("warm", other, tmp_path)
    for program in (FUNCTIONS, other):
        run = command("run", program, tmp_path)
        assert run.captures == 0
        assert run.printed == command("python", program, tmp_path, FRAMEJIT_DISABLE="1").printed


def test_into_a_folder_that_others_read(tmp_path: Path) -> None:
    """As of an image: warmed by who builds it, and read from there."""
    warm = command("warm", FUNCTIONS, tmp_path)
    shutil.move(tmp_path / "cache", tmp_path / "shared")
    setting = f"{tmp_path / 'own'}{os.pathsep}{tmp_path / 'shared'}"
    run = command("run", FUNCTIONS, tmp_path, FRAMEJIT_CACHE_DIR=setting)

    assert run.printed == warm.printed
    assert (run.captures, run.loaded) == (0, [])
    assert run.hits > 0
    assert not [*(tmp_path / "own").glob("kernels/*")]


def test_exported_and_imported(tmp_path: Path) -> None:
    """With what the ledger knows of it."""
    file = str(tmp_path / "cache.zip")
    command("warm", FUNCTIONS, tmp_path)
    for words, folder in ((["export", file], "cache"), (["import", file], "other")):
        done = start(
            ["-m", "framejit", "cache", *words],
            tmp_path,
            FRAMEJIT_CACHE_DIR=str(tmp_path / folder),
        )
        assert done.code == 0
    run = command("run", FUNCTIONS, tmp_path, FRAMEJIT_CACHE_DIR=str(tmp_path / "other"))

    assert (run.captures, run.loaded) == (0, [])
    assert run.hits > 0


def test_what_loses_is_not_worth_taking(tmp_path: Path) -> None:
    """Trials of later runs count more than the request to warm the function."""
    slow = """
    import numpy as np
    def f(x):
        return x.dot(x)
    x = np.ones(3)
    total = 0.0
    for k in range(300000):
        total += f(x)
    print(total)
    """.replace("\n    ", "\n")
    eager = command("python", slow, tmp_path, FRAMEJIT_DISABLE="1")
    assert command("warm", slow, tmp_path).printed == eager.printed
    for _ in range(2):
        assert command("run", slow, tmp_path).printed == eager.printed


def test_programs_end_as_they_do(tmp_path: Path) -> None:
    """With their exit codes, and a summary where something was captured or not."""
    failing = FUNCTIONS.replace("main(4000)", "main(400)\nimport sys\nsys.exit(7)")
    (tmp_path / "module.py").write_text(FUNCTIONS.replace("4000", "400"))

    assert command("warm", failing, tmp_path).code == 7
    none = command("warm", NO_NUMPY, tmp_path)
    assert none.printed == "45\n"
    assert none.told == ("framejit warm: nothing was captured: the program never imported NumPy")
    for words in (["-m", "module"], ["-c", FUNCTIONS.replace("4000", "400")]):
        run = start(["-m", "framejit", "warm", *words], tmp_path)
        assert run.code == 0
        assert " function" in run.told


@pytest.mark.parametrize(
    ("environment", "why"),
    [
        ({"FRAMEJIT_CACHE_DIR": "off"}, "nothing was kept: FRAMEJIT_CACHE_DIR switches the cache"),
        ({"FRAMEJIT_CACHE": "0"}, "nothing was kept: FRAMEJIT_CACHE switches the cache off"),
        ({"FRAMEJIT_ENTRIES": "0"}, "nothing was kept: FRAMEJIT_ENTRIES switches that off"),
        ({"FRAMEJIT_DISABLE": "1"}, "nothing was captured: FRAMEJIT_DISABLE is set"),
        ({"FRAMEJIT_CACHE_DIR": "/dev/null"}, "nothing was kept: /dev/null: Not a directory"),
    ],
)
def test_where_nothing_can_be_kept(environment: dict[str, str], why: str, tmp_path: Path) -> None:
    run = command("warm", BODY, tmp_path, **environment)

    assert run.told.startswith(f"framejit warm: {why}")
    assert run.printed == command("python", BODY, tmp_path).printed


def test_help(tmp_path: Path) -> None:
    helped = subprocess.run(
        [sys.executable, "-m", "framejit", "warm", "--help"], capture_output=True, text=True
    )

    assert helped.stdout.startswith("usage: python -m framejit warm ")
    assert start(["-m", "framejit", "warm", "--help"], tmp_path).code == 0
