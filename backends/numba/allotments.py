"""Reports the memory plan of a kernel's arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...jit.allotment import Allotment, role_of
from ...jit.ir.graph import Recipe, Value, leaves
from .places import Place


def allotments(
    params: Sequence[Value],
    payloads: Sequence[Recipe],
    places: Mapping[Value, Place],
    reused: Mapping[Value, Value],
) -> tuple[Allotment, ...]:
    """Return the arrays that are in memory, in the order in which the kernel makes them.

    `reused` maps a value to the one whose memory it took over. Values that exist only inside a
    fused loop have no memory and are left out.
    """
    results = {value for payload in payloads for value in leaves(payload)}
    homes: dict[Place, Value] = {}
    found = []
    for value, place in places.items():
        before = reused.get(value, homes.get(place))
        homes.setdefault(place, value)
        base = homes.get(place.root) if place.root is not None else None
        role = role_of(value, params, results)
        found.append(Allotment(value, role, base, None if base is not None else before))
    return tuple(found)
