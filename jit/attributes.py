"""Attributes of a node, as a kernel hands them to the reference of an op."""

from __future__ import annotations

from typing import Any


class Attributes(dict[str, Any]):
    """A class of its own: who finds one among the objects of an entry knows that nobody changes it.

    A dict of the program's may stand there too, and hold something else in the next process.
    """

    __slots__ = ()
