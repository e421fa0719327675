"""Message frames between this process and its compile helper.

A frame is a header of fixed size and a body, whose meaning only the two ends know.
"""

from __future__ import annotations

import enum
import struct

from .frozen import dataclass

_HEAD = struct.Struct("<4sIIdQ")
_MAGIC = b"fj\0\1"
LARGEST = 64 << 20
"""Maximum length of a body in bytes; a longer one means the stream is broken."""


class Kind(enum.IntEnum):
    """Kinds of frames; the first two are requests, the others come from the helper."""

    COMPILE = 1
    COMPILE_AND_KEEP = 2
    """Like COMPILE, but the answer is also written to disk, or read from there."""
    READY = 3
    """The helper is ready; the body names the versions of its parts, the number is its pid."""
    MADE = 4
    FOUND = 5
    """The answer was on disk, put there by another process."""
    MADE_NOT_KEPT = 6
    """The kernel was compiled but could not be written to disk."""
    BOUND_TO_PROCESS = 7
    """The kernel was compiled, but its object code is useless in another process."""
    FAILED = 8
    """The body is a one-line error and its traceback; number 0 means that the start failed."""
    GOODBYE = 9
    """The helper ends, and has answered every request that it has read."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One message."""

    kind: Kind
    number: int
    """Number of the request, repeated in its answer."""
    body: bytes = b""
    cpu: float = 0.0
    """CPU seconds that the helper has used since it was started."""

    def packed(self) -> bytes:
        """Return the frame as bytes."""
        head = _HEAD.pack(_MAGIC, self.kind, self.number, self.cpu, len(self.body))
        return head + self.body


class Broken(Exception):  # noqa: N818 (named for its reason)
    """The stream has bytes that are no frame."""


class Receiver:
    """Splits received bytes into frames."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, part: bytes) -> list[Frame]:
        """Add received bytes; return the frames that are complete now.

        Raises:
            Broken: the bytes are not frames.
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
