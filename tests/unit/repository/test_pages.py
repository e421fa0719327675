"""The pages of the repository: each path that a page, a comment or a docstring names exists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from picture import BEGIN, END, PAGE, ROOT, picture

FOLDERS = (".ci", "backends", "docs", "examples", "frontends", "guards", "jit", "tests")
SUFFIXES = frozenset({".c", ".h", ".md", ".py", ".pyi", ".toml", ".yaml", ".yml", ""})
MD = re.compile(r"[\w./-]*\w\.md\b")
PATH = re.compile(r"(?:[\w.-]+/)*\w[\w.-]*\.(?:c|h|md|py|pyi|toml)\b|(?:[\w.-]+/)+(?![\w.-])")
BELOW = re.compile(rf"(?:{'|'.join(map(re.escape, FOLDERS))})/[\w./-]*")
"""A path below a folder of the checkout; that of a folder needs no slash at its end."""
UNWRITTEN = re.compile(r"\bDESIGN\b|\bHOUSE\b")
"""Pages that were never part of the repository, cited by their titles."""
OF_OTHERS = frozenset(
    {
        "test_nditer.py",
        "test_chebyshev.py",
        "test_czt.py",
        "test_numeric.py",
        "test_bsplines.py",
        "e_pow.c",
        "Objects/locations.md",
    }
)
"""Files of CPython, NumPy, SciPy and the C library."""


def texts() -> Iterator[tuple[Path, str]]:
    """Each text file of the checkout that a person wrote, but for this one."""
    below = chain.from_iterable((ROOT / folder).rglob("*") for folder in FOLDERS)
    for path in sorted(chain(below, ROOT.glob("*.*"))):
        if "__pycache__" in path.parts or path == Path(__file__).resolve():
            continue
        if path.is_file() and path.suffix in SUFFIXES:
            yield path, path.read_text(encoding="utf-8")


def exists(name: str, page: Path, *, anywhere: bool = False) -> bool:
    """True if a page may name this path: from the root, its folder or (anywhere) below."""
    if any((folder / name).exists() for folder in (ROOT, page.parent, ROOT / "docs")):
        return True
    return anywhere and any(
        "__pycache__" not in found.parts
        for folder in FOLDERS
        for found in (ROOT / folder).rglob(name)
    )


def missing(page: Path) -> list[str]:
    """The paths in backquotes that a page names and that do not exist."""
    quoted = re.findall(r"`([^`\n]+)`", page.read_text(encoding="utf-8"))
    paths = [text for text in quoted if PATH.fullmatch(text) or BELOW.fullmatch(text)]
    anywhere = page.parent.name in ("decisions", "tests")

    return [path for path in paths if not exists(path, page, anywhere=anywhere)]


def test_each_page_that_is_cited_is_in_the_repository() -> None:
    """Whoever follows a reference finds a page."""
    wrong = [
        f"{path.relative_to(ROOT)}: {name}"
        for path, text in texts()
        for name in MD.findall(text)
        if name not in OF_OTHERS and not exists(name, path)
    ]

    assert wrong == []


def test_no_unwritten_page_is_cited() -> None:
    """Pages that are not in the repository cannot be looked up."""
    wrong = [path.relative_to(ROOT) for path, text in texts() if UNWRITTEN.search(text)]

    assert wrong == []


def test_the_paths_in_the_decisions_exist() -> None:
    """A decision about code that is gone is deleted with it."""
    pages = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    wrong = {page.name: left for page in pages if (left := [*set(missing(page)) - OF_OTHERS])}

    assert wrong == {}


def test_the_index_of_decisions_names_each_page() -> None:
    """One line of docs/decisions/README.md for each page, in no page twice the same title."""
    folder = ROOT / "docs" / "decisions"
    index = (folder / "README.md").read_text(encoding="utf-8")
    pages = {page.name for page in folder.glob("*.md")} - {"README.md"}

    assert sorted(re.findall(r"^- \[[^]]+\]\((\w+\.md)\): ", index, re.MULTILINE)) == sorted(pages)
    titles = [
        title
        for page in pages
        for title in re.findall(
            r"^## .*", (folder / page).read_text(encoding="utf-8"), re.MULTILINE
        )
    ]
    assert len(titles) == len(set(titles))


def test_the_paths_in_the_pages_for_contributors_exist() -> None:
    """A page that sends a newcomer to a file that has moved is corrected with the move."""
    pages = (PAGE, ROOT / "CONTRIBUTING.md", ROOT / "README.md", ROOT / "tests" / "README.md")

    assert {str(page): left for page in pages if (left := missing(page))} == {}


def test_the_picture_is_that_of_the_code() -> None:
    """After a change `python tests/support/picture.py --write` makes the picture anew."""
    text = PAGE.read_text(encoding="utf-8")

    assert text.split(BEGIN)[1].split(END)[0] == picture()


def test_the_long_tests_exist() -> None:
    """A test that is renamed would come back into the core suite without a word."""
    listed = (ROOT / "tests" / "support" / "long_tests.txt").read_text(encoding="utf-8").split()
    gone = []
    for line in listed:
        path, _, name = line.partition("::")
        file = ROOT / path
        if not file.exists() or f"def {name}(" not in file.read_text(encoding="utf-8"):
            gone.append(line)

    assert gone == []
