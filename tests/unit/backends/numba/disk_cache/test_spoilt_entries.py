"""Entries on disk that are damaged, foreign or replaced by something else are not used."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from kernels_on_disk import compile_anew, signed

from framejit.backends.numba.machine_code import stored
from framejit.jit.disk import Folder

SPOILT: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda entry: b"",
    "half": lambda entry: entry[: len(entry) // 2],
    "all but a byte": lambda entry: entry[:-1],
    "a byte more": lambda entry: entry + b"\0",
    "a bit of the code": lambda entry: entry[:-600] + bytes([entry[-600] ^ 1]) + entry[-599:],
    "a bit of the digest": lambda entry: entry[:-1] + bytes([entry[-1] ^ 1]),
    "another format": lambda entry: signed(entry.replace(b"kernel 2\n", b"kernel 3\n", 1)),
    "another processor": lambda entry: signed(entry.replace(b"\ncpu: ", b"\ncpu: x", 1)),
    "a fact less": lambda entry: signed(re.sub(rb"\nllvm: .*", b"", entry)),
    "a fact more": lambda entry: signed(entry.replace(b"\ncpu: ", b"\nmore: 1\ncpu: ", 1)),
    "another length": lambda entry: signed(re.sub(rb"\nbytes: \d+", b"\nbytes: 3", entry)),
    "another symbol": lambda entry: signed(entry.replace(b"\nsymbol: ", b"\nsymbol: x", 1)),
    "no object code": lambda entry: signed(entry.replace(b"ELF", b"FLE", 1)),
    "noise": lambda entry: os.urandom(len(entry)),
}


@pytest.mark.parametrize("what", SPOILT)
def test_spoilt_entries(what: str, folder: Folder, kernels: tuple[str, str]) -> None:
    """They are not used and are replaced."""
    compile_anew(kernels[0])
    [path] = Path(folder.path).iterdir()
    good = path.read_bytes()
    path.write_bytes(SPOILT[what](good))

    assert stored.find(kernels[0]) is None
    assert not path.exists()
    compile_anew(kernels[0])
    assert stored.Stored.unpacked(path.read_bytes()) is not None
    assert stored.find(kernels[0]) is not None


def test_the_entry_of_another_kernel(folder: Folder, kernels: tuple[str, str]) -> None:
    """Under the name of this one it is none."""
    for text in kernels:
        compile_anew(text)
    one, two = Path(folder.path).iterdir()
    one.write_bytes(two.read_bytes())

    assert len([text for text in kernels if stored.find(text) is not None]) == 1


IN_THE_WAY: dict[str, Callable[[Path], object]] = {
    "an empty folder": lambda path: path.mkdir(),
    "a folder": lambda path: (path.mkdir(), (path / "file").write_text("x", encoding="utf-8")),
    "a pipe": os.mkfifo,
    "a socket": lambda path: bound_socket(path),
    "a link to nothing": lambda path: path.symlink_to(path.parent / "nothing"),
    "a link to itself": lambda path: path.symlink_to(path),
    "a file that others may write to": lambda path: (path.touch(), path.chmod(0o666)),
    "a file that nobody may read": lambda path: path.touch(0),
}


def bound_socket(path: Path) -> None:
    """A name in the file system for a socket, which stays there."""
    here = os.getcwd()
    os.chdir(path.parent)  # the whole path may be longer than a socket's may be
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


@pytest.mark.parametrize("what", IN_THE_WAY)
@pytest.mark.parametrize("by", ["read", "write", "clear"])
def test_what_stands_in_an_entrys_place(
    what: str, by: str, folder: Folder, kernels: tuple[str, str]
) -> None:
    """It goes out of the way, and the next process finds an entry; no content is lost."""
    facts = stored.facts_of(kernels[0])
    assert facts is not None
    name = stored.name_of(facts)
    assert folder.write("1" * 64, b"")
    path = Path(folder.path) / name
    IN_THE_WAY[what](path)

    if by == "read":
        assert stored.find(kernels[0]) is None
        assert not os.path.lexists(path)
    elif by == "clear":
        assert folder.clear() == 2
        assert os.listdir(folder.path) == [one.name for one in Path(folder.path).glob("*.aside")]
    assert folder.write(name, b"good")
    assert folder.read(name) == b"good"
    kept = [*Path(folder.path).glob("*.aside/file")]
    assert len(kept) == (what == "a folder")


def test_files_of_others(
    folder: Folder, kernels: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that others could have written to is not used; nor is a link to one."""
    compile_anew(kernels[0])
    [path] = Path(folder.path).iterdir()
    good = path.read_bytes()
    path.chmod(0o622)
    assert stored.find(kernels[0]) is None
    assert not path.exists()
    outside = path.parent.parent / "outside"
    outside.write_bytes(good)
    path.symlink_to(outside)
    assert stored.find(kernels[0]) is None
    compile_anew(kernels[0])
    assert not path.is_symlink()
    assert outside.read_bytes() == good
