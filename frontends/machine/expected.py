"""Live-ins that are not there yet, for `f.trace()`, which runs nothing of the program.

It captures a segment behind a graph break from objects that stand for its live-ins: an `Expected`
for an array or a number whose type is known, an `Unseen` for what only a call tells. The guards
are those that the real object has to meet, so that the kernel can be used for it.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from ...jit.frozen import dataclass
from ...jit.ir.types import PYTHON_SCALARS, ArrayType, ScalarType
from ...jit.ir.windows import hollow
from .values import Symbolic, Unread

NOT_KNOWN = "is not known before a call"
"""The end of messages about what is unseen."""
_CLASSES = {type_: class_ for class_, type_ in PYTHON_SCALARS.items()}


@dataclass(frozen=True, eq=False, slots=True)
class Expected:
    """An array or a number of a known type."""

    type: ArrayType | ScalarType
    lengths: tuple[int | None, ...] = ()
    """Of an array: None where the data decide."""
    hint: Any = None
    """Of a number: what it is for the traced arguments, None where the data decide."""

    def example(self) -> np.ndarray[Any, Any]:
        """An array of that type and these lengths without memory; unknown axes are longer than 1.

        An axis of no item or one is guarded to be that.
        """
        assert isinstance(self.type, ArrayType)
        lengths = [k + 2 if n is None else n for k, n in enumerate(self.lengths)]
        return hollow(self.type, lengths)

    @property
    def class_(self) -> Any:
        """Of a number."""
        assert isinstance(self.type, ScalarType)
        return _CLASSES[self.type] if self.type.python else self.type.dtype.type


@dataclass(frozen=True, eq=False, slots=True)
class Unseen:
    """Something of which nothing is known; a segment may hand it on but not look at it."""

    what: str
    """In the user's words."""


def is_unseen(value: Symbolic) -> bool:
    """True for a live-in of which nothing is known."""
    return isinstance(value, Unread) and type(value.object) is Unseen


def kind_of(object_: Any) -> Hashable:
    """Equal for live-ins from which captures come to the same."""
    if type(object_) is Unseen:
        return "unseen"
    if type(object_) is not Expected:
        return id(type(object_))
    type_ = object_.type
    if isinstance(type_, ScalarType):
        return type_.dtype.str, type_.python
    return type_.dtype.str, type_.layout, tuple(n if n in (0, 1) else 2 for n in object_.lengths)
