"""Classes equal those that `dataclasses` would have made."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import subprocess
import sys
import weakref
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


def make_mutable(way: Any) -> tuple[Any, Any, Any]:
    dataclass, field = way.dataclass, way.field

    @dataclass(eq=False, slots=True, weakref_slot=True, kw_only=True)
    class Base:
        """With fields that are given by name."""

        a: int = 1
        b: list[int] = field(default_factory=list)

    @dataclass(eq=False, slots=True)
    class Derived(Base):
        """With one that is given by place."""

        c: str
        d: dict[str, int] = field(default_factory=dict, init=False, repr=False)

    @dataclass(slots=True)
    class Compared:
        """Compared by values, so that it has no hash."""

        one: Any
        two: Any = field(default=2, compare=False)

    @dataclass(eq=False)
    class Open:
        """With a dict of attributes."""

        a: Any
        b: int = 3
        c: list[int] = field(default_factory=list)
        d: int = field(default=4, init=False)
        e: Any = field(init=False)

        def __post_init__(self) -> None:
            self.e = self.b + 1

    return Derived, Compared, Open


@pytest.fixture(params=[dataclasses, frozen], ids=["standard library", "ours"])
def mutable(request: pytest.FixtureRequest) -> tuple[Any, Any, Any]:
    return make_mutable(request.param)


def test_mutable_classes(mutable: tuple[Any, Any, Any]) -> None:
    derived, compared, open_ = mutable
    one, other = derived("c", a=5), open_(1)
    one.a, other.new = 6, 7

    assert (one.a, one.b, one.c, one.d) == (6, [], "c", {})
    assert weakref.ref(one)() is one
    assert not hasattr(one, "__dict__")
    assert derived("c").b is not derived("c").b
    assert (other.a, other.b, other.c, other.d, other.e) == (1, 3, [], 4, 4)
    assert (open_.b, open_.d, hasattr(open_, "c")) == (3, 4, False)
    assert compared(1) == compared(1, 3) != compared(2)
    assert compared.__hash__ is None
    assert one != derived("c", a=6)
    for wrong in (lambda: derived("c", 1), lambda: open_(1, d=2), lambda: derived()):
        with pytest.raises(TypeError):
            wrong()


def test_what_dataclasses_finds_of_mutable_ones(mutable: tuple[Any, Any, Any]) -> None:
    derived, compared, open_ = mutable

    assert [each.name for each in dataclasses.fields(derived)] == ["a", "b", "c", "d"]
    assert derived.__match_args__ == ("c",)
    assert replace(compared(1), two=5).two == 5
    assert repr(derived("c")) == f"{derived.__qualname__}(a=1, b=[], c='c')"
    assert repr(open_(1)) == f"{open_.__qualname__}(a=1, b=3, c=[], d=4, e=4)"
    assert copy.deepcopy(compared([1])).one == [1]


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
