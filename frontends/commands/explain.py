"""`python -m framejit explain`: tells what break codes mean and what to write instead."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..breaks.pages import cause_text, entry_text, listed
from ..breaks.registry import BREAKS


def main(arguments: Sequence[str]) -> int:
    """Print the entry of a code or of one cause, or list all codes.

    Nothing but the arguments is read.
    """
    parser = argparse.ArgumentParser(
        prog="python -m framejit explain",
        description="What a code of graph breaks means, and what to write instead.",
    )
    parser.add_argument("code", nargs="?", metavar="CODE", help="such as FJ201 (default: list all)")
    parser.add_argument("cause", nargs="?", metavar="NAME", help="one of its causes, such as print")
    chosen = parser.parse_args(arguments)
    if chosen.code is None:
        print(listed())
        return 0
    row = BREAKS.get(chosen.code.upper())
    if row is None:
        parser.error(f"unknown code {chosen.code!r}{_suggestion(chosen.code.upper(), [*BREAKS])}")
    if chosen.cause is None:
        print(entry_text(row))
        return 0
    causes = {cause.name: cause for cause in row.causes}
    if chosen.cause not in causes:
        near = _suggestion(chosen.cause, [*causes]) if causes else ": it has none"
        parser.error(f"unknown cause {chosen.cause!r} of {row.code}{near}")
    print(cause_text(row, causes[chosen.cause]))
    return 0


def _suggestion(word: str, known: list[str]) -> str:
    """Return the known words similar to `word`; all of them if none is."""
    from difflib import get_close_matches  # takes a millisecond to import

    near = sorted(get_close_matches(word, known, n=4, cutoff=0.6))
    return f": did you mean {', '.join(near)}?" if near else f": use one of {', '.join(known)}"
