"""Machine code on disk: found by who needs the same, believed only where nobody else wrote it."""

from __future__ import annotations

import gc
import os
import re
import resource
import socket
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
import pytest

import framejit
from framejit import jit
from framejit.backends.numba.library.intrinsics import WORD_POINTER, namespace
from framejit.backends.numba.library.names import NAMES
from framejit.backends.numba.machine_code import codes, stored
from framejit.backends.numba.machine_code.codes import _codes, compile_text
from framejit.backends.numba.machine_code.compiling import compiled
from framejit.backends.numba.machine_code.emitting import object_code
from framejit.backends.numba.machine_code.objects import load
from framejit.jit import log
from framejit.jit.disk import Folder

PROGRAM = """
import sys
import numpy as np
from framejit import jit

@jit
def arrays(x, y):
    z = np.where(x > 0, x * y + 1, np.exp(-x))
    return z, z.sum(axis=0), (y // 2).astype(np.int32) % 3, np.zeros(300)

@jit
def loops(x, y):
    total, last = 0.0, 0
    for k in range(len(x)):
        if x[k] > total:
            total = total + y[k] ** 2
            last = k
        else:
            x[k] = total % 1.5
    return total, last, x

x = np.linspace(-3.0, 5.0, 300)
for f in (arrays, loops, loops):
    print([np.asarray(one).tobytes().hex() for one in f(x, x[::-1].copy())])
print(arrays.stats()["captures"], arrays.stats()["failures"], loops.stats()["hits"])
"""
SMALL = """
import numpy as np
from framejit import jit
@jit
def f(x): return x * 2 + 1
x = np.arange(4.0)
print(f(x), f(x + 1), f.stats()["hits"], f.stats()["failures"])
"""
TOLD = "\nprint(not {'numba', 'llvmlite'}.isdisjoint(sys.modules))"


def run(folder: Path | str, program: str, *options: str, **environment: str) -> list[str]:
    """The lines that a program prints, in a process that keeps machine code in that folder."""
    kept = {k: v for k, v in os.environ.items() if k != "FRAMEJIT_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, *options, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env={**kept, "FRAMEJIT_CACHE_DIR": str(folder), **environment},
    )
    assert done.returncode == 0, done.stderr
    return [*done.stdout.splitlines(), *done.stderr.splitlines()]


def compile_anew(text: str) -> Any:
    """As a process that has not met the text yet."""
    _codes.pop((text, True), None)
    codes._loaded.clear()
    return compile_text(text)


def entries(folder: Path) -> list[Path]:
    """What the option's folder holds."""
    return sorted((folder / "kernels").glob("*"))


@pytest.fixture(scope="module")
def kernels() -> tuple[str, str]:
    """The texts of two kernels."""
    x = np.arange(4.0)
    texts = []
    for function in (lambda x: x * 2 + 1, lambda x: x * x - 3):
        jitted = jit(function, backend="numba")
        jitted(x)
        texts.append(jitted.inspect("numba"))
    return texts[0], texts[1]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """The folder that the backend uses in this test."""
    made = Folder(str(tmp_path / "kernels"))
    monkeypatch.setattr(stored, "folder", lambda: made)
    monkeypatch.setattr(log, "_told", set())
    return made


# ---- from process to process -------------------------------------------------------------------


def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    """It has the same answers, bit for bit, and never imports Numba or LLVM."""
    first, second = (run(tmp_path, PROGRAM + TOLD) for _ in range(2))

    assert first[:-1] == second[:-1]
    assert (first[-1], second[-1]) == ("True", "False")
    assert first == run("off", PROGRAM + TOLD)
    assert len(entries(tmp_path)) == 2
    assert {path.stat().st_mode & 0o777 for path in entries(tmp_path)} == {0o600}
    assert (tmp_path / "kernels").stat().st_mode & 0o777 == 0o700


def test_run_uses_it(tmp_path: Path) -> None:
    """`python -m framejit run` does not compile again either."""
    program = PROGRAM.replace("@jit", "").replace("from framejit import jit", "")
    program = program.rpartition("print(arrays")[0].replace("for f", "for _ in range(3):\n  for f")
    program = program.replace("    print([np", "        print([np") + TOLD
    script = tmp_path / "script.py"
    script.write_text(program, encoding="utf-8")
    command = [sys.executable, "-m", "framejit", "run", str(script)]
    environment = {**os.environ, "FRAMEJIT_CACHE_DIR": str(tmp_path)}
    first, second = (
        subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout
        for _ in range(2)
    )

    assert first.splitlines()[:-1] == second.splitlines()[:-1]
    assert (first.split()[-1], second.split()[-1]) == ("True", "False")


