"""Finds functions that no qualified name leads to: lambdas in tables, and as defaults."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from ...jit.native import Dispatcher

LONGEST = 4
"""Maximum number of steps of a way."""
MOST_SEEN = 4000
"""Maximum number of objects that a search visits."""
MOST_ITEMS = 1000
"""Maximum size of a table or namespace that ways lead through."""
Way = list[str | int]
_dict = type.__dict__["__dict__"].__get__
_FUNCTIONS_HOLD = ("__defaults__", "__kwdefaults__")


def reached(names: dict[str, Any], way: Any) -> Any:
    """Return the object at the end of a way; raise LookupError if there is none."""
    if type(way) is not list or not 0 < len(way) <= LONGEST:
        raise LookupError("no way")
    one: Any = names
    for step in way:
        one = dict(_steps(one))[step]
    return one


def functions_in(names: dict[str, Any]) -> Iterator[tuple[FunctionType, Way]]:
    """Yield the functions that ways lead to, the shortest ways first."""
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
    if type(home) is Dispatcher:
        home = home._function
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
    """Yield a code object and the code nested in it, depth first."""
    yield code
    for one in code.co_consts:
        if type(one) is CodeType:
            yield from codes_in(one)


def codes_named(code: CodeType, path: str) -> list[CodeType]:
    """Return the nested code objects with a qualified name, which lambdas may share."""
    return [one for one in codes_in(code) if one.co_qualname == path]
