"""One module of CPython's tests in one mode: ``child.py MODULE MODE RESULT ROUNDS LEFT_OUT``.

MODE is "plain" (framejit is not imported), "passthrough" (the frame hook with nothing to do) or
anything else: then every function of the test modules goes through the hook and capture, under
whatever FRAMEJIT_DEBUG says. RESULT gets what came of each test, and what was really executed. The
tests run ROUNDS times: what a stub finds out in one call is an exit of the next.
LEFT_OUT are ids, with commas.
"""

from __future__ import annotations

import contextlib
import gc
import json
import random
import signal
import sys
import sysconfig
import threading
import unittest
from pathlib import Path
from types import FunctionType
from typing import Any

MAX_FUNCTIONS = 200
"""Made of one code object (lambdas in a loop): those after them would show nothing new."""

MAX_LOCALS = 500
"""Limit for a function: a stub before each instruction hands over all locals, quadratically."""

HERE = str(Path(__file__).parent)
TESTS = str(Path(sysconfig.get_path("stdlib"), "test"))
sys.path[:] = [entry for entry in sys.path if entry != HERE]


class Result(unittest.TestResult):
    """Keeps one outcome for each test id, and texts in place of tracebacks, which hold frames."""

    def __init__(self, progress: Path) -> None:
        super().__init__()
        self.progress = progress
        self.outcomes: dict[str, str] = {}
        self.texts: dict[str, str] = {}

    def startTest(self, test: unittest.TestCase) -> None:  # noqa: N802
        """The file tells a crash's reader which test it was."""
        super().startTest(test)
        self.progress.write_text(test.id())

    def note(self, test: Any, outcome: str, listed: list[Any] | None = None) -> None:
        """The worse outcome stays; several tests may have one id."""
        name = test.id()
        if self.outcomes.get(name) not in ("failed", "error"):
            self.outcomes[name] = outcome
            if listed:
                self.texts[name] = str(listed[-1][1])

    def addSuccess(self, test: Any) -> None:  # noqa: N802
        super().addSuccess(test)
        self.note(test, "ok")

    def addError(self, test: Any, err: Any) -> None:  # noqa: N802
        super().addError(test, err)
        self.note(test, "error", self.errors)

    def addFailure(self, test: Any, err: Any) -> None:  # noqa: N802
        super().addFailure(test, err)
        self.note(test, "failed", self.failures)

    def addSkip(self, test: Any, reason: str) -> None:  # noqa: N802
        super().addSkip(test, reason)
        self.note(test, "skipped")

    def addExpectedFailure(self, test: Any, err: Any) -> None:  # noqa: N802
        super().addExpectedFailure(test, err)
        self.note(test, "ok")

    def addUnexpectedSuccess(self, test: Any) -> None:  # noqa: N802
        super().addUnexpectedSuccess(test)
        self.note(test, "failed")

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:  # noqa: N802
        super().addSubTest(test, subtest, err)
        if err is None:
            self.note(subtest, "ok")
        else:
            listed = self.failures if issubclass(err[0], test.failureException) else self.errors
            self.note(subtest, "failed", listed)


class Watch:
    """Send every function of the test modules through capture, and count the engine's work."""

    def __init__(self) -> None:
        from framejit.frontends.runtime import function
        from framejit.frontends.undecorated import hook

        self.engine_errors: list[str] = []
        self.rewritten: set[tuple[str, int, str]] = set()
        self.managers = 0
        self.captures = 0
        hook.why_left_alone = why_left_alone
        hook.MAX_FUNCTIONS = MAX_FUNCTIONS
        function.Failure = self._failure(function.Failure)
        self._count(function.Manager)

    def _failure(self, made: Any) -> Any:
        def failure(where: str, text: str) -> Any:
            self.engine_errors.append(f"{where}: {text}")
            return made(where, text)

        return failure

    def _count(self, manager: Any) -> None:
        start, install, capture = (
            manager.__post_init__,
            manager.install,
            manager.guarded_capture,
        )

        def counted_start(one: Any) -> None:
            self.managers += 1
            start(one)

        def counted_install(one: Any, code: Any) -> None:
            own = one.function.__code__
            self.rewritten.add((own.co_filename, own.co_firstlineno, own.co_qualname))
            install(one, code)

        def counted_capture(one: Any, action: Any) -> Any:
            self.captures += 1
            return capture(one, action)

        manager.__post_init__ = counted_start
        manager.install = counted_install
        manager.guarded_capture = counted_capture


