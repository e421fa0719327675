"""The names of all ops: rows are in `primitives/`, a family a file, columns in `schema.py`.

A row has everything known about an op: kind, reference (a function in `references.py`), inputs and
results, type rule (`type_rules.py`), attributes, effect and other facts (the fields of `Op`).
"""

from __future__ import annotations

from .primitives.calls import DRAW as DRAW
from .primitives.calls import ITEMS as ITEMS
from .primitives.calls import MAKE as MAKE
from .primitives.calls import OPAQUE as OPAQUE
from .primitives.control import BAIL as BAIL
from .primitives.control import BREAK as BREAK
from .primitives.control import CHECKPOINT as CHECKPOINT
from .primitives.control import CONTINUE as CONTINUE
from .primitives.control import DISJOINT as DISJOINT
from .primitives.control import FOR as FOR
from .primitives.control import HALTED as HALTED
from .primitives.control import IF as IF
from .primitives.control import LEAVE as LEAVE
from .primitives.control import LOOP as LOOP
from .primitives.control import UNDEFINED as UNDEFINED
from .primitives.control import UNDO as UNDO
from .primitives.creation import ARANGE as ARANGE
from .primitives.creation import FILL as FILL
from .primitives.elementwise import CAST as CAST
from .primitives.elementwise import COPY as COPY
from .primitives.elementwise import UFUNC as UFUNC
from .primitives.elementwise import WHERE as WHERE
from .primitives.finds import ARGSORT as ARGSORT
from .primitives.finds import COMPRESS as COMPRESS
from .primitives.finds import COUNTS as COUNTS
from .primitives.finds import GATHER as GATHER
from .primitives.finds import INTERP as INTERP
from .primitives.finds import NONZERO as NONZERO
from .primitives.finds import SEARCH as SEARCH
from .primitives.lists import APPEND as APPEND
from .primitives.lists import COUNT as COUNT
from .primitives.lists import ITEM as ITEM
from .primitives.lists import LIST as LIST
from .primitives.lists import LISTED as LISTED
from .primitives.lists import POP as POP
from .primitives.lists import SET_ITEM as SET_ITEM
from .primitives.products import DOT as DOT
from .primitives.products import GUFUNC as GUFUNC
from .primitives.products import GUFUNC_ITEMS as GUFUNC_ITEMS
from .primitives.products import TRANSFORM as TRANSFORM
from .primitives.reductions import ACCUMULATE as ACCUMULATE
from .primitives.reductions import ARG_REDUCE as ARG_REDUCE
from .primitives.reductions import REDUCE as REDUCE
from .primitives.scalars import CONST as CONST
from .primitives.scalars import DIM as DIM
from .primitives.scalars import OPERATOR as OPERATOR
from .primitives.stores import PUT as PUT
from .primitives.stores import SCATTER as SCATTER
from .primitives.stores import SORT as SORT
from .primitives.stores import STORE as STORE
from .primitives.views import ELEMENT as ELEMENT
from .primitives.views import INDEX as INDEX
from .primitives.views import PART as PART
from .primitives.views import RESHAPE as RESHAPE
from .primitives.views import TRANSPOSE as TRANSPOSE
from .schema import OPS as OPS
from .schema import Kind as Kind
from .schema import Op as Op
