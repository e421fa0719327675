"""Ways to functions without a name lead back, run no code, and are not looked for without end."""

from __future__ import annotations

from typing import Any

import pytest

from framejit.frontends.kept.reaching import LONGEST, MOST_ITEMS, functions_in, reached


class _Loud:
    def __getattribute__(self, name: str) -> Any:
        raise AssertionError(name)

    def __eq__(self, other: object) -> bool:
        raise AssertionError

    def __hash__(self) -> int:
        return 3


class _LoudDict(dict[str, Any]):
    def items(self) -> Any:
        raise AssertionError


def _with_default(x: int, way: Any = lambda x: x + 1, *, other: Any = lambda x: x + 2) -> Any:
    return other(way(x))


class _Kind:
    table = (0, {"deep": [lambda x: x]})


NAMES: dict[str, Any] = {
    "one": lambda x: x,
    "table": {"two": lambda x: x, 3: lambda x: x},
    "list": [_Loud(), (lambda x: x,)],
    "defaults": _with_default,
    "kind": _Kind,
    "loud": _Loud(),
    "loud dict": _LoudDict(a=lambda x: x),
    "loud keys": {_Loud(): lambda x: x, "a": lambda x: x},
}
NAMES["circle"] = [NAMES["list"], NAMES]
WAYS = [
    ["one"],
    ["list", 1, 0],
    ["defaults"],
    ["defaults", "__defaults__", 0],
    ["defaults", "__kwdefaults__", "other"],
]


def test_ways_lead_back() -> None:
    found = [*functions_in(NAMES)]

    assert all(reached(NAMES, way) is one for one, way in found)
    assert sorted(map(str, (way for _, way in found))) == sorted(map(str, WAYS))
    assert max(len(way) for _, way in found) <= LONGEST


@pytest.mark.parametrize(
    "way",
    [
        *([], None, ["none"], ["list", 7], ["list", -1], ["list", "x"], ["one", "__code__"]),
        *(["table", "two"], ["loud dict", "a"], ["loud keys", "a"], ["one"] * (LONGEST + 1)),
        *([["one"]], [None], ["kind", "table", 1, "deep", 0]),
    ],
)
def test_what_is_no_way(way: Any) -> None:
    with pytest.raises((LookupError, TypeError)):
        reached(NAMES, way)


def test_a_search_comes_to_its_end() -> None:
    """Large tables are looked at in part."""
    large = {"a": [*range(100 * MOST_ITEMS), lambda x: x], "b": (lambda x: x,)}
    many: dict[str, Any] = {"a": [[object() for _ in range(MOST_ITEMS)] for _ in range(MOST_ITEMS)]}
    many["b"] = [[[lambda x: x]]]

    assert [way for _, way in functions_in(large)] == [["b", 0]]
    assert [*functions_in(many)] == []
