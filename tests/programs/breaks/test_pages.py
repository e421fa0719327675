"""The page of break codes is that of the registry; run as a program this file writes it anew."""

from __future__ import annotations

from pathlib import Path

from framejit.frontends.breaks.pages import page

PAGE = Path(__file__).resolve().parents[3] / "docs" / "breaks.md"


def test_the_page_is_that_of_the_registry() -> None:
    """After a change `python tests/programs/breaks/test_pages.py` writes it anew."""
    assert PAGE.read_text(encoding="utf-8") == page()


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
