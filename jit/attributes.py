"""The dict of a node's attributes that kernels pass to the reference of an op."""

from __future__ import annotations

from typing import Any


class Attributes(dict[str, Any]):
    """Marks dicts among an entry's objects as attributes: they never change and can go to disk.

    A user's dict may be among these objects too, and its contents may change.
    """

    __slots__ = ()
