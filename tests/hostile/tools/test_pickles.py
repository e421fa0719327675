"""Decorated functions, methods and classes in pickles and copies."""

from __future__ import annotations

import copy
import functools
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import cloudpickle
import numpy as np
import pytest
from decorated import Box, doubled
from oracle import assert_normally

from framejit import jit
from framejit.frontends.decorating import is_jitted

X = np.arange(4.0)


def local(**options: Any) -> Any:
    """A decorated function that no module has, over a variable."""
    factor = 3.0

    @jit(**options)
    def f(x: Any, *, add: float = 1.0) -> Any:
        return x * factor + add

    return f


def recursive() -> Any:
    """One that reaches itself."""

    @jit
    def f(x: Any, n: int) -> Any:
        return x if n == 0 else f(x * 2, n - 1)

    return f


def local_class() -> Any:
    class Local:
        def __init__(self, x: Any) -> None:
            self.x = x

        @jit
        def method(self, y: Any) -> Any:
            return self.x * y

        @classmethod
        @jit
        def made(cls, x: Any) -> Any:
            return cls(x + 1)

        @jit
        @staticmethod
        def static(x: Any) -> Any:
            return x - 1

        @property
        @jit
        def double(self) -> Any:
            return self.x * 2

    return Local


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_function_of_a_module_is_found_by_name(protocol: int) -> None:
    """As a plain function: the same object comes back, methods and all."""
    for one in (doubled, Box.twice, Box):
        assert pickle.loads(pickle.dumps(one, protocol)) is one
        assert cloudpickle.loads(cloudpickle.dumps(one, protocol)) is one
    bound = pickle.loads(pickle.dumps(Box(X).twice, protocol))
    assert bound().tolist() == (X * 2).tolist()
    partial = pickle.loads(pickle.dumps(functools.partial(doubled, X), protocol))
    assert partial().tolist() == (X * 2).tolist()


def test_what_cannot_be_pickled_says_so_as_in_eager() -> None:
    """A local function is refused with the words that Python has for the plain one."""
    jitted = local()
    messages = []
    for one in (jitted.__wrapped__, jitted):
        with pytest.raises((AttributeError, pickle.PicklingError)) as raised:
            pickle.dumps(one)
        messages.append((raised.type, str(raised.value)))

    assert messages[0] == messages[1]


def test_cloudpickle_takes_it_along() -> None:
    """By value, with its options, its closure and what was set on it; it is jitted again."""
    jitted = local(backend="numpy")
    jitted(X)
    jitted.mark = "own"
    again = cloudpickle.loads(cloudpickle.dumps(jitted))

    assert is_jitted(again)
    assert again is not jitted
    assert again(X, add=2).tolist() == (X * 3 + 2).tolist()
    assert (again.mark, again.__name__) == ("own", "f")
    assert_normally(again.stats()["captures"], 1)
    assert again._manager.overrides == {"backend": "numpy"}


def test_cloudpickle_of_one_that_reaches_itself() -> None:
    again = cloudpickle.loads(cloudpickle.dumps(recursive()))

    assert again(X, 3).tolist() == (X * 8).tolist()
    assert again.__wrapped__.__closure__[0].cell_contents is again


def test_cloudpickle_of_classes_and_bound_methods() -> None:
    kind = cloudpickle.loads(cloudpickle.dumps(local_class()))

    assert is_jitted(vars(kind)["method"])
    assert kind(X).method(2).tolist() == (X * 2).tolist()
    assert kind.made(X).double.tolist() == ((X + 1) * 2).tolist()
    assert kind.static(X).tolist() == (X - 1).tolist()
    bound = cloudpickle.loads(cloudpickle.dumps(local_class()(X).method))
    assert bound(3).tolist() == (X * 3).tolist()


def plainly_doubled(x: Any) -> Any:
    return x * 2


SENT = """
from framejit import jit
FACTOR = 3.0
@jit(compile="now")
def f(x):
    return x * FACTOR
def set_factor(value):
    global FACTOR
    FACTOR = value
"""


def test_each_has_variables_of_its_own() -> None:
    """Workers unpickle a function for each task: what one task changes is nothing to the next."""
    script: dict[str, Any] = {"__name__": "__main__"}
    exec(SENT, script)
    content = cloudpickle.dumps((script["f"], script["set_factor"]))
    for value in (4.0, 5.0, 6.0):
        f, set_factor = cloudpickle.loads(content)

        assert f(X).tolist() == (X * 3).tolist()
        set_factor(value)
        assert f(X).tolist() == (X * value).tolist()


def test_a_function_that_its_module_has_plain_is_jitted_once() -> None:
    """As the plain function comes back as the object that it is; other options, another one."""
    content = pickle.dumps(jit(plainly_doubled))
    first, second = pickle.loads(content), pickle.loads(content)

    assert first is second
    assert first.__wrapped__ is plainly_doubled
    assert is_jitted(first)
    other = pickle.loads(pickle.dumps(jit(plainly_doubled, backend="numpy")))
    assert other is not first
    assert (other(X) == first(X)).all()


SCRIPT = """
import subprocess, sys, cloudpickle, numpy as np
from framejit import jit
K = 5.0
@jit
def f(x): return g(x) * K
@jit
def g(x): return x + 1
other = "import sys, pickle, numpy as np\\n" \\
    "f = pickle.load(sys.stdin.buffer)\\n" \\
    "print(f(np.arange(3.0)), type(f).__name__, f.stats()['hits'])"
done = subprocess.run([sys.executable, "-c", other], input=cloudpickle.dumps(f),
                      capture_output=True)
print(done.stdout.decode(), done.stderr.decode())
"""


@pytest.mark.counts("hits in another process")
def test_functions_of_a_script_go_to_another_process() -> None:
    """A worker has no definitions of the script: cloudpickle sends them by value."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "[ 5. 10. 15.] Dispatcher 1"


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_function_is_its_own_copy(copied: Callable[[Any], Any]) -> None:
    """Wherever it stands; a bound method is copied with what it is bound to."""
    jitted = local()

    assert copied(jitted) is jitted
    assert copied({"f": [jitted]})["f"][0] is jitted
    assert copied(Box.twice) is Box.twice
    assert copied(Box(X).twice)().tolist() == (X * 2).tolist()
