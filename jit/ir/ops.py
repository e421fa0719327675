"""All ops by name. The rows are in `primitives/`, a family a file; `schema.py` has the columns.

A row has everything known about an op: kind, reference (a function in `references.py`), inputs and
results, type rule (`type_rules.py`), attributes, effect and other facts (the fields of `Op`).
"""

from __future__ import annotations

from .primitives import (
    calls,
    control,
    creation,
    elementwise,
    finds,
    lists,
    products,
    reductions,
    scalars,
    stores,
    views,
)
from .primitives.calls import *
from .primitives.control import *
from .primitives.creation import *
from .primitives.elementwise import *
from .primitives.finds import *
from .primitives.lists import *
from .primitives.products import *
from .primitives.reductions import *
from .primitives.scalars import *
from .primitives.stores import *
from .primitives.views import *
from .schema import OPS, Kind, Op

__all__ = ["OPS", "Kind", "Op"]
__all__ += calls.__all__
__all__ += control.__all__
__all__ += creation.__all__
__all__ += elementwise.__all__
__all__ += finds.__all__
__all__ += lists.__all__
__all__ += products.__all__
__all__ += reductions.__all__
__all__ += scalars.__all__
__all__ += stores.__all__
__all__ += views.__all__
