"""Folders that somebody else could write to are neither read nor written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from kernels_on_disk import SMALL, compile_anew, entries, run, signed, told

from framejit.backends.numba.machine_code import stored
from framejit.backends.numba.machine_code.codes import compile_text
from framejit.jit import log
from framejit.jit.disk import Folder


def test_folders_of_others(
    folder: Folder, kernels: tuple[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    """Folders that others may write to, and links, are not read, which is told once."""
    compile_anew(kernels[0])
    os.chmod(folder.path, 0o755)
    assert stored.find(kernels[0]) is None
    caplog.clear()
    log._told.clear()
    assert told(folder, caplog) == "others may use it: its mode is 755, make it 700"
    os.chmod(folder.path, 0o700)
    assert stored.find(kernels[0]) is not None
    os.symlink(folder.path, f"{folder.path}2")
    assert told(Folder(f"{folder.path}2"), caplog) == "it is a symbolic link"
    assert len(folder.files()) == 1


def test_folders_of_another_user(
    folder: Folder,
    kernels: tuple[str, str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A folder of an owner other than this process's user is not used."""
    compile_anew(kernels[0])
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert told(folder, caplog).endswith(" belongs to somebody else")


EXCHANGEABLE = {
    "777": "others may write to {}: its mode is 777, make it 755",
    "757": "others may write to {}: its mode is 757, make it 755",
    "1777": "",
    "711": "",
    "755": "",
}


@pytest.mark.parametrize("mode", EXCHANGEABLE)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_folders_on_the_way(
    mode: str,
    depth: int,
    tmp_path: Path,
    kernels: tuple[str, str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A user who may rename a parent, or its parent, may put another folder in its place."""
    folder = Folder(str(tmp_path / "a" / "b" / "c" / "kernels"))
    monkeypatch.setattr(stored, "folder", lambda: folder)
    monkeypatch.setattr(log, "_told", set())
    code = compile_text(kernels[0])
    assert folder.write("1" * 64, b"x")
    parent = Path(folder.path).parents[depth - 1]
    parent.chmod(int(mode, 8))

    why = EXCHANGEABLE[mode].format(parent)
    if why:
        assert told(folder, caplog) == why
        assert stored.find(kernels[0]) is None
    assert folder.read("1" * 64) == (None if why else b"x")
    assert compile_text(kernels[0]) is code
    parent.chmod(0o700)
    assert folder.read("1" * 64) == b"x"


needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a folder away")


@needs_root
@pytest.mark.parametrize("depth", [0, 1, 2])
def test_the_way_through_folders_of_another_user(
    depth: int, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They may rename what is in theirs, whatever its mode."""
    monkeypatch.setattr(log, "_told", set())
    folder = Folder(str(tmp_path / "a" / "b" / "kernels"))
    assert folder.write("1" * 64, b"x")
    given = [Path(folder.path), *Path(folder.path).parents][depth]
    os.chown(given, 12345, 12345)

    assert told(folder, caplog) == f"{given if depth else 'it'} belongs to somebody else"
    os.chown(given, 0, 0)
    assert folder.read("1" * 64) == b"x"


@needs_root
def test_links_on_the_way(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are followed, the folders behind them are judged, and so is whose link it is."""
    monkeypatch.setattr(log, "_told", set())
    (tmp_path / "real" / "deep").mkdir(parents=True)
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "one").symlink_to("../links/two")
    (tmp_path / "links" / "two").symlink_to(tmp_path / "real" / "." / "deep")
    folder = Folder(str(tmp_path / "links" / "one" / "kernels"))
    assert folder.write("1" * 64, b"x")
    assert Folder(str(tmp_path / "real" / "deep" / "kernels")).read("1" * 64) == b"x"
    (tmp_path / "real").chmod(0o777)
    assert told(folder, caplog).startswith(f"others may write to {tmp_path / 'real'}:")
    (tmp_path / "real").chmod(0o755)
    os.lchown(tmp_path / "links" / "two", 12345, 12345)
    said = told(folder, caplog)
    assert said == f"the link {tmp_path / 'links' / 'two'} belongs to somebody else"
    os.lchown(tmp_path / "links" / "two", 0, 0)
    assert folder.read("1" * 64) == b"x"
    (tmp_path / "links" / "round").symlink_to("round")
    assert told(Folder(str(tmp_path / "links" / "round" / "kernels")), caplog) == (
        "Too many levels of symbolic links"
    )


def test_folders_of_a_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's own group may write on the way; one with other members, or another, may not."""
    import grp
    import pwd

    folder = Folder(str(tmp_path / "a" / "kernels"))
    assert folder.write("1" * 64, b"x")
    Path(folder.path).parent.chmod(0o775)
    user = pwd.getpwuid(os.geteuid())
    group = Path(folder.path).parent.stat().st_gid

    def trusts(name: str, members: list[str], primary: int) -> bool:
        passwords = pwd.struct_passwd((*user[:3], primary, *user[4:]))
        monkeypatch.setattr(pwd, "getpwuid", lambda _: passwords)
        found = grp.struct_group((name, "x", group, members))
        monkeypatch.setattr(grp, "getgrgid", lambda _: found)
        return not folder.why_unusable()

    assert trusts(user.pw_name, [], group)
    assert trusts(user.pw_name, [user.pw_name], group)
    assert not trusts(user.pw_name, [user.pw_name, "eve"], group)
    assert not trusts("staff", [], group)
    assert not trusts(user.pw_name, [], group + 1)
    monkeypatch.setattr(os, "listxattr", lambda _: ["system.posix_acl_access"])
    assert not trusts(user.pw_name, [], group)


def test_new_folders_are_the_users_alone(tmp_path: Path) -> None:
    """Those on the way too, whatever the umask of the program."""
    before = os.umask(0)
    try:
        assert Folder(str(tmp_path / "a" / "b" / "kernels")).write("1" * 64, b"x")
    finally:
        os.umask(before)

    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "a").glob("**/")} == {0o700}


def test_no_warning_of_a_folder(tmp_path: Path) -> None:
    """The program runs as without a folder, and hears of it where it listens."""
    (tmp_path / "kernels").mkdir(mode=0o755)
    (tmp_path / "kernels").chmod(0o755)
    expected = run("off", SMALL)

    assert run(tmp_path, SMALL, "-W", "error") == expected
    assert entries(tmp_path) == []
    *lines, last = run(tmp_path, SMALL, FRAMEJIT_LOG="performance")
    assert lines == expected
    assert last.startswith(f"framejit: keeps no machine code in {tmp_path}/kernels, and compiles")
    assert last.endswith("others may use it: its mode is 755, make it 700")


def test_a_program_does_not_take_what_others_could_have_put_there(tmp_path: Path) -> None:
    """A folder that anybody may rename, two above: the next process compiles, and reports it."""
    home = tmp_path / "shared" / "mine"
    home.mkdir(parents=True)
    expected = run(home, SMALL)
    [entry] = entries(home)
    entry.write_bytes(signed(entry.read_bytes().replace(b"\nsymbol: ", b"\nsymbol: evil_", 1)))
    before = entry.read_bytes()
    home.parent.chmod(0o777)

    *lines, last = run(home, SMALL, FRAMEJIT_LOG="performance")
    assert lines == expected
    assert last.endswith(f"others may write to {home.parent}: its mode is 777, make it 755")
    assert entry.read_bytes() == before
