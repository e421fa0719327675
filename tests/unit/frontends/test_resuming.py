"""Bails of whole calls go on in rewritten code, whatever has been found out in between."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from framejit import jit


def body(a: Any, b: Any) -> Any:
    a += b
    a[1:] += a[:-1]
    return 12 // a


@pytest.mark.parametrize("backend", ["numpy", "numba"])
def test_after_other_arguments_came_to_a_break(backend: str) -> None:
    """A read-only array ends a capture at the first write; bails of others come behind it."""
    jitted = jit(body, backend=backend)
    fixed = np.arange(4)
    fixed.flags.writeable = False

    for start in (1, 0, 1, 0, -3, 0):
        with np.errstate(divide="ignore"):
            expected, ours = np.arange(start, start + 4), np.arange(start, start + 4)
            assert (jitted(ours, 0) == body(expected, 0)).all()
            assert ours.tolist() == expected.tolist()
            with pytest.raises(ValueError, match="read-only"):
                jitted(fixed, 0)


class Account:
    """Objects with a number and a break now and then."""

    def __init__(self, total: float) -> None:
        self.total = total
        self.report = ""


def pay(account: Any, x: Any) -> Any:
    account.total += 1.0
    if account.total > 2.0:
        account.report = format(account, "")[:7]  # a break
    return x * 2.0


@pytest.mark.parametrize("backend", ["numpy", "numba"])
@pytest.mark.counts("exits of whole calls")
def test_after_plain_python_was_faster_at_the_entry(backend: str) -> None:
    """The stub there loses its entries, but goes on taking what whole calls hand over.

    Without it the call would begin anew, and pay twice.
    """
    jitted = jit(pay, backend=backend, compile="now")
    x = np.arange(3.0)
    for total in (0.0, 5.0, 0.0, 5.0):
        jitted(Account(total), x)
    code = jitted._manager.segmented
    (at_entry,) = [one for one in code.points.values() if one.resumes]
    at_entry.slower(at_entry.segment)
    assert at_entry.dropped
    ours = [Account(0.0), Account(5.0)]
    results = [jitted(one, x).tolist() for one in ours]

    assert [one.total for one in ours] == [1.0, 6.0]
    assert results == [[0.0, 2.0, 4.0]] * 2
    assert ours[1].report
