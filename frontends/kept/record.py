"""File format of stored entries: JSON for what Python reads, bytes for C's tables.

A file is a line of JSON, the tables one after the other, and a digest of all that. In the JSON a
table is given by offset and length. A file contains no code: names, numbers and texts are checked
before use, and C checks each index of its tables before an entry is made.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ...jit.digests import digest256

FORMAT = 1
_DIGEST = digest256().digest_size
_TABLE = "\0table"


class BadRecordError(Exception):
    """The content of a file is no record, or one of another format."""


def packed(record: Mapping[str, Any]) -> bytes:
    """Serialise a record; its values are JSON's, and bytes."""
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
    return whole + digest256(whole).digest()


def unpacked(content: bytes) -> dict[str, Any]:
    """Deserialise a record of `packed`.

    Raises
    ------
    BadRecordError
        The content is damaged or of another format.
    """
    whole, digest = content[:-_DIGEST], content[-_DIGEST:]
    if digest256(whole).digest() != digest:
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


# ---- checked access to values --------------------------------------------------------------------


def number(value: Any) -> int:
    """Return a value checked to be a 64-bit int."""
    if type(value) is not int or not -(2**63) <= value < 2**63:
        raise BadRecordError(f"no number: {value!r}")
    return value


def ints(value: Any) -> tuple[int, ...]:
    """Return a value checked to be a list of ints."""
    return tuple(map(number, items(value)))


def items(value: Any) -> list[Any]:
    """Return a value checked to be a list."""
    if type(value) is not list:
        raise BadRecordError(f"no list: {value!r}")
    return value


def row(value: Any, size: int) -> list[Any]:
    """Return a value checked to be a list with `size` items."""
    if len(items(value)) != size:
        raise BadRecordError(f"no row of {size}: {value!r}")
    return items(value)


def texts(value: Any) -> Iterator[str]:
    """Yield the items of a list, checked to be strings."""
    return map(text, items(value))


def text(value: Any) -> str:
    """Return a value checked to be a string."""
    if type(value) is not str:
        raise BadRecordError(f"no text: {value!r}")
    return value


def table(value: Any) -> bytes:
    """Return a value checked to be a table."""
    if type(value) is not bytes:
        raise BadRecordError(f"no table: {value!r}")
    return value


def fields(value: Any) -> dict[str, Any]:
    """Return a value checked to be a dict."""
    if type(value) is not dict:
        raise BadRecordError(f"no dict: {value!r}")
    return value
