"""Parses signatures of generalised ufuncs: the core axes of each operand and how they are related.

The rules are NumPy's ("Generalized universal function API"): a name is one length in all places, a
number is a fixed length, and a name followed by `?` may be missing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import numpy as np

from ..frozen import dataclass


@dataclass(frozen=True, slots=True)
class CoreAxis:
    """One core axis of one operand."""

    name: str
    """Name shared with axes that have the same length, or a numeral for a fixed length."""
    axis: int | None
    """Axis counted from the back (-1 is the last); None if the operand lacks this optional axis."""


def signature_of(ufunc: np.ufunc) -> str:
    """Return a ufunc's signature; that of an elementwise ufunc has no core axes."""
    return ufunc.signature or f"{'(),' * ufunc.nin}->{'(),' * ufunc.nout}"


@cache
def core_names(signature: str) -> tuple[tuple[str, ...], ...]:
    """Return the names of each operand's core axes, inputs first; optional ones end in `?`."""
    groups = re.findall(r"\(([^)]*)\)", signature)
    return tuple(
        tuple(name.strip() for name in group.split(",") if name.strip()) for group in groups
    )


def core_axes(signature: str, ndims: Sequence[int]) -> tuple[tuple[CoreAxis, ...], ...]:
    """Return the core axes for inputs of these ranks, inputs first.

    Raises:
        ValueError: an input has too few axes.
    """
    names = core_names(signature)
    missing: set[str] = set()
    for group, ndim in zip(names, ndims, strict=False):
        for name in group:
            if ndim < sum(other not in missing for other in group) and name.endswith("?"):
                missing.add(name)
        if ndim < sum(name not in missing for name in group):
            raise ValueError(f"too few axes for {signature}")
    return tuple(_axes(group, missing) for group in names)


def _axes(group: tuple[str, ...], missing: set[str]) -> tuple[CoreAxis, ...]:
    present = [k for k, name in enumerate(group) if name not in missing]
    return tuple(
        CoreAxis(name.rstrip("?"), present.index(k) - len(present) if k in present else None)
        for k, name in enumerate(group)
    )
