"""One function, called with objects of many classes: kernels rely on what they have used."""

from __future__ import annotations

from typing import Any

import numpy as np
from oracle import assert_normally, check_script

X = np.linspace(0.0, 1.0, 9)


class Medium:
    factor: Any = 0.5
    shared = 2.0

    def __init__(self, cells: Any) -> None:
        self.cells = cells
        self.steps = 0

    def hook(self, cells: Any) -> Any:
        return cells + 1.0


def update(self: Any) -> Any:
    cells = self.cells
    cells[1:-1] += self.factor * (cells[2:] - 2.0 * cells[1:-1] + cells[:-2])
    self.steps += 1
    return self.hook(cells * self.shared)


def made(name: str, **names: Any) -> type:
    return type(name, (Medium,), names)


def run(jit: Any, kinds: list[type], function: Any = update) -> Any:
    """Return the results of objects of each class, in turns."""
    inner = jit(function)
    objects = [kind(X.copy()) for kind in kinds]
    seen = []
    for _ in range(2):
        for one in objects:
            try:
                seen.append((inner(one), one.steps, one.cells.copy()))
            except Exception as error:
                seen.append((type(error).__name__, str(error)))
    return seen


def test_subclasses_share_kernels() -> None:
    """With methods and coefficients of their own: one exact kernel, one for all."""

    def script(jit: Any) -> Any:
        plain = [made(f"Plain{k}", factor=0.1 * k) for k in range(5)]
        hooked = [
            made(f"Hooked{k}", hook=lambda self, cells: cells - self.factor) for k in range(4)
        ]
        return run(jit, [*plain, *hooked])

    for jitted in check_script(script):
        assert_normally(jitted[0].stats()["captures"] <= 3)


def kinds_with_attributes() -> list[type]:
    """Return classes with slots, properties, `__getattr__` and attributes that hide others."""

    class Slots(Medium):
        __slots__ = ("other",)

    class OnlySlots:
        __slots__ = ("cells", "factor", "shared", "steps")

        def __init__(self, cells: Any) -> None:
            self.cells, self.steps, self.factor, self.shared = cells, 0, 0.25, 3.0

        def hook(self, cells: Any) -> Any:
            return cells * 3.0

    class Computed(Medium):
        @property
        def factor(self) -> Any:  # type: ignore[override]
            return self.steps * 0.25

    class Asked(Medium):
        def __getattr__(self, name: str) -> Any:
            return 4.0

    class Watching(Medium):
        def __setattr__(self, name: str, value: Any) -> None:
            object.__setattr__(self, name, value)
            if name == "steps":
                object.__setattr__(self, "factor", 0.75)

    class Hiding(Medium):
        def __init__(self, cells: Any) -> None:
            super().__init__(cells)
            self.hook = lambda cells: cells * 7.0  # type: ignore[method-assign]

    class Other:
        def __init__(self, cells: Any) -> None:
            self.cells, self.steps, self.factor, self.shared = cells, 1, 1, np.float64(2)

        def hook(self, cells: Any, extra: Any = 2.0) -> Any:
            return cells + extra

    return [Slots, OnlySlots, Computed, Asked, Watching, Hiding, Other]


def kinds_with_methods() -> list[type]:
    """Return classes with borrowed, static and class methods, a class as method, a metaclass."""

    class Borrowed(Medium):
        def __init__(self, cells: Any) -> None:
            super().__init__(cells)
            self.hook = Medium(cells * 0.0).hook  # type: ignore[method-assign]

    class Static(Medium):
        @staticmethod
        def hook(cells: Any) -> Any:  # type: ignore[override]
            return cells * 5.0

    class OfClass(Medium):
        @classmethod
        def hook(cls, cells: Any) -> Any:  # type: ignore[override]
            return cells * cls.shared

    class Meta(type):
        pass

    class OfMeta(Medium, metaclass=Meta):
        pass

    class Calling(Medium):
        class hook:  # noqa: N801
            def __init__(self, cells: Any) -> None:
                self.cells = cells

    return [Borrowed, Static, OfClass, OfMeta, Calling]


