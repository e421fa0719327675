"""To `inspect`, `pydoc`, `doctest` and `typing` a decorated function is like the plain one.

`tests/support/decorated.py` is looked at, and the same text without the decorator.
"""

from __future__ import annotations

import dis
import doctest
import functools
import inspect
import io
import pydoc
import sys
import types
import typing
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import decorated
import pytest

from framejit import jit
from framejit.frontends.support import EagerFunction


def no_jit(function: Any = None, **options: Any) -> Any:
    """Stands for the decorator."""
    return no_jit if function is None else function


@pytest.fixture(scope="module")
def plain() -> types.ModuleType:
    """The module as it is without framejit: same file, same name, same lines."""
    text = Path(decorated.__file__).read_text().replace("from framejit import jit", "")
    made = types.ModuleType("decorated")
    made.__file__, made.__spec__ = decorated.__file__, decorated.__spec__
    made.jit = no_jit  # type: ignore[attr-defined]
    exec(compile(text, decorated.__file__, "exec", dont_inherit=True), vars(made))
    return made


FUNCTIONS = (
    "doubled",
    "walked",
    "stepped",
    "waited",
    "failing",
    "Box.twice",
    "Box.made",
    "Box.less",
)

LOOKS: dict[str, Callable[[Any], Any]] = {
    "signature": inspect.signature,
    "source": inspect.getsource,
    "lines": inspect.getsourcelines,
    "source file": inspect.getsourcefile,
    "file": inspect.getfile,
    "comments": inspect.getcomments,
    "docs": inspect.getdoc,
    "clean docs": lambda f: inspect.cleandoc(f.__doc__ or ""),
    "arguments": inspect.getfullargspec,
    "annotations": inspect.get_annotations,
    "hints": typing.get_type_hints,
    "is a function": inspect.isfunction,
    "is a routine": inspect.isroutine,
    "is a method": inspect.ismethod,
    "is a generator function": inspect.isgeneratorfunction,
    "is a coroutine function": inspect.iscoroutinefunction,
    "is builtin": inspect.isbuiltin,
    "is a method descriptor": inspect.ismethoddescriptor,
    "names": lambda f: (f.__name__, f.__qualname__, f.__module__),
    "defaults": lambda f: (f.__defaults__, f.__kwdefaults__),
    "unbound names": lambda f: inspect.getclosurevars(f).unbound,
    "builtins": lambda f: sorted(inspect.getclosurevars(f).builtins),
    "help": lambda f: pydoc.plain(pydoc.render_doc(f)),
    "bytecode": lambda f: dis.code_info(f),
    "wrapped": lambda f: functools.wraps(f)(lambda *args: None).__qualname__,
    "autospec": lambda f: str(inspect.signature(mock.create_autospec(f))),
}


def in_both(look: Callable[[types.ModuleType], Any], plain: types.ModuleType) -> tuple[Any, Any]:
    """Return a tool's answers for the decorated module and for the plain one, each in its place."""
    said = [look(decorated)]
    with mock.patch.dict(sys.modules, decorated=plain):
        said.append(look(plain))
    return said[0], said[1]


def found(module: types.ModuleType, name: str) -> Any:
    value: Any = module
    for part in name.split("."):
        value = getattr(value, part)
    return value


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_looks_like_the_plain_one(plain: types.ModuleType, name: str, look: str) -> None:
    ours, pythons = in_both(lambda module: LOOKS[look](found(module, name)), plain)

    assert ours == pythons


def listed(module: types.ModuleType) -> list[tuple[Any, ...]]:
    """Return the examples that doctest finds: name, line, examples."""
    found = doctest.DocTestFinder().find(module, "decorated")
    return [(one.name, one.lineno, [x.source for x in one.examples]) for one in found]


def test_doctest_finds_and_runs_them(plain: types.ModuleType) -> None:
    """At their lines, and the examples hold."""
    ours, expected = in_both(listed, plain)
    results = doctest.testmod(decorated)

    assert ours == expected
    assert (results.failed, results.attempted) == (0, sum(len(one[2]) for one in expected))
    assert results.attempted >= 4


