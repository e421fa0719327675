"""The dispatcher binds arguments in every form, as a function does."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import entries as make
import pytest
from dispatchers import both, dispatcher, echo, outcome


@pytest.fixture(autouse=True)
def _options() -> Iterator[None]:
    with make.options():
        yield


def nothing() -> None:
    return None


def rich(a: Any, /, b: Any, c: Any = 3, *, d: Any, e: Any = 5) -> Any:
    return a, b, c, d, e


def all_default(a: Any = 1, b: Any = 2) -> Any:
    return a, b


CALLS: list[tuple[Any, tuple[Any, ...], dict[str, Any]]] = [
    (nothing, (), {}),
    (nothing, (1,), {}),
    (nothing, (), {"a": 1}),
    (both, (1, 2), {}),
    (both, (1,), {"b": 2}),
    (both, (), {"b": 2, "a": 1}),
    (both, (1,), {}),
    (both, (), {}),
    (both, (1, 2, 3), {}),
    (both, (1, 2), {"b": 3}),
    (both, (1,), {"a": 3}),
    (both, (1, 2), {"c": 3}),
    (both, (1,), {"c": 3}),
    (rich, (1, 2), {"d": 4}),
    (rich, (1,), {"b": 2, "d": 4, "c": 9}),
    (rich, (1, 2, 3), {"d": 4, "e": 6}),
    (rich, (1, 2, 3, 4), {"d": 4}),
    (rich, (1, 2), {}),
    (rich, (), {"a": 1, "b": 2, "d": 4}),
    (rich, (1, 2), {"d": 4, "a": 1}),
    (rich, (1,), {"d": 4}),
    (all_default, (), {}),
    (all_default, (7,), {}),
    (all_default, (), {"b": 7}),
    (all_default, (1, 2), {"aa": 3}),
]


@pytest.mark.parametrize(("function", "args", "kwargs"), CALLS)
@pytest.mark.parametrize("hits", [True, False])
def test_arguments_are_bound_as_a_function_binds_them(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], hits: bool
) -> None:
    """Whatever is passed, an entry gets what the function would; what does not fit is a TypeError.

    The text is the function's own.
    """
    count = function.__code__.co_argcount + function.__code__.co_kwonlyargcount
    made = dispatcher(function, *[echo(count)] * hits)
    expected = outcome(function, args, kwargs)
    if function is nothing and hits and expected is None:
        expected = ()

    assert outcome(made, args, kwargs) == expected
    if not isinstance(expected, tuple) or not isinstance(expected[:1], type):
        assert made._calls == 1
    assert made._hits == (hits and not (expected and isinstance(expected[0], type)))


def test_keywords_need_not_be_interned() -> None:
    """A keyword that was put together at run time, or is a str of another class."""

    class Word(str):
        __slots__ = ()

    made = dispatcher(both, echo(2))
    got = [made(**{"".join(["a"]): 1, Word("b"): 2}), made(1, **{Word("b"): 2})]

    assert got == [(1, 2), (1, 2)]
    assert made._hits == 2


def test_keywords_that_are_no_text() -> None:
    """The same TypeError."""
    made = dispatcher(both, echo(2))
    expected: dict[Any, int] = {"a": 1, 2: 2}

    assert outcome(made, (), expected) == outcome(both, (), expected)


def test_methods() -> None:
    """Bound through an instance, through the class, through classmethod and partial."""

    class C:
        plain = dispatcher(both, echo(2))
        of_class = classmethod(dispatcher(both, echo(2)))  # type: ignore[var-annotated]
        static = staticmethod(dispatcher(both, echo(2)))

    c = C()

    assert c.plain(1) == (c, 1)
    assert C.plain(c, b=1) == (c, 1)
    assert c.of_class(1) == (C, 1)
    assert c.static(1, 2) == (1, 2)
    assert functools.partial(C.static, b=2)(1) == (1, 2)
    assert list(map(C.static, [1, 2], [3, 4])) == [(1, 3), (2, 4)]
    assert outcome(c.plain, (), {}) == (
        TypeError,
        "both() missing 1 required positional argument: 'b'",
    )


def test_signatures_that_are_not_bound() -> None:
    """*args, **kwargs and very many parameters: asked once for segments, then the function runs."""
    many: dict[str, Any] = {}
    exec(f"def many({', '.join(f'a{k}' for k in range(17))}): return a16", many)
    for function, args in ((lambda *a: a, (1, 2)), (lambda **k: k, ()), (many["many"], range(17))):
        made = dispatcher(function, miss=lambda *_: False)
        results = [made(*args), made(*args)]

        assert results == [function(*args)] * 2
        assert (made._bindable, made._manager.missed) == (0, ["prepare"])


def test_sixteen_parameters_are_bound() -> None:
    """The most that is."""
    namespace: dict[str, Any] = {}
    names = ", ".join(f"a{k}={k}" for k in range(16))
    exec(f"def f({names}): return None", namespace)
    made = dispatcher(namespace["f"], echo(16))

    assert made(*range(9), a15=0) == (*range(15), 0)


def test_entries_of_another_size_are_passed_over() -> None:
    """An entry reads as many live-ins as it was made for: it must not read more than there are."""
    made = dispatcher(both, echo(2), echo(1), echo(5))

    assert made(1, 2) == (1, 2)
    assert [one.hits for one in made._entries] == [1, 0, 0]
