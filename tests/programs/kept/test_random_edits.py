"""Random modules, of which one thing is edited between two processes: answers are plain Python's.

`tests/campaigns/module_edits.py` runs as many as you like.
"""

from __future__ import annotations

import pytest
from edited_modules import differing

SEEDS, EDITS = (1, 2), 3


@pytest.mark.parametrize("seed", SEEDS)
def test_answers_as_plain_python(seed: int) -> None:
    wrong, kept = differing(seed, EDITS)

    assert wrong == []
    assert kept > 0  # entries of other functions than the edited one still serve
