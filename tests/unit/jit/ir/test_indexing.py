"""Basic indices: back to what NumPy takes, and which axis of the array each axis comes from."""

from __future__ import annotations

import numpy as np
import pytest

from framejit.jit.ir.indexing import Index, NewAxis, Ref, Span

CASES = [
    (Index((Span(), Span())), (), np.s_[:, :], [0, 1], "[:, :]"),
    (Index((Span(1, -1), 0)), (), np.s_[1:-1, 0], [0], "[1:-1, 0]"),
    (Index((NewAxis(), Span(None, None, -2), Span())), (), np.s_[None, ::-2], [None, 0, 1], None),
    (Index((Ref(0), Span())), (2,), np.s_[2], [1], "[#0, :]"),
    (Index((Span(Ref(0), Ref(1)), Ref(2))), (1, 3, -1), np.s_[1:3, -1], [0], "[#0:#1, #2]"),
    (Index((Span(stop=Ref(0), step=-1), NewAxis(), Span())), (1,), np.s_[:1:-1, None], [0, None, 1],
     "[:#0:-1, None, :]"),
    (Index((-1, 0)), (), np.s_[-1, 0, ...], [], "[-1, 0]"),
]  # fmt: skip


@pytest.mark.parametrize(("index", "numbers", "expected", "axes", "text"), CASES)
def test_indices(
    index: Index, numbers: tuple[int, ...], expected: object, axes: list[int | None], text: str
) -> None:
    """The same window as the user's index, as an array even where it is one element."""
    array = np.arange(20).reshape(4, 5)
    window = array[index.python(numbers)]

    np.testing.assert_array_equal(window, array[expected])  # type: ignore[index]
    assert isinstance(window, np.ndarray)
    assert index.axes() == axes
    assert len(axes) == window.ndim
    assert text is None or str(index) == text


def test_whole_axes() -> None:
    """Only `:` takes an axis as it is, so that its dim stays the same."""
    assert Span().whole
    assert not any(span.whole for span in (Span(0), Span(None, 3), Span(step=-1), Span(Ref(0))))
