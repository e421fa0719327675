"""The oracle on all but results: functions that differ in one aspect alone must be told apart."""

from __future__ import annotations

import random
import sys
import warnings
from typing import Any

import numpy as np
import pytest
from oracle import Decorator, check, check_script
from telling import Function, compare, told


def test_mutated_argument() -> None:
    """Changes of arguments by a call are compared, in containers and keywords too."""

    def sets(x: Any, value: float) -> None:
        x[0][2] = value

    row = np.zeros(4)
    assert "args[0]: values" in told(lambda x: sets([x], 5.0), lambda x: sets([x], 6.0), row)
    assert "args[0][0]" in told(lambda x: sets(x, 5.0), lambda x: sets(x, 6.0), [row])
    assert "kwargs['x'][0]" in told(lambda x: sets(x, 5.0), lambda x: sets(x, 6.0), x=[row])
    assert "args[0]: keys" in told(lambda d: d.update(a=1), lambda d: d.update(b=1), {})
    assert row.tolist() == [0.0] * 4


def test_output() -> None:
    """Both stdout and stderr are compared."""
    assert "stdout" in told(lambda: print("a"), lambda: print("b"))
    assert "stdout" in told(
        lambda: print("a", file=sys.stderr), lambda: print("b", file=sys.stderr)
    )


def test_addresses_in_the_output() -> None:
    """An object that a call makes has another address in each run: only its kind is compared."""
    kept = []

    def prints(kind: type) -> None:
        kept.append(kind())
        print(kept[-1])

    class One:
        pass

    class Other:
        pass

    compare(lambda: prints(One), lambda: prints(One))
    assert "stdout" in told(lambda: prints(One), lambda: prints(Other))


def test_warnings() -> None:
    """Category, text, line and number of warnings are compared."""

    def warns(text: str = "a", category: type[Warning] = UserWarning, times: int = 1) -> Function:
        def function() -> None:
            for _ in range(times):
                warnings.warn(text, category, stacklevel=1)

        return function

    for other in (warns("b"), warns(category=RuntimeWarning), warns(times=2), lambda: None):
        assert "warnings: shown" in told(warns(), other)


def test_line_of_a_warning() -> None:
    """The same warning from another line is another warning."""

    def one() -> None:
        warnings.warn("a", UserWarning, stacklevel=1)

    def other() -> None:
        warnings.warn("a", UserWarning, stacklevel=1)

    assert "warnings: shown" in told(one, other)


def test_warnings_under_the_default_filter() -> None:
    """A warning that Python shows once must be shown once; only that filter tells."""

    def once() -> None:
        warnings.warn_explicit("a", UserWarning, "f", 1, registry=registry)

    def always() -> None:
        warnings.warn_explicit("a", UserWarning, "f", 1, registry={})

    registry: dict[str, Any] = {}
    with pytest.raises(AssertionError, match="warnings 'default', call 2"):
        check(setup=lambda: (once, ()), jit=lambda function, backend: always, backends=("fake",))


def test_warnings_as_errors() -> None:
    """A function that writes before its warning is told from one that writes after it."""

    def early(x: Any) -> None:
        x[0] = 5.0
        warnings.warn_explicit("a", UserWarning, "f", 1)

    def late(x: Any) -> None:
        warnings.warn_explicit("a", UserWarning, "f", 1)
        x[0] = 5.0

    with pytest.raises(AssertionError, match=r"warnings 'error', call 1:\n.*args\[0\]: values"):
        compare(early, late, np.zeros(2))


def raises(error: type[Exception], text: str = "a", **state: Any) -> Function:
    """A function that raises an exception made anew, with a note, a cause or a context."""

    def function() -> None:
        made = error(text)
        for name, value in state.items():
            setattr(made, name, value)
        raise made

    return function


def test_exceptions() -> None:
    """Type, text, notes, cause and context of an exception are compared, and that there is one."""
    plain = raises(ValueError)
    others = {
        "exception: type": raises(TypeError),
        "exception: text": raises(ValueError, "b"),
        "exception.__notes__": raises(ValueError, __notes__=["note"]),
        "exception.__cause__": raises(ValueError, __cause__=KeyError("b")),
        "exception.__context__": raises(ValueError, __context__=KeyError("b")),
        "jitted did not raise": lambda: None,
    }
    for aspect, other in others.items():
        assert aspect in told(plain, other)
    assert "eager did not raise, jitted raised:\nTraceback" in told(lambda: None, plain)


def test_frames_of_a_traceback() -> None:
    """A frame more, another line, another place in the line or another local is a difference."""

    def fails(x: Any) -> Any:
        return x[10] + x[0]

    def elsewhere(x: Any) -> Any:
        return x[0] + x[10]

    def deeper(x: Any) -> Any:
        return fails(x)

    for other in (elsewhere, deeper):
        assert "exception: frames" in told(fails, other, np.ones(3))


def test_locals_in_a_traceback() -> None:
    """A frame that shows another local variable is a difference."""

    def made(name: str) -> Function:
        namespace: dict[str, Any] = {}
        exec(f"def f():\n    {name} = 1\n    raise ValueError", namespace)
        function: Function = namespace["f"]
        return function

    compare(made("a"), made("a"))
    assert "exception: locals" in told(made("a"), made("b"))


