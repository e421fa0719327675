"""Hash tables of captured sets and dicts."""

from __future__ import annotations

import pytest

from framejit.frontends.numpy.decompositions.sets import _hashed


@pytest.mark.parametrize("step", [1, 3, -7, 1 << 12, 1 << 31, 1 << 40, -(1 << 51)])
def test_multiples_of_a_number_are_spread(step: int) -> None:
    """With few bits of the keys in the hash, tables took time quadratic in their size."""
    places = {_hashed(step * k) & 8191 for k in range(2048)}
    assert len(places) > 1600
    assert len({_hashed((step * k, 0)) & 8191 for k in range(2048)}) > 1600
