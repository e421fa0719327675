"""The form of what is kept of a function: JSON for what Python reads, bytes for the tables of C.

A file is a line of JSON, the tables one behind the other, and a digest of all before. In JSON a
table stands as its place and length. Nothing in a file is a program: names, numbers and texts are
looked at before they are used, and C checks each index of its tables before an entry is made.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

FORMAT = 1
_DIGEST = sha256().digest_size
_TABLE = "\0table"


class BadRecordError(Exception):
    """What stands in a file is not a record, or not one of this format."""


def packed(record: Mapping[str, Any]) -> bytes:
    """A record as it stands on disk; values are JSON's, and bytes."""
    tables: list[bytes] = []
    size = 0

    def plain(value: Any) -> Any:
        nonlocal size
        if isinstance(value, bytes):
            tables.append(value)
            size += len(value)
            return {_TABLE: [size - len(value), len(value)]}
        if isinstance(value, Mapping):
            return {key: plain(one) for key, one in value.items()}
        return [*map(plain, value)] if isinstance(value, list | tuple) else value

    head = json.dumps(plain({"format": FORMAT, **record})).encode()
    whole = head + b"\n" + b"".join(tables)
    return whole + sha256(whole).digest()


def unpacked(content: bytes) -> dict[str, Any]:
    """What `packed` was given.

    Raises
    ------
    BadRecordError
        The content is damaged or of another format.
    """
    whole, digest = content[:-_DIGEST], content[-_DIGEST:]
    if sha256(whole).digest() != digest:
        raise BadRecordError("its digest is another one")
    head, _, tables = whole.partition(b"\n")
    try:
        found = json.loads(head, object_hook=lambda one: _table_or_dict(one, tables))
    except (ValueError, RecursionError) as error:
        raise BadRecordError(str(error)) from None
    if type(found) is not dict or found.get("format") != FORMAT:
        raise BadRecordError("it is of another format")
    return found


def _table_or_dict(one: dict[str, Any], tables: bytes) -> Any:
    place = one.get(_TABLE)
    if place is None:
        return one
    start, length = ints(place)
    if not 0 <= start <= start + length <= len(tables):
        raise BadRecordError("a table stands outside of the file")
    return tables[start : start + length]


# ---- values that are what they should be ---------------------------------------------------------


def number(value: Any) -> int:
    """A value that is an int of 64 bits."""
    if type(value) is not int or not -(2**63) <= value < 2**63:
        raise BadRecordError(f"no number: {value!r}")
    return value


def ints(value: Any) -> tuple[int, ...]:
    """A list of ints."""
    return tuple(map(number, items(value)))


def items(value: Any) -> list[Any]:
    """A value that is a list."""
    if type(value) is not list:
        raise BadRecordError(f"no list: {value!r}")
    return value


def row(value: Any, size: int) -> list[Any]:
    """A value that is a list of so many items."""
    if len(items(value)) != size:
        raise BadRecordError(f"no row of {size}: {value!r}")
    return items(value)


def texts(value: Any) -> Iterator[str]:
    """The items of a list of texts."""
    return map(text, items(value))


def text(value: Any) -> str:
    """A value that is a text."""
    if type(value) is not str:
        raise BadRecordError(f"no text: {value!r}")
    return value


def table(value: Any) -> bytes:
    """A value that is a table."""
    if type(value) is not bytes:
        raise BadRecordError(f"no table: {value!r}")
    return value


def fields(value: Any) -> dict[str, Any]:
    """A value that is a dict."""
    if type(value) is not dict:
        raise BadRecordError(f"no dict: {value!r}")
    return value
