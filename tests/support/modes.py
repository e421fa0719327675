"""The hostile modes as the suite sees them: in force or not, seed, counts, floors.

    FRAMEJIT_DEBUG=exit0_everywhere FRAMEJIT_TEST_SEED=7 python -m pytest

Each test starts with a seed made of the session's and its own name: so one test alone declines the
same calls as in the run that failed. The core suite under a mode fails if it forced too little.
"""

from __future__ import annotations

import os
import sys
import zlib
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import pytest

HOSTILE: Final = tuple(
    word for word in os.environ.get("FRAMEJIT_DEBUG", "").split(",") if word.endswith("_everywhere")
)
"""The modes in force."""

# Taken out of the environment: framejit warns about FRAMEJIT_ names that it does not know.
SEED: Final = int(os.environ.pop("FRAMEJIT_TEST_SEED", "") or int.from_bytes(os.urandom(3)))
"""The seed of the session."""
if "tier_everywhere" in HOSTILE:  # programs that tests start say nothing of a seed of their own
    os.environ.setdefault("FRAMEJIT_SEED", str(SEED or 1))
FLOORS: Final[dict[tuple[str, ...], dict[str, int]]] = {
    ("stub_everywhere",): {"stubs": 500_000, "exits": 350_000},
    ("exit0_everywhere",): {"stubs": 8_000, "exits": 1_200, "declined": 6_000},
    ("bail_everywhere",): {"stubs": 12_000, "bails": 6_000},
    ("tier_everywhere",): {"stubs": 8_000, "exits": 1_000, "declined": 5_000},
    ("kept_everywhere",): {"kept": 300},
    ("threads_everywhere",): {"shared": 4_000, "helped": 500_000},
    ("exit0_everywhere", "threads_everywhere"): {
        "stubs": 8_000, "exits": 1_200, "declined": 6_000, "shared": 900, "helped": 20_000,
    },
    ("stub_everywhere", "exit0_everywhere"): {
        "stubs": 500_000, "exits": 150_000, "declined": 250_000,
    },
}  # fmt: skip
"""About half of the counts of the core suite on a version, for events that the mode forces: under
bail_everywhere stubs leave only by exits of the programs' own."""


def seed_test(name: str) -> None:
    """Tosses of exit0_everywhere begin anew; no test depends on those before it."""
    from framejit.jit import native

    seed = zlib.crc32(name.encode(), SEED & 0xFFFFFFFF) + 1
    if "tier_everywhere" in HOSTILE:
        from framejit.frontends.tiers import random_decisions

        random_decisions.begin(seed)
    native.set_hostile(
        seed * ("exit0_everywhere" in HOSTILE or "tier_everywhere" in HOSTILE),
        "bail_everywhere" in HOSTILE,
    )


def counts() -> dict[str, int]:
    """Return how often the modes have forced something in this process."""
    native: Any = sys.modules.get("framejit.jit.native")
    again: Any = sys.modules.get("framejit.frontends.kept.again")
    names = ("stubs", "exits", "declined", "bails")
    counted = native.hostile_counts() if native else dict.fromkeys(names, 0)
    loops = native.parallel_counts() if native else {"shared": 0, "helped": 0}
    shared = {name: loops[name] for name in ("shared", "helped")}
    return {**counted, **shared, **(again.counts if again else {"kept": 0})}


def not_kept() -> dict[str, int]:
    """Count the entries of this process that cannot be kept on disk, by reason."""
    writing: Any = sys.modules.get("framejit.frontends.kept.writing")
    return dict(writing.why_not) if writing else {}


def shortfalls(counted: Mapping[str, int]) -> list[str]:
    """Each floor that the counts do not reach."""
    return [
        f"{counted[name]} {name}, the floor is {floor}"
        for name, floor in FLOORS.get(HOSTILE, {}).items()
        if counted[name] < floor
    ]


class Hostile:
    """The plugin of a session under a hostile mode: leaves out what only counts, counts itself."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.counted: Counter[str] = Counter()
        self.left_out = 0
        self.not_kept: Counter[str] = Counter(not_kept())
        self.is_core = config.option.selection == "core"
        self.worker = hasattr(config, "workerinput")
        if getattr(config.option, "numprocesses", None):  # workers toss with the same seed
            os.environ["FRAMEJIT_TEST_SEED"] = str(SEED)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Skips tests of the normal mode."""
        for item in items:
            if item.get_closest_marker("alone"):
                item.add_marker(pytest.mark.skip(reason="a timing, under a hostile mode"))
            count = item.get_closest_marker("counts")
            if count:
                self.left_out += 1
                item.add_marker(pytest.mark.skip(reason=f"counts: {count.args[0]}"))

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Each test forces the same, whatever ran before it."""
        seed_test(item.nodeid)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Add the counts of a worker."""
        told = getattr(node, "workeroutput", {}).get("hostile", ({}, 0, {}))
        self.counted.update(told[0])
        self.not_kept.update(told[2])
        self.left_out = told[1]

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """A run of the core suite that forced too little proves too little."""
        if self.worker:
            told = (counts(), self.left_out, not_kept())
            self.config.workeroutput["hostile"] = told  # type: ignore[attr-defined]
            return
        self.counted.update(counts())
        if self.is_core and shortfalls(self.counted):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the modes of the session and what they forced."""
        numbers = ", ".join(f"{count} {name}" for name, count in self.counted.items())
        lines = [
            f"hostile: {', '.join(HOSTILE)}; seed {SEED} (FRAMEJIT_TEST_SEED)",
            f"  {numbers}",
            f"  {self.left_out} tests were left out: they count what the normal mode does",
        ]
        lines += [f"  not kept: {why}: {times}" for why, times in self.not_kept.most_common(20)]
        lines += [f"  TOO FEW: {line}" for line in shortfalls(self.counted) if self.is_core]
        for line in lines:
            terminalreporter.write_line(line)
