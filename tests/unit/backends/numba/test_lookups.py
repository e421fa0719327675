"""Searches for machine code on disk are counted: found, or missed by which cause."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from framejit import explain, jit
from framejit.backends.numba.machine_code import codes, lookups, stored
from framejit.backends.numba.machine_code.compiling import compiled
from framejit.backends.numba.machine_code.lookups import Outcome
from framejit.frontends.commands.cache import main
from framejit.jit.disk import Folder

TEXT = "def kernel(w):\n    return w[0]\n"
OTHER = "def kernel(w):\n    return w[1]\n"


@pytest.fixture(scope="module")
def code() -> tuple[bytes, str]:
    """Machine code of a small kernel, and its symbol."""
    return compiled(TEXT)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """The folder that the backend uses in this test."""
    made = Folder(str(tmp_path / "kernels"))
    monkeypatch.setattr(stored, "folder", lambda: made)
    monkeypatch.setattr(lookups, "_of_process", {})
    return made


def facts() -> dict[str, str]:
    """Return the facts of the small kernel."""
    found = stored.facts_of(TEXT)
    assert found is not None
    return found


def test_found_and_new(folder: Folder, code: tuple[bytes, str]) -> None:
    """A kernel that nobody has compiled is missed; after that it is found."""
    assert stored.find(TEXT) is None
    stored.keep(TEXT, *code)
    assert stored.find(TEXT) is not None
    assert stored.find(OTHER) is None

    assert lookups.counts(folder) == {Outcome.NEW: 2, Outcome.FOUND: 1}
    assert lookups.machine_code_of(TEXT) == ("disk", "")
    assert lookups.machine_code_of(OTHER) == ("compiled", "")
    assert lookups.machine_code_of("never met") == ("", "")


@pytest.mark.parametrize(
    ("fact", "cause"),
    [
        ("framejit", Outcome.FRAMEJIT),
        ("numba", Outcome.NUMBA),
        ("llvm", Outcome.NUMBA),
        ("cpu", Outcome.PROCESSOR),
        ("features", Outcome.PROCESSOR),
    ],
)
def test_what_others_have_compiled(
    fact: str, cause: Outcome, folder: Folder, code: tuple[bytes, str]
) -> None:
    """An entry of the same text has the reason why it does not match."""
    theirs = {**facts(), fact: "another"}
    assert folder.write(stored.name_of(theirs), stored.Stored(theirs, code[1], code[0]).packed())

    assert stored.find(TEXT) is None
    assert stored.find(OTHER) is None
    assert lookups.counts(folder) == {cause: 1, Outcome.NEW: 1}
    assert lookups.machine_code_of(TEXT) == ("compiled", cause.value)


def test_what_cannot_be_used(folder: Folder, code: tuple[bytes, str]) -> None:
    """A damaged file, one that others may write to, a folder of that kind."""
    stored.keep(TEXT, *code)
    path = Path(folder.path, stored.name_of(facts()))
    path.write_bytes(path.read_bytes()[:-1])
    assert stored.find(TEXT) is None
    stored.keep(TEXT, *code)
    path.chmod(0o666)
    assert stored.find(TEXT) is None
    stored.keep(TEXT, *code)
    os.chmod(folder.path, 0o755)
    assert stored.find(TEXT) is None

    assert lookups.counts(folder) == {Outcome.DAMAGED: 2, Outcome.FOLDER: 1}


def test_what_is_not_kept(
    folder: Folder, code: tuple[bytes, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Code that needs the interpreter, and what the disk does not take."""
    stored.keep(TEXT, code[0][:100], code[1])
    monkeypatch.setattr(Folder, "write", lambda *_: False)
    stored.keep(OTHER, *code)

    assert lookups.counts(folder) == {Outcome.INTERPRETER: 1, Outcome.REFUSED: 1}
    assert lookups.machine_code_of(TEXT) == ("compiled", Outcome.INTERPRETER.value)


def test_where_the_cache_is_off(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process knows; nothing is written."""
    monkeypatch.setattr(stored, "folder", lambda: None)
    assert stored.find(TEXT) is None
    codes.compile_text("def kernel(w):\n    return w[2]\n", cached=False)

    assert {*lookups._of_process.values()} == {Outcome.OFF}
    assert not Path(folder.path).parent.joinpath("statistics").exists()


def test_the_file_of_counts_stays_small(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is summed up, and no count is lost; lines of anybody else's are none."""
    monkeypatch.setattr(lookups, "LIMIT", 200)
    for k in range(300):
        lookups.count(Outcome.FOUND if k % 3 else Outcome.DAMAGED, TEXT, folder)
    path = Path(folder.path).parent / "statistics" / lookups.FILE

    assert lookups.counts(folder) == {Outcome.FOUND: 200, Outcome.DAMAGED: 100}
    assert path.stat().st_size < 300
    assert path.stat().st_mode & 0o777 == 0o600
    path.write_bytes(b"FOUND x\nNOTHING 3\n\xff\nFOUND 4\nFOUND\nNEW " + b"9" * 40)
    assert lookups.counts(folder) == {Outcome.FOUND: 5}
    lookups.forget(folder)
    assert not lookups.counts(folder)


def test_counts_that_cannot_be_kept_stop_nobody(folder: Folder, code: tuple[bytes, str]) -> None:
    """Entries are found all the same."""
    stored.keep(TEXT, *code)
    Path(folder.path).parent.joinpath("statistics").touch()

    assert stored.find(TEXT) is not None
    assert not lookups.counts(folder)


def test_cache_list_shows_them(
    folder: Folder, code: tuple[bytes, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """In words; `cache clear` begins again."""
    stored.find(TEXT)
    stored.keep(TEXT, *code)
    stored.find(TEXT)
    stored.find(TEXT)
    stored.keep(OTHER, b"", "")

    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-3:] == [
        "looked up   3 kernels: 2 found, 1 compiled",
        "compiled    1: no process had compiled this kernel, or its code was removed",
        "not kept    1: the code needs the interpreter",
    ]
    assert main(["clear"]) == 0
    assert not lookups.counts(folder)


def test_functions_tell(folder: Folder) -> None:
    """`stats()` counts; the report names the problems."""
    program = jit(lambda x: x * 5 - 3, backend="numba")
    program(np.ones(3))
    assert (program.stats()["from_disk"], program.stats()["compiled"]) == (0, 1)
    assert "although machine code is kept on disk" not in str(explain(program)(np.ones(3)))
    again = jit(lambda x: x * 5 - 3, backend="numba")
    codes._codes.clear()
    codes._loaded.clear()
    again(np.ones(3))
    assert (again.stats()["from_disk"], again.stats()["compiled"]) == (1, 0)
    for path in Path(folder.path).iterdir():
        path.write_bytes(b"spoilt")
    codes._codes.clear()
    codes._loaded.clear()
    spoilt = jit(lambda x: x * 5 - 3, backend="numba")
    spoilt(np.ones(3))

    assert "its file was damaged" in str(explain(spoilt)(np.ones(3)))


def test_all_processes_are_counted(tmp_path: Path) -> None:
    """The second one finds the kernels of the first one."""
    program = "import numpy as np, framejit\nframejit.jit(lambda x: x * 2 + 1)(np.ones(3))"
    environment = {**os.environ, "FRAMEJIT_CACHE_DIR": str(tmp_path)}
    for _ in range(2):
        subprocess.run([sys.executable, "-c", program], check=True, env=environment)

    assert lookups.counts(Folder(str(tmp_path / "kernels"))) == {Outcome.NEW: 1, Outcome.FOUND: 1}
