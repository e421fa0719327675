"""Items under an object's own names are found without making its `__dict__`."""

from __future__ import annotations

import gc
import types
from typing import Any

import numpy as np
import pytest

from framejit import jit
from framejit.jit import native


class Plain:
    """Its attributes are bare values."""

    def __init__(self) -> None:
        self.first = 1
        self.second = [2]


class Derived(Plain):
    """Has a slot as well, and says otherwise what its dict is."""

    __slots__ = ("place",)
    __dict__ = property(lambda self: {"wrong": 0})  # type: ignore[assignment]


class Namespace(dict[str, Any]):
    """Answers for itself."""

    def __iter__(self) -> Any:
        raise AssertionError("it must not be asked")

    keys = items = __getitem__ = __contains__ = __iter__


def has_dict(object_: Any) -> bool:
    """True if the object has a dict by now. On 3.13 it would have its values besides."""
    return any(type(one) is dict for one in gc.get_referents(object_))


def test_bare_values() -> None:
    plain = Plain()
    assert native.own_names(plain) == {"first": 1, "second": [2]}
    assert native.own_names(plain)["second"] is plain.second
    del plain.first
    plain.third = 3  # type: ignore[attr-defined]
    assert native.own_names(plain) == {"second": [2], "third": 3}
    assert not has_dict(plain)


def test_a_dict_that_is_there() -> None:
    plain = Plain()
    assert native.own_names(vars(plain)) == {}
    assert native.own_names(plain) is vars(plain)
    plain.__dict__ = Namespace(a=1, b=2)
    assert native.own_names(plain) == {"a": 1, "b": 2}
    assert type(native.own_names(plain)) is dict


def test_more_names_than_a_class_shares() -> None:
    class Wide(Plain):
        """Its objects have dicts from then on."""

    wide = Wide()
    for k in range(100):
        setattr(wide, f"name{k}", k)
        assert len(native.own_names(wide)) == k + 3


def test_a_property_of_that_name_is_not_asked() -> None:
    derived = Derived()
    derived.place = 5  # type: ignore[attr-defined]
    assert native.own_names(derived) == {"first": 1, "second": [2]}


@pytest.mark.parametrize("object_", [1, "text", None, (1, 2), object(), np.ones(2), ValueError(1)])
def test_without_names(object_: Any) -> None:
    assert native.own_names(object_) == {}


@pytest.mark.parametrize("object_", [types, np, test_bare_values, jit(lambda x: x)])
def test_of_other_kinds(object_: Any) -> None:
    assert native.own_names(object_) == vars(object_)


def test_captures_make_no_dicts() -> None:
    class Owner(Plain):
        """Nobody has asked for a dict of its objects."""

    @jit
    def step(owner: Any, x: Any) -> Any:
        owner.second = owner.first + x
        del owner.first
        owner.first = owner.second.sum()
        return x * owner.first

    objects = [Owner() for _ in range(3)]
    for one in objects:
        step(one, np.ones(3))
        step(one, np.ones(3))
    assert not any(map(has_dict, objects))


class Reads:
    """Looks attributes up itself where there are none."""

    def __getattr__(self, name: str) -> int:
        return len(name)


class Sets:
    """Sees each attribute that is set."""

    def __setattr__(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)


class Deletes(Reads):
    """Both."""

    def __delattr__(self, name: str) -> None:
        object.__delattr__(self, name)


def test_plain_attributes() -> None:
    """Those of `object`, in C too; what a class has that is changed later counts."""
    for kind in (Plain, types.SimpleNamespace, ValueError, int):
        assert native.plain_attributes(kind) == (True, True)
    assert native.plain_attributes(Reads) == (False, True)
    assert native.plain_attributes(Sets) == (True, False)
    assert native.plain_attributes(Deletes) == (False, False)
    assert native.plain_attributes(type(np)) == (False, True)

    class Changed:
        pass

    assert native.plain_attributes(Changed) == (True, True)
    Changed.__getattribute__ = lambda self, name: name  # type: ignore[method-assign, assignment]
    assert native.plain_attributes(Changed) == (False, True)
    del Changed.__getattribute__
    assert native.plain_attributes(Changed) == (True, True)
    with pytest.raises(TypeError, match=r"plain_attributes\(\) takes a type, not 3"):
        native.plain_attributes(3)  # type: ignore[arg-type]
