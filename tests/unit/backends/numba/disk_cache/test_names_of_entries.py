"""The name of a kernel's entry on disk depends on its text, versions, and the processor."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import llvmlite
import numba
import pytest
from kernels_on_disk import run

import framejit
from framejit.backends.numba.library.intrinsics import WORD_POINTER, namespace
from framejit.backends.numba.library.names import NAMES
from framejit.backends.numba.machine_code import stored
from framejit.backends.numba.machine_code.compiling import compiled
from framejit.backends.numba.machine_code.emitting import object_code
from framejit.backends.numba.machine_code.objects import load
from framejit.jit.disk import Folder


def test_names_of_kernels() -> None:
    """The table that texts are written by names all that is compiled, and nothing else."""
    assert len(set(NAMES)) == len(NAMES)
    assert set(namespace()) == set(NAMES)


def test_texts_are_written_without_numba() -> None:
    """The backend's modules do not import it, nor LLVM."""
    code = """
import sys
import framejit.backends.numba.backend
print([name for name in ("numba", "llvmlite") if name in sys.modules])
"""

    assert run("off", code) == ["[]"]


def test_what_decides(kernels: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Text, framejit's code, versions and the machine; not Python's version, nor settings."""
    facts = stored.facts_of(kernels[0])
    assert facts is not None
    monkeypatch.setenv("NUMBA_OPT", "1")

    assert [*facts] == [*("text", "framejit", "numba", "llvmlite", "llvm", "cpu", "features")]
    assert facts["numba"] == numba.__version__
    assert facts["llvmlite"] == llvmlite.__version__
    assert stored.facts_of(kernels[0]) == facts
    other = stored.facts_of(kernels[1])
    assert other is not None
    assert {name for name in facts if facts[name] != other[name]} == {"text"}
    assert stored.name_of(facts) != stored.name_of(other)


def test_the_modules_that_decide_are_named() -> None:
    """All that `compiling` imports of this package, but for what only loads."""
    home = Path(framejit.__file__).parent / "backends" / "numba"
    found: set[str] = set()
    new = {"machine_code.compiling"}
    while new:
        found |= new
        for name in [*new]:
            folder, _, module = name.partition(".")
            text = (home / folder / f"{module}.py").read_text(encoding="utf-8")
            new |= {f"{folder}.{n}" for n in re.findall(r"^from \.(\w+) import", text, re.M)}
            new |= {*re.findall(r"^from \.\.(\w+\.\w+) import", text, re.M)}
        new -= found

    assert found - {"machine_code.objects"} == set(stored.SOURCES)


def test_code_that_needs_the_interpreter_is_not_kept(
    folder: Folder, kernels: tuple[str, str]
) -> None:
    """It belongs to one process; nor is kept what is no object code."""
    numbas: Any = numba.cfunc(numba.types.int64(WORD_POINTER))(lambda w: 1 // w[0])  # it may raise
    theirs = object_code(numbas._library._final_module)
    ours, symbol = compiled(kernels[0])

    assert load(theirs, numbas.native_name) is None
    stored.keep(kernels[0], theirs, numbas.native_name)
    assert folder.files() == []
    assert load(ours, "another name") is None
    assert load(ours, symbol) is not None
