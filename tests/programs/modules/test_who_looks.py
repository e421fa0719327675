"""Handlers, threads and debuggers read and write the names of a module while its loop runs."""

from __future__ import annotations

import contextlib
import io
import signal
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from module_bodies import Namespace, check_body, compiled, stats_of

import framejit
from framejit.frontends.undecorated.body import ModuleBody, body_of

alone = pytest.mark.counts("launches")

COUNTING = """
import numpy as np
x = np.zeros(8)
s = np.float64(0.0)
for i in range(n):
    k = i % 8
    x[k] += 1.0
    s += x[k]
"""
FEW, MANY = 100, 2_000_000_000


def started(source: str) -> tuple[ModuleBody, Namespace]:
    """A script that has run with few iterations: nothing is compiled for its next run.

    Where a loop is halted it is entered again, and then the names are there that it has created.
    """
    namespace: Namespace = {}
    body = body_of(compiled(source), namespace)
    for _ in range(2):
        again(body, namespace, FEW)
    for _ in range(2):
        exec(body.code, namespace)
    return body, namespace


def again(body: ModuleBody, namespace: Namespace, n: int) -> None:
    """One more run, in a namespace as at the beginning."""
    namespace.clear()
    namespace.update({"__name__": "__main__", "n": n})
    exec(body.code, namespace)


def is_between_two_iterations(seen: Namespace) -> bool:
    """True if eager comes to these values in the middle of COUNTING."""
    i, k, x, s = (seen[name] for name in ("i", "k", "x", "s"))
    iterations = int(x.sum())
    last = x[k]
    # `x` is changed before `s` is; the next iteration may have begun.
    return i + 1 == iterations and k == i % 8 and s > last


@contextlib.contextmanager
def alarm(handler: Any, after: float = 0.05, every: float = 0.0) -> Iterator[None]:
    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, after, every)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


@alone
def test_a_handler_sees_the_names_of_a_finished_iteration_and_the_loop_goes_on() -> None:
    body, namespace = started(COUNTING)
    seen: list[Namespace] = []

    def look(number: int, frame: Any) -> None:
        assert frame.f_globals is namespace
        copied = {name: one for name, one in namespace.items() if name in ("i", "k", "s")}
        seen.append({**copied, "x": namespace["x"].copy()})
        if len(seen) == 4:
            namespace["i"] = "stopped"
            raise TimeoutError

    launches = stats_of(body)["launches"]
    with alarm(look, 0.05, 0.05), pytest.raises(TimeoutError):
        again(body, namespace, MANY)
    assert all(map(is_between_two_iterations, seen))
    assert [one["i"] for one in seen] == sorted({one["i"] for one in seen})
    assert stats_of(body)["launches"] > launches + 2
    assert stats_of(body)["bails"] == 0


@alone
def test_a_handler_changes_a_name_that_the_loop_carries() -> None:
    body, namespace = started("""
done = 0
while done < n:
    done += 1
""")

    def stop(number: int, frame: Any) -> None:
        namespace["done"] = MANY

    with alarm(stop):
        again(body, namespace, MANY)
    assert namespace["done"] in (MANY, MANY + 1), "before the test, or behind it"


@alone
def test_a_handler_changes_a_name_that_the_loop_only_reads() -> None:
    body, namespace = started("""
iterations, going = 0, True
while going:
    iterations += 1
    if iterations == n:
        break
after = iterations
""")

    def stop(number: int, frame: Any) -> None:
        namespace["going"] = False

    with alarm(stop):
        again(body, namespace, MANY)
    assert FEW < namespace["iterations"] < MANY


@alone
def test_a_thread_reads_the_names() -> None:
    body, namespace = started(COUNTING)
    seen = []
    over = threading.Event()

    def watch() -> None:
        for _ in range(10):
            time.sleep(0.02)
            seen.append((namespace.get("i"), namespace.get("s")))
        over.set()

    def end(number: int, frame: Any) -> None:
        if over.is_set():
            raise TimeoutError

    thread = threading.Thread(target=watch)
    thread.start()
    with alarm(end, 0.5, 0.05), pytest.raises(TimeoutError):
        again(body, namespace, MANY)
    thread.join()
    counts = [i for i, _ in seen if i is not None]
    assert len(set(counts)) > 5, "it has seen the loop getting on"
    assert counts == sorted(counts)


@alone
def test_ctrl_c_leaves_the_names_of_a_finished_iteration() -> None:
    body, namespace = started(COUNTING)
    with alarm(signal.default_int_handler), pytest.raises(KeyboardInterrupt) as caught:
        again(body, namespace, MANY)
    assert is_between_two_iterations(namespace)
    assert [entry.name for entry in caught.traceback][-1] == "<module>"
    frame = caught.traceback[-1].frame.raw
    assert frame.f_locals is namespace or frame.f_locals["i"] == namespace["i"]