def test_classes_that_differ_in_what_is_asked_for() -> None:
    """One function serves objects of all these classes, in turns."""

    def script(jit: Any) -> Any:
        kinds = [Medium, *kinds_with_attributes(), *kinds_with_methods()]
        return run(jit, [*kinds, made("Late", factor=3), made("Later")])

    check_script(script)


def test_classes_that_change() -> None:
    """Inherited attributes, and those of the object itself, change between the calls."""

    def script(jit: Any) -> Any:
        inner = jit(update)
        one, two = made("One"), made("Two", factor=0.125)
        objects = [one(X.copy()), two(X.copy()), one(X.copy())]
        seen = []

        def each() -> None:
            seen.extend((inner(o), o.cells.copy()) for o in objects)

        each()
        two.factor = 3
        each()
        one.hook = lambda self, cells: cells * 9.0
        each()
        objects[2].hook = lambda cells: cells * 11.0
        each()
        objects[0].factor = np.float32(0.5)
        each()
        objects[1].__class__ = one
        each()
        one.factor = property(lambda self: 0.0625)
        each()
        del one.hook
        two.__getattribute__ = lambda self, name: object.__getattribute__(self, name)
        each()
        return seen

    check_script(script)


def test_what_asks_for_the_class() -> None:
    def told(self: Any) -> Any:
        scaled = self.cells * self.factor
        kind = type(self).__name__
        special = isinstance(self, Special)
        return scaled, kind, special, self == self, bool(self)

    class Special(Medium):
        def __bool__(self) -> bool:
            return False

    def script(jit: Any) -> Any:
        kinds = [Medium, made("One"), Special, made("Two"), type("Three", (Special,), {})]
        return run(jit, kinds, told)

    check_script(script)


def test_objects_in_objects() -> None:
    """The same object may be reached in two ways, of a class that nobody has seen before."""

    def both(pair: Any) -> Any:
        pair.left.cells = pair.left.cells * pair.left.factor
        return pair.right.cells + pair.left.cells, pair.right.steps

    class Pair:
        def __init__(self, left: Any, right: Any) -> None:
            self.left, self.right = left, right

    def script(jit: Any) -> Any:
        inner = jit(both)
        kinds = [Medium, made("One", factor=2), made("Two", factor=0.75)]
        seen = []
        for left in kinds:
            for right in kinds:
                seen.append(inner(Pair(left(X.copy()), right(X + 1))))
                same = left(X.copy())
                seen.append(inner(Pair(same, same)))
        return seen

    check_script(script)


def test_super_in_subclasses() -> None:
    class Base:
        def __init__(self, x: Any) -> None:
            self.x = x

        def scaled(self) -> Any:
            return self.x * 2.0

    class Middle(Base):
        def scaled(self) -> Any:
            return super().scaled() + 1.0

    def script(jit: Any) -> Any:
        class Left(Base):
            def scaled(self) -> Any:
                return super().scaled() * 5.0

        inner = jit(Middle.scaled)
        kinds = [
            Middle,
            type("A", (Middle,), {}),
            type("B", (Middle, Left), {}),
            type("C", (Middle,), {}),
        ]
        return [inner(kind(X)) for kind in kinds for _ in range(2)]

    check_script(script)


def test_what_is_deleted_has_to_be_of_the_object_itself() -> None:
    """The class may hold something under the name, which `del` leaves alone and refuses."""

    def taken(self: Any, w: Any) -> Any:
        y = self.x * 2.0
        del self.x
        w[0] = y[1]
        return y

    def script(jit: Any) -> Any:
        class A:
            x: Any

        class B(A):
            pass

        class C(A):
            x = X

        def own(kind: type) -> Any:
            made = kind()
            made.x = X + 1.0
            return made

        inner, seen = jit(taken), []
        for one in (own(A), own(B), own(A), C(), own(C), C(), own(C), C()):
            w = np.zeros(3)
            try:
                seen.append(inner(one, w))
            except AttributeError as error:
                seen.append(str(error))
            seen.append((w, vars(one)))
        return seen

    check_script(script)
