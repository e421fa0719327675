"""Warnings filters that are there for a moment, for one thread."""

from __future__ import annotations

import threading
import warnings
from typing import Any

import pytest

from framejit.jit.filters import filtered


def in_another_thread(action: Any) -> list[Any]:
    """Return the result of the action, or its exception."""
    found: list[Any] = []

    def body() -> None:
        try:
            found.append(action())
        except Warning as error:
            found.append(error)

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    return found


def warn() -> str:
    warnings.warn("said", UserWarning, stacklevel=1)
    return "done"


def test_only_this_thread_is_filtered() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with filtered("error"):
            with pytest.raises(UserWarning, match="said"):
                warn()
            assert in_another_thread(warn) == ["done"]
        assert len(caught) == 1
        with filtered("ignore"):
            assert warn() == "done"
            assert in_another_thread(warn) == ["done"]
        assert len(caught) == 2


def test_of_a_category() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with filtered("ignore"), filtered("error", DeprecationWarning):
            assert warn() == "done"
            with pytest.raises(DeprecationWarning):
                warnings.warn("old", DeprecationWarning, stacklevel=1)


def test_nothing_stays() -> None:
    before = list(warnings.filters)
    with pytest.raises(ZeroDivisionError), filtered("error"):
        raise ZeroDivisionError
    assert warnings.filters == before
