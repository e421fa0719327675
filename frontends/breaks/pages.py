"""Renders the registry: entries for a terminal, and the documentation's page of all codes."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from .entry import BreakCode, Cause, Pair
from .registry import BREAKS

WIDTH = 100
HEAD = """\
# Graph breaks

A graph break is a place where a captured segment ends and plain Python takes over. A report names
each one by a code, which is stable. `python -m framejit explain CODE` prints what stands here.

Of the two programs of a section the first one breaks with its code and the second one does not;
both have the same answer, bit for bit. Tests run them. `np` is NumPy and `jit` is `framejit.jit`.

<!-- made by `python tests/programs/breaks/test_pages.py` from `frontends/breaks/` -->
"""
BREAKING, INSTEAD = "breaks", "instead"
"""Headings of the programs."""
SCRIPTS = "In the programs `np` is NumPy and `jit` is `framejit.jit`."


# ---- for a terminal ------------------------------------------------------------------------------


def listed() -> str:
    """Return all codes, one per line with its title."""
    return "\n".join(f"{row.code}  {row.title}" for row in BREAKS.values())


def entry_text(row: BreakCode) -> str:
    """Return the text of an entry with a table of causes."""
    parts = [f"{row.code}: {row.title}", _wrapped(row.why)]
    if row.pair is None:
        return "\n\n".join([*parts, _wrapped(f"What to do: {row.hint}.")])
    parts.append(_wrapped(f"What to write instead: {row.hint}."))
    parts += [SCRIPTS, *_programs(row.pair)]
    if row.causes:
        width = max(len(cause.name) for cause in row.causes)
        parts.append("\n".join(["Frequent causes:", *_table(row.causes, width)]))
        parts.append(f"`python -m framejit explain {row.code} NAME` shows the programs of a cause.")
    return "\n\n".join(parts)


def cause_text(row: BreakCode, cause: Cause) -> str:
    """Return the text of one cause."""
    parts = [f"{row.code}, {cause.name}: {row.title}"]
    parts.append(_wrapped(f"What to write instead: {cause.fix}."))
    parts.append(SCRIPTS)
    for pair in (cause.pair, cause.pair_in_loop):
        parts += [] if pair is None else _programs(pair)
    return "\n\n".join(parts)


def _programs(pair: Pair) -> list[str]:
    return [
        f"{title}:\n\n{textwrap.indent(program.rstrip(), '    ')}"
        for title, program in ((BREAKING, pair.breaks), (INSTEAD, pair.rewritten))
    ]


def _table(causes: tuple[Cause, ...], width: int) -> Iterator[str]:
    for cause in causes:
        head = f"  {cause.name:<{width}}  "
        yield textwrap.fill(
            cause.fix, WIDTH, initial_indent=head, subsequent_indent=" " * len(head)
        )


def _wrapped(text: str) -> str:
    return textwrap.fill(text, WIDTH, break_on_hyphens=False)


# ---- for the documentation -----------------------------------------------------------------------


def page() -> str:
    """Return the page in Markdown."""
    parts = [HEAD.rstrip(), "\n".join(_contents())]
    for row in BREAKS.values():
        parts += _section(row)
    return "\n\n".join(parts) + "\n"


def _contents() -> Iterator[str]:
    yield "| code | a break because |"
    yield "| --- | --- |"
    for row in BREAKS.values():
        yield f"| [{row.code}](#{row.code.lower()}) | {row.title} |"


def _section(row: BreakCode) -> Iterator[str]:
    yield f"## {row.code}"
    yield f"**{_sentence(row.title)}** {row.why}"
    yield f"What to {'do' if row.pair is None else 'write instead'}: {row.hint}."
    if row.pair is not None and row.pair not in [cause.pair for cause in row.causes]:
        yield from _blocks(row.pair)
    for cause in row.causes:
        yield f"### {row.code}: {cause.name}"
        yield _sentence(cause.fix)
        for pair in (cause.pair, cause.pair_in_loop):
            if pair is not None:
                yield from _blocks(pair)


def _blocks(pair: Pair) -> Iterator[str]:
    for title, program in ((BREAKING, pair.breaks), (INSTEAD, pair.rewritten)):
        yield f"```python\n# {title}\n{program.rstrip()}\n```"


def _sentence(text: str) -> str:
    begin = text[0] if text.startswith(("`", "np.")) else text[0].upper()
    return f"{begin}{text[1:]}."
