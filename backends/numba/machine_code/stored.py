"""Object code of kernels on disk, so that each text is compiled by one process only.

An entry is named by everything that determines machine code, and contains these facts again: header
lines, object code, and a digest of both. An entry that does not match word for word is ignored.
Versions of Python and NumPy do not matter: object code that needs the interpreter is not stored,
and what depends on NumPy is in the text or the words. Neither Numba nor LLVM is imported to find or
load an entry, nor do Numba's settings matter: kernels are compiled with its defaults (settings.py).
If the cache has no entry, read-only folders are searched (jit/shared.py), in which nothing is
written, removed or counted.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec

from ....jit.digests import digest256
from ....jit.disk import Folder, cache_home
from ....jit.frozen import dataclass
from ....jit.native import KERNEL_BAIL, WORDS
from ....jit.own_sources import digest_of_some
from ....jit.platforms import PROCESSOR
from ....jit.shared import SharedFolder, readable
from .lookups import Outcome, count, count_of, differing
from .objects import Code, load, machine

MAGIC = "framejit kernel 2"
SOURCES = (
    *(
        "library.arithmetic",
        "library.called",
        "library.complexes",
        "library.exact",
        "library.exits",
    ),
    *("library.exponentials", "library.intrinsics", "library.logarithms", "library.names"),
    *("library.numpys_tanh", "library.pairwise_blocks", "library.patched", "library.powers"),
    *("library.quotients", "library.remainders", "library.row_products", "library.sines"),
    "library.sums",
    *("library.tangents", "library.vectors"),
    *("machine_code.building", "machine_code.compiling", "machine_code.emitting"),
    *("machine_code.expressions", "machine_code.functions", "machine_code.inference"),
    *("machine_code.function_emitter", "machine_code.lowering"),
    *("machine_code.operations", "machine_code.optimising", "machine_code.settings"),
    *("machine_code.target", "machine_code.variables"),
)
"""Modules that determine the machine code of a text, relative to this backend."""
HERE = ("backends", "numba")
FOLDER = "kernels"
"""Name of the folder of entries within the cache."""
LIBRARY = "libllvmlite.so"
HEAD = 4096
"""Number of bytes read from the library to identify LLVM's build."""
OF_TEXT = 32
"""Number of hex digits in an entry's name that come from its text's digest."""
_DIGEST = digest256().digest_size


@dataclass(frozen=True, slots=True)
class Stored:
    """The contents of an entry."""

    facts: dict[str, str]
    """The facts that determined the code, by name; `text` is a digest of the kernel's text."""
    symbol: str
    """Name of the function that C calls."""
    code: bytes

    def packed(self) -> bytes:
        """Return the entry as bytes for the disk."""
        facts = {**self.facts, "symbol": self.symbol, "bytes": str(len(self.code))}
        whole = _lines(facts).encode() + b"\n" + self.code
        return whole + digest256(whole).digest()

    @staticmethod
    def unpacked(content: bytes) -> Stored | None:
        """Parse an entry's bytes; None if they are damaged."""
        whole, digest = content[:-_DIGEST], content[-_DIGEST:]
        head, between, code = whole.partition(b"\n\n")
        if digest256(whole).digest() != digest or not between:
            return None
        magic, *lines = head.decode(errors="replace").split("\n")
        facts = dict(line.partition(": ")[::2] for line in lines)
        symbol, size = facts.pop("symbol", ""), facts.pop("bytes", "")
        if magic != MAGIC or size != str(len(code)):
            return None
        return Stored(facts, symbol, code)


@cache
def folder() -> Folder | None:
    """Return the folder of entries; None if caching is off."""
    home = cache_home()
    return Folder(os.path.join(home, FOLDER)) if home else None


def folders() -> tuple[Folder | SharedFolder, ...]:
    """Return all folders to search: the writable one, then the read-only ones."""
    return readable(folder(), FOLDER)


def find(text: str) -> Code | None:
    """Return the code of a text that some process has compiled, or None."""
    facts = facts_of(text)
    if facts is None or not folders():
        count(Outcome.OFF, text, folder())
        return None
    why = Outcome.NEW
    for where in folders():
        code, outcome = _found_in(where, facts)
        if code is not None:
            count(Outcome.FOUND, text, folder())
            return code
        why = outcome if why is Outcome.NEW else why
    count(why, text, folder())
    return None


def _found_in(where: Folder | SharedFolder, facts: dict[str, str]) -> tuple[Code | None, Outcome]:
    """Search one folder; return (code or None, outcome). A damaged entry is removed."""
    name = name_of(facts)
    stands = os.path.lexists(os.path.join(where.path, name))
    content = where.read(name)
    code = None if content is None else _loaded(content, facts)
    if code is not None:
        return code, Outcome.FOUND
    if content is not None and isinstance(where, Folder):
        where.remove(name)
    if where.why_unusable():
        return None, Outcome.FOLDER
    return None, Outcome.DAMAGED if stands else _why_missed(where, facts)


