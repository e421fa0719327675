"""Functions and codes that no qualified name leads to: lambdas in tables, and as defaults.

A way is a list of keys and indices, from the namespace of a module through plain dicts, lists and
tuples, classes and defaults. No code of the program runs on it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

LONGEST = 4
"""Steps of a way."""
MOST_SEEN = 4000
"""Objects at which a search looks."""
MOST_ITEMS = 1000
"""Of a table or a namespace through which ways lead."""
Way = list[str | int]
_dict = type.__dict__["__dict__"].__get__
_FUNCTIONS_HOLD = ("__defaults__", "__kwdefaults__")


def reached(names: dict[str, Any], way: Any) -> Any:
    """What stands at the end of a way; a LookupError where there is none."""
    if type(way) is not list or not 0 < len(way) <= LONGEST:
        raise LookupError("no way")
    one: Any = names
    for step in way:
        one = dict(_steps(one))[step]
    return one


def functions_in(names: dict[str, Any]) -> Iterator[tuple[FunctionType, Way]]:
    """The functions to which ways lead, those with short ways first."""
    waiting: deque[tuple[Any, Way]] = deque([(names, [])])
    seen = {id(names)}
    while waiting and len(seen) < MOST_SEEN:
        home, way = waiting.popleft()
        for step, one in _steps(home):
            if id(one) in seen or step == "__builtins__":
                continue
            seen.add(id(one))
            if type(one) is FunctionType:
                yield one, [*way, step]
            if len(way) + 1 < LONGEST:
                waiting.append((one, [*way, step]))


def _steps(home: Any) -> list[tuple[str | int, Any]]:
    kind: type = type(home)
    if kind in (dict, list, tuple) and len(home) > MOST_ITEMS:
        return []
    if kind is dict or issubclass(kind, type):
        items = [*(home if kind is dict else _dict(home)).items()]
        return items if all(type(key) is str for key, _ in items) else []
    if kind in (list, tuple):
        return [*enumerate(home)]
    if kind is FunctionType:
        return [(name, getattr(home, name)) for name in _FUNCTIONS_HOLD]
    return []


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """A code and those of what it defines, as they follow each other."""
    yield code
    for one in code.co_consts:
        if type(one) is CodeType:
            yield from codes_in(one)


def codes_named(code: CodeType, path: str) -> list[CodeType]:
    """Those with a qualified name, which lambdas of one function share."""
    return [one for one in codes_in(code) if one.co_qualname == path]
