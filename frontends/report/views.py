"""Texts of `f.inspect(what)`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...jit.native import Dispatcher
from ...jit.report.layout import count
from ..bytecode.listing import listing
from ..support import check_view
from .capture_record import AnyEntry, line_of
from .points import capture_points

if TYPE_CHECKING:
    from ..runtime.function import Manager


def _kernel_text(entry: AnyEntry) -> str:
    """Return the source that Numba compiles, or the reason why there is none."""
    if entry.options.backend == "numpy":
        return "the backend 'numpy' has no kernels: it computes the graph op by op"
    return entry.kernel_text.rstrip() or "the backend has no text of its kernels"


def inspect(manager: Manager, dispatcher: Dispatcher, what: str, stage: str | None) -> str:
    """Return the text of each entry, with headings if there are several."""
    check_view(what, stage)
    if what == "bytecode":
        return _bytecode(manager, dispatcher)
    texts = [(title, _view(entry, what, stage)) for title, entry in _titled(manager)]
    if not texts:
        return "nothing was captured yet"
    if len(texts) == 1:
        return texts[0][1]
    return "\n\n".join(f"# {title}\n{text}" for title, text in texts)


def _view(entry: AnyEntry, what: str, stage: str | None) -> str:
    if what == "graph":
        return entry.graph_text(stage or "compiled")
    return _kernel_text(entry) if what == "numba" else entry.guards_text() or "none"


def _titled(manager: Manager) -> Iterator[tuple[str, AnyEntry]]:
    """Yield each entry with its heading, in program order; segments are numbered from 1."""
    for number, (index, entries) in enumerate(capture_points(manager), 1):
        for version, entry in enumerate(entries, 1):
            title = f"segment {number}, line {line_of(manager, index)}"
            if len(entries) > 1:
                title += f", version {version} of {len(entries)}"
            if entry.options.backend != "numba":
                title += f", backend {entry.options.backend}"
            hits = 0 if entry.native is None else entry.native.hits
            yield f"{title}, {count(hits, 'hit')}", entry


def _bytecode(manager: Manager, dispatcher: Dispatcher) -> str:
    """Return the bytecode listing with the numbers of the segments."""
    text = listing(dispatcher._fallback.__code__)
    numbers = {index: k for k, (index, _) in enumerate(capture_points(manager), 1)}
    points = dict(manager.segmented.points) if manager.segmented is not None else {}
    for index, point in points.items():
        line = f"line {line_of(manager, index)}"
        name = f"{numbers[index]}, {line}" if index in numbers else f"of {line}, not compiled"
        for segment in point.segments:
            text = text.replace(str(segment), name)
    return text
