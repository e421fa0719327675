"""The cost of a capture grows with the length of a function, not with its square."""

from __future__ import annotations

from typing import Any

import pytest

from framejit import jit
from framejit.frontends.runtime import exploring


def captures_of(length: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return the number of captures for a function of so many branches."""
    lines = ["def f(n):", "    total = 0", "    for i in range(n):"]
    lines += [f"        total -= {1000 + k} if hash(str(i)) % 2 else total" for k in range(length)]
    space: dict[str, Any] = {}
    exec("\n".join([*lines, "    return total"]), space)
    started = 0
    original = exploring.capture

    def counted(*args: Any, **options: Any) -> Any:
        nonlocal started
        started += 1
        return original(*args, **options)

    with monkeypatch.context() as patch:
        patch.setattr(exploring, "capture", counted)
        jitted = jit(space["f"])
        for n in (0, 4, 0, 4):
            assert jitted(n) == space["f"](n)
    return started


@pytest.mark.counts("a segment at every instruction is captured at every instruction")
def test_captures_grow_with_the_length(monkeypatch: pytest.MonkeyPatch) -> None:
    """Places that were explored or passed in vain are not looked at again."""
    assert captures_of(80, monkeypatch) < 3 * captures_of(40, monkeypatch)
