"""Other platforms, simulated: programs run eagerly there, with one warning that gives the reason.

`support/elsewhere.py` takes away what Python lacks there. What is not simulated is the platform's
own NumPy and C library.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import elsewhere
import pytest

ROOT = Path(elsewhere.__file__).resolve().parents[2]
ONLY = (
    "framejit's C core knows the frames, system calls and machine code of Linux on x86-64 only, "
    "and this is "
)
SENTENCES = {
    "macos": f"{ONLY}macOS on arm64",
    "windows": f"{ONLY}Windows on AMD64",
    "aarch64": f"{ONLY}Linux on aarch64",
    "free-threaded": (
        "this is a free-threaded build of CPython, and framejit's C core relies on the GIL"
    ),
    "new": "framejit reads the bytecode of CPython 3.11 to 3.15, not of cpython 3.99",
}
"""The reason for which everything runs eagerly, by platform."""
PROGRAM = """
import sys
import numpy as np
import framejit
from framejit import FallbackWarning, capture, explain, jit

@jit
def smoothed(x, width=1):
    return np.sqrt(x[width:] * x[:-width]) + 1.0

def plain(x):
    return x * 2 - 1

x = np.arange(1.0, 6.0)
with capture() as block:
    total = plain(x).sum()
print(smoothed(x).tolist(), total, explain(smoothed)(x).skipped[0].rule)
print(block.report.skipped[0].reason)
print(any(name in sys.modules for name in OURS), smoothed.stats()["eager_calls"])
""".replace("OURS", repr(elsewhere.OURS))


@pytest.fixture(params=SENTENCES)
def platform(request: pytest.FixtureRequest) -> str:
    """The name of a platform that framejit does not compile on."""
    return str(request.param)


@pytest.fixture
def there(platform: str, tmp_path: Path) -> dict[str, str]:
    """The environment of processes on that platform."""
    shutil.copy(elsewhere.__file__, tmp_path / "sitecustomize.py")
    return {**os.environ, "PYTHONPATH": str(tmp_path), elsewhere.VARIABLE: platform}


def ran(there: dict[str, str], *command: str) -> subprocess.CompletedProcess[str]:
    """A process there, in its own folder."""
    return subprocess.run(
        [sys.executable, *command],
        capture_output=True,
        text=True,
        check=False,
        env=there,
        cwd=there["PYTHONPATH"],
    )


def test_a_program(platform: str, there: dict[str, str]) -> None:
    """It has NumPy's answers; one warning and each report say the same sentence."""
    Path(there["PYTHONPATH"], "program.py").write_text(PROGRAM, encoding="utf-8")
    sentence = SENTENCES[platform]

    done = ran(there, "program.py")

    expected = "[2.414213562373095, 3.449489742783178, 4.464101615137754, 5.47213595499958] 25.0"
    assert done.stdout == f"{expected} unsupported\n{sentence}\nFalse 2\n", done.stderr
    assert done.stderr.count("Warning: ") == 1, done.stderr
    assert f"FallbackWarning: framejit runs everything eagerly here: {sentence}" in done.stderr


def test_run_and_its_report(platform: str, there: dict[str, str]) -> None:
    """`run` runs the program and gives the reason why nothing was captured, also in a report."""
    script = "import numpy as np\nprint((np.arange(3) * 2).tolist())\nraise SystemExit(3)"
    Path(there["PYTHONPATH"], "script.py").write_text(script, encoding="utf-8")

    done = ran(there, "-m", "framejit", "run", "--report", "report.txt", "script.py")

    assert (done.stdout, done.returncode) == ("[0, 2, 4]\n", 3), done.stderr
    assert done.stderr.count(SENTENCES[platform]) == 1, done.stderr
    report = Path(there["PYTHONPATH"], "report.txt").read_text(encoding="utf-8")
    assert SENTENCES[platform] in re.sub(r"\s+", " ", report)


def test_commands(platform: str, there: dict[str, str]) -> None:
    """`doctor`, `cache`, `warm` and `demo` say the same sentence, and none fails."""
    sentence = SENTENCES[platform]
    script = Path(there["PYTHONPATH"], "script.py")
    script.write_text("import numpy", encoding="utf-8")

    doctor = ran(there, "-m", "framejit", "doctor")
    assert (doctor.returncode, doctor.stderr) == (1, "")
    assert f"C core      not used: {sentence}\n" in doctor.stdout
    assert f"verdict     everything runs eagerly: {sentence}\n" in doctor.stdout
    cache = ran(there, "-m", "framejit", "cache", "list")
    assert cache.stdout == f"not used    everything runs eagerly here: {sentence}\n", cache.stderr
    warm = ran(there, "-m", "framejit", "warm", "script.py")
    assert sentence in warm.stderr
    assert warm.returncode == 0
    demo = ran(there, "-m", "framejit", "demo")
    assert demo.stderr == f"nothing to compare: everything runs eagerly here: {sentence}\n"
    assert ran(there, "-m", "framejit", "explain", "FJ201").returncode == 0


def test_an_option_of_the_interpreter(platform: str, there: dict[str, str]) -> None:
    """`run -O` starts Python again, and its exit code is the program's."""
    command = ("-m", "framejit", "run", "-O", "-c", "assert False; raise SystemExit(5)")

    assert ran(there, *command).returncode == 5


# ---- the build there -----------------------------------------------------------------------------


BUILD = """
import os, runpy, sys, setuptools.command.build_ext
os.chdir(sys.argv[1])
sys.path.insert(0, os.path.join("tests", "support"))
import elsewhere
elsewhere.simulate(sys.argv[2])
setuptools.setup = lambda **given: print([one.name for one in given["ext_modules"]])
runpy.run_path("setup.py")
"""


@pytest.mark.parametrize("name", [name for name in SENTENCES if name != "new"])
def test_no_c_core_is_built(name: str) -> None:
    """`setup.py` has no extensions there: the wheel is pure, and needs no compiler."""
    command = [sys.executable, "-c", BUILD, str(ROOT), name]

    built = subprocess.run(command, capture_output=True, text=True, check=False)

    assert built.stdout == "[]\n", built.stderr


def test_numba_is_needed_where_kernels_are_compiled() -> None:
    """Elsewhere framejit installs without it: Numba has no wheels for some of these platforms."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

    [numba] = [one for one in project["project"]["dependencies"] if one.startswith("numba")]
    assert numba.endswith("; sys_platform == 'linux' and platform_machine == 'x86_64'")
