"""Where nothing can be compiled all runs eagerly, with one warning that gives the reason."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

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
    warnings.simplefilter("error")
    jit(lambda: 0)
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
    """Everything runs eagerly, with all attributes, and one warning that gives the reason."""
    text = unsupported(HIDE)

    assert text.startswith("framejit runs everything eagerly here: the C core cannot be imported (")
    assert text.endswith("`pip install .` builds it")


def test_unknown_python() -> None:
    """A version that has no bytecode table."""
    text = unsupported("import numpy; sys.version_info = (3, 99, 0, 'final', 0)")

    assert "framejit reads the bytecode of CPython 3.11 to 3.15, not of cpython 3.99" in text


def test_free_threaded_build() -> None:
    """Known by its ABI flag."""
    text = unsupported("sys.abiflags = 't'")

    assert text.endswith("framejit's C core relies on the GIL")


CORE_WITHOUT_A_HOOK = """
from importlib.util import module_from_spec, spec_from_file_location
spec = spec_from_file_location("framejit.jit.native._core", {path!r})
core = sys.modules[spec.name] = module_from_spec(spec)
spec.loader.exec_module(core)
state = core.hook_state
core.hook_state = lambda: dict(state(), unsupported="this is a debug build of CPython")
"""


def test_a_core_that_cannot_hook_frames() -> None:
    """Its own reason is given: such a core takes a tool to be watching, and compiles nothing."""
    path = sys.modules["framejit.jit.native._core"].__file__

    text = unsupported(CORE_WITHOUT_A_HOOK.format(path=path))

    assert text == "framejit runs everything eagerly here: this is a debug build of CPython"


def test_subinterpreter() -> None:
    """The package imports there and gives the reason why it compiles nothing."""
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


STRICT = """
import sys, warnings
{hide}
warnings.simplefilter("error")
import framejit
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("error")
    f = framejit.jit(lambda x: x + 1)
with framejit.capture(): print(f(1), caught)
"""


@pytest.mark.parametrize("hide", [HIDE, "sys.abiflags = 't'"])
def test_where_warnings_are_errors(hide: str) -> None:
    """Eager raises nothing there: the one line goes to stderr, and the program runs."""
    command = [sys.executable, "-c", STRICT.format(hide=hide)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)

    assert done.stdout == "2 []\n"
    [line] = done.stderr.splitlines()
    assert line.startswith("FallbackWarning: framejit runs everything eagerly here: ")


# ---- sources that hide the installed package -----------------------------------------------------

SHADOWED = """
import numpy as np
from framejit import jit
@jit
def f(x): return x * 2
@jit
def g(x): return x * 3
print(f(np.ones(2)), g(np.ones(2)), f.stats()["captures"])
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The sources as they are checked out beside a script: named like the package, not built."""
    root = Path(framejit.__file__).resolve().parent
    made = tmp_path / "framejit"
    made.mkdir()
    for name in ("__init__.py", "__main__.py"):
        shutil.copy(root / name, made)
    left_out = shutil.ignore_patterns("*.so", "__pycache__")
    for folder in ("jit", "guards", "backends", "frontends"):
        shutil.copytree(root / folder, made / folder, ignore=left_out)
    (tmp_path / "script.py").write_text(SHADOWED, encoding="utf-8")
    return made


def ran(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """A process that starts in a folder."""
    return subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, check=False, cwd=folder
    )


def test_a_checkout_beside_the_script(checkout: Path) -> None:
    """One line says that it hides the installed package; `run` and `doctor` say so too."""
    installed = Path(framejit.__file__).resolve().parent
    reason = (
        f"the C core cannot be imported (No module named 'framejit.jit.native._core'): framejit "
        f"was imported from {checkout}, sources in which it is not built, and not from "
        f"{installed}, where it is installed: rename that folder, or run Python from another"
    )
    for command in (["script.py"], ["-m", "framejit", "run", "script.py"]):
        done = ran(checkout.parent, *command)
        assert done.stdout == "[2. 2.] [3. 3.] 0\n", done.stderr
        assert done.stderr.count("runs everything eagerly") == 1
        assert f"FallbackWarning: framejit runs everything eagerly here: {reason}\n" in done.stderr
    doctor = ran(checkout.parent, "-m", "framejit", "doctor")
    assert doctor.returncode == 1
    assert f"C core      not used: {reason}\n" in doctor.stdout
    assert f"verdict     everything runs eagerly: {reason}\n" in doctor.stdout
    cache = ran(checkout.parent, "-m", "framejit", "cache", "list")
    assert cache.stdout == f"not used    everything runs eagerly here: {reason}\n"


def test_a_checkout_alone(checkout: Path) -> None:
    """Where nothing is installed, what to build is named; built for another Python says so."""
    alone = ["-S", "-c", "import sys; sys.path.insert(0, '.')"]
    alone[-1] += "; from framejit.jit import native; print(native.why_unsupported())"
    missing = "the C core cannot be imported (No module named 'framejit.jit.native._core'): "

    assert ran(checkout.parent, *alone).stdout == (
        f"{missing}it is not built in {checkout}, from which framejit was imported; there, "
        "`pip install .` builds it\n"
    )
    (checkout / "jit" / "native" / "_core.cpython-38-x86_64-linux-gnu.so").touch()
    assert ran(checkout.parent, *alone).stdout == (
        f"{missing}in {checkout} it is built for cpython-38-x86_64-linux-gnu, and this is another "
        "Python; there, `pip install .` builds it\n"
    )


def test_nothing_else_imports_the_core() -> None:
    """`jit/native/__init__.py` is the only door."""
    root = Path(framejit.__file__).resolve().parent
    inside = [
        path
        for folder in ("jit", "guards", "backends", "frontends")
        for path in (root / folder).rglob("*.py")
    ]
    wrong = [
        path
        for path in inside
        if re.search(r"import _core|(?<!numpy)\._core", path.read_text(encoding="utf-8"))
    ]

    assert wrong == [root / "jit" / "native" / "__init__.py"]


@pytest.mark.counts("whose trial says that its kernel ran")
def test_doctor(capsys: pytest.CaptureFixture[str]) -> None:
    """Versions, the C core, the verdict, backends and options, one a line."""
    from framejit.frontends.commands.doctor import main

    assert main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    titles = [line.split(" ")[0] for line in lines]
    for title in ("python", "framejit", "numpy", "numba", "verdict", "backend", "option", "cache"):
        assert title in titles
    [trial] = [line for line in lines if line.startswith("trial ")]
    assert re.fullmatch(r"trial       a kernel was compiled in \d+\.\d s, with NumPy's bits", trial)
    assert "verdict     functions are compiled" in lines
    assert "backend     eager: runs everything as plain Python" in lines


@pytest.mark.counts("whose trial is of a kernel that is compiled")
def test_kernels_that_do_not_work(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The verdict comes from running a kernel, not from the list of installed packages."""
    from framejit.backends.numba import backend
    from framejit.frontends.commands import doctor
    from framejit.frontends.runtime import function

    # The suite fails a test that makes a real Failure; this one wants one.
    monkeypatch.setattr(
        function, "Failure", lambda where, text: SimpleNamespace(where=where, text=text)
    )

    def fail(*_: Any) -> Any:
        raise RuntimeError("no such kernel")

    monkeypatch.setattr(backend, "compile_text", fail)
    assert doctor.main([]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "trial       a kernel failed: RuntimeError: no such kernel" in lines
    assert "verdict     everything runs eagerly: kernels do not work here, see trial" in lines


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