def test_children_find_what_others_left(tmp_path: Path) -> None:
    """Forked ones compile nothing, whether their parent has loaded any or not."""
    run(tmp_path, PROGRAM)
    forks = """
import os
for k in range(4):
    child = os.fork()
    if not child:
        arrays(x, x), loops(x, x)
        os._exit("numba" in sys.modules)
    print(os.waitpid(child, 0)[1])
"""
    unused = PROGRAM[: PROGRAM.index("for f in")]

    assert run(tmp_path, unused + forks) == ["0"] * 4
    assert run(tmp_path, PROGRAM + forks)[-4:] == ["0"] * 4


def test_threads_link_at_once(folder: Folder, kernels: tuple[str, str]) -> None:
    """Each of them gets code of its own."""
    for text in kernels:
        compile_anew(text)
    found: list[Any] = []
    threads = [
        threading.Thread(target=lambda k=k: found.append(stored.find(kernels[k % 2])))
        for k in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len({code.address for code in found}) == 8


def test_switched_off(tmp_path: Path) -> None:
    """By the folder, by the option in each of its places."""
    options = SMALL.replace("@jit", "@jit(cache=False)")
    entered = "import framejit\nframejit.config(cache=False).__enter__()\nx = np.ara"
    context = SMALL.replace("x = np.ara", entered)
    expected = run(tmp_path / "on", SMALL)

    assert run("", SMALL) == expected
    assert run(tmp_path, options) == expected
    assert run(tmp_path, context) == expected
    assert run(tmp_path, SMALL, FRAMEJIT_CACHE="0") == expected
    assert not (tmp_path / "kernels").exists()


def test_verify_reads_and_writes_the_same(tmp_path: Path) -> None:
    """What is compared with NumPy is the kernel that runs."""
    verified = PROGRAM.replace("@jit", "@jit(verify=True)")
    first, second = (run(tmp_path, verified + TOLD) for _ in range(2))

    assert first[:-1] == second[:-1]
    assert second[-1] == "False"


# ---- what an entry is found by -----------------------------------------------------------------


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


# ---- what is not believed ----------------------------------------------------------------------

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


def signed(content: bytes) -> bytes:
    """With the digest of what stands there now."""
    return content[:-32] + stored.sha256(content[:-32]).digest()


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


def told(folder: Folder, caplog: pytest.LogCaptureFixture) -> str:
    """Why a folder is not read, as the log says once; the commands say the same."""
    for _ in range(2):
        assert folder.read("0" * 64) is None
    assert not folder.write("0" * 64, b"")
    [record] = [record for record in caplog.records if record.name == "framejit"]
    caplog.clear()
    why = folder.why_unusable()
    assert record.getMessage() == (
        f"keeps no machine code in {folder.path}, and compiles in each process: {why}"
    )
    return why


def test_folders_of_others(
    folder: Folder, kernels: tuple[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    """One that others may write to, or that is a link, is not read, and once it is said why."""
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
    """Who is somebody else to them all is not served."""
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
    """Who may rename a parent, or its parent, may put another folder in its place."""
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
    """A folder that anybody may rename, two above: the next process compiles, and says why."""
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


# ---- what the disk does not do -----------------------------------------------------------------


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
    """Where a file stands, or where nobody may make one."""
    for path in (f"{__file__}/kernels", "/proc/framejit/kernels", "/dev/null"):
        place = Folder(path)
        monkeypatch.setattr(stored, "folder", lambda place=place: place)

        assert compile_anew(kernels[0]).address
        assert (place.files(), place.clear(), place.bound()) == ([], 0, 0)


@pytest.mark.parametrize("found", [False, True])
def test_nothing_is_kept_alive(
    found: bool, folder: Folder, kernels: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether there is an entry or none, no cycle of frames holds what the caller has."""
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


# ---- many --------------------------------------------------------------------------------------


def test_writers_and_readers_at_once(tmp_path: Path) -> None:
    """Who reads while others write and remove gets all of a file or none of it."""
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
    """What it has begun is no entry, and goes when it has been there for an hour."""
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
    """What was used least recently goes, down to three quarters; files of others stay."""
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