def test_random_state() -> None:
    """The global streams are compared, and are the same again after the comparison."""
    before = np.random.get_state()[1][:5].tolist(), random.getstate()
    assert "numpy_random" in told(
        lambda: np.random.rand(1) * 0, lambda: np.random.rand(2)[:1].copy() * 0
    )
    assert "random" in told(lambda: random.random() * 0, lambda: 0.0)
    assert (np.random.get_state()[1][:5].tolist(), random.getstate()) == before


def test_generator_argument() -> None:
    """Each call gets a Generator in the state of the original, which stays as it was."""
    generator = np.random.default_rng(7)
    first = np.random.default_rng(7).random(3)

    def draws(g: np.random.Generator) -> Any:
        return g.random(3)

    def draws_twice(g: np.random.Generator) -> Any:
        return draws(g), g.random(0), g.random(1)[1:]

    assert "args[0].bit_generator.state" in told(
        lambda g: draws(g) * 0, lambda g: draws_twice(g)[0] * 0, generator
    )
    assert generator.random(3).tolist() == first.tolist()


def test_errstate() -> None:
    """A floating point error mode that a call leaves behind is compared, then undone."""
    before = np.geterr()
    assert "errstate" in told(lambda: None, lambda: np.seterr(all="raise") and None)
    assert np.geterr() == before


def test_kept_arguments() -> None:
    """An argument that lives on after the call is a leak."""
    kept: list[Any] = []

    with pytest.raises(AssertionError, match="kept alive"):
        compare(lambda x: None, lambda x: kept.append(x), np.ones(3))


def counter(step: int) -> Any:
    """A setup: a function that counts in its closure, in a default and in a list it reads."""

    def setup() -> tuple[Any, ...]:
        count = 0
        log: list[int] = []

        def function(x: Any) -> Any:
            nonlocal count
            count += step
            log.append(count)
            return x + 1

        return function, [np.ones(2)]

    return setup


def test_setup() -> None:
    """State behind a function is compared call by call; without a setup its change is refused."""
    once, twice = counter(1), counter(2)
    check(setup=once, jit=lambda function, backend: function, backends=("fake",))

    made = iter([once(), twice()])
    with pytest.raises(AssertionError, match="closure"):
        check(setup=lambda: next(made), jit=lambda function, backend: function, backends=("fake",))
    function, args = once()
    with pytest.raises(ValueError, match=r"use setup=: closure\['count'\]"):
        compare(function, function, *args)


COUNT = 0


def test_globals() -> None:
    """Globals that are data are compared."""

    def sets(value: int) -> Any:
        def function() -> None:
            global COUNT
            COUNT = value

        def reset() -> tuple[Any, ...]:
            global COUNT
            COUNT = 0
            return function, []

        return reset

    sets_one, sets_two = sets(1), sets(2)
    check(setup=sets_one, jit=lambda function, backend: function, backends=("fake",))
    made = iter([sets_one, sets_two])
    with pytest.raises(AssertionError, match=r"globals\['COUNT'\]"):
        check(
            setup=lambda: next(made)(), jit=lambda function, backend: function, backends=("fake",)
        )


def test_use() -> None:
    """The work of a generator is watched when `use` runs it inside the call."""

    def counts(n: int) -> Any:
        for k in range(n):
            print(k)
            yield k

    compare(lambda: counts(2), lambda: counts(3))
    assert "result[2]" in told(lambda: counts(2), lambda: counts(3), use=list)


def test_later_calls() -> None:
    """A difference that only a later call shows is found, and the call is named."""
    state = iter([1, 1, 2])

    with pytest.raises(AssertionError, match=r"backend 'fake', warnings 'always', call 3:"):
        compare(lambda: 1, lambda: next(state), calls=3)


def test_ignored_facts() -> None:
    """A fact that a test names may differ, and no other."""
    fact = ("result", "dtype")
    compare(lambda: np.zeros(3, "l"), lambda: np.zeros(3, "q"), ignore=[fact])
    assert "values" in told(lambda: np.zeros(3, "l"), lambda: np.ones(3, "l"), ignore=[fact])


def test_scripts() -> None:
    """A script gets a decorator; what its functions keep is kept on both sides."""

    def script(jit: Decorator, x: Any) -> Any:
        first, second = jit(lambda: x), jit(lambda y: y if jit.backend == "eager" else y + 1)
        return first(), second(1)

    def same(jit: Decorator, x: Any) -> Any:
        return jit(lambda: x)()

    with pytest.raises(AssertionError, match=r"result\[1\]: value: eager 2, jitted 1"):
        check_script(script, np.ones(2), backends=("eager",))
    ((function,),) = check_script(same, np.ones(2), backends=("eager",))
    assert function.stats()["captures"] == 0


def test_each_backend_is_compared() -> None:
    """A backend that is wrong is named."""

    def choose(function: Function, backend: str) -> Function:
        return function if backend == "right" else lambda: 2

    with pytest.raises(AssertionError, match="backend 'wrong'"):
        check(lambda: 1, jit=choose, backends=("right", "wrong"))
