"""NumPy versions: too old ones, new ones, and those that compute otherwise."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import elsewhere
import numpy as np
import pytest
from numpy._core import umath
from oracle import assert_normally, check
from sweep import text_of

from framejit.backends.numba import proofs, self_checks
from framejit.backends.numba.library import libm_proofs
from framejit.backends.numba.native import NATIVE, Flags, Native, row_of
from framejit.jit import numpy_versions
from framejit.jit.numpy_versions import NEWEST, OLDEST

NEW = f"{NEWEST[0]}.{NEWEST[1] + 1}.0.dev0+git20270101"
PROGRAM = """
import numpy as np
from framejit import jit

@jit(compile="now")
def f(x):
    return np.square(x) * 2.0 - np.sin(x)

x = np.linspace(0.0, 9.0, 50)
f(x)
assert f(x).tobytes() == f.__wrapped__(x).tobytes()
print(f.stats()["launches"])
"""


def with_numpy(version: str, folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """A process in which NumPy says that it is this version (see `elsewhere.py`)."""
    shutil.copy(elsewhere.__file__, folder / "sitecustomize.py")
    environment = {**os.environ, "PYTHONPATH": str(folder), elsewhere.VARIABLE: f"numpy {version}"}
    return subprocess.run(
        [sys.executable, *command],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        cwd=folder,
    )


# ---- the installed version -----------------------------------------------------------------------


def test_a_new_minor_is_served(tmp_path: Path) -> None:
    """Kernels run with NumPy's bits; `doctor` names the checks, and their results."""
    ran = with_numpy(f"numba {NEW}", tmp_path, "-c", PROGRAM)
    assert (ran.stdout, ran.stderr) == ("2\n", "")
    doctor = with_numpy(f"numba {NEW}", tmp_path, "-m", "framejit", "doctor")
    why = f"NumPy {NEW} is newer than {'.'.join(map(str, NEWEST))}, with which framejit was tested"
    assert why in doctor.stdout
    assert "verdict     functions are compiled" in doctor.stdout


def test_a_new_minor_that_numba_refuses(tmp_path: Path) -> None:
    """Numba takes no NumPy that it does not know: everything runs eagerly for that reason."""
    why = f"Numba does not load: Numba needs NumPy {'.'.join(map(str, NEWEST))} or less. Got NumPy "

    ran = with_numpy(NEW, tmp_path, "-c", PROGRAM)
    assert ran.stdout == "0\n"
    assert f"FallbackWarning: framejit runs everything eagerly here: {why}" in ran.stderr
    doctor = with_numpy(NEW, tmp_path, "-m", "framejit", "doctor")
    assert f"verdict     everything runs eagerly: {why}" in doctor.stdout
    assert f"backend     numba: does not load: {why}" in doctor.stdout
    other = with_numpy(
        NEW, tmp_path, "-c", f"import os; os.environ['FRAMEJIT_BACKEND'] = 'numpy'\n{PROGRAM}"
    )
    assert (other.stdout, other.stderr) == ("2\n", "")


def test_without_numba(tmp_path: Path) -> None:
    """An installation without it runs eagerly, and names the missing package."""
    ran = with_numpy("none", tmp_path, "-c", PROGRAM)

    assert ran.stdout == "0\n"
    assert (
        "runs everything eagerly here: Numba, which compiles kernels, is not installed"
        in ran.stderr
    )


def test_an_old_one_is_not(tmp_path: Path) -> None:
    """With a NumPy whose answers differ all runs eagerly, and one sentence gives the reason."""
    oldest = ".".join(map(str, OLDEST))
    why = f"NumPy 2.2.6 is older than {oldest}, before which some answers have other bits"

    ran = with_numpy("2.2.6", tmp_path, "-c", PROGRAM)
    assert ran.stdout == "0\n"
    assert f"FallbackWarning: framejit runs everything eagerly here: {why}" in ran.stderr
    doctor = with_numpy("2.2.6", tmp_path, "-m", "framejit", "doctor")
    assert f"verdict     everything runs eagerly: {why}\n" in doctor.stdout


def test_self_checks_of_this_version() -> None:
    """Each row holds, as tests have proved it; so does what else is asked of every NumPy."""
    answers = dict(self_checks.answers())

    rows = {name for name in answers if " of " in name} - {
        f"{ufunc.__name__} of float64" for ufunc in (*libm_proofs.NAMES, np.tanh)
    }
    assert len(rows) > 200
    assert [name for name in rows if not answers[name]] == []
    assert answers["searchsorted"]
    assert answers["reading np.errstate"]


