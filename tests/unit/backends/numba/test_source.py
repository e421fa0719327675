"""Lines of a kernel's text, and lines inserted ahead of others."""

from __future__ import annotations

from framejit.backends.numba.lines import Line, in_order
from framejit.backends.numba.source import Source


def text(source: Source) -> list[str]:
    """The lines so far."""
    return [*map(str, source.lines())]


def test_points_take_lines_later() -> None:
    """In the order in which they are inserted, at the depth of the point."""
    source = Source()
    with source.indented("for i in range(3):"):
        ahead = source.point()
        with source.indented("if x:"):
            source.line("y = 1", "a note")
            with source.at(ahead):
                source.line("x = 2")
        with source.at(ahead):
            source.line("x += i")
        source.line("z = x")
    assert text(source) == [
        "    for i in range(3):",
        "        x = 2",
        "        x += i",
        "        if x:",
        "            y = 1  # a note",
        "        z = x",
    ]


def test_a_header_that_comes_later() -> None:
    """The writer fills in the header of a block when the block has been written."""
    source = Source()
    header = source.point()
    with source.indented():
        source.line("y = 1")
    source.line("x = 2")
    with source.at(header):
        source.line("if x:")
    assert text(source) == ["    if x:", "        y = 1", "    x = 2"]


def test_empty_blocks_pass() -> None:
    source = Source()
    with source.indented("while True:"):
        pass
    assert text(source) == ["    while True:", "        pass"]


def test_captured_lines_are_no_part_of_the_text() -> None:
    """They become the body of another function, or are appended where the text is now."""
    source = Source()
    with source.indented("if x:"):
        with source.captured() as body:
            ahead = source.point()
            source.line("z = y")
            with source.at(ahead):
                source.line("y = 1")
        source.append(in_order(body))
    assert [*map(str, in_order(body))] == ["    y = 1", "    z = y"]
    assert text(source) == ["    if x:", "        y = 1", "        z = y"]


def test_what_a_line_assigns_and_names() -> None:
    """Comments, attributes and numbers name nothing."""
    line = Line("x |= int64(y.real + 1e5) >> 3", note="of z")
    assert (line.target, line.names) == ("x", ["x", "int64", "y"])
    assert line.assignment == ("x", "|", "int64(y.real + 1e5) >> 3")
    assert Line("for i in range(n):").target == "i"
    for code in ("if x == y:", "return x", "w[3] = x", "part(w, x)"):
        assert Line(code).target == ""
