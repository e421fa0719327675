"""Imports inside functions: of modules that are loaded, and of others, which stay eager's."""

from __future__ import annotations

import builtins
import sys
import types
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check, check_script

X = np.linspace(0.1, 1.0, 7)


@pytest.fixture(autouse=True)
def _modules_as_before() -> Iterator[None]:
    """Remove the modules that tests have made; others may be loaded meanwhile, and stay."""
    yield
    for name in [one for one in sys.modules if one.startswith("some_")]:
        del sys.modules[name]


def module(name: str, **names: Any) -> Any:
    """A new module, as if it had been imported."""
    made = types.ModuleType(name)
    vars(made).update(names)
    sys.modules[name] = made
    return made


def package(name: str, *inner: str) -> list[Any]:
    """A package that holds modules, all with the specs that an import gives them."""
    made = [module(name, __path__=[]), *(module(f"{name}.{one}") for one in inner)]
    for one in made:
        one.__package__ = name
        one.__spec__ = ModuleSpec(one.__name__, None, is_package=one is made[0])
    for one in made[1:]:
        setattr(made[0], one.__name__.rpartition(".")[2], one)
    return made


def outcome(function: Any, *args: Any) -> Any:
    """The result, or the text of the exception."""
    try:
        return function(*args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def import_as(x: Any) -> Any:
    import numpy as np

    return np.exp(x) * 2


def import_plain(x: Any) -> Any:
    import math
    import os.path

    import numpy

    return numpy.linalg.norm(x) * math.pi + len(os.path.sep)


def import_from(x: Any) -> Any:
    import numpy.linalg as la
    from numpy import exp, linalg

    return exp(x) + la.norm(x) + linalg.norm(x)


def import_of_scipy(x: Any) -> Any:
    from scipy import special
    from scipy.special import expit

    return special.erf(x) + expit(x)


def import_in_a_helper(x: Any) -> Any:
    return import_as(x) + import_from(x * 2)


def import_in_a_loop(x: Any) -> Any:
    total = 0.0
    for i in range(len(x)):
        import math
        from math import sin

        total += math.cos(x[i]) + sin(x[i])
    return total


def import_is_returned(x: Any) -> Any:
    from math import pi

    import numpy as np

    return np is np_here, pi, x * 2


np_here = np


@pytest.mark.parametrize(
    "function",
    [
        import_as,
        import_plain,
        import_from,
        import_of_scipy,
        import_in_a_helper,
        import_in_a_loop,
        import_is_returned,
    ],
)
def test_modules_that_are_loaded(function: Any) -> None:
    """The whole function is one kernel."""
    import scipy.special  # noqa: F401

    assert_counts(check(function, X), captures=1, hits=2, segments=1, breaks=0)


def test_modules_that_are_replaced() -> None:
    """In sys.modules, by another module, by something else, by None, by nothing."""

    def script(jit: Any) -> Any:
        @jit
        def f(x: Any) -> Any:
            import some_module

            return x * some_module.k

        @jit
        def g(x: Any) -> Any:
            from some_module import k

            return x * k

        def both() -> list[Any]:
            return [outcome(f, X), outcome(g, X)]

        made = module("some_module", k=2.0)
        seen = both() + both()
        made.k = 3.0
        seen += both()
        module("some_module", k=5.0)
        seen += both()
        sys.modules["some_module"] = types.SimpleNamespace(k=7.0)  # type: ignore[assignment]
        seen += both()
        sys.modules["some_module"] = None  # type: ignore[assignment]
        seen += both()
        del sys.modules["some_module"]
        seen += both()
        made = module("some_module")
        seen += both()
        made.__getattr__ = lambda name: 9.0 if name == "k" else vars(made)[name]
        return seen + both()

    check_script(script)


def test_modules_in_packages() -> None:
    """A name of the package, the module in sys.modules, neither, and relative imports."""

    def script(jit: Any) -> Any:
        outer, inner, caller = package("some_package", "inner", "caller")
        inner.k, outer.z = 2.0, 4.0
        text = """
def relative(x):
    from .inner import k
    from . import inner, z
    return x * k + inner.k + z

def of_nothing(x):
    from ..other import k
    return x * k
"""
        exec(text, vars(caller))

        @jit
        def by_name(x: Any) -> Any:
            from some_package import inner

            return x * inner.k

        @jit
        def by_path(x: Any) -> Any:
            import some_package.inner as found

            return x * found.k

        @jit
        def outermost(x: Any) -> Any:
            import some_package.inner

            return x * some_package.inner.k

        functions = [by_name, by_path, outermost, jit(caller.relative), jit(caller.of_nothing)]

        def all_of_them() -> list[Any]:
            return [outcome(one, X) for one in functions]

        seen = all_of_them() + all_of_them()
        inner.k = 6.0
        seen += all_of_them()
        outer.inner = types.SimpleNamespace(k=5.0)
        seen += all_of_them()
        del outer.inner
        seen += all_of_them()
        outer.inner = inner
        del sys.modules["some_package.inner"]
        seen += all_of_them()
        sys.modules["some_package.inner"] = inner
        caller.__package__ = "other_package"
        return seen + all_of_them()

    check_script(script)


def test_an_import_of_the_programs_own() -> None:
    """`builtins.__import__` replaced for a while, and one in the builtins of a namespace."""

    def script(jit: Any) -> Any:
        f = jit(import_as)
        seen = [f(X), f(X)]
        asked = []
        real = builtins.__import__

        def mine(name: str, *rest: Any) -> Any:
            if name != "numpy":
                return real(name, *rest)
            asked.append(name)
            return types.SimpleNamespace(exp=lambda x: x * 100)

        builtins.__import__ = mine  # type: ignore[assignment]
        try:
            seen.append(f(X))
        finally:
            builtins.__import__ = real
        own: dict[str, Any] = {"__builtins__": {"__import__": mine}}
        exec("def g(x):\n    import numpy as np\n    return np.exp(x)", own)
        g = jit(own["g"])
        return [*seen, f(X), g(X), g(X), len(asked)]

    check_script(script)


def test_modules_that_are_not_there() -> None:
    """Found and run by eager, once; an ImportError comes at each call."""

    def script(jit: Any) -> Any:
        sys.modules.pop("wave", None)

        @jit
        def loads(x: Any) -> Any:
            y = x * 2
            import wave

            return y + len(wave.__name__)

        @jit
        def fails(x: Any) -> Any:
            y = x * 2
            try:
                import there_is_no_such_module
            except ImportError as error:
                return y + 1, str(error)
            return there_is_no_such_module

        @jit
        def has_no_such_name(x: Any) -> Any:
            y = x * 2
            try:
                from numpy import there_is_no_such_name
            except ImportError as error:
                return y + 1, str(error)
            return there_is_no_such_name

        before = "wave" in sys.modules
        return [before, *(one(X) for one in (loads, fails, has_no_such_name) for _ in range(3))]

    check_script(script)
