"""The subpackages and what they import, read from the code, for docs/ARCHITECTURE.md.

`python tests/picture.py` prints the picture, with `--write` it goes into the page.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = ROOT / "docs" / "ARCHITECTURE.md"
PACKAGES: Final = ("jit", "guards", "backends", "frontends")
BEGIN: Final = "<!-- made by `python tests/picture.py --write` -->\n"
END: Final = "<!-- end -->\n"


def sources(*folders: str) -> list[Path]:
    """All Python files of some folders of the checkout."""
    found = chain.from_iterable((ROOT / folder).rglob("*.py") for folder in folders)
    return sorted(path for path in found if "__pycache__" not in path.parts)


def module_of(path: Path) -> tuple[str, ...]:
    """("framejit", "jit", "ir", "graph"), for packages without the "__init__"."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ("framejit", *(parts[:-1] if parts[-1] == "__init__" else parts))


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """(line, absolute module name) of each import in a file, those inside functions too."""
    module = module_of(path)
    package = module if path.name == "__init__.py" else module[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = [*above, *(node.module.split(".") if node.module else ())]
            # `from .. import guards` names the subpackage as an attribute.
            for alias in node.names:
                yield node.lineno, ".".join([*base, alias.name])


def subpackage(name: str) -> str:
    """The folder in which a module of the package stands: "jit/ir" for framejit.jit.ir.graph."""
    parts = name.split(".")[1:]
    while parts and not ROOT.joinpath(*parts).is_dir():
        parts.pop()
    return "/".join(parts)


def arrows() -> dict[str, set[str]]:
    """For each subpackage, those that its modules import from."""
    found: dict[str, set[str]] = {}
    for path in sources(*PACKAGES):
        here = path.parent.relative_to(ROOT).as_posix()
        names = (name for _, name in imports(path) if name.startswith("framejit."))
        found.setdefault(here, set()).update({subpackage(name) for name in names} - {here, ""})
    return found


def picture() -> str:
    """A Mermaid graph of the four top-level packages, and a table of all subpackages."""
    found = arrows()
    above = {(one.split("/")[0], other.split("/")[0]) for one in found for other in found[one]}
    lines = ["```mermaid", "flowchart TD"]
    lines += [f"    {one} --> {other}" for one, other in sorted(above) if one != other]
    lines += ["```", "", "| subpackage | imports |", "| --- | --- |"]
    for one in sorted(found):
        lines.append(f"| `{one}` | {', '.join(f'`{other}`' for other in sorted(found[one]))} |")
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> None:
    """Prints the picture, or writes it between its two marks in the page."""
    if "--write" not in arguments:
        sys.stdout.write(picture())
        return
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    PAGE.write_text(before + BEGIN + picture() + END + rest.split(END)[1], encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
