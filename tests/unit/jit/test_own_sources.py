"""Digests of framejit's own sources follow each change of a file, and are read from the cache."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from framejit.jit import native, own_sources
from framejit.jit.disk import Folder

SOME = ["jit/one.py", "jit/inner/two.py"]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small package in the place of framejit's."""
    root = tmp_path / "package"
    for name, text in {
        "jit/one.py": "ONE = 1\n",
        "jit/inner/two.py": "TWO = 2\n",
        "jit/inner/core.so": "machine code",
        "jit/inner/notes.txt": "nothing that runs",
        "jit/__pycache__/one.py": "not looked at",
        "guards/three.py": "THREE = 3\n",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    monkeypatch.setattr(own_sources, "ROOT", str(root))
    monkeypatch.setattr(own_sources, "FOLDERS", ("guards", "jit"))
    monkeypatch.setattr(own_sources, "folder", lambda: _cache(tmp_path))
    monkeypatch.setattr(own_sources, "_taken", [])
    return root


def _cache(tmp_path: Path) -> Folder:
    return Folder(str(tmp_path / "cache"), silent=True)


def _in_new_process() -> None:
    own_sources._taken.clear()


def test_stamps_are_those_of_stat(tree: Path) -> None:
    expected = set()
    for name in ("one.py", "inner/two.py", "inner/core.so"):
        about = (tree / "jit" / name).stat()
        times = about.st_mtime_ns, about.st_ctime_ns
        expected.add(f"{about.st_size} {times[0]} {times[1]} {about.st_ino} {name}".encode())

    assert set(native.file_stamps(str(tree / "jit"))) == expected


def test_a_folder_that_is_missing(tree: Path) -> None:
    with pytest.raises(FileNotFoundError):
        native.file_stamps(str(tree / "nowhere"))
    (tree / "guards").rename(tree / "elsewhere")
    assert own_sources.digest_of_sources(None) is None


def _content(tree: Path) -> None:
    (tree / "jit/one.py").write_text("ONE = 2\n")


def _content_under_the_same_time(tree: Path) -> None:
    file = tree / "jit/one.py"
    before = file.stat()
    file.write_text("ONE = 2\n")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def _replaced(tree: Path) -> None:
    (tree / "new").write_text("ONE = 2\n")
    (tree / "new").rename(tree / "jit/one.py")


EDITS = [_content, _content_under_the_same_time, _replaced]


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_is_seen(edit: Callable[[Path], None], tree: Path, tmp_path: Path) -> None:
    cache = _cache(tmp_path)
    before = own_sources.digest_of_sources(cache), own_sources.digest_of_some("some", SOME)
    edit(tree)
    _in_new_process()
    after = own_sources.digest_of_sources(cache), own_sources.digest_of_some("some", SOME)

    assert None not in (*before, *after)
    assert before[0] != after[0]
    assert before[1] != after[1]


def test_other_files_are_part_of_one_digest_only(tree: Path, tmp_path: Path) -> None:
    cache = _cache(tmp_path)
    before = own_sources.digest_of_sources(cache), own_sources.digest_of_some("some", SOME)
    (tree / "guards/four.py").write_text("")
    _in_new_process()
    after = own_sources.digest_of_sources(cache), own_sources.digest_of_some("some", SOME)

    assert before[0] != after[0]
    assert before[1] == after[1]


def test_a_later_process_reads_no_source(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = _cache(tmp_path)
    before = own_sources.digest_of_sources(cache), own_sources.digest_of_some("some", SOME)
    _in_new_process()

    def read(paths: object) -> str:
        raise AssertionError(f"read again: {paths}")

    monkeypatch.setattr(own_sources, "_read", read)
    after = own_sources.digest_of_sources(cache), own_sources.digest_of_some("some", SOME)

    assert before == after
    assert before[0] != before[1]


def test_an_edit_while_files_are_read_is_not_kept(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its contents would stand under the stamp that the file had before."""
    cache, original = _cache(tmp_path), own_sources._read

    def read(paths: Iterator[bytes]) -> str:
        _content(tree)
        return original(paths)

    monkeypatch.setattr(own_sources, "_read", read)
    assert own_sources.digest_of_sources(cache) is not None
    assert cache.names("") == []


def test_without_a_cache(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = own_sources.digest_of_some("some", SOME)
    monkeypatch.setattr(own_sources, "folder", lambda: None)
    assert own_sources.digest_of_some("some", SOME) == known
