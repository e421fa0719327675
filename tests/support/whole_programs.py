"""Whole programs, as a scientist writes a script: what the table of programs runs.

They stand in tests/bench/programs, one file each, none written for this package. Two constants of a
file are for its readers here: `HOT`, the functions that its author would decorate, by qualified
name; and `SMALL`, arguments with which it takes a fraction of a second. Each program prints its
results, and writes their bits to a file with `--save FILE`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "bench" / "programs"
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class WholeProgram:
    """A script and what its file says of itself."""

    path: Path
    hot: tuple[str, ...]
    small: tuple[str, ...]

    @property
    def name(self) -> str:
        """Name of the file, without its ending."""
        return self.path.stem


def load() -> dict[str, WholeProgram]:
    """All programs, by name."""
    return {path.stem: read(path) for path in sorted(FOLDER.glob("*.py"))}


def read(path: Path) -> WholeProgram:
    """A program; its file is parsed, not run."""
    tree = ast.parse(path.read_text("utf-8"))
    return WholeProgram(path, tuple(_constant(tree, "HOT")), tuple(_constant(tree, "SMALL")))


def _constant(tree: ast.Module, name: str) -> list[str]:
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == name:
            value: list[str] = ast.literal_eval(statement.value)
            return value
    raise ValueError(f"no {name} in the program")


def functions(node: ast.AST, prefix: str = "") -> Iterator[tuple[str, FunctionNode]]:
    """All functions below a node with their qualified names, without the "<locals>" in them."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, FunctionNode):
            yield prefix + child.name, child
        inner = isinstance(child, FunctionNode | ast.ClassDef)
        yield from functions(child, f"{prefix}{child.name}." if inner else prefix)


def decorated(program: WholeProgram, decorator: str) -> ast.Module:
    """The program with a decorator on each of its hot functions, nearest to the function.

    Lines and columns are those of the file. `decorator` is a name that the globals must have.
    """
    tree = ast.parse(program.path.read_text("utf-8"), str(program.path))
    found = dict(functions(tree))
    for name in program.hot:
        if name not in found:
            raise ValueError(f"{program.path.name} has no function {name}")
        node = found[name]
        mark = ast.Name(decorator, ast.Load())
        node.decorator_list.append(ast.copy_location(mark, node))
    return ast.fix_missing_locations(tree)
