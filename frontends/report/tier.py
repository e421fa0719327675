"""The tier of a function: what answers its calls now, and what is awaited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...jit.report.layout import count
from ..tiers import copies
from ..tiers.savings import serves

if TYPE_CHECKING:
    from ..runtime.function import Manager


def awaited(manager: Manager) -> tuple[int, int]:
    """Return the numbers of kernels that are being compiled, and of copies that capture."""
    jobs = [entry.job for entry in manager.entries if entry.job is not None]
    return sum(not (job.ended or job.failed) for job in jobs), copies.count_for(manager)


def tier_of(manager: Manager) -> str:
    """Return a phrase on what answers calls, for people."""
    compiling, copied = awaited(manager)
    made = len(manager.entries) - compiling
    if made and serves(manager):
        answers = count(made, "kernel")
    else:
        answers = "plain Python, as it is faster than its kernels" if made else "plain Python"
    if compiling:
        answers += f", while {count(compiling, 'kernel')} {_is(compiling)} compiled"
    if copied:
        answers += ", while a copy of the process captures it"
    return answers


def _is(number: int) -> str:
    return "is" if number == 1 else "are"