# ---- a NumPy that computes otherwise -------------------------------------------------------------

FLOAT, INT, BOOL = np.dtype("f8"), np.dtype("i4"), np.dtype("?")
WRONG = [
    ("add", FLOAT, {"template": "{0} - {1}"}),
    ("square", FLOAT, {"template": "{0} * {0} + {0} * {t}(0)"}),
    ("multiply", FLOAT, {"flags": Flags.PURE}),
    ("less", FLOAT, {"flags": Flags.REPORTS, "template": "{1} < {0}"}),
    ("negative", FLOAT, {"template": "{t}(0) - {0}"}),
    ("absolute", FLOAT, {"template": "({0} if {0} > 0 else -{0})"}),
    ("clip", FLOAT, {"template": "min(max({0}, {1}), {2})"}),
    ("reciprocal", FLOAT, {"template": "{t}(1) / ({0} + {t}(0) * {0})"}),
    ("left_shift", INT, {"template": "{t}({0} << ({1} & 31))"}),
    ("right_shift", INT, {"template": "{t}({0} >> ({1} & 31))"}),
    ("logical_and", BOOL, {"template": "{0} & {1}"}),
]
"""Rows as they would be wrong for another NumPy."""


@pytest.mark.parametrize(("name", "dtype", "wrong"), WRONG)
def test_a_wrong_row_is_noticed(name: str, dtype: np.dtype[Any], wrong: dict[str, Any]) -> None:
    """By bits, by the sign of a zero, by a NaN, or by a flag."""
    ufunc = getattr(umath, name)
    row = row_of(ufunc, (dtype,) * ufunc.nin)
    assert row is not None

    assert proofs.holds(ufunc, row, dtype)
    assert not proofs.holds(ufunc, replace(row, **wrong), dtype)


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A NumPy that is newer than what framejit was tested with, and squares in another way."""
    row = Native("{0} * {0} + {0} * {t}(0)", Flags.REPORTS, "f")
    monkeypatch.setitem(NATIVE, "square", row)
    monkeypatch.setattr(proofs, "is_tested", lambda: False)
    monkeypatch.setattr(self_checks, "is_tested", lambda: False)


def squares(x: Any) -> Any:
    return np.square(x) + 1.0


def test_kernels_call_what_computes_otherwise(newer: None) -> None:
    """The row is not used: the kernel calls NumPy's loop, and its bits and flags are NumPy's."""
    text = text_of(squares, np.ones(10))

    assert_normally("inner_loop(" in text)
    check(squares, np.array([1.0, np.inf, -np.inf, 1e200, np.nan, -0.0]))


def test_what_kernels_call_is_told(newer: None) -> None:
    """`doctor` names it."""
    summary = self_checks.summary()

    assert "; kernels leave to NumPy: square of float32, square of float64" in summary
    assert summary.endswith(numpy_versions.untested())


# ---- a canary ------------------------------------------------------------------------------------


@pytest.mark.parametrize("ufunc", [np.sin, np.cos])
def test_canary_of_vectorised_sines(ufunc: np.ufunc) -> None:
    """NumPy plans vectorised sines and cosines of doubles, with other bits than the C library's.

    Kernels notice (`libm_proofs.py`) and call NumPy's loop, so that answers stay right. If this
    test fails with a new NumPy, sines are as slow as NumPy's: see docs/decisions/libm.md for what
    kernels rely on, and find out what the new loop does.
    """
    if not libm_proofs.fuses() or not libm_proofs._is_recent(libm_proofs._version_of_library()):
        pytest.skip("kernels call NumPy's sines on this machine, whichever they are")

    assert libm_proofs.is_known(ufunc, libm_proofs.loop_of_doubles(ufunc))


@pytest.mark.parametrize("ufunc", [np.sin, np.cos])
def test_answers_with_vectorised_sines(monkeypatch: pytest.MonkeyPatch, ufunc: np.ufunc) -> None:
    """With such a NumPy kernels call its loop: they have its bits, whatever those are."""
    library = libm_proofs._library_function(ufunc)
    assert library is not None

    def less_accurate(x: float) -> float:
        return float(np.float64(np.longdouble(library(x)) * (1 + np.longdouble(2) ** -53)))

    monkeypatch.setattr(libm_proofs, "_library_function", lambda _: less_accurate)
    libm_proofs.is_known.cache_clear()
    try:
        program = lambda x: ufunc(x) * 2.0  # noqa: E731
        assert_normally("inner_loop(" in text_of(program, np.ones(10)))
        check(program, np.linspace(-40.0, 40.0, 700))
    finally:
        libm_proofs.is_known.cache_clear()
