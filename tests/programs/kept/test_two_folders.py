"""FRAMEJIT_CACHE_DIR=a:b: what stands in b serves, and nothing is ever written there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from kept_programs import OBJECTS, SEGMENTS, START, WHOLE, entries_in, run

pytestmark = pytest.mark.counts("what was captured, kept and taken")


def as_shared(folder: Path, name: str = "shared") -> Path:
    """Makes what a program has kept a folder that all may read, and nobody may write."""
    home = folder / name
    shutil.move(folder / "cache", home)
    for path in [home, *home.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    return home


def both(folder: Path, *further: Path, first: str = "cache") -> str:
    """The setting: a folder of one's own, and others behind it."""
    return os.pathsep.join([str(folder / first), *map(str, further)])


def contents(home: Path) -> dict[str, tuple[int, int, bytes]]:
    """All that a change of a folder would change."""
    return {
        str(path): (
            path.stat().st_mode,
            path.stat().st_mtime_ns,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in [home, *home.rglob("*")]
    }


def command(*words: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "framejit", *words],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        timeout=120,
    )
    return done.stdout


@pytest.mark.parametrize(
    "program", [WHOLE, SEGMENTS, OBJECTS], ids=["whole", "segments", "objects"]
)
def test_the_second_folder_serves(program: str, tmp_path: Path) -> None:
    """Nothing is captured nor compiled, and it stays as it was."""
    first = run(START + program, tmp_path)
    shared = as_shared(tmp_path)
    before = contents(shared)
    second = run(START + program, tmp_path, FRAMEJIT_CACHE_DIR=both(tmp_path, shared))

    assert second.printed == first.printed
    assert second.total("captures") == 0
    assert second.total("kept") > 0
    assert second.loaded == []
    assert entries_in(tmp_path) == []
    assert not [*(tmp_path / "cache").glob("kernels/*")]
    assert contents(shared) == before


def test_what_is_new_goes_to_the_first(tmp_path: Path) -> None:
    """With what was taken, so that the third process finds all of it there."""
    other = START + WHOLE + "print(f(X.astype('f4'), X.astype('f4'))[1].tobytes().hex())\n"
    run(START + WHOLE, tmp_path)
    shared = as_shared(tmp_path)
    before = contents(shared)
    second = run(other, tmp_path, FRAMEJIT_CACHE_DIR=both(tmp_path, shared))
    third = run(other, tmp_path, FRAMEJIT_CACHE_DIR=both(tmp_path, shared))

    assert second.printed == third.printed == run(other, tmp_path, eager=True).printed
    assert (second.total("kept"), second.total("captures")) == (1, 1)
    assert (third.total("kept"), third.total("captures")) == (2, 0)
    assert contents(shared) == before


def test_without_a_first_folder(tmp_path: Path) -> None:
    """`off:b` takes from b and writes nothing."""
    run(START + WHOLE, tmp_path)
    shared = as_shared(tmp_path)
    second = run(START + WHOLE, tmp_path, FRAMEJIT_CACHE_DIR=f"off{os.pathsep}{shared}")

    assert (second.total("kept") > 0, second.total("captures")) == (True, 0)
    assert not (tmp_path / "cache").exists()


def test_a_first_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """As in a container that has no home."""
    run(START + WHOLE, tmp_path)
    shared = as_shared(tmp_path)
    (tmp_path / "file").touch()
    setting = both(tmp_path, shared, first="file")
    second = run(START + WHOLE, tmp_path, FRAMEJIT_CACHE_DIR=setting)

    assert (second.total("kept") > 0, second.total("captures")) == (True, 0)


@pytest.mark.parametrize("damage", ["cut", "bit", "empty", "others", "link"])
def test_what_is_damaged_is_refused_and_stays(damage: str, tmp_path: Path) -> None:
    """Kernels and what was captured; nothing is removed from a folder that is only read."""
    first = run(START + SEGMENTS, tmp_path)
    shared = as_shared(tmp_path)
    for path in [*shared.glob("kernels/*"), *shared.glob("entries/*")]:
        content = path.read_bytes()
        path.chmod(0o644)
        if damage == "others":
            path.chmod(0o666)
        elif damage == "link":
            path.rename(tmp_path / path.name)
            path.symlink_to(tmp_path / path.name)
        else:
            spoilt = {"cut": content[:-9], "bit": b"x" + content[1:], "empty": b""}
            path.write_bytes(spoilt[damage])
    before = contents(shared)
    second = run(START + SEGMENTS, tmp_path, FRAMEJIT_CACHE_DIR=both(tmp_path, shared))

    assert second.printed == first.printed
    assert second.total("kept") == 0
    assert second.total("captures") > 0
    assert "numba." in "".join(second.loaded)
    assert contents(shared) == before


@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o775])
def test_a_folder_that_others_may_write_to(mode: int, tmp_path: Path) -> None:
    """One with a sticky bit too: others put files there, if they do not exchange any."""
    first = run(START + WHOLE, tmp_path)
    shared = as_shared(tmp_path)
    os.chown(shared / "entries", -1, 1)
    (shared / "entries").chmod(mode)
    second = run(START + WHOLE, tmp_path, FRAMEJIT_CACHE_DIR=both(tmp_path, shared))
    told = command("doctor", FRAMEJIT_CACHE_DIR=both(tmp_path, shared))

    assert second.printed == first.printed
    assert second.total("kept") == 0
    who = "its group" if mode == 0o775 else "others"
    why = (
        f"not used: {who} may write to {shared}/entries: its mode is {mode & 0o777:o}, make it 755"
    )
    assert f"\nalso read   {shared}: {why}\n" in told


@pytest.mark.skipif(os.geteuid() != 0, reason="gives a folder to somebody else")
def test_a_folder_of_somebody_else(tmp_path: Path) -> None:
    """An owner who is neither the user nor root is not trusted with code that runs as the user."""
    run(START + WHOLE, tmp_path)
    shared = as_shared(tmp_path)
    for path in [shared, *shared.rglob("*")]:
        os.chown(path, 1234, -1)
    second = run(START + WHOLE, tmp_path, FRAMEJIT_CACHE_DIR=both(tmp_path, shared))
    listed = command("cache", "list", FRAMEJIT_CACHE_DIR=both(tmp_path, shared))

    assert second.total("kept") == 0
    assert f"\nalso read   {shared}: not used: {shared} belongs to somebody else\n" in listed


def test_what_the_commands_say(tmp_path: Path) -> None:
    run(START + WHOLE, tmp_path)
    shared, missing, file = as_shared(tmp_path), tmp_path / "missing", tmp_path / "file"
    file.touch()
    [entry] = shared.glob("kernels/*")
    entry.chmod(0o666)
    setting = both(tmp_path, missing, shared, file)
    for words in (("doctor",), ("cache", "list")):
        lines = command(*words, FRAMEJIT_CACHE_DIR=setting).splitlines()
        told = [line.removeprefix("also read   ") for line in lines if line.startswith("also read")]

        assert told[0] == f"{missing}: there is no such folder"
        assert told[1].startswith(f"{shared}: 1 kernel, 1 function captured, ")
        assert told[2].startswith(f"{shared}: 1 file not read, as others may write to them")
        assert told[3] == f"{file}: this is no folder"
        assert len(told) == 4
    before = contents(shared)
    cleared = command("cache", "clear", FRAMEJIT_CACHE_DIR=setting)

    assert f"\nleft alone  {shared}: it is only read\n" in cleared
    assert contents(shared) == before
