"""Reports on the read-only folders of FRAMEJIT_CACHE_DIR."""

from __future__ import annotations

import os
from collections.abc import Iterator

from ...jit import own_sources
from ...jit.disk import File, further_homes
from ...jit.shared import SharedFolder
from ..kept import place
from .words import bytes_in_words, counted, functions_in_words, size_of

TITLE = "also read"
REFUSED = "not read, as others may write to them, they belong to somebody else, or you may not read"


def further_lines() -> Iterator[tuple[str, str]]:
    """Yield the contents of each folder, or the reason why it is not used."""
    for home in further_homes():
        for text in _contents(home):
            yield TITLE, f"{home}: {text}"


def functions(files: list[File]) -> list[File]:
    """Return the files of captured functions, without the file of the sources' digest."""
    return [file for file in files if file.size > own_sources.SIZE]


def _contents(home: str) -> Iterator[str]:
    from ...backends.numba.machine_code import stored  # needs the C core

    if not os.path.isdir(home):
        yield "there is no such folder" if not os.path.lexists(home) else "this is no folder"
        return
    of_kernels, of_entries = (
        SharedFolder(os.path.join(home, name)) for name in (stored.FOLDER, place.FOLDER)
    )
    whole = SharedFolder(home)
    for folder in (whole, of_kernels, of_entries):
        if why := folder.why_unusable():
            yield f"not used: {why}"
            return
    kernels, kept = of_kernels.files(), functions(of_entries.files())
    size = bytes_in_words(size_of(kernels) + size_of(kept))
    yield f"{counted(len(kernels))}, {functions_in_words(len(kept))} captured, {size}"
    if refused := len(of_kernels.refused()) + len(of_entries.refused()):
        yield f"{refused} file{'s' * (refused != 1)} {REFUSED}"
