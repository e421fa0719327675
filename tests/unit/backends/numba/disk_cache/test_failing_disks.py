"""Full disks, system calls that fail, several writers at once, the bound on a folder's size."""

from __future__ import annotations

import gc
import os
import resource
import threading
import time
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kernels_on_disk import compile_anew, run

from framejit.backends.numba.machine_code import stored
from framejit.jit.disk import Folder

# ---- what the disk does not do -------------------------------------------------------------------


def test_a_full_disk(folder: Folder, kernels: tuple[str, str]) -> None:
    """Nothing half is left, and the kernel is there all the same."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        assert compile_anew(kernels[0]).address
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

    assert os.listdir(folder.path) == []
    compile_anew(kernels[0])
    assert len(folder.files()) == 1


@pytest.mark.parametrize("name", ["open", "write", "replace", "mkdir", "fstat", "read", "listdir"])
def test_a_disk_that_refuses(
    name: str, folder: Folder, kernels: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever call of the system fails, nobody hears of it."""
    if name not in ("mkdir", "write", "replace"):
        compile_anew(kernels[0])
    failing = monkeypatch.context()
    with failing as patch:

        def refuse(*args: Any, **kwargs: Any) -> Any:
            raise PermissionError(13, "Permission denied")

        patch.setattr(os, name, refuse)
        assert compile_anew(kernels[0]).address
        assert isinstance(folder.files(), list)

    compile_anew(kernels[0])
    assert [file.name for file in folder.files() if file.name.endswith(".new")] == []


def test_no_place_for_a_folder(kernels: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The path of a folder may be a file, or in a place where nobody may make one."""
    for path in (f"{__file__}/kernels", "/proc/framejit/kernels", "/dev/null"):
        place = Folder(path)
        monkeypatch.setattr(stored, "folder", lambda place=place: place)

        assert compile_anew(kernels[0]).address
        assert (place.files(), place.clear(), place.bound()) == ([], 0, 0)


@pytest.mark.parametrize("found", [False, True])
def test_nothing_is_kept_alive(
    found: bool, folder: Folder, kernels: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search keeps no frame of its caller alive, with an entry and without one."""
    if found:
        compile_anew(kernels[0])

    def look() -> weakref.ref[Any]:
        held = np.ones(3)
        assert (stored.find(kernels[0]) is not None) == found
        folder.write("f" * 64, b"")
        with monkeypatch.context() as patch:
            patch.setattr(os, "replace", lambda *args, **kwargs: os.rmdir("/dev/null"))
            assert not folder.write("e" * 64, b"")
        return weakref.ref(held)

    gc.collect()
    gc.disable()
    try:
        assert look()() is None
    finally:
        gc.enable()


# ---- many ----------------------------------------------------------------------------------------


def test_writers_and_readers_at_once(tmp_path: Path) -> None:
    """A reader gets all of a file or none of it while others write and remove."""
    folder = Folder(str(tmp_path / "kernels"))
    names = [f"{k:064x}" for k in range(4)]
    contents = {bytes([k]) * 100_000 for k in range(8)}
    wrong: list[object] = []
    writing = threading.Event()

    def write(k: int) -> None:
        for iteration in range(30):
            folder.write(names[(k + iteration) % 4], bytes([k]) * 100_000)
            if iteration % 7 == k % 7:
                folder.remove(names[iteration % 4])

    def read() -> None:
        while not writing.is_set():
            got = [folder.read(name) for name in names]
            wrong.extend(one for one in got if one is not None and one not in contents)

    readers = [threading.Thread(target=read) for _ in range(2)]
    writers = [threading.Thread(target=write, args=(k,)) for k in range(8)]
    for thread in (*readers, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    writing.set()
    for thread in readers:
        thread.join()

    assert wrong == []
    assert {file.size for file in folder.files()} <= {100_000}


def test_a_writer_that_dies_leaves_nothing_half(tmp_path: Path) -> None:
    """Its unfinished file is no entry, and is removed after an hour."""
    folder = Folder(str(tmp_path / "kernels"))
    program = f"""
import os
from framejit.jit.disk import Folder
os.replace = lambda *args, **kwargs: os._exit(0)
Folder({folder.path!r}).write("ab" * 32, b"content")
"""
    run("off", program)
    [left] = os.listdir(folder.path)

    assert folder.read("ab" * 32) is None
    assert folder.bound() == 0
    os.utime(Path(folder.path, left), (0, time.time() - 4000))
    assert folder.bound() == 1
    assert os.listdir(folder.path) == []


def test_a_folder_stays_small(tmp_path: Path) -> None:
    """Entries used least recently are removed, down to three quarters; files of others stay."""
    folder = Folder(str(tmp_path / "kernels"))
    names = [f"ff{k:062x}" for k in range(10)]
    for k, name in enumerate(names):
        folder.write(name, b"x" * 100)
        os.utime(Path(folder.path, name), (0, time.time() - 10_000 + k * 100))
    Path(folder.path, "notes.txt").write_text("x" * 5000, encoding="utf-8")
    assert folder.read(names[2]) == b"x" * 100

    assert folder.bound(1000) == 0
    assert folder.bound(999) == 3
    assert [file.name for file in folder.files()] == [names[2], *names[:3:-1]]
    assert folder.clear() == 7
    assert os.listdir(folder.path) == ["notes.txt"]


def test_writers_look_how_large_the_folder_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of 32 does, as the name says."""
    folder = Folder(str(tmp_path / "kernels"))
    looked = []
    monkeypatch.setattr(Folder, "bound", lambda self: looked.append(1))
    for k in range(256):
        folder.write(f"{k:02x}" + "0" * 62, b"")

    assert len(looked) == 8
