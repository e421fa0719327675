"""Frozen classes equal those that `dataclasses` would have made."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from framejit.guards import frozen

WAYS: list[Callable[..., Any]] = [dataclasses.dataclass, frozen.dataclass]


def make(dataclass: Callable[..., Any]) -> tuple[Any, Any, Any]:
    @dataclass(frozen=True, slots=True)
    class Base:
        """A base."""

        LIMIT: ClassVar[int] = 3
        a: int
        b: str = "b"

        def twice(self) -> int:
            return 2 * self.a

    @dataclass(frozen=True, slots=True)
    class Derived(Base):
        """With a default that is made, one that is not shown, and one that is computed."""

        c: list[int] = field(default_factory=list, compare=False)
        d: Any = field(default=None, compare=False, repr=False)
        e: str = field(init=False, repr=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "e", self.b * 2)

    @dataclass(frozen=True, eq=False, slots=True)
    class ById:
        """Compared by identity."""

        one: Any

        def __repr__(self) -> str:
            return "its own"

    return Base, Derived, ById


@pytest.fixture(params=WAYS, ids=["standard library", "ours"])
def classes(request: pytest.FixtureRequest) -> tuple[Any, Any, Any]:
    made: tuple[Any, Any, Any] = make(request.param)
    return made


def test_values(classes: tuple[Any, Any, Any]) -> None:
    """By place and by name, with defaults; what is missing or unknown is a TypeError."""
    base, derived, _ = classes
    one = derived(1, c=[2])

    assert (one.a, one.b, one.c, one.d, one.e) == (1, "b", [2], None, "bb")
    assert derived(1).c is not derived(1).c
    assert (one.twice(), base.LIMIT) == (2, 3)
    assert not hasattr(one, "__dict__")
    for wrong in (base, lambda: base(1, "b", 3), lambda: base(1, z=2), lambda: derived(1, e="")):
        with pytest.raises(TypeError):
            wrong()


def test_equality_and_hash(classes: tuple[Any, Any, Any]) -> None:
    """By the fields that count, of one class only; or by identity."""
    base, derived, by_id = classes

    assert base(1) == base(1)
    assert base(1) != base(2)
    assert base(1) != derived(1)
    assert derived(1, c=[1], d=2) == derived(1)
    assert hash(derived(1, c=[1])) == hash(derived(1))
    assert len({base(1), base(1), base(1, "c")}) == 2
    assert by_id(1) != by_id(1)
    assert len({by_id(1), by_id(1)}) == 2


def test_how_they_are_shown(classes: tuple[Any, Any, Any]) -> None:
    """A method that the class brings itself stays."""
    base, derived, by_id = classes

    assert repr(base(1)) == f"{base.__qualname__}(a=1, b='b')"
    assert repr(derived(1)) == f"{derived.__qualname__}(a=1, b='b', c=[])"
    assert repr(by_id(1)) == "its own"


def test_nothing_changes(classes: tuple[Any, Any, Any]) -> None:
    """A FrozenInstanceError names the field."""
    one = classes[1](1)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'a'"):
        one.a = 2
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'a'"):
        del one.a

    assert one.a == 1


def test_the_functions_of_dataclasses(classes: tuple[Any, Any, Any]) -> None:
    """They find the fields; patterns and copies work."""
    base, derived, _ = classes
    one = derived(1, "x", [2])

    assert replace(one, a=5) == derived(5, "x")
    assert [each.name for each in dataclasses.fields(derived)] == ["a", "b", "c", "d", "e"]
    assert dataclasses.asdict(base(1)) == {"a": 1, "b": "b"}
    assert derived.__match_args__ == ("a", "b", "c", "d")
    assert copy.copy(one) == one
    copied = copy.deepcopy(one)
    assert (copied, copied.c, copied.e) == (one, [2], "xx")
    assert copied.c is not one.c


@frozen.dataclass(frozen=True, slots=True)
class Pickled:
    """One that can be found by name."""

    a: int


def test_pickles() -> None:
    """Every field comes back."""
    assert pickle.loads(pickle.dumps(Pickled(3))) == Pickled(3)


def test_cycles_are_shown() -> None:
    """Once."""
    one = Pickled([])  # type: ignore[arg-type]
    one.a.append(one)  # type: ignore[attr-defined]

    assert repr(one) == "Pickled(a=[...])"


def test_simple_fields_need_no_dataclasses() -> None:
    """Classes of the start are made without importing `dataclasses`, which takes longer."""
    program = (
        "from __future__ import annotations\nimport sys\n"
        "from framejit.guards.frozen import dataclass\n"
        "@dataclass(frozen=True, slots=True)\nclass Row:\n    a: int\n    b: str = 'b'\n"
        "assert Row(1) == Row(1, 'b') != Row(2) and 'dataclasses' not in sys.modules\n"
        "import dataclasses\nassert [one.name for one in dataclasses.fields(Row)] == ['a', 'b']\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=Path(__file__).anchor)
