"""Some of CPython's own tests, with every function of theirs going through the hook and capture.

`python tests/campaigns/cpython` runs all of the modules; here are those that take a few seconds.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "campaigns"))

from cpython.modules import FAST, KNOWN
from cpython.running import BASE, differences, run

pytestmark = pytest.mark.counts("each process has a mode of its own")


@pytest.mark.parametrize("module", FAST)
def test_nothing_fails_that_an_empty_hook_does_not_fail(module: str) -> None:
    """Test by test, and every function really goes through."""
    base = run(module, BASE, rounds=2, timeout=120)
    assert base.crash == ""
    assert base.outcomes
    for mode in ("capture", "stub_everywhere"):
        answer = run(module, mode, rounds=2, timeout=240)
        found = [one for one in differences(base, answer) if one.known is None]

        assert found == []
        assert answer.counts["functions"] > 5
        assert answer.counts["rewritten frames"] > 10
        assert answer.counts["stubs"] > (20 if mode == "capture" else 500)
    assert answer.counts["exits"] > 200


def test_known_differences_have_reasons() -> None:
    """No test is left out in silence."""
    assert all(known.reason.strip() and known.test.startswith("test.") for known in KNOWN)
