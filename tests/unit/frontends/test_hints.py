"""Hints of single lines: what is rewritten and what is not, and whose names stand in them."""

from __future__ import annotations

import pytest

from framejit.frontends.breaks.hints import Spot, hint_for
from framejit.frontends.breaks.rewriting import parsed, rewritten

COPY = (("copy.deepcopy(_a)", "_a.copy()"),)
TEXT = (("_text % _values", "f-string"),)
TRUTH = (("if _test", "np.all(_test)"),)
COUNT = (("_d[_key] += _more", "_d[_key] = _d.get(_key, 0) + _more"),)


@pytest.mark.parametrize(
    ("rewrites", "line", "expected"),
    [
        (COPY, "y = copy.deepcopy(a + b) * 2  # a copy", "y = (a + b).copy() * 2"),
        (COPY, "y = copy.deepcopy(a, memo)", None),
        (COPY, "y = copy.deepcopy(", None),
        (COPY, "y = copy.deepcopy(a); z = 1", None),
        (COPY, "with copy.deepcopy(lock) as held:", "with lock.copy() as held:"),
        (TEXT, 's = "é %s: %.1e%%" % (a, b)', 's = f"é {a}: {b:.1e}%"'),
        (TEXT, "s = '%5.2f' % b['k']", "s = f\"{b['k']:5.2f}\""),
        (TEXT, "print('%d of %03d' % (k, n + 1))", 'print(f"{int(k)} of {int(n + 1):03}")'),
        (TEXT, "s = '{{%s}}' % a", 's = f"{{{{{a}}}}}"'),
        (TEXT, "s = '%-5d' % k", None),
        (TEXT, "s = '%s %s' % a", None),
        (TEXT, "s = n % 3", None),
        (TRUTH, "if y[:1] > 1:", "if np.all(y[:1] > 1):"),
        (TRUTH, "elif y[:1] > 1: return 3", "elif np.all(y[:1] > 1):"),
        (TRUTH, "while x > 1 and y:", None),
        (COUNT, "c[k] += v", "c[k] = c.get(k, 0) + v"),
        (COUNT, "c[k, 1] += v or 1", "c[k, 1] = c.get((k, 1), 0) + (v or 1)"),
    ],
)
def test_rewritten(rewrites: tuple[tuple[str, str], ...], line: str, expected: str | None) -> None:
    """Text around the expression stays; there is no hint for text that is not surely Python."""
    understood = parsed(line)
    actual = None if understood is None else rewritten(understood, rewrites)

    assert actual == expected


@pytest.mark.parametrize("values", [(2.7, 3), (1e300, 0), (-2.5, 7)])
def test_a_text_that_is_rewritten_is_the_same(values: tuple[float, int]) -> None:
    """`%` and the f-string that takes its place."""
    a, k = values
    for text in ("%s|%d", "%.3f|%04d", "%8.2e|%3d", "%.4g%%|%i"):
        line = parsed(f"s = {text!r} % (a, k)")
        assert line is not None
        new = rewritten(line, TEXT)
        assert new is not None
        scope = {"a": a, "k": k}
        exec(new, scope)

        assert scope["s"] == text % (a, k)


def told(source: str, detail: str, code: str = "FJ201", **more: object) -> str | None:
    """The hint of a line of a method `step`."""
    spot = Spot(source, "Solver.step", {"np": 1, "log": 2}, in_loop=bool(more))
    return hint_for(code, detail, spot)


def test_names_are_the_users() -> None:
    """Arguments as they stand, attributes with their objects; no globals, no `file=` of print."""
    assert told("print('t', self.t, x.max(), file=out)", "call of `print`") == (
        "return `self.t` and `x.max()` too, and do it behind the call of `step`: "
        "`print('t', self.t, x.max(), file=out)`"
    )
    assert told("print(f'{k}: {x[0]:.2f}', end='')", "call of `print`", in_loop=True) == (
        "append `k` and `x[0]` to a list in the loop, return the list, and do it behind the call "
        "of `step`: `print(f'{k}: {x[0]:.2f}', end='')`"
    )
    assert told("log.info('begin')", "call of `Logger.info`") == (
        "do it before or behind the call of `step`: `log.info('begin')`"
    )
    assert told("if k in self.seen:", "membership in argument `self`.seen (set)", "FJ101") == (
        "make it a dict with these keys before the call of `step`: "
        "`self.seen = dict.fromkeys(self.seen, True)`"
    )


def test_lines_that_cannot_be_read() -> None:
    """A part of a statement, or no line at all: the hint does without."""
    for source in ("", "print(", '"a", b)'):
        assert told(source, "call of `print`") == (
            "return what is to be printed, and print it behind the call"
        )


def test_what_breaks_in_a_callee_is_told_of() -> None:
    """With its line; a library's function that is known is told of itself."""
    inside = "call of `Solver.helper`, which breaks at line 7: call of `print`"
    assert told("v = self.helper(u)", inside) == (
        "in `Solver.helper`, line 7: return what is to be printed, and print it behind the call"
    )
    library = "call of `copy.deepcopy`, which breaks at line 137: call of `id`"
    assert told("v = copy.deepcopy(u)", library) == (
        "give the class of `u` a method `copy` that makes one, and call that: `v = u.copy()`"
    )


def test_a_code_of_another_version() -> None:
    """Entries on disk may have codes that this version does not know."""
    assert told("x", "whatever", "FJ999") is None
