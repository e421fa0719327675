"""Backends by name: the built-in ones, those of other packages, and names that are wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from typing import Any

import numpy as np
import pytest
from oracle import assert_normally, check
from samples import madd, sample

import framejit
from framejit.backends import registry
from framejit.backends.numpy import NumpyBackend
from framejit.backends.registry import BUILT_IN
from framejit.jit.errors import BackendError
from framejit.jit.pipeline import Parts, Plan

NAMES = ", ".join(map(repr, BUILT_IN))


class Counting(NumpyBackend):
    """A backend of another package."""

    name = "counting"
    compiled = 0

    def compile(self, plan: Plan, attribute: bool = False) -> Parts:
        Counting.compiled += 1
        return super().compile(plan, attribute)


class Point(EntryPoint):
    """An entry point whose object needs no import."""

    def load(self) -> Any:
        return Counting if self.value == "counting:Counting" else super().load()


Install = Callable[..., None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Makes packages with entry points look installed: `install(name="module:object")`."""

    def put(**objects: str) -> None:
        points = [Point(k, v, "framejit.backends") for k, v in objects.items()]

        def entry_points(group: str) -> list[EntryPoint]:
            return points if group == "framejit.backends" else []

        monkeypatch.setattr(registry, "entry_points", entry_points)

    registry.load_backend.cache_clear()
    yield put
    registry.load_backend.cache_clear()


def test_built_in_names() -> None:
    """Built-in ones first, the same as those that the import of framejit knows."""
    assert registry.backend_names()[: len(BUILT_IN)] == [*BUILT_IN]


@pytest.mark.parametrize("name", [name for name in BUILT_IN if name != registry.EAGER])
def test_built_in_backends(name: str) -> None:
    """Each is made once and knows its name."""
    backend = registry.load_backend(name)

    assert backend.name == name
    assert registry.load_backend(name) is backend


def test_a_backend_of_another_package(install: Install) -> None:
    """It is named in the group `framejit.backends` and used like any other."""
    install(counting="counting:Counting", another="nowhere:Nothing")
    assert registry.backend_names() == [*BUILT_IN, "another", "counting"]
    before = Counting.compiled
    check(madd, *[sample("f8")] * 3, backends=("counting",))

    assert_normally(Counting.compiled, before + 1)  # one-instruction segments are numpy's


def test_a_built_in_name_is_not_replaced(install: Install) -> None:
    """No package can put itself in the place of a backend that the tests proved."""
    install(numpy="nowhere:Nothing")

    assert registry.backend_names() == [*BUILT_IN]
    assert type(registry.load_backend("numpy")) is NumpyBackend


def test_an_unknown_name(install: Install) -> None:
    """The text names the valid ones."""
    install(other="nowhere:Nothing")
    with pytest.raises(BackendError) as caught:
        registry.load_backend("jax")

    assert str(caught.value) == f"unknown backend 'jax': use one of {NAMES}, 'other'"


def test_an_unknown_name_in_the_decorator(install: Install) -> None:
    """Said where it is written, with a guess at what was meant."""
    install()
    with pytest.raises(BackendError) as caught:
        framejit.jit(madd, backend="nunba")

    assert str(caught.value) == (
        f"jit: unknown backend 'nunba' (did you mean 'numba'?): use one of {NAMES}"
    )


def test_a_backend_that_does_not_import(install: Install) -> None:
    """The reason is told; a later try may succeed."""
    install(broken="no_such_module:Backend")
    with pytest.raises(BackendError) as caught:
        registry.load_backend("broken")

    assert str(caught.value) == (
        "backend 'broken' cannot be loaded: No module named 'no_such_module'"
    )
    assert isinstance(caught.value.__cause__, ImportError)


def test_eager_is_no_backend_to_load() -> None:
    """It captures nothing: nobody asks for it."""
    jitted = framejit.jit(madd, backend="eager")

    assert list(jitted(*[np.ones(3)] * 3)) == [2, 2, 2]
    assert jitted.stats()["captures"] == 0
    with pytest.raises(BackendError):
        registry.load_backend("eager")