def test_a_debugger_after_the_exception_finds_the_names() -> None:
    source = """
import numpy as np
a = np.arange(10.0)
s = 0.0
for i in range(12):
    x = a[i]
    s += x
"""
    code = compiled(source)
    namespace: Namespace = {}
    body = body_of(code, namespace)
    for _ in range(3):
        namespace.clear()
        try:
            exec(body.code, namespace)
        except IndexError:
            trace = sys.exc_info()[2]
        assert trace is not None
        frame = trace.tb_next.tb_frame if trace.tb_next else trace.tb_frame
        assert frame.f_globals is namespace
        names = {name: frame.f_locals[name] for name in ("i", "x", "s")}
        assert names == {"i": 10, "x": 9.0, "s": 45.0}
        assert (trace.tb_next or trace).tb_lineno == 6


def test_a_callee_that_reads_and_writes_globals_by_name() -> None:
    check_body("""
        import numpy as np
        a = np.arange(30.0)
        seen = []

        def look(k):
            seen.append((k, globals()["s"], "y" in globals(), list(globals())[-2:]))
            globals()["s"] += 1.0
            globals()[f"new{k}"] = k

        s = 0.0
        for k in range(30):
            x = a[k]
            s += x
            if k % 10 == 3:
                look(k)
            y = s * 2
        print(seen, s)
    """)


def test_getattr_of_the_module() -> None:
    check_body("""
        import sys
        import types
        import numpy as np
        me = types.ModuleType("me")
        me.__dict__.update(globals())

        def __getattr__(name):
            return 2.5

        me.__getattr__ = __getattr__
        s = 0.0
        for k in range(20):
            s += me.missing * k
        try:
            print(missing)
        except NameError as error:
            print(error, s)
    """)


def test_other_builtins_in_the_middle() -> None:
    check_body("""
        import builtins
        s = 0.0
        for k in range(40):
            s += abs(-1.5) * k
        __builtins__ = {**vars(builtins), "abs": lambda x: 7.0}

        def own():
            return abs(-1.5)

        for k in range(40):
            s += abs(-1.5) + own()
        print(s)
    """)


def test_builtins_that_are_others_from_the_start() -> None:
    namespace: Namespace = {"__builtins__": {"abs": lambda x: 7.0, "range": range}}
    code = compiled("s = 0.0\nfor k in range(40):\n    s += abs(-1.5)\n")
    from framejit.frontends.undecorated.body import why_no_body

    assert why_no_body(code, namespace, namespace) == "other builtins than the interpreter's"


def test_what_is_no_body() -> None:
    from framejit.frontends.undecorated.body import why_no_body

    class Names(dict):  # type: ignore[type-arg]
        pass

    def function() -> None:
        pass

    code = compiled("x = 1")
    names: Namespace = {}
    assert why_no_body(code, names, names) is None
    assert why_no_body(code, names, {}) == "local names that are not the global ones"
    assert why_no_body(code, Names(), names) == "local names that are not the global ones"
    odd = Names()
    assert why_no_body(code, odd, odd) == "a namespace of a class of its own"
    assert why_no_body(function.__code__, names, names) == "the code of a function"


class Last:
    """Tells of its end."""

    def __del__(self) -> None:
        print("the end of", sys._getframe(1).f_globals.get("i"))


def test_an_object_whose_end_is_told_of() -> None:
    """It dies where a name gets another value, in the first iteration."""
    check_body(
        """
        s = 0.0
        for i in range(10):
            held = i * 2.0
            s += held
        last = Last()
        for i in range(10):
            last = i * 2.0
            s += last
        print(s)
        """,
        Last=lambda: Last,
    )


def test_one_kind_of_object_in_one_run_and_another_in_the_next() -> None:
    """The segment does not read the name that it gives another value."""
    code = compiled("""
for i in range(20):
    s += i * 0.5
    held = i * 2.0
print("behind", held)
""")
    told = []
    for compiled_code in (False, True):
        namespace: Namespace = {}
        body = body_of(code, namespace)
        lines = io.StringIO()
        with contextlib.redirect_stdout(lines):
            for held in (0.0, 0.0, 0.0, Last()):
                namespace.clear()
                namespace.update({"s": 0.0, "held": held})
                held = None
                exec(body.code if compiled_code else code, namespace)
        told.append(lines.getvalue())
    assert told[0] == told[1]


def test_config_off() -> None:
    namespace: Namespace = {}
    body = body_of(compiled("s = 0.0\nfor k in range(50):\n    s += k * 0.5\n"), namespace)
    with framejit.config(backend="eager"):
        exec(body.code, namespace)
    assert namespace["s"] == float(np.arange(50.0).sum() / 2)
    assert not body.entries
