"""Files that a build in the checkout makes beside the extensions."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import cache_from_source
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
BUILD = """
import setuptools
from distutils.core import run_setup
made = run_setup("setup.py", ["-q", "build_ext", "--inplace"], stop_after="commandline")
made.ext_modules = []  # the compiler takes half a minute
made.run_commands()
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Two packages of it."""
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE", "__init__.py", "guards"):
        source, target = ROOT / name, tmp_path / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, target)
    (tmp_path / "jit").mkdir()
    shutil.copy2(ROOT / "jit" / "platforms.py", tmp_path / "jit")  # setup.py asks it
    text = (tmp_path / "pyproject.toml").read_text(encoding="utf-8")
    start = text.index("packages = [")
    end = text.index("]", start)
    two = 'packages = ["framejit", "framejit.guards"'
    (tmp_path / "pyproject.toml").write_text(text[:start] + two + text[end:], encoding="utf-8")
    return tmp_path


def build(checkout: Path) -> str:
    """Build and return the output."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", BUILD],
        cwd=checkout,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return done.stdout + done.stderr


def bytecode(module: Path) -> Path:
    return Path(cache_from_source(str(module)))


def test_a_build_in_place_compiles_the_modules(checkout: Path) -> None:
    build(checkout)
    modules = [checkout / "__init__.py", *(checkout / "guards").glob("*.py")]
    assert all(bytecode(module).exists() for module in modules)
    assert not bytecode(checkout / "setup.py").exists()


def test_only_what_is_newer_is_compiled_again(checkout: Path) -> None:
    build(checkout)
    changed, same = checkout / "guards" / "grip.py", checkout / "guards" / "sources.py"
    before = {module: bytecode(module).stat().st_mtime_ns for module in (changed, same)}
    changed.write_text(changed.read_text(encoding="utf-8") + "\nADDED = 1\n", encoding="utf-8")
    build(checkout)
    after = {module: bytecode(module).stat().st_mtime_ns for module in (changed, same)}
    assert after[changed] != before[changed]
    assert after[same] == before[same]


def test_a_folder_that_cannot_be_written_to_is_passed_over(checkout: Path) -> None:
    (checkout / "guards" / "__pycache__").write_text("in the way", encoding="utf-8")
    said = build(checkout)
    assert "in the way" not in said
    assert "Error" not in said
    assert bytecode(checkout / "__init__.py").exists()