def test_the_page_of_a_module(plain: types.ModuleType) -> None:
    """Text and HTML."""

    def pages(module: types.ModuleType) -> list[str]:
        text = pydoc.plain(pydoc.TextDoc().docmodule(module))
        html = pydoc.HTMLDoc().docclass(module.Box)
        return (text + html).splitlines()

    ours, pythons = in_both(pages, plain)

    assert ours == pythons


def test_the_attributes_of_a_class(plain: types.ModuleType) -> None:
    """Methods, class methods, static methods and properties are told apart as ever."""

    def kinds(module: types.ModuleType) -> list[tuple[str, str]]:
        return [
            (one.name, one.kind)
            for one in inspect.classify_class_attrs(module.Box)
            if one.defining_class is module.Box
        ]

    ours, pythons = in_both(kinds, plain)

    assert ours == pythons


def test_what_is_set_on_it_counts() -> None:
    """Defaults, code and annotations are the function's; the rest is its own."""

    def f(x: Any, y: int = 1, *, z: int = 2) -> Any:
        return x + y + z

    jitted = jit(f)
    assert jitted(0) == 3
    jitted.__defaults__ = (10,)
    jitted.__kwdefaults__ = {"z": 20}
    jitted.__annotations__ = {"x": int}
    assert jitted(0) == 30
    assert str(inspect.signature(jitted)) == "(x: int, y=10, *, z=20)"
    jitted.__code__ = (lambda x, y, *, z: (x, y, z)).__code__
    assert jitted(0) == f(0) == (0, 10, 20)
    jitted.__doc__ = "Changed."
    assert jitted.__doc__ == "Changed."
    with pytest.raises(TypeError) as ours:
        jitted.__defaults__ = 3
    with pytest.raises(TypeError) as pythons:
        f.__defaults__ = 3  # type: ignore[assignment]
    assert str(ours.value) == str(pythons.value)


def test_use_as_an_object() -> None:
    """Hashed, compared, referred to weakly, bound by hand."""
    jitted = jit(lambda x, y=2: x * y)

    assert {jitted: 1}[jitted] == 1
    assert weakref.ref(jitted)() is jitted
    assert types.MethodType(jitted, 4)() == 8
    assert jitted.__get__(5)(3) == 15
    assert {*dir(jitted.__wrapped__)} <= {*dir(jitted)}
    assert repr(jitted.__get__(5)) == repr(jitted.__wrapped__.__get__(5))
    assert functools.partial(jitted, y=5)(2) == 10
    assert dis.dis(jitted, file=io.StringIO()) is None


@pytest.mark.parametrize("decorator", [no_jit, jit, EagerFunction])
def test_methods_that_python_makes_class_methods_itself(decorator: Any) -> None:
    """`__new__`, `__init_subclass__` and `__class_getitem__` need no decorator of their own."""

    class Base:
        kinds: typing.ClassVar[list[tuple[str, Any]]] = []

        @decorator
        def __new__(cls, x: Any) -> Any:
            made = super().__new__(cls)
            made.x = x * 2
            return made

        @decorator
        def __init_subclass__(cls, kind: Any = "plain") -> None:
            super().__init_subclass__()
            cls.kinds.append((cls.__name__, kind))

        @decorator
        def __class_getitem__(cls, item: Any) -> Any:
            return cls.__name__, item

    class Sub(Base, kind="special"):
        pass

    assert Sub.kinds == [("Sub", "special")]
    assert Sub[3] == ("Sub", 3)
    assert Sub(3).x == 6
    assert Sub(3).__new__(Sub, 4).x == 8
    kinds = {name: type(vars(Base)[name]) for name in ("__new__", "__init_subclass__")}
    assert kinds == {"__new__": staticmethod, "__init_subclass__": classmethod}
