"""The layout's known traps: one package at the root, imports that run one way."""

from __future__ import annotations

import ast
import importlib
import json
import re
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest
from picture import ROOT, imports, module_of, sources

import framejit

SUBPACKAGES = ("jit", "guards", "backends", "frontends")
OUTSIDE = ("tests", "examples", "docs", "build", "dist")
"""Folders of the checkout that are none of the subpackages."""
MAY_IMPORT = {
    "guards": {"guards"},
    "jit": {"jit", "guards"},
    "backends": {"backends", "jit"},
    "frontends": {"frontends", "jit", "guards", "backends"},
}
FACE = ("__init__", "__main__")
FREE_MS = 30.0
"""Limit in ms of `import framejit` over `import numpy`."""
VERSION = re.compile(r"PY_VERSION_HEX|PY_(MAJOR|MINOR|MICRO)_VERSION|PY_RELEASE_LEVEL")


def python(code: str, *options: str) -> str:
    """Return the output of a fresh interpreter."""
    command = [sys.executable, *options, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_packages_are_the_folders() -> None:
    """`packages` in pyproject is kept by hand: it names each folder that has an __init__.py."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    inits = [ROOT / "__init__.py", *sources(*SUBPACKAGES, "examples")]
    folders = [".".join(module_of(path)) for path in inits if path.name == "__init__.py"]

    assert sorted(project["tool"]["setuptools"]["packages"]) == sorted(folders)


def test_each_folder_of_the_package_has_an_init() -> None:
    """A folder with modules but without an __init__.py would not be installed."""
    folders = {path.parent for path in sources(*SUBPACKAGES)}

    assert [str(folder) for folder in folders if not (folder / "__init__.py").exists()] == []


def test_no_stray_folder() -> None:
    """The root holds the four subpackages and what is not code: nothing else would be installed."""
    inits = {path.parent.name for path in ROOT.glob("*/__init__.py")}

    assert inits - set(OUTSIDE) == set(SUBPACKAGES)


def test_no_stray_module_at_the_root() -> None:
    """A module at the root is importable without the package's name."""
    allowed = {"__init__.py", "__main__.py", "setup.py"}

    assert {path.name for path in ROOT.glob("*.py")} <= allowed


@pytest.mark.parametrize("subpackage", SUBPACKAGES)
def test_imports_run_one_way(subpackage: str) -> None:
    """Subpackages import only what MAY_IMPORT says, inside functions too."""
    wrong = []
    for path in sources(subpackage):
        for line, name in imports(path):
            target = name.split(".")
            if target[0] == "framejit" and target[1] not in MAY_IMPORT[subpackage]:
                wrong.append(f"{path.relative_to(ROOT)}:{line}: {name}")

    assert wrong == []


def test_the_package_imports_itself_relatively() -> None:
    """An absolute name would load a second copy where the package has another name."""
    inside = [*sources(*SUBPACKAGES), *(path for path in ROOT.glob("*.py") if path.stem in FACE)]
    wrong = []
    for path in inside:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            if any(name.split(".")[0] in ("framejit", *SUBPACKAGES) for name in names):
                wrong.append(f"{path.relative_to(ROOT)}:{node.lineno}")

    assert wrong == []


def test_outside_imports_the_package_by_name() -> None:
    """Tests and examples import framejit.…: never relatively, nor its parts as top-level names."""
    wrong = []
    for path in sources("tests", "examples"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = ["." * node.level + (node.module or "")]
            if any(name.startswith(".") or name.split(".")[0] in SUBPACKAGES for name in names):
                wrong.append(f"{path.relative_to(ROOT)}:{node.lineno}")

    assert wrong == []


def package_modules() -> list[str]:
    """The name of each module of the package."""
    return [".".join(module_of(path)) for path in [ROOT / "__init__.py", *sources(*SUBPACKAGES)]]


def test_no_module_is_loaded_under_two_names() -> None:
    """After everything was imported each file is one module, but for pytest's own copy of the face.

    pytest imports the __init__.py of the root under the name of the checkout's folder; it is lazy,
    so that the copy brings no second subpackage with it.
    """
    for name in package_modules():
        importlib.import_module(name)
    names: dict[Path, list[str]] = {}
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and file.endswith(".py") and name != "__main__":
            names.setdefault(Path(file).resolve(), []).append(name)
    package = Path(framejit.__file__).resolve().parent
    twice = {
        path.relative_to(package).as_posix(): found
        for path, found in names.items()
        if package in path.parents and len(found) > 1
    }
    subpackages = [name for name in sys.modules if name.split(".")[0] in SUBPACKAGES]
    twice.pop("__init__.py", None)

    assert twice == {}
    assert subpackages == []


def test_public_names() -> None:
    """Each public name can be imported, is listed by dir(), and is not a module."""
    assert len(framejit.__all__) == len(set(framejit.__all__))
    for name in framejit.__all__:
        assert name in dir(framejit)
        assert not isinstance(getattr(framejit, name), type(sys))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        framejit.nothing  # noqa: B018


def test_the_decorator_stays_where_the_subpackage_has_its_name() -> None:
    """`framejit.jit` is the decorator, also after the subpackage of that name was imported."""
    code = """
import framejit, sys
first = framejit.jit
import framejit.jit.errors, framejit.jit
from framejit import jit
assert framejit.jit is first is jit, (framejit.jit, first, jit)
assert callable(jit) and sys.modules["framejit.jit"] is not jit
"""

    assert python(code) == ""


def test_import_loads_nothing_heavy() -> None:
    """`import framejit` loads neither numba nor a subpackage; the decorator does not load numba."""
    code = """
import json, sys
import framejit
first = [name for name in sys.modules if name.startswith("framejit.") or name == "numpy"]
from framejit import jit
heavy = [name for name in ("numba", "llvmlite", "scipy", "bytecode") if name in sys.modules]
print(json.dumps([first, heavy]))
"""

    assert json.loads(python(code)) == [[], []]


@pytest.mark.alone
@pytest.mark.parametrize("statement", ["import framejit", "from framejit import jit"])
def test_import_costs_little(statement: str) -> None:
    """The package, and its decorator, cost at most 30 ms over `import numpy`: the best of seven.

    Of the processor's time, as wall time includes other processes; if the machine is so busy that
    this is slower too, at most a quarter of NumPy's time.
    """
    code = f"""
import time
first = time.process_time()
import numpy
start = time.process_time()
{statement}
print((time.process_time() - start) * 1e3, (start - first) * 1e3)
"""
    ours, numpys = min(tuple(map(float, python(code).split())) for _ in range(7))

    assert ours <= max(FREE_MS, numpys / 4)


def test_c_asks_for_the_version_in_one_place() -> None:
    """Only version.h and its private half ask for the version of CPython."""
    asking = [
        path.name
        for path in sorted(ROOT.glob("*/**/*.[ch]"))
        if "build" not in path.parts and VERSION.search(path.read_text())
    ]

    assert asking == ["version.h", "version_frames.h"]


def test_the_installed_package_is_tested(installed: bool) -> None:
    """In CI the tests of a checkout run against what pip installed, C core and all."""
    if not installed:
        pytest.skip("only with --installed")
    home = Path(sysconfig.get_path("platlib"), "framejit").resolve()
    loaded = [framejit.__file__, *(importlib.import_module(n).__file__ for n in package_modules())]
    core = importlib.import_module("framejit.jit.native._core").__file__

    assert [file for file in [*loaded, core] if home not in Path(str(file)).resolve().parents] == []
    assert python("import framejit; print(framejit.__file__)").strip() == framejit.__file__


def test_the_package_is_typed() -> None:
    """Type checkers of users see our annotations."""
    assert Path(framejit.__file__).with_name("py.typed").exists()
