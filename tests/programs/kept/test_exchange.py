"""`cache export` and `cache import`: a cache goes to another folder, whole or not at all."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from kept_programs import OBJECTS, SEGMENTS, START, WHOLE, run

from framejit.jit import archive

pytestmark = pytest.mark.counts("what was captured, kept and taken")


def command(*words: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """`cache ...` with a cache in this folder, in the environment of `run`."""
    variables = {"FRAMEJIT_ENTRIES": "1", "FRAMEJIT_DEBUG": "strict"}
    return subprocess.run(
        [sys.executable, "-m", "framejit", "cache", *words],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **variables, "FRAMEJIT_CACHE_DIR": str(folder), **environment},
    )


def exported(folder: Path, program: str = WHOLE) -> Path:
    """A file with what a program has kept."""
    run(START + program, folder)
    file = folder / "cache.zip"
    done = command("export", str(file), folder=folder / "cache")
    assert (done.returncode, done.stderr) == (0, "")
    return file


@pytest.fixture(scope="module")
def _whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return exported(tmp_path_factory.mktemp("whole")).read_bytes()


@pytest.fixture
def file(_whole: bytes, tmp_path: Path) -> Path:
    """A copy of the file of `WHOLE`, to be changed."""
    copy = tmp_path / "cache.zip"
    copy.write_bytes(_whole)
    return copy


def refused(file: Path, folder: Path, **environment: str) -> str:
    """Return the reason for which a file is not imported; nothing in the folder has changed."""
    done = command("import", str(file), folder=folder / "other", **environment)
    assert done.returncode == 1
    assert done.stdout == ""
    there = [path for path in (folder / "other").rglob("*") if path.is_file()]
    assert [path for path in there if path.parent.name != "entries"] == []
    assert {path.stat().st_size for path in there} <= {64}  # the digest of framejit's own sources
    start = f"framejit cache import: {file}: nothing was imported: "
    assert done.stderr.startswith(start)
    assert done.stderr.count("\n") == 1
    return done.stderr.removeprefix(start).rstrip()


def members(file: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(file) as held:
        return {name: held.read(name) for name in held.namelist()}


def packed(file: Path, content: dict[str, bytes]) -> None:
    """Writes members, with a manifest that fits them."""
    told = json.loads(content.pop(archive.MANIFEST))
    content.pop(archive.DIGEST)
    archive.write(str(file), told["facts"], content)


@pytest.mark.parametrize(
    "program", [WHOLE, SEGMENTS, OBJECTS], ids=["whole", "segments", "objects"]
)
def test_there_and_back(program: str, tmp_path: Path) -> None:
    """A process with the other folder captures and compiles nothing, and answers alike."""
    file = exported(tmp_path, program)
    first = run(START + program, tmp_path)
    done = command("import", str(file), folder=tmp_path / "other")
    second = run(START + program, tmp_path, FRAMEJIT_CACHE_DIR=str(tmp_path / "other"))
    again = command("import", str(file), folder=tmp_path / "other")

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("imported    1 function and ")
    assert second.printed == first.printed
    assert (second.total("kept") > 0, second.total("captures"), second.loaded) == (True, 0, [])
    assert again.stdout.startswith("imported    0 functions and 0 kernels, 0 bytes\nleft alone  ")
    assert stat.S_IMODE((tmp_path / "other" / "kernels").stat().st_mode) == 0o700
    names = sorted(path.name for path in (tmp_path / "other").iterdir())
    assert names[:3] == ["entries", "imports", "kernels"]
    assert not [*(tmp_path / "other" / "imports").iterdir()]


def test_what_is_there_stays(tmp_path: Path) -> None:
    """Another program has captured more of the same function since."""
    other = START + WHOLE + "print(f(X.astype('f4'), X.astype('f4'))[1].tobytes().hex())\n"
    file = exported(tmp_path)
    run(other, tmp_path)
    done = command("import", str(file), folder=tmp_path / "cache")
    after = run(other, tmp_path)

    assert "left alone  2 that the cache had already" in done.stdout
    assert (after.total("kept"), after.total("captures")) == (2, 0)


def test_what_a_killed_import_has_left(file: Path, tmp_path: Path) -> None:
    """It goes with a later one; an import that runs beside it is left alone."""
    imports = tmp_path / "other" / "imports"
    old, new, other = (imports / name for name in ("0" * 16, "1" * 16, "mine"))
    for folder in (old, new, other):
        folder.mkdir(parents=True, mode=0o700)
        (folder / "kernels-x").touch(mode=0o600)
    imports.chmod(0o700)
    os.utime(old, (0, 0))
    os.utime(other, (0, 0))

    assert command("import", str(file), folder=tmp_path / "other").returncode == 0
    assert not old.exists()
    assert (new / "kernels-x").exists()
    assert (other / "kernels-x").exists()


def test_a_file_of_another_framejit(file: Path, tmp_path: Path) -> None:
    """The error names what differs."""
    content = members(file)
    told = json.loads(content[archive.MANIFEST])
    told["facts"]["framejit's own sources"] = "0" * 64
    content[archive.MANIFEST] = json.dumps(told).encode()
    packed(file, content)

    assert refused(file, tmp_path).startswith(
        f"it was made where other things hold: framejit's own sources ('{'0' * 60}...' there, "
    )


def test_a_file_of_another_environment(file: Path, tmp_path: Path) -> None:
    """Variables that change which loops NumPy chooses are part of it."""
    why = refused(file, tmp_path, OPENBLAS_CORETYPE="Haswell")

    assert why == (
        "it was made where other things hold: the variable OPENBLAS_CORETYPE "
        "('not set' there, 'Haswell' here)"
    )


DAMAGES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "nothing": (lambda whole: b"", "it is damaged: "),
    "half": (lambda whole: whole[: len(whole) // 2], "it is damaged: "),
    "a bit": (lambda whole: whole[:300] + bytes([whole[300] ^ 4]) + whole[301:], ""),
    "text": (lambda whole: b"hello", "it is damaged: "),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_files(damage: str, file: Path, tmp_path: Path) -> None:
    spoil, why = DAMAGES[damage]
    file.write_bytes(spoil(file.read_bytes()))

    assert refused(file, tmp_path).startswith(why)


@pytest.mark.parametrize(
    "name",
    [
        *("../x", "/tmp/x", "kernels/../../x", "kernels\\x", "entries/" + "0" * 63, "other/x"),
        *("entries/" + "A" * 64, "kernels/" + "0" * 64 + "\n", "kernels/", "KERNELS/" + "0" * 64),
    ],
)
def test_names_that_no_cache_has(name: str, file: Path, tmp_path: Path) -> None:
    """Whatever the manifest says of them."""
    packed(file, {**members(file), name: b"x"})

    why = refused(file, tmp_path)
    assert why.startswith(("it has a member that no cache has: ", "it has kernels/"))
    assert not (tmp_path / "x").exists()


def rewritten(file: Path, change: Callable[[zipfile.ZipInfo], None]) -> None:
    """The same members, one of them with other attributes."""
    with zipfile.ZipFile(file) as held:
        rows = [(info, held.read(info)) for info in held.infolist()]
    change(next(info for info, _ in rows if info.filename.startswith("kernels/")))
    with zipfile.ZipFile(file, "w") as made:
        for info, content in rows:
            made.writestr(info, content)


def _as_link(info: zipfile.ZipInfo) -> None:
    info.external_attr = (stat.S_IFLNK | 0o777) << 16


def _as_bzip2(info: zipfile.ZipInfo) -> None:
    info.compress_type = zipfile.ZIP_BZIP2


@pytest.mark.parametrize("change", [_as_link, _as_bzip2])
def test_members_that_are_no_plain_files(
    change: Callable[[zipfile.ZipInfo], None], file: Path, tmp_path: Path
) -> None:
    rewritten(file, change)

    assert refused(file, tmp_path).endswith(" is no plain file")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_member_twice(file: Path, tmp_path: Path) -> None:
    """Readers of zip files do not agree on which one counts."""
    name = next(name for name in members(file) if name.startswith("kernels/"))
    with zipfile.ZipFile(file, "a") as held:
        held.writestr(name, b"x")

    assert refused(file, tmp_path) == f"it has {name} twice"


def test_contents_that_are_not_what_they_should_be(tmp_path: Path) -> None:
    """A kernel under the name of another one, or of no kernel at all; with a fitting manifest."""
    file = exported(tmp_path, SEGMENTS)
    content = members(file)
    one, two, *_ = (name for name in content if name.startswith("kernels/"))
    packed(file, {**content, one: content[two]})
    assert refused(file, tmp_path) == f"{one} is not what it should be"
    entry = next(name for name in content if name.startswith("entries/"))
    spoilt = content[entry].replace(b'"whole"', b'"WHOLE"', 1)
    packed(file, {**content, entry: spoilt})
    assert refused(file, tmp_path) == f"{entry} is not what it should be"


def test_a_member_that_grows(file: Path, tmp_path: Path) -> None:
    """A few kilobytes become 100 megabytes: no more is read than is allowed."""
    content = members(file)
    told = json.loads(content[archive.MANIFEST])
    name, bomb = f"kernels/{'0' * 64}", bytes(100 << 20)
    told["members"][name] = [1000, sha256(bomb).hexdigest()]
    manifest = json.dumps(told).encode()
    content |= {archive.MANIFEST: manifest, archive.DIGEST: sha256(manifest).hexdigest().encode()}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for one, whole in {**content, name: bomb}.items():
            made.writestr(one, whole)

    assert file.stat().st_size < 1 << 20
    assert refused(file, tmp_path) == f"{name} is too large"


def test_where_nothing_can_be_written_or_read(tmp_path: Path) -> None:
    file = exported(tmp_path)
    off = command("import", str(file), folder=tmp_path, FRAMEJIT_CACHE_DIR="off")
    empty = command("export", str(tmp_path / "x"), folder=tmp_path / "empty")
    nowhere = command("export", str(tmp_path / "no" / "x"), folder=tmp_path / "cache")

    assert (off.returncode, empty.returncode, nowhere.returncode) == (1, 1, 1)
    assert off.stderr.endswith("nothing can be written to the cache: there is no folder\n")
    assert empty.stderr.endswith(
        "nothing was written: the cache has nothing that can be used here\n"
    )
    assert nowhere.stderr.endswith("nothing was written: No such file or directory\n")
    assert refused(tmp_path / "missing", tmp_path) == "No such file or directory"
    assert refused(Path("/dev/null"), tmp_path) == "it is no file"


def test_what_the_user_is_told() -> None:
    """That to import a file is to trust who made it."""
    helped = subprocess.run(
        [sys.executable, "-m", "framejit", "cache", "import", "--help"],
        capture_output=True,
        text=True,
    )

    assert "Kernels are machine code, and run as you: import only files of people" in helped.stdout
