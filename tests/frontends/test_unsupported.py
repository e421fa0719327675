"""Where nothing can be compiled: everything runs eagerly, with one warning that says why."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import framejit

UNSUPPORTED = """
import sys, warnings, inspect, io, contextlib
{hide}
import framejit
from framejit import jit, explain, config, disable, FallbackWarning
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    @jit
    def f(x, y=1):
        "Doc."
        return x + y
    @jit(backend="numpy")
    def g(x): yield x
    class C:
        @jit
        @classmethod
        def c(cls, x): return x
        @jit
        def m(self, x): return x
assert [w.category for w in caught] == [FallbackWarning], caught
assert caught[0].filename == "<string>", caught[0].filename
print(caught[0].message)
assert (f(1), f(1, y=2), list(g(3)), C.c(4), C().m(5)) == (2, 3, [3], 4, 5)
assert f.__wrapped__(1) == 2 and f.__doc__ == "Doc." and f.__defaults__ == (1,)
assert inspect.isgeneratorfunction(g) and str(inspect.signature(f)) == "(x, y=1)"
assert f.stats()["calls"] == f.stats()["eager_calls"] == 2, f.stats()
assert all(type(n) is int for n in f.stats().values())
assert f.inspect("graph").startswith("nothing was captured: "), f.inspect("graph")
report = explain(f)(1)
assert report.result == 2 and report.skipped[0].rule == "unsupported"
assert "nothing was compiled" in str(report) and report.to_json()
with config(backend="numpy"), disable(): f(1)
assert disable(f)(1) == 2
try: jit(3)
except TypeError as error: assert "must be a Python function" in str(error)
from framejit.frontends.commands.doctor import main
with contextlib.redirect_stdout(io.StringIO()) as out: assert main([]) == 1
assert "everything runs eagerly" in out.getvalue(), out.getvalue()
"""
HIDE = "sys.modules['framejit.jit.native._core'] = None"


def unsupported(hide: str) -> str:
    command = [sys.executable, "-c", UNSUPPORTED.format(hide=hide)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_without_the_core() -> None:
    """Everything runs eagerly, with all attributes, and one warning that says why."""
    text = unsupported(HIDE)

    assert text.startswith("framejit runs everything eagerly here: the C core cannot be imported (")
    assert text.endswith("`pip install .` builds it")


def test_unknown_python() -> None:
    """A version that has no bytecode table."""
    text = unsupported("import numpy; sys.version_info = (3, 99, 0, 'final', 0)")

    assert "framejit reads the bytecode of CPython 3.11 to 3.13, not of cpython 3.99" in text


def test_free_threaded_build() -> None:
    """Known by its ABI flag."""
    text = unsupported("sys.abiflags = 't'")

    assert text.endswith("free-threaded builds of CPython are not supported yet")


def test_subinterpreter() -> None:
    """The package imports there and says why it compiles nothing."""
    code = """
try:
    import _interpreters as interpreters
    run = interpreters.exec
except ImportError:
    import _xxsubinterpreters as interpreters
    run = interpreters.run_string
inner = '''
import warnings
warnings.simplefilter("ignore")
import framejit.jit
from framejit.jit import native
with open({path!r}, "w") as file:
    file.write(str(native.why_unsupported()))
'''
import os, tempfile
path = tempfile.mktemp()
run(interpreters.create(), inner.format(path=path))
print(open(path).read()); os.unlink(path)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert done.stdout.strip() == "subinterpreters are not supported yet", done.stderr


def test_nothing_else_imports_the_core() -> None:
    """`jit/native/__init__.py` is the only door."""
    root = Path(framejit.__file__).resolve().parent
    inside = [
        path
        for room in ("jit", "guards", "backends", "frontends")
        for path in (root / room).rglob("*.py")
    ]
    wrong = [
        path
        for path in inside
        if re.search(r"import _core|(?<!numpy)\._core", path.read_text(encoding="utf-8"))
    ]

    assert wrong == [root / "jit" / "native" / "__init__.py"]


def test_doctor(capsys: pytest.CaptureFixture[str]) -> None:
    """Versions, the C core, the verdict, backends and options, one a line."""
    from framejit.frontends.commands.doctor import main

    assert main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    titles = [line.split(" ")[0] for line in lines]
    for title in ("python", "framejit", "numpy", "numba", "verdict", "backend", "option"):
        assert title in titles
    assert "verdict     functions are compiled" in lines
    assert "backend     eager: runs everything as plain Python" in lines


def test_a_backend_that_does_not_load(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The verdict is about the backend that would be taken."""
    from framejit.frontends.commands import doctor

    def load(name: str) -> None:
        raise ImportError(f"no library for {name}")

    monkeypatch.setattr(doctor, "load_backend", load)
    assert doctor.main([]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "verdict     everything runs eagerly: backend numba does not load" in lines
    assert "backend     numba: does not load: ImportError: no library for numba" in lines
