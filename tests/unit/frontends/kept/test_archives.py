"""2,000 damaged files of caches: each is refused, or gives what was written, byte for byte."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from kept_programs import OBJECTS, START, run

from framejit.frontends.commands import exchange
from framejit.frontends.tiers import ledger
from framejit.jit import archive
from framejit.jit.archive import ArchiveError

TIMES = 400
Members = dict[str, bytes]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a program with two functions."""
    folder = tmp_path_factory.mktemp("program")
    run(START + OBJECTS, folder)
    with pytest.MonkeyPatch.context() as patch:
        for module in (exchange, ledger):
            patch.setattr(module, "cache_home", lambda: str(folder / "cache"))
        exchange.export_to(str(folder / "file"))
    return (folder / "file").read_bytes()


def _flip(random_: random.Random, content: bytes) -> bytes:
    at = random_.randrange(len(content))
    return content[:at] + bytes([content[at] ^ (1 << random_.randrange(8))]) + content[at + 1 :]


def _cut(random_: random.Random, content: bytes) -> bytes:
    return content[: random_.randrange(len(content))]


def _remove(random_: random.Random, content: bytes) -> bytes:
    at = random_.randrange(len(content))
    return content[:at] + content[at + random_.randrange(1, 40) :]


def _insert(random_: random.Random, content: bytes) -> bytes:
    at = random_.randrange(len(content))
    return content[:at] + random_.randbytes(random_.randrange(1, 9)) + content[at:]


def _clear(random_: random.Random, content: bytes) -> bytes:
    at, size = random_.randrange(len(content)), random_.randrange(1, 40)
    return content[:at] + bytes(size) + content[at + size :]


def _copy(random_: random.Random, content: bytes) -> bytes:
    a, b, size = (random_.randrange(len(content)) for _ in range(3))
    return content[:a] + content[b : b + size % 200] + content[a:]


DAMAGES: tuple[Callable[[random.Random, bytes], bytes], ...] = (
    *(_flip, _flip, _flip, _cut, _remove, _insert, _clear, _copy),
)


def members(whole: bytes) -> Members:
    with zipfile.ZipFile(io.BytesIO(whole)) as held:
        return {name: held.read(name) for name in held.namelist()}


def zipped(content: Members) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as held:
        for name, one in content.items():
            held.writestr(name, one)
    return made.getvalue()


def bytes_changed(random_: random.Random, good: bytes) -> bytes:
    """Change bytes of the file as it stands."""
    return random_.choice(DAMAGES)(random_, good)


def member_changed(random_: random.Random, good: bytes) -> bytes:
    """In a file whose own checksums fit."""
    content = members(good)
    name = random_.choice([*content])
    return zipped({**content, name: random_.choice(DAMAGES)(random_, content[name])})


def member_and_manifest_changed(random_: random.Random, good: bytes) -> bytes:
    """With digests that fit: what is in the member itself tells that it is another one."""
    content = members(good)
    name = random_.choice([one for one in content if "/" in one])
    content[name] = random_.choice(DAMAGES)(random_, content[name])
    told = json.loads(content[archive.MANIFEST])
    told["members"][name] = [len(content[name]), sha256(content[name]).hexdigest()]
    return zipped(_with_manifest(content, told))


def manifest_changed(random_: random.Random, good: bytes) -> bytes:
    """One value is another one, and the digest fits."""
    content = members(good)
    told = json.loads(content[archive.MANIFEST])
    values: list[Any] = [None, 0, -1, 1 << 70, 0.5, "", "x", [], {}, True, "../x", [1, "x"]]
    row = random_.choice([told, told["facts"], told["members"]])
    key = random_.choice([*row, "new", "../x"])
    if isinstance(row.get(key), list) and random_.random() < 0.5:
        row[key][random_.randrange(2)] = random_.choice(values)
    elif random_.random() < 0.2:
        row.pop(key, None)
    else:
        row[key] = random_.choice(values)
    return zipped(_with_manifest(content, told))


def _with_manifest(content: Members, told: Any) -> Members:
    manifest = json.dumps(told).encode()
    digest = sha256(manifest).hexdigest().encode()
    return {**content, archive.MANIFEST: manifest, archive.DIGEST: digest}


KINDS = (bytes_changed, bytes_changed, member_changed, manifest_changed)


@pytest.mark.parametrize("seed", range(40, 45))
def test_none_is_believed(
    seed: int, good: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, file = tmp_path / "cache", tmp_path / "file"
    for module in (exchange, ledger):
        monkeypatch.setattr(module, "cache_home", lambda: str(home))
    originals, random_ = members(good), random.Random(seed)
    accepted = 0
    for iteration in range(TIMES):
        kind = member_and_manifest_changed if iteration % 5 == 0 else KINDS[iteration % 4]
        file.write_bytes(kind(random_, good))
        try:
            exchange.import_from(str(file))
        except ArchiveError:
            assert not [*home.glob("*/*")]
            continue
        accepted += 1
        for path in {*home.glob("*/*")} - {home / ledger.FOLDER / ledger.FILE}:
            assert path.read_bytes() == originals[f"{path.parent.name}/{path.name}"]
            path.unlink()

    assert accepted < TIMES / 10


def test_the_good_one(good: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, file = tmp_path / "cache", tmp_path / "file"
    for module in (exchange, ledger):
        monkeypatch.setattr(module, "cache_home", lambda: str(home))
    file.write_bytes(good)
    moved = exchange.import_from(str(file))

    originals = {name: one for name, one in members(good).items() if "/" in name}
    assert moved.kernels + moved.functions == len(originals)
    assert originals == {
        f"{path.parent.name}/{path.name}": path.read_bytes() for path in home.glob("*/*")
    }
