"""Methods of objects that stand in a list and look for themselves: one kernel for all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from oracle import assert_normally, check_script

X = np.linspace(0.0, 1.0, 9)


class Body:
    """A body that is pulled by the others."""

    def __init__(self, place: Any, mass: Any) -> None:
        self.place = place
        self.mass = mass
        self.met = 0

    def distance(self, x: Any) -> Any:
        return np.abs(x - self.place) * self.mass


def nearest(self: Any, x: Any, bodies: Any) -> Any:
    distances = [one.distance(x) for one in bodies]
    return distances[bodies.index(self)] == np.minimum.reduce(distances)


def bodies(kind: Any = Body) -> list[Any]:
    return [kind(0.25 * k, (1, 2.0, 0.5, 3)[k]) for k in range(4)]


def run(jit: Any, function: Any, scene: list[Any], others: Any = ()) -> Any:
    """Call the function for each object, forwards and back, and for others not in the list."""
    inner = jit(function)
    seen = []
    for one in (*scene, *scene[::-1], *others, *scene):
        try:
            seen.append((inner(one, X, scene), one.met))
        except Exception as error:
            seen.append(type(error).__name__)
    return seen


def test_objects_that_look_for_themselves() -> None:
    """The place is found at the launch."""

    def script(jit: Any) -> Any:
        return run(jit, nearest, bodies())

    for jitted in check_script(script):
        assert_normally(jitted[0].stats()["captures"] <= 3)


def test_objects_that_are_not_there() -> None:
    def script(jit: Any) -> Any:
        return run(jit, nearest, bodies(), [Body(0.5, 1.0)])

    check_script(script)


def test_an_object_stands_there_twice() -> None:
    """`index` finds the first one."""

    def script(jit: Any) -> Any:
        scene = bodies()
        return run(jit, nearest, [*scene, scene[1], scene[0]])

    check_script(script)


def test_comparisons_of_their_own() -> None:
    """An item with an `==` of its own is asked, one class at a time; `==` that comes later, too."""

    def script(jit: Any) -> Any:
        class Equal(Body):
            __hash__ = None  # type: ignore[assignment]

            def __eq__(self, other: object) -> bool:
                return self.mass == other.mass

        scene = bodies()
        seen = [run(jit, nearest, [*scene, Equal(0.5, 2.0)], [Equal(0.1, 2.0), Equal(0.1, 7.0)])]

        class Later(Body):
            pass

        inner, late = jit(nearest), bodies(Later)
        seen += [inner(one, X, late) for one in late]
        Later.__eq__ = lambda self, other: self.mass <= other.mass  # type: ignore[method-assign]
        return seen + [inner(one, X, late) for one in late]

    check_script(script)


def count_meetings(self: Any, x: Any, bodies: Any) -> Any:
    total = x * 0.0
    for one in bodies:
        total += one.distance(x) * self.met
        one.met += 1
        self.met += 2
    return total


def test_objects_that_change() -> None:
    """A function that changes an object which it reaches in two ways gets a kernel for each one."""

    def script(jit: Any) -> Any:
        return run(jit, count_meetings, bodies())

    check_script(script)


def others(self: Any, x: Any, bodies: Any) -> Any:
    total = self.distance(x)
    for one in bodies:
        if one is not self:
            total = total - one.distance(x) * 0.5
    return total, [one is self for one in bodies], self in bodies


def test_objects_that_are_compared() -> None:
    """`is` and `in` are answered for this object."""

    def script(jit: Any) -> Any:
        return run(jit, others, bodies(), [Body(0.5, 1.0)])

    check_script(script)


def test_objects_in_objects() -> None:
    """Centres that several objects share, and that are changed by one of them."""

    def script(jit: Any) -> Any:
        class Centred:
            def __init__(self, centre: Any) -> None:
                self.centre, self.met = centre, 0

        def shifted(self: Any, x: Any, scene: Any) -> Any:
            total = self.centre.distance(x)
            for one in scene:
                total = total + one.centre.distance(x)
            return total, scene.index(self), self.centre, scene[1].centre is self.centre

        def moved(self: Any, x: Any, scene: Any) -> Any:
            total = x * 2.0
            for one in scene:
                total = total + one.centre.distance(x)
                self.centre.place = self.centre.place + 0.5
            return total

        centres = bodies()
        scene = [Centred(centres[k]) for k in (0, 1, 1, 2)]
        seen = []
        for function in (shifted, moved, shifted):
            for found in run(jit, function, scene):
                kept = found[0] if isinstance(found[0], np.ndarray) else found[0][:2]
                seen.append((kept, [one.place for one in centres]))
        return seen

    check_script(script)
