"""Machine code by key: loaded without Numba, shared while it lives, and gone with its last user."""

from __future__ import annotations

import ctypes
import gc
import os
import subprocess
import sys
import weakref
from pathlib import Path

import llvmlite.binding as llvm
import numpy as np
import pytest

from framejit import jit
from framejit.backends.numba.machine_code import codes, lookups, stored
from framejit.backends.numba.machine_code.compiling import compiled
from framejit.backends.numba.machine_code.lookups import Outcome
from framejit.backends.numba.machine_code.objects import features
from framejit.backends.numba.machine_code.shared_text import shared
from framejit.jit.disk import Folder
from framejit.jit.native import code_memory, processor

TEXT = "def kernel(w):\n    return w[0] + 5\n"
OTHER = "def kernel(w):\n    return w[0] + 6\n"
LOADS = """
import ctypes, sys
import numpy
before = {*sys.modules}
from framejit.backends.numba.machine_code import codes
code = codes.load(sys.argv[1])
word = ctypes.c_int64(40)
print(ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(code.address)(ctypes.addressof(word)))
print(codes.find(sys.argv[2]) is code)
print(*sorted(name for name in {*sys.modules} - before if "." not in name or "framejit" in name))
"""
MAY_LOAD = ("guards", "jit", "backends.numba.machine_code")
"""Folders whose modules a process needs that only loads, besides the packages that these are in."""
NEEDS_NOT = ("jit.ir", "jit.passes", "backends.numba.library", "backends.numba.backend")
MEBIBYTES = 4.0
"""That may stay of fifty kernels that were compiled: a third of the earlier size."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """The folder that the backend uses in this test, with the entry of one text."""
    made = Folder(str(tmp_path / "kernels"))
    monkeypatch.setattr(stored, "folder", lambda: made)
    monkeypatch.setattr(lookups, "_of_process", {})
    codes._loaded.clear()
    assert stored.keep(TEXT, *compiled(TEXT))
    return made


def key() -> str:
    """Return the key of the text in the cache."""
    found = codes.key_of(TEXT)
    assert found is not None
    return found


def result(address: int) -> int:
    """Return the result of a kernel whose first word is 40."""
    word = ctypes.c_int64(40)
    function = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(address)
    return int(function(ctypes.addressof(word)))


def test_by_key_and_by_text(folder: Folder) -> None:
    """Both are the same code, once in memory; the search of the disk is counted once."""
    code = codes.load(key())
    assert code is not None
    assert result(code.address) == 45
    assert codes.load(key()) is codes.find(TEXT) is code
    assert codes.find(OTHER) is None
    assert lookups.counts(folder) == {Outcome.FOUND: 1, Outcome.NEW: 1}
    assert lookups.machine_code_of(TEXT) == ("disk", "")


def test_keys_of_nothing(folder: Folder) -> None:
    """A malformed key, and an entry stored under another key's name, give no code."""
    path = Path(folder.path, key())
    other = codes.key_of(OTHER)
    assert other is not None
    Path(folder.path, other).write_bytes(path.read_bytes())
    Path(folder.path, other).chmod(0o600)

    assert [codes.load(one) for one in (other, "0" * 64, "", "../kernels", "x")] == [None] * 5
    path.write_bytes(path.read_bytes()[:-1])
    assert codes.load(key()) is None


@pytest.mark.parametrize("fact", ["framejit", "numba", "llvmlite", "llvm", "cpu", "features"])
def test_keys_of_others(fact: str, folder: Folder) -> None:
    """An entry that another framejit, another LLVM or another processor has made is none here."""
    facts = stored.facts_of(TEXT)
    assert facts is not None
    theirs = {**facts, fact: "another"}
    code, symbol = compiled(TEXT)
    assert folder.write(stored.name_of(theirs), stored.Stored(theirs, symbol, code).packed())

    assert codes.load(stored.name_of(theirs)) is None
    assert codes.load(key()) is not None


def test_what_loads_imports_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither Numba nor LLVM, nor what writes kernels or passes over graphs."""
    monkeypatch.setattr(stored, "folder", lambda: Folder(str(tmp_path / "kernels")))
    assert stored.keep(TEXT, *compiled(TEXT))
    done = subprocess.run(
        [sys.executable, "-c", LOADS, key(), TEXT],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "FRAMEJIT_CACHE_DIR": str(tmp_path)},
    )
    answer, same, loaded = done.stdout.splitlines()
    modules = loaded.split()
    ours = [name.partition(".")[2] for name in modules if name.startswith("framejit.")]

    assert (answer, same) == ("45", "True")
    assert {"numba", "llvmlite", "scipy", "bytecode"}.isdisjoint(modules)
    assert [name for name in ours if name.startswith(NEEDS_NOT)] == []
    parents = {"backends", "backends.numba"}
    assert [n for n in ours if not n.startswith(MAY_LOAD) and n not in parents] == []
    assert len(ours) <= 25


def test_features_are_those_of_llvm() -> None:
    """The names that framejit asks for, found without LLVM; another processor is told apart."""
    asked = {"+avx", "+avx2", "+fma", "+avx512f", "+avx512dq"}
    theirs = llvm.get_host_cpu_features()

    assert features() == {name for name in asked if theirs.get(name[1:])}
    assert processor() == processor()
    name, registers, _ = processor()
    assert name.partition(" family ")[2].split()[1] == "model"
    assert len(registers.split()) > 10


# ---- lifetimes ---------------------------------------------------------------------------------


def test_code_goes_with_its_last_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry holds its machine code; what was used last stays for a while."""
    monkeypatch.setattr(codes, "_recent", codes.deque(maxlen=1))
    function = jit(lambda x: x * 3 - 8, backend="numba", cache=False)
    assert function(np.arange(3.0))[1] == -5
    text = function.inspect("numba")
    [code] = [one for (known, _), one in codes._codes.items() if known == shared(f"{text}\n")]
    watched, before = weakref.ref(code), code_memory()[1]
    del code
    codes._recent.clear()
    gc.collect()
    assert watched() is not None
    assert function(np.arange(3.0))[2] == -2

    del function
    gc.collect()
    assert watched() is None
    assert code_memory()[1] < before


def test_a_kernel_that_runs_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """A function that the kernel calls may drop the jitted function and all its entries."""
    monkeypatch.setattr(codes, "_recent", codes.deque(maxlen=0))
    held = {}

    def drop(x: np.ndarray) -> np.ndarray:
        held.clear()
        gc.collect()
        return x

    def program(x: np.ndarray) -> np.ndarray:
        return np.apply_along_axis(drop, 0, x * 2 + 1) * 3 - 1

    held["function"] = jit(program, backend="numba", cache=False)
    x = np.arange(6.0)
    for _ in range(3):
        function = held.get("function") or jit(program, backend="numba", cache=False)
        held["function"] = function
        assert function(x).tobytes() == program(x).tobytes()
        del function


def private() -> float:
    """MiB that this process has alone."""
    gc.collect()
    lines = Path("/proc/self/smaps_rollup").read_text(encoding="ascii").splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024


def test_little_stays_of_what_is_compiled() -> None:
    """Modules of LLVM, lists of passes, code: all of it goes with the function.

    The bound is generous; tests/bench/kernel_memory.py has the figures.
    """

    def throw_away(numbers: range) -> None:
        for number in numbers:
            compiled(f"def kernel(w):\n    x = float64_at(w[1])\n    return {number} + w[2]\n")

    throw_away(range(30))
    before = private()
    throw_away(range(30, 80))
    assert private() - before < MEBIBYTES