def why_left_alone(function: FunctionType) -> str | None:
    """Only what belongs to a test goes through: its module, helpers, what it compiles itself."""
    file = function.__code__.co_filename
    module = str(function.__globals__.get("__name__", ""))
    if module.startswith("framejit.") or "framejit" in file:
        return "framejit"
    made_up = file.startswith("<") and not file.startswith("<frozen")
    ours = file.startswith(TESTS) or module.startswith("test.") or made_up
    if function.__code__.co_nlocals > MAX_LOCALS:
        return "locals"
    return None if ours else "library"


def start(mode: str) -> Watch | None:
    """The hook is on for this thread from here on."""
    if mode == "plain":
        return None
    import framejit.backends.numpy  # noqa: F401  (nothing may be imported during a test)
    from framejit.frontends import api  # noqa: F401
    from framejit.frontends.undecorated import hook
    from framejit.jit import native

    watch = None
    if mode == "passthrough":
        native.hook_set_callbacks(None, None)
    else:
        watch = Watch()
        hook.install()
    gc.collect()
    gc.freeze()  # tests that collect all the time would walk through the engine each time
    native.hook_enable()
    hook_threads(native)
    return watch


def hook_threads(native: Any) -> None:
    """The hook is a thread's own: those that the tests start get it too, also the empty one.

    `capture()` does not do that: its scope is the dynamic extent in the thread that entered it.
    """

    def hooked(start: Any) -> Any:
        def start_hooked(function: Any, *args: Any, **kwargs: Any) -> Any:
            def body(*given: Any, **named: Any) -> Any:
                native.hook_enable()
                try:
                    return function(*given, **named)
                finally:
                    native.hook_disable()

            return start(body, *args, **kwargs)

        return start_hooked

    for name in ("_start_new_thread", "_start_joinable_thread"):  # the second since 3.13
        if hasattr(threading, name):
            setattr(threading, name, hooked(getattr(threading, name)))


def counts(watch: Watch | None) -> dict[str, Any]:
    """Return how much was executed, for the floors."""
    native = sys.modules.get("framejit.jit.native")
    if native is None:
        return {}
    state = native.hook_state()
    counted = {
        "frames": state["handled"] + state["rewritten"] + sum(state["defaulted"].values()),
        "answered": state["handled"],
        "rewritten frames": state["rewritten"],
        "run as they are": state["defaulted"],
        **native.hostile_counts(),
    }
    if watch is not None:
        counted |= {
            "functions": watch.managers,
            "captures": watch.captures,
            "code objects": len(watch.rewritten),
        }
    return counted


def chosen(module: str, left_out: list[str]) -> unittest.TestSuite:
    """The tests of a module (or of several, or of classes in them, with blanks), in their order."""

    def each(suite: Any) -> Any:
        for test in suite:
            yield from each(test) if isinstance(test, unittest.BaseTestSuite) else (test,)

    loaded = unittest.defaultTestLoader.loadTestsFromNames(
        [f"test.{name}" for name in module.split()]
    )
    return unittest.TestSuite([test for test in each(loaded) if test.id() not in left_out])


def main(module: str, mode: str, target: str, rounds: str, left_out: str) -> None:
    """Runs it."""
    # A shell starts what is to run in its background with SIGINT ignored: tests send it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    result = Result(Path(target).with_suffix(".progress"))
    watch = start(mode)
    from test import support

    support.use_resources = ()
    with contextlib.suppress(unittest.SkipTest):
        for _ in range(int(rounds)):
            random.seed(0)  # subtests are told by what they are given
            chosen(module, left_out.split(",")).run(result)
    answer = {
        "outcomes": result.outcomes,
        "texts": result.texts,
        "counts": counts(watch),
        "engine errors": watch.engine_errors if watch else [],
    }
    Path(target).write_text(json.dumps(answer))


if __name__ == "__main__":
    main(*sys.argv[1:])
