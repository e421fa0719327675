"""Numba's settings are the program's: kernels are compiled with the defaults."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numba
import pytest
from numba.core import config, registry

from framejit.backends.numba.machine_code import settings
from framejit.backends.numba.machine_code.compiling import compiled

PROGRAM = """
import sys
import numpy as np
from framejit import jit

@jit
def f(x, y):
    z = np.where(x > 0, x * y + 1, np.exp(-x))
    total = 0.0
    for k in range(len(x)):
        if x[k] > total:
            total = (total + y[k] ** 2) % 7.5 // 0.5
    return z, z.sum(axis=0), total, (y // 2).astype(np.int32) % 3

x = np.linspace(-3.0, 5.0, 300)
for _ in range(2):
    print([np.asarray(one).tobytes().hex() for one in f(x, x[::-1].copy())])
print(f.stats()["hits"], f.stats()["failures"], "numba" in sys.modules)
"""


def run(folder: Path, program: str = PROGRAM, *options: str, **environment: str) -> str:
    """Return the output of a program that starts in that folder; nothing else is printed."""
    done = subprocess.run(
        [sys.executable, *options, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, "FRAMEJIT_CACHE_DIR": str(folder / "cache"), **environment},
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the output of the program with no setting."""
    text = run(tmp_path_factory.mktemp("plain"))
    assert text.endswith("\n2 0 True\n")
    return text


ALONE = (
    *("NUMBA_DISABLE_JIT=1", "NUMBA_OPT=0", "NUMBA_CPU_NAME=generic", "NUMBA_BOUNDSCHECK=1"),
    *("NUMBA_DEBUG=1", "NUMBA_ENABLE_AVX=0"),
)
"""Those that broke kernels, changed them or printed, one by one; the others all at once."""
TOGETHER = (
    *("NUMBA_OPT=max", "NUMBA_CPU_FEATURES=", "NUMBA_LOOP_VECTORIZE=0", "NUMBA_SLP_VECTORIZE=1"),
    *("NUMBA_DEBUGINFO=1", "NUMBA_EXTEND_VARIABLE_LIFETIMES=1", "NUMBA_DEVELOPER_MODE=1"),
    *("NUMBA_DUMP_IR=1", "NUMBA_DUMP_ASSEMBLY=1", "NUMBA_DEBUG_TYPEINFER=1", "NUMBA_DUMP_SSA=1"),
    *("NUMBA_DEBUG_PRINT_AFTER=all", "NUMBA_DUMP_ANNOTATION=1", "NUMBA_DUMP_CFG=1"),
    *("NUMBA_LLVM_REFPRUNE_PASS=0", "NUMBA_LLVM_PASS_TIMINGS=1", "NUMBA_ENABLE_PROFILING=1"),
    *("NUMBA_USE_LLVMLITE_MEMORY_MANAGER=1", "NUMBA_CAPTURED_ERRORS=old_style"),
    *("NUMBA_DISABLE_PERFORMANCE_WARNINGS=1", "NUMBA_ALWAYS_WARN_UNINIT_VAR=1"),
    *("NUMBA_CACHE_DIR=/nowhere", "NUMBA_NUM_THREADS=1", "NUMBA_THREADING_LAYER=workqueue"),
    *(
        "NUMBA_DEBUG_CACHE=1",
        "NUMBA_JIT_COVERAGE=1",
        "NUMBA_FULL_TRACEBACKS=1",
        "NUMBA_NRT_STATS=1",
    ),
    *("NUMBA_COLOR_SCHEME=dark_bg", "VS_PROFILER=1", "LLVMLITE_ENABLE_IR_LAYER_TYPED_POINTERS=0"),
)
UNREADABLE = ("NUMBA_BOUNDSCHECK=perhaps", "NUMBA_OPT=fast", "NUMBA_DISABLE_JIT=yes")
ENVIRONMENTS = {
    **{one: (one,) for one in ALONE},
    "all others": TOGETHER,
    "what cannot be read": UNREADABLE,
}


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_variables(name: str, expected: str, tmp_path: Path) -> None:
    """The kernel compiles, in silence; a process without the variable finds the same entry."""
    variables = dict(one.split("=", 1) for one in ENVIRONMENTS[name])
    strict = () if name != "what cannot be read" else ("-W", "error")

    assert run(tmp_path, PROGRAM, *strict, **variables) == expected
    assert run(tmp_path) == expected.replace("True", "False")
    [entry] = (tmp_path / "cache" / "kernels").iterdir()
    assert entry.stat().st_size > 0


def test_a_file_of_settings(expected: str, tmp_path: Path) -> None:
    """It counts for Numba as variables do, or makes it warn where it cannot be read."""
    (tmp_path / ".numba_config.yaml").write_text("opt: 0\ndisable_jit: 1\n", encoding="utf-8")

    assert run(tmp_path, PROGRAM, "-W", "error") == expected


THEIRS = (
    """
import os
os.environ["NUMBA_OPT"], os.environ["NUMBA_DISABLE_JIT"] = "0", "1"
import numba
from numba.core import registry
before = numba.njit(lambda x: x + 1)
"""
    + PROGRAM
    + """
assert type(numba.njit(lambda x: x + 1)) is type(before) is type(lambda: 0)
assert (numba.config.OPT, numba.config.DISABLE_JIT) == (0, 1)
os.environ["NUMBA_DISABLE_JIT"] = "0"
numba.config.reload_config()
added = numba.njit(lambda x: x + 1)
assert added(41) == 42 and added.signatures
assert "framejit" not in next(iter(added.overloads.values())).library.codegen._llvm_module.name
assert registry.cpu_target.target_context.codegen() is next(
    iter(added.overloads.values())).library.codegen
"""
)


def test_numba_code_of_the_program(expected: str, tmp_path: Path) -> None:
    """It is compiled, or not, as the program has set it, before a kernel and behind one."""
    assert run(tmp_path, THEIRS) == expected


TEXT = """
def kernel(w):
    x = float64_at(w[1])
    total = 0.0
    for k in range(w[2]):
        total = total + x[k] * 2.0
    x[0] = total
    return 0
"""


def machine_code() -> bytes:
    """The object code of a kernel."""
    return compiled(TEXT)[0]


def test_settings_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Assignments to numba.config change nothing of a kernel, and stay as they are."""
    plain = machine_code()
    assert "framejit" not in registry.cpu_target.target_context.codegen()._llvm_module.name
    changed = {"OPT": type(config.OPT)(0), "LOOP_VECTORIZE": 0, "DISABLE_JIT": 1, "BOUNDSCHECK": 1}
    changed |= {"DUMP_ASSEMBLY": 1, "CPU_NAME": "generic", "DEBUGINFO_DEFAULT": 1}
    for name, value in changed.items():
        monkeypatch.setattr(config, name, value)

    assert machine_code() == plain
    assert {name: getattr(config, name) for name in changed} == changed
    assert type(config) is type(numba)


def test_other_threads_see_what_the_program_has_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions that they decorate while a kernel is compiled are decorated by their settings."""
    monkeypatch.setattr(config, "DISABLE_JIT", 1)
    seen: list[Any] = []

    def other() -> None:
        seen.append((config.DISABLE_JIT, type(numba.njit(lambda x: x))))
        config.DISABLE_JIT = 2
        seen.append((config.DISABLE_JIT, hasattr(config, "nothing")))

    with settings.defaults():
        assert config.DISABLE_JIT == 0
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        assert config.DISABLE_JIT == 0
    assert config.DISABLE_JIT == 2
    assert seen == [(1, type(other)), (2, False)]


def test_doctor_names_what_is_set(tmp_path: Path) -> None:
    """And what it means to kernels, of which one is tried."""
    (tmp_path / ".numba_config.yaml").write_text("opt: 0\n", encoding="utf-8")
    variables = dict(one.split("=", 1) for one in (*ALONE, "NUMBA_CACHE_DIR=/nowhere"))
    done = subprocess.run(
        [sys.executable, "-m", "framejit", "doctor"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env={**os.environ, **variables},
    )
    lines = done.stdout.splitlines()
    means = "for Numba code of your own; kernels are compiled with Numba's defaults"

    assert "verdict     functions are compiled" in lines
    for one in ALONE:
        assert f"set         {one}: {means}" in lines
    assert f"set         by the file {tmp_path}/.numba_config.yaml: {means}" in lines
    [other] = [line for line in lines if "NUMBA_CACHE_DIR" in line]
    assert other.endswith("FRAMEJIT_CACHE_DIR is the one for kernels")
