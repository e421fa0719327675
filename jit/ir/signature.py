"""Signatures of generalised ufuncs: which axes of the operands are core axes, and what ties them.

The rules are NumPy's, "Generalized universal function API": a name is one length wherever it
stands, a number is that length, and a name with a question mark may be missing.
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
    """What ties it to axes of other operands; a numeral is a fixed length."""
    axis: int | None
    """Counted from the back (-1 is the last axis); None where the operand does not have it."""


def signature_of(ufunc: np.ufunc) -> str:
    """That of a ufunc; one that works item by item has no core axes."""
    return ufunc.signature or f"{'(),' * ufunc.nin}->{'(),' * ufunc.nout}"


@cache
def core_names(signature: str) -> tuple[tuple[str, ...], ...]:
    """Names of the core axes of each operand, inputs first; optional ones end in `?`."""
    groups = re.findall(r"\(([^)]*)\)", signature)
    return tuple(
        tuple(name.strip() for name in group.split(",") if name.strip()) for group in groups
    )


def core_axes(signature: str, ndims: Sequence[int]) -> tuple[tuple[CoreAxis, ...], ...]:
    """The core axes of inputs of these ranks, and of the outputs that follow from them.

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
