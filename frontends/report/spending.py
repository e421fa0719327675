"""Costs and gains of functions in seconds, and which uncaptured ones would have paid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...jit.report import Place, SkipRecord, Spending
from ..runtime.entry import CacheEntry
from ..tiers import PERIOD
from ..tiers.accounts import ACCOUNT
from ..tiers.this_process import SITES

if TYPE_CHECKING:
    from ..runtime.function import Manager
    from ..tiers.sites import Site

_SPENT = "{spent:.2f} s were spent in it"
_IN_ALL = f"{_SPENT}, {{total:.2f}} s in all runs"
_PRICED = f"{_IN_ALL}, and a capture is expected to take {{price:.2f}} s"
WORDS = {
    "no-arrays": f"{_SPENT}, and it does not work on arrays",
    "once": f"{_SPENT}, as far as samples show in one call",
    "tried": f"{_SPENT}; it was captured before, and that saved less than it cost",
    "cold": _PRICED,
    "little": f"{_IN_ALL}, too little in each for kernels to pay",
    "short-program": f"{_SPENT}; a run of the program is so short that to load kernels takes as "
    "long as they can be expected to save",
    "no-gain": f"{_SPENT}; what earlier runs captured of the program has saved too little, so that "
    "nothing more of it is captured",
    "next-run": f"{_SPENT}; this run uses what earlier ones captured and measures what it saves, "
    "and the next one captures more",
    "rests": f"{_SPENT}; the program took longer with its kernels, so that this run is plain "
    "Python",
    "unpaid": f"{_PRICED}: it would have paid, but so much of the program's time framejit may not "
    "take yet; later processes go on from here",
}
"""Reasons why a function was not captured, as texts over seconds: spent in this process, in all
processes of the program, and the price of a capture."""


def spending_of(manager: Manager) -> Spending:
    """Return the costs and gains of a function."""
    entries = manager.entries
    jobs = [entry.job for entry in entries if entry.job is not None]
    compiled = sum(job.cpu for job in jobs)
    site = manager.site
    return Spending(
        tier=tier_of(manager),
        spent=site.spent - site.before.spent if site is not None else None,
        captured=manager.seconds,
        compiled=compiled,
        saved=manager.saved(),
        waited=sum(entry.seconds for entry in entries if isinstance(entry, CacheEntry)),
    )


def tier_of(manager: Manager) -> str:
    """Return the function's state between plain Python and kernels, in words."""
    if not manager.entries:
        return "plain Python"
    ready = [entry for entry in manager.entries if entry.job is None or entry.job.ended]
    if not ready:
        return "captured; plain Python answers until a kernel is compiled"
    return "compiled" if len(ready) == len(manager.entries) else "compiled in part"


class Sampled:
    """The sites that have used time since this object was made."""

    def __init__(self) -> None:
        self._before = {id(site): site.spent for site in [*SITES.values()]}

    def sites(self) -> list[Site]:
        """Return the sites that have used time since then."""
        return [site for site in [*SITES.values()] if site.spent > self._before.get(id(site), 0.0)]

    def places(self) -> set[tuple[str, str, int]]:
        """Return file, qualified name and first line of each."""
        codes = [site.code for site in self.sites()]
        return {(code.co_filename, code.co_qualname, code.co_firstlineno) for code in codes}

    def left_to_plain_python(self) -> Iterator[SkipRecord]:
        """Yield a skip with the reason for each site that was not captured."""
        for site in self.sites():
            if not site.captured:
                yield _left(site, site.spent - self._before.get(id(site), site.before.spent))


def _left(site: Site, spent: float) -> SkipRecord:
    """Return a skip whose `count` is the number of samples."""
    code = site.code
    place = Place(code.co_filename, code.co_firstlineno, code.co_qualname)
    price = site.price()
    rule = _rule_of(site, price)
    reason = WORDS[rule].format(spent=spent, total=site.spent, price=price)
    return SkipRecord(rule, reason, place, max(round(spent / PERIOD), 1))


def _rule_of(site: Site, price: float) -> str:
    """Return the reason why the site was not captured, as a key of WORDS."""
    if not site.has_arrays:
        return "no-arrays"
    if not (site.again or site.has_gates):
        return "once"
    if site.was_in_vain:
        return "tried"
    if not site.pays(price):
        return "cold"
    return ACCOUNT.standing if site.saves_enough() else "little"
