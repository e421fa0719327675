"""The records that the registry of graph breaks consists of."""

from __future__ import annotations

from ...jit.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Pair:
    """Two scripts with the same answer; `np` is NumPy and `jit` framejit's decorator in both.

    A test runs them: the first breaks with the code of its entry, the second does not break, and
    what they assign to `answer` is the same, bit for bit.
    """

    breaks: str
    instead: str


@dataclass(frozen=True, slots=True)
class Cause:
    """A frequent reason for breaks with one code, and what to write instead.

    Texts for reports, `named` and `looped`, have places to fill in: `{line}` is the user's line,
    `{alone}` the same if it makes nothing, `{new}` the line as rewritten, `{reads}` the variables
    that it reads, `{made}` the one that it assigns, `{taken}` what assigns it if that needs nothing
    else, `{value}` the call that breaks, `{arg}` its first argument, `{f}` the user's function,
    `{call}` "the call of `f`"; and the groups of `found`. A text of which a place cannot be filled
    is not shown.
    """

    name: str
    """How `python -m framejit explain CODE NAME` calls it."""
    found: str
    """A regular expression, searched in the detail of the break."""
    fix: str
    """Advice on what to write instead, for any program."""
    pair: Pair
    pair_in_loop: Pair | None = None
    """The same where the line stands in a loop."""
    named: tuple[str, ...] = ()
    """The same with the user's names; the first one counts whose places can all be filled."""
    looped: tuple[str, ...] = ()
    """Those that come before them where the line stands in a loop."""
    rewrites: tuple[tuple[str, str], ...] = ()
    """Expressions and what takes their place; see `rewriting.py`."""
    only_rewritten: bool = False
    """The cause is this one only if one of the expressions stands in the line."""


@dataclass(frozen=True, slots=True)
class BreakCode:
    """One reason. `code` is stable: users search for it and silence it by it."""

    code: str
    title: str
    why: str
    """The reason why capture ends there."""
    hint: str
    """Advice on what to write instead, where no cause says it better."""
    pair: Pair | None
    """None for what no program can show."""
    named: tuple[str, ...] = ()
    """The hint with the user's names; see `Cause`."""
    found: str = ""
    """A regular expression that finds names for `named` in the detail."""
    causes: tuple[Cause, ...] = ()
