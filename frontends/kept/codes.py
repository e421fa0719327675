"""Names of code objects, and of functions without a name of their own, such as lambdas."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from .libraries import names_of
from .reaching import codes_named, functions_in
from .resolving import CannotResolveError, Root, codes_at

Name = list[Any]


def names_of_code(code: CodeType, root: Root) -> Iterator[Name]:
    """Yield names that may lead to a code object, the quickest to resolve first."""
    own, path = root.function.__code__, code.co_qualname
    if code is own:
        yield ["own code"]
    yield from (["inner code", path, k] for k in _places(code, codes_named(own, path)))
    homes = _homes(code, root)
    for module, _ in homes:
        yield from (["code", module, path, k] for k in _places(code, _codes_at(module, path)))
    for module, names in homes:
        for function, way in functions_in(names):
            places = _places(code, codes_named(function.__code__, path))
            yield from (["code behind", module, way, path, k] for k in places)


def names_of_function(function: FunctionType, root: Root) -> Iterator[Name]:
    """Yield the ways to a function through tables and defaults."""
    for module, names in _homes(function.__code__, root):
        ways = (way for found, way in functions_in(names) if found is function)
        yield from (["behind", module, way] for way in ways)


def _places(code: CodeType, codes: list[CodeType]) -> Iterator[int]:
    return (k for k, one in enumerate(codes) if one is code)


def _codes_at(module: str, path: str) -> list[CodeType]:
    try:
        return codes_at(module, path)
    except (CannotResolveError, LookupError):
        return []


def _homes(code: CodeType, root: Root) -> list[tuple[str, dict[str, Any]]]:
    """Return the modules that may contain a code object."""
    modules = [(name, names_of(one)) for name, one in [*sys.modules.items()]]
    return [
        (name, names)
        for name, names in modules
        if names is root.function.__globals__ or _is_of_file(names, code.co_filename)
    ]


def _is_of_file(names: dict[str, Any], file: str) -> bool:
    found = names.get("__file__")
    return type(found) is str and found == file
