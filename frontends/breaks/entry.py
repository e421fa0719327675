"""The record types of the registry of graph breaks."""

from __future__ import annotations

from ...jit.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Pair:
    """Two scripts with the same answer; `np` is NumPy and `jit` framejit's decorator in both.

    A test runs them: the first breaks with the code of its entry, the second does not break, and
    the values they assign to `answer` are equal, bit for bit.
    """

    breaks: str
    rewritten: str


@dataclass(frozen=True, slots=True)
class Cause:
    """A frequent reason for breaks with one code, and what to write instead.

    Texts for reports, `named` and `looped`, have placeholders: `{line}` is the user's line,
    `{alone}` the same if it makes nothing, `{new}` the line as rewritten, `{reads}` the variables
    that it reads, `{made}` the one that it assigns, `{taken}` the code that assigns it if that
    needs nothing else, `{value}` the call that breaks, `{arg}` its first argument, `{f}` the user's
    function, `{call}` "the call of `f`"; and the groups of `found`. A text with a placeholder that
    cannot be filled is not shown.
    """

    name: str
    """The argument NAME of `python -m framejit explain CODE NAME`."""
    found: str
    """A regular expression, searched in the detail of the break."""
    fix: str
    """Advice on what to write instead, for any program."""
    pair: Pair
    pair_in_loop: Pair | None = None
    """The same if the line is in a loop."""
    named: tuple[str, ...] = ()
    """Advice with the user's names: the first text whose placeholders can all be filled."""
    looped: tuple[str, ...] = ()
    """Texts preferred to `named` if the line is in a loop."""
    rewrites: tuple[tuple[str, str], ...] = ()
    """Expressions and their replacements; see `rewriting.py`."""
    only_rewritten: bool = False
    """The cause only applies if one of the expressions is in the line."""


@dataclass(frozen=True, slots=True)
class BreakCode:
    """One reason for a graph break. `code` is stable: users search for it and silence it by it."""

    code: str
    title: str
    why: str
    """The reason why capture ends there."""
    hint: str
    """Advice on what to write instead, if no cause has better advice."""
    pair: Pair | None
    """None if no program can show it."""
    named: tuple[str, ...] = ()
    """The hint with the user's names; see `Cause`."""
    found: str = ""
    """A regular expression that finds names for `named` in the detail."""
    causes: tuple[Cause, ...] = ()
