"""Stubs that come to nothing call after call: the code goes on without them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from framejit import jit
from framejit.frontends.runtime.segments import SegmentedCode


def broken(x: Any, seen: set[int]) -> Any:
    """Between the attribute and its call nothing can be captured."""
    y = x * 2.0 + 1.0
    seen.add(1)
    return y * y - x


@pytest.mark.counts("the stubs of the code")
def test_they_go() -> None:
    """With the same results before and after; what may be captured stays."""
    x, seen = np.arange(5.0), {1}
    jitted = jit(broken)

    jitted(x, seen)
    assert jitted.inspect("bytecode").count("not compiled") > 0
    results = [jitted(x, seen) for _ in range(600)]

    code = jitted.inspect("bytecode")
    assert "not compiled" not in code
    assert code.count("+---- segment") == 2
    assert all(np.array_equal(each, broken(x, seen)) for each in results)
    assert jitted.stats()["launches"] == 2 * 601
    assert np.array_equal(jitted(np.arange(7), seen), broken(np.arange(7), seen))  # captured anew


def of_a_row(rows: Any, x: Any, order: Any, seen: set[int]) -> Any:
    """Each iteration takes another list, which may hold anything."""
    total = x * 0
    for k in order:
        seen.add(k)
        scale, shift = rows[k]
        total = total + np.sqrt(x * scale + shift)
    return total


@pytest.mark.counts("segments")
def test_ints_that_are_others_each_time() -> None:
    """A few kernels are made for values of an int, then some that do without."""
    rows = [[1.0 + k, k] for k in range(60)]
    x, order = np.arange(5.0), [k * 7 % 60 for k in range(200)]
    jitted = jit(of_a_row)
    for _ in range(4):
        assert np.array_equal(jitted(rows, x, order, set()), of_a_row(rows, x, order, set()))
    assert jitted.stats()["captures"] <= 12
    assert jitted.stats()["recompiles"] <= 8
    # One of them goes on behind each item, which plain Python takes from its list.
    launches = jitted.stats()["launches"]
    jitted(rows, x, order, set())
    assert jitted.stats()["launches"] - launches == len(order) + 1


@pytest.mark.counts("versions of the code")
def test_exits_of_points_without_a_stub_bring_no_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """As kept ones of another size had: each capture in vain made one more version, for ever."""
    codes: list[SegmentedCode] = []
    made = SegmentedCode.rewrite
    monkeypatch.setattr(SegmentedCode, "rewrite", lambda code: codes.append(code) or made(code))
    x, seen = np.arange(5.0), {1}
    jitted = jit(broken)
    jitted(x, seen)
    (code,) = set(codes)
    versions = len(codes)
    exits = next(one.exits for one in code.points.values() if one.exits)
    bare = next(
        point
        for at in range(len(code.decoded.instructions))
        if at not in code.points and (point := code.point(at)) is not None
    )
    bare.exits, bare.barren, bare.hopeful = list(exits), True, True

    assert not code.is_stale()
    code.settle()
    assert len(codes) == versions
    bare.barren = False
    assert code.is_stale()
    code.settle()
    assert len(codes) == versions + 1
