"""Digests by which files and names on disk are compared."""

from __future__ import annotations

from functools import partial
from typing import Any

try:  # `hashlib` starts OpenSSL, which takes milliseconds; its SHA-256 would not be faster
    from _blake2 import blake2b
except ImportError:  # a Python that was built without it
    from hashlib import blake2b

digest256: Any = partial(blake2b, digest_size=32)
"""Begin a digest of 256 bits: BLAKE2b, used like the functions of `hashlib`."""
