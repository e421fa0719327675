"""Stand-ins for live-ins that do not exist yet, for `f.trace()`, which runs nothing.

A segment after a graph break is captured from stand-ins: an `Expected` for an array or a number of
known type, an `Unseen` for anything known only in a call. Guards are those that the real object
must meet, so that the kernel can be used for it.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from ....jit.frozen import dataclass
from ....jit.ir.types import PYTHON_SCALARS, ArrayType, ScalarType
from ....jit.ir.view_layouts import hollow
from .symbolic import Lazy, Symbolic

NOT_KNOWN = "is not known before a call"
"""End of messages about unseen values."""
_CLASSES = {type_: class_ for class_, type_ in PYTHON_SCALARS.items()}


@dataclass(frozen=True, eq=False, slots=True)
class Expected:
    """An array or a number of a known type."""

    type: ArrayType | ScalarType
    lengths: tuple[int | None, ...] = ()
    """Lengths of an array's axes; None if data decide."""
    hint: Any = None
    """A number's value for the traced arguments; None if data decide."""

    def example(self) -> np.ndarray[Any, Any]:
        """Return an array of this type and these lengths without memory; unknown lengths exceed 1.

        Lengths 0 and 1 are guarded exactly.
        """
        assert isinstance(self.type, ArrayType)
        lengths = [k + 2 if n is None else n for k, n in enumerate(self.lengths)]
        return hollow(self.type, lengths)

    @property
    def class_(self) -> Any:
        """Return the class of a number."""
        assert isinstance(self.type, ScalarType)
        return _CLASSES[self.type] if self.type.python else self.type.dtype.type


@dataclass(frozen=True, eq=False, slots=True)
class Unseen:
    """An object of which nothing is known; a segment may pass it on, but not use it."""

    what: str
    """Description in the user's words."""


def is_unseen(value: Symbolic) -> bool:
    """True for a live-in of which nothing is known."""
    return isinstance(value, Lazy) and type(value.object) is Unseen


def kind_of(object_: Any) -> Hashable:
    """Return a key equal for live-ins from which captures have the same result."""
    if type(object_) is Unseen:
        return "unseen"
    if type(object_) is not Expected:
        return id(type(object_))
    type_ = object_.type
    if isinstance(type_, ScalarType):
        return type_.dtype.str, type_.python
    return type_.dtype.str, type_.layout, tuple(n if n in (0, 1) else 2 for n in object_.lengths)
