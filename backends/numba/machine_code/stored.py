"""Object code of kernels on disk: a process that meets a text again compiles nothing.

An entry is found by all that decides what comes of a text, and holds all of it again: a head of
lines, the object code, and a digest of both. What is not word for word what is looked for was never
there. Versions of Python and NumPy decide nothing: object code that needs anything of the
interpreter is not kept, and what NumPy has to do with a kernel is in the text or in its words.
Nor do Numba's settings: kernels are compiled with its defaults (settings.py).
"""

from __future__ import annotations

import os
import re
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from ....jit.disk import Folder, cache_home
from ....jit.frozen import dataclass
from ....jit.native import FP_FLAGS, KERNEL_BAIL, WORDS
from .objects import Code, is_self_contained, load, machine

MAGIC = "framejit kernel 1"
SOURCES = (
    *("library.arithmetic", "library.called", "library.exact", "library.exponentials"),
    *("library.intrinsics", "library.logarithms", "library.names", "library.parting"),
    *("library.numpys_tanh", "library.patched", "library.powers", "library.quotients"),
    *("library.remainders", "library.sines", "library.sums", "library.tangents"),
    "library.vectors",
    *("machine_code.compiling", "machine_code.passes", "machine_code.settings"),
)
"""The modules that decide what comes of a text, from the folder of this backend."""
_DIGEST = sha256().digest_size


@dataclass(frozen=True, slots=True)
class Stored:
    """What an entry holds."""

    facts: dict[str, str]
    """All that has decided, by name; `text` is a digest of the kernel's text."""
    symbol: str
    """The function that C calls."""
    code: bytes

    def packed(self) -> bytes:
        """As it stands on disk."""
        facts = {**self.facts, "symbol": self.symbol, "bytes": str(len(self.code))}
        whole = _lines(facts).encode() + b"\n" + self.code
        return whole + sha256(whole).digest()

    @staticmethod
    def unpacked(content: bytes) -> Stored | None:
        """From what stands on disk; None where that is not whole."""
        whole, digest = content[:-_DIGEST], content[-_DIGEST:]
        head, between, code = whole.partition(b"\n\n")
        if sha256(whole).digest() != digest or not between:
            return None
        magic, *lines = head.decode(errors="replace").split("\n")
        facts = dict(line.partition(": ")[::2] for line in lines)
        symbol, size = facts.pop("symbol", ""), facts.pop("bytes", "")
        if magic != MAGIC or size != str(len(code)):
            return None
        return Stored(facts, symbol, code)


@cache
def folder() -> Folder | None:
    """Where entries are; None where none are kept."""
    home = cache_home()
    return Folder(os.path.join(home, "kernels")) if home else None


def find(text: str) -> Code | None:
    """The code of a kernel that some process has compiled; None where there is none."""
    where, facts = folder(), facts_of(text)
    if where is None or facts is None:
        return None
    name = name_of(facts)
    content = where.read(name)
    if content is None:
        return None
    stored = Stored.unpacked(content)
    code = None
    if stored is not None and stored.facts == facts and is_self_contained(stored.code):
        code = load(stored.code, stored.symbol)
    if code is None:
        where.remove(name)
    return code


def keep(text: str, code: bytes, symbol: str) -> None:
    """Puts an entry on disk for others."""
    where, facts = folder(), facts_of(text)
    if where is None or facts is None or not is_self_contained(code):
        return
    where.write(name_of(facts), Stored(facts, symbol, code).packed())


# ---- what decides --------------------------------------------------------------------------------


def facts_of(text: str) -> dict[str, str] | None:
    """All that decides what comes of a text; None where that is not known."""
    fixed = _fixed_facts()
    if fixed is None:
        return None
    return {"text": sha256(text.encode()).hexdigest(), **fixed}


def name_of(facts: dict[str, str]) -> str:
    """The name of an entry."""
    return sha256(_lines(facts).encode()).hexdigest()


def _lines(facts: dict[str, str]) -> str:
    return "".join(f"{line}\n" for line in [MAGIC, *(f"{k}: {v}" for k, v in facts.items())])


@cache
def _fixed_facts() -> dict[str, str] | None:
    """What is the same for all texts."""
    folder = Path(__file__).parent.parent
    try:
        sources = [
            folder.joinpath(*name.split(".")).with_suffix(".py").read_bytes() for name in SOURCES
        ]
    except OSError:
        return None
    run_time = repr((sorted(WORDS.items()), FP_FLAGS, KERNEL_BAIL)).encode()
    version = _numbas_version()
    if version is None:
        return None
    return {
        "framejit": sha256(b"\0".join([*sources, run_time])).hexdigest()[:32],
        "numba": version,
        **machine(),
    }


def _numbas_version() -> str | None:
    """The version of the Numba that would be imported, which is not."""
    spec = find_spec("numba")
    if spec is None or spec.origin is None:
        return None
    try:
        text = Path(spec.origin).with_name("_version.py").read_text(encoding="utf-8")
    except OSError:
        return None
    found = re.search(r'"version": "(.+?)"', text)
    return found[1] if found is not None else None
