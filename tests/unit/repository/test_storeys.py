"""The storeys of capture, whose imports run down; no circle of imports in the whole package."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final

import pytest
from picture import ROOT, module_of, sources

STOREYS: Final = (
    "frontends/capture/values",
    "frontends/capture/state",
    "frontends/capture/objects",
    "frontends/capture/arrays",
    "frontends/numpy",
    "frontends/capture/flow",
    "frontends/capture/handlers",
    "frontends/capture",
)
"""From the lowest to the highest; a module may import those of its own storey and of lower ones."""


def is_for_types(node: ast.AST) -> bool:
    """True for `if TYPE_CHECKING:`, whose imports nothing runs."""
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def statements(node: ast.AST, for_types: bool) -> Iterator[ast.AST]:
    """Yield all nodes; without `for_types` only those that may run."""
    for child in ast.iter_child_nodes(node):
        if for_types or not is_for_types(child):
            yield child
            yield from statements(child, for_types)


def imported(path: Path, for_types: bool) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield (line, module) for each import of the package in a file."""
    module = module_of(path)
    package = module if path.name == "__init__.py" else module[:-1]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in statements(tree, for_types):
        if isinstance(node, ast.ImportFrom) and node.level:
            above = package[: len(package) - node.level + 1]
            base = (*above, *(node.module.split(".") if node.module else ()))
            for alias in node.names:
                whole = (*base, alias.name)
                yield node.lineno, whole if whole in MODULES else base


FILES: Final = sources("frontends/capture", "frontends/numpy")
PACKAGE: Final = sources("jit", "guards", "backends", "frontends")
MODULES: Final = {module_of(path): path for path in PACKAGE}


def storey(path: Path) -> int:
    """Return the number of a file's storey, counted from below."""
    folders = path.relative_to(ROOT).parents
    return next(STOREYS.index(str(one)) for one in folders if str(one) in STOREYS)


def test_each_folder_is_a_storey() -> None:
    """A new folder has its place among the others."""
    folders = {path.parent.relative_to(ROOT).as_posix() for path in FILES}

    assert folders - {"frontends/numpy/decompositions"} == set(STOREYS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_run_down(path: Path) -> None:
    """A module imports no higher storey, neither inside functions nor for types.

    What is needed from there belongs here, or is handed in.
    """
    upward = [
        f"line {line}: {'.'.join(module)}"
        for line, module in imported(path, for_types=True)
        if MODULES.get(module) in FILES and storey(MODULES[module]) > storey(path)
    ]

    assert upward == []


def test_no_import_inside_a_function() -> None:
    """Imports of the package are at the top, where readers look for them."""
    inside = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in FILES
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.ImportFrom) and node.level
    ]

    assert inside == []


def test_no_circle_in_the_whole_package() -> None:
    """No module imports itself by way of others, not even inside functions.

    Imports inside functions make the start cheap; they must not hide circles. Imports for types are
    left out: a frame has a machine, and a machine frames. A CycleError names the modules of a
    circle.
    """
    graph = {
        module_of(path): {
            module
            for _, module in imported(path, for_types=False)
            if module in MODULES and module != module_of(path)
        }
        for path in PACKAGE
    }
    order = list(TopologicalSorter(graph).static_order())

    assert set(order) == set(MODULES)


# ---- modules that are looked up by name --------------------------------------------------------


def looked_up(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the names that `sys.modules` is asked for, by `get`, as a subscript or with `in`."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=table, attr="get" | "pop"), args=[key, *_]):
                pass
            case ast.Subscript(value=table, slice=key):
                pass
            case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[table]):
                pass
            case _:
                continue
        if ast.unparse(table) == "sys.modules":
            yield key


def texts_of_names(tree: ast.Module) -> dict[str, ast.expr]:
    """Return what the module assigns to each of its names."""
    assigned: dict[str, ast.expr] = {}
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                assigned[name] = value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                assigned[name] = value
    return assigned


def is_own(key: ast.expr, named: dict[str, ast.expr]) -> bool:
    """True if a text names a module of the package, also where a constant or an f-string does."""
    if isinstance(key, ast.Name | ast.Attribute):
        name = key.id if isinstance(key, ast.Name) else key.attr
        value = named.get(name)
        return value is not None and not isinstance(value, ast.Name) and is_own(value, named)
    return any(
        (isinstance(part, ast.Name) and part.id in ("__name__", "__package__"))
        or (isinstance(part, ast.Constant) and str(part.value).partition(".")[0] == "framejit")
        for part in ast.walk(key)
    )


def test_no_module_of_ours_is_looked_up_by_name() -> None:
    """No module asks `sys.modules` for another one of the package, which the tests above overlook.

    Instead the lower module has a variable or a hook that the upper one sets when it is imported.
    """
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE}
    named = {name: text for tree in trees.values() for name, text in texts_of_names(tree).items()}
    by_name = [
        f"{path.relative_to(ROOT)}:{key.lineno}: {ast.unparse(key)}"
        for path, tree in trees.items()
        for key in looked_up(tree)
        if is_own(key, named | texts_of_names(tree))
    ]

    assert by_name == []


@pytest.mark.parametrize(
    "line",
    [
        'found = sys.modules.get("framejit.frontends.api")',
        'found = sys.modules[f"{__package__}.arrivals"]',
        "found = HOME in sys.modules",
        "found = sys.modules.get(HOME)",
    ],
)
def test_look_ups_by_name_are_seen(line: str) -> None:
    tree = ast.parse(f'HOME = f"{{__name__}}.kept"\n{line}')

    assert [is_own(key, texts_of_names(tree)) for key in looked_up(tree)] == [True]