def load_entry(name: str) -> Code | None:
    """Return the code of the entry with this name, as returned by `name_of` in some process."""
    fixed = _fixed_facts()
    for where in folders() if fixed is not None else ():
        content = where.read(name)
        stored = Stored.unpacked(content) if content is not None else None
        if stored is None or fixed is None:
            continue
        facts = {"text": stored.facts.get("text", ""), **fixed}
        code = load(stored.code, stored.symbol) if stored.facts == facts else None
        if code is not None and name_of(facts) == name:
            count_of(Outcome.FOUND, facts["text"], folder())
            return code
    return None


def content_of(text: str) -> bytes | None:
    """Return a text's entry as bytes if it can be loaded; not counted as a search."""
    facts = facts_of(text)
    for where in folders() if facts is not None else ():
        content = where.read(name_of(facts)) if facts is not None else None
        if content is not None and facts is not None and _loaded(content, facts) is not None:
            return content
    return None


def loaded(content: bytes, text: str) -> Code | None:
    """Load a text's code from bytes that `packed` or `content_of` returned in another process."""
    facts = facts_of(text)
    return _loaded(content, facts) if facts is not None else None


def packed(text: str, code: bytes, symbol: str) -> bytes | None:
    """Return a text's machine code as an entry's bytes; None if useless to other processes."""
    facts = facts_of(text)
    if facts is None or load(code, symbol) is None:
        return None
    return Stored(facts, symbol, code).packed()


def _loaded(content: bytes, facts: Mapping[str, str]) -> Code | None:
    """Load an entry's code; None if it is damaged or another entry."""
    stored = Stored.unpacked(content)
    if stored is None or stored.facts != facts:
        return None
    return load(stored.code, stored.symbol)


def _why_missed(where: Folder | SharedFolder, facts: Mapping[str, str]) -> Outcome:
    """Return the fact in which existing entries of the same text differ."""
    for name in where.names(facts["text"][:OF_TEXT]):
        content = where.read(name, use=False)
        stored = None if content is None else Stored.unpacked(content)
        if stored is not None and stored.facts.get("text") == facts["text"]:
            return differing(facts, stored.facts) or Outcome.NEW
    return Outcome.NEW


def keep(text: str, code: bytes, symbol: str) -> bool:
    """Write an entry; False if it should be on disk but could not be written."""
    where, facts = folder(), facts_of(text)
    if where is None or facts is None:
        return True
    content = packed(text, code, symbol)
    if content is None:
        count(Outcome.INTERPRETER, text, where)
    elif not where.write(name_of(facts), content):
        count(Outcome.REFUSED, text, where)
        return False
    return True


# ---- what decides --------------------------------------------------------------------------------


def versions() -> bytes | None:
    """Return all facts except the text; processes that agree in them compile alike."""
    fixed = _fixed_facts()
    return _lines(fixed).encode() if fixed is not None else None


def facts_of(text: str) -> dict[str, str] | None:
    """Return all facts that determine the machine code of a text; None if some are unknown."""
    fixed = _fixed_facts()
    if fixed is None:
        return None
    return {"text": digest256(text.encode()).hexdigest(), **fixed}


def name_of(facts: dict[str, str]) -> str:
    """Return an entry's name. Half of it comes from the text, so that a miss can be explained."""
    return facts["text"][:OF_TEXT] + digest256(_lines(facts).encode()).hexdigest()[OF_TEXT:]


def _lines(facts: dict[str, str]) -> str:
    return "".join(f"{line}\n" for line in [MAGIC, *(f"{k}: {v}" for k, v in facts.items())])


@cache
def _fixed_facts() -> dict[str, str] | None:
    """Return the facts that are the same for all texts, or None."""
    paths = ("/".join([*HERE, *name.split(".")]) + ".py" for name in SOURCES)
    sources = digest_of_some("kernels", paths)
    if sources is None:
        return None
    run_time = repr((sorted(WORDS.items()), PROCESSOR, KERNEL_BAIL)).encode()
    try:
        made_by = {"numba": _version("numba"), "llvmlite": _version("llvmlite"), "llvm": _library()}
    except (OSError, LookupError):
        return None
    return {
        "framejit": digest256(sources.encode() + run_time).hexdigest()[:32],
        **made_by,
        **machine(),
    }


def _content(*path: str) -> bytes:
    with open(os.path.join(*path), "rb") as file:  # to import pathlib takes 4 ms
        return file.read()


def _folder_of(package: str) -> str:
    """Return the folder of a package without importing it."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise LookupError(package)
    return os.path.dirname(spec.origin)


def _version(package: str) -> str:
    """Return a package's version as stated in its version file."""
    text = _content(_folder_of(package), "_version.py").decode()
    found = re.search(r"""version(?:_version|") ?[:=] ['"](.+?)['"]""", text)
    if found is None:
        raise LookupError(package)
    return found[1]


def _library() -> str:
    """Identify LLVM's build by its library's size and first bytes, which contain a build id."""
    path = os.path.join(_folder_of("llvmlite"), "binding", LIBRARY)
    with open(path, "rb") as file:
        begin = file.read(HEAD)
        return digest256(begin + str(os.fstat(file.fileno()).st_size).encode()).hexdigest()[:16]
