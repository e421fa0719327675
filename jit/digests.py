"""Digests by which files and names on disk are compared."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import blake2b
else:
    try:  # `hashlib` starts OpenSSL, which takes milliseconds
        from _blake2 import blake2b
    except ImportError:  # a Python that was built without it
        from hashlib import blake2b

digest256 = partial(blake2b, digest_size=32)
"""Begin a digest of 256 bits: BLAKE2b, used like the functions of `hashlib`."""
