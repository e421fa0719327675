"""What this process and its compile helper say to each other: frames on a stream of bytes.

A frame is a head of fixed size and a body. It says nothing of kernels: what bodies mean is the
business of both ends.
"""

from __future__ import annotations

import enum
import struct

from .frozen import dataclass

_HEAD = struct.Struct("<4sIIdQ")
_MAGIC = b"fj\0\1"
LARGEST = 64 << 20
"""Bytes of a body at most: what says more is not a frame."""


class Kind(enum.IntEnum):
    """What a frame is; the first two are questions, the others come from the helper."""

    COMPILE = 1
    COMPILE_AND_KEEP = 2
    """The same; the answer is also put on disk, or taken from there."""
    READY = 3
    """The helper can be asked; the body says which versions it consists of, the number its pid."""
    MADE = 4
    FOUND = 5
    """Another process had put it on disk."""
    MADE_NOT_KEPT = 6
    """It was made, but the disk has refused it."""
    BOUND_TO_PROCESS = 7
    """It was compiled, but its object code is no use in another process."""
    FAILED = 8
    """The body is an error in one line, and its traceback; number 0 is for the start."""
    GOODBYE = 9
    """The helper ends now, and has read no question that it has not answered."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One message."""

    kind: Kind
    number: int
    """Of the question, also in its answer."""
    body: bytes = b""
    cpu: float = 0.0
    """Seconds of processor time that the helper has used since it was started."""

    def packed(self) -> bytes:
        """As it is sent."""
        head = _HEAD.pack(_MAGIC, self.kind, self.number, self.cpu, len(self.body))
        return head + self.body


class Broken(Exception):  # noqa: N818
    """The stream has bytes that are no frame."""


class Receiver:
    """Makes frames of the bytes that come."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, part: bytes) -> list[Frame]:
        """The frames that are complete with some more bytes.

        Raises:
            Broken: these are no frames.
        """
        self._bytes += part
        frames = []
        while len(self._bytes) >= _HEAD.size:
            magic, kind, number, cpu, size = _HEAD.unpack_from(self._bytes)
            if magic != _MAGIC or size > LARGEST or kind not in Kind.__members__.values():
                raise Broken
            end = _HEAD.size + size
            if len(self._bytes) < end:
                break
            frames.append(Frame(Kind(kind), number, bytes(self._bytes[_HEAD.size : end]), cpu))
            del self._bytes[:end]
        return frames
