"""The attribute that super() finds for an object made in the segment may change between calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check_script


def _replaced(base: Any, derived: Any) -> None:
    base.before = base.grow  # kept alive, as by a patch that is undone later
    base.grow = lambda self, by: self


def _replaced_init(base: Any, derived: Any) -> None:
    base.before = base.__init__

    def start(self: Any, value: Any) -> None:
        self.value = value * 5

    base.__init__ = start


def _replaced_property(base: Any, derived: Any) -> None:
    base.before = base.twice
    base.twice = property(lambda self: self.value * 7)


def _another_base(base: Any, derived: Any) -> None:
    class Other(base):  # type: ignore[misc]
        def grow(self, by: Any) -> Any:
            self.value = self.value - by
            return self

    derived.__bases__ = (Other,)


def _in_between(base: Any, derived: Any) -> None:
    derived.__bases__[0].grow = lambda self, by: self


def _one_level_up(base: Any, derived: Any) -> None:
    base.__bases__[0].grow = lambda self, by: self  # hidden by what stands before it


CHANGES = (_replaced, _replaced_init, _replaced_property, _another_base, _in_between, _one_level_up)


def script(jit: Any, change: Callable[[Any, Any], None], x: Any) -> list[Any]:
    class Root:
        pass

    class Base(Root):
        def __init__(self, value: Any) -> None:
            self.value = value

        def grow(self, by: Any) -> Any:
            self.value = self.value + by
            return self

        @property
        def twice(self) -> Any:
            return self.value * 2

    class Derived(Base):
        def __init__(self, value: Any) -> None:
            super().__init__(value)
            self.count = 1

        def grow(self, by: Any) -> Any:
            super().grow(by)
            self.value = self.value * 3
            return self

        @property
        def thrice(self) -> Any:
            return super().twice + self.value

    @jit
    def program(x: Any) -> Any:
        return Derived(x).grow(1).value + Derived(x).thrice

    found = [program(x), program(x)]
    change(Base, Derived)
    return [*found, program(x), program(x)]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_what_super_finds_for_a_new_object_is_guarded(change: Callable[[Any, Any], None]) -> None:
    """Guards hold the classes that follow in the MRO, and what each has under the name."""
    made = check_script(script, change, np.arange(3.0))

    assert_counts([functions[0] for functions in made], breaks=0)
