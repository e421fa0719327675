"""Code at module level with stubs at its loops, run by `exec` and compared with eager.

    body = check_body("for i in range(10): x = i * 2.0")

Compared after each run: what it prints and warns, its exception with the lines that it went
through, and the namespace: names in their order, values bit for bit and by identity. The runs use
one dict, as segments read and write the names of the very dict.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import linecache
import random
import textwrap
import traceback
import types
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from compare import Facts, differences, portrait
from modes import HOSTILE
from oracle import BACKENDS

from framejit import config
from framejit.frontends.undecorated.body import ModuleBody, body_of

RUNS = 3
"""The first captures, the second has exits for what that came to."""

Namespace = dict[str, Any]
_numbers = itertools.count()


def compiled(source: str) -> types.CodeType:
    """The code of a script whose lines tracebacks can show."""
    name = f"<script {next(_numbers)}>"
    text = textwrap.dedent(source)
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    return compile(text, name, "exec")


def check_body(
    source: str,
    *,
    runs: int = RUNS,
    backends: tuple[str, ...] | None = None,
    around: Callable[[Namespace], contextlib.AbstractContextManager[Any]] | None = None,
    **given: Any,
) -> ModuleBody:
    """Compares a script with eager; returns what has captured it on the last backend.

    Args:
        source: the script.
        runs: how often it runs rewritten code.
        backends: BACKENDS unless they are given.
        around: a block for each run, made for its namespace: a signal that comes, a thread.
        **given: names that are there before; made anew where they can be called.

    Raises:
        AssertionError: a run differs; the text has the difference.
    """
    code = compiled(source)
    expected = _run(code, code, {}, given, around)
    body: ModuleBody | None = None
    for backend in BACKENDS if backends is None else backends:
        namespace: Namespace = {"__name__": "__main__"}
        with config(backend=backend):
            body = body_of(code, namespace)
            for number in range(1, runs + 1):
                if "stub_everywhere" in HOSTILE:  # what a run has found out makes a new version
                    body.guarded_capture(body.start)
                seen = _run(body.code, code, namespace, given, around)
                lines = differences(expected, seen)
                where = f"backend {backend!r}, run {number}:"
                assert not lines, "\n  ".join([where, *lines[:12]])
        assert not body.failures, body.failures[0].text
    assert body is not None
    return body


def stats_of(body: ModuleBody) -> dict[str, int]:
    """Its numbers."""
    assert body.dispatcher is not None
    return body.stats(body.dispatcher)


def _run(
    code: types.CodeType,
    own: types.CodeType,
    namespace: Namespace,
    given: Namespace,
    around: Callable[[Namespace], contextlib.AbstractContextManager[Any]] | None,
) -> Facts:
    namespace.clear()
    namespace["__name__"] = "__main__"
    namespace.update({name: one() if callable(one) else one for name, one in given.items()})
    random.seed(1)
    np.random.seed(1)
    text, error = io.StringIO(), None
    block = contextlib.nullcontext() if around is None else around(namespace)
    with warnings.catch_warnings(record=True) as shown, contextlib.redirect_stdout(text):
        warnings.simplefilter("always")
        with block:
            try:
                exec(code, namespace)
            except (Exception, KeyboardInterrupt) as raised:
                error = raised
    held = {name: one for name, one in namespace.items() if name != "__builtins__"}
    facts = portrait("any", names=held, exception=error)
    facts["names", "order"] = list(namespace)
    facts["stdout", "text"] = text.getvalue()
    facts["warnings", "shown"] = [(str(one.message), one.lineno) for one in shown]
    facts["exception", "lines"] = _lines(error, own)
    return facts


def _lines(error: BaseException | None, own: types.CodeType) -> list[tuple[str, int | None]]:
    """Return names and lines of its frames in the script; rewritten code has the script's file."""
    frames = traceback.extract_tb(error.__traceback__ if error else None)
    return [(frame.name, frame.lineno) for frame in frames if frame.filename == own.co_filename]
