"""The number of cores this process may use, by CPU affinity and cgroup quotas."""

from __future__ import annotations

import os
from collections.abc import Iterator

ROOT = "/sys/fs/cgroup"
GROUPS = "/proc/self/cgroup"


def cores() -> float:
    """Return the number of cores, which may be fractional."""
    return min([float(len(os.sched_getaffinity(0))), *_quotas()])


def _quotas() -> Iterator[float]:
    """Yield the quotas of the process's control groups and of their ancestors."""
    for hierarchy, group in _groups():
        while True:
            quota = _quota(f"{ROOT}{hierarchy}{group.rstrip('/')}")
            if quota is not None:
                yield quota
            if group in ("/", ""):
                break
            group = os.path.dirname(group)


def _groups() -> Iterator[tuple[str, str]]:
    """Yield (folder of a hierarchy, group in it) for each hierarchy that can limit CPU use."""
    for line in (_read(GROUPS) or "").splitlines():
        number, _, rest = line.partition(":")
        controllers, _, group = rest.partition(":")
        if number == "0":
            yield "", group
        elif "cpu" in controllers.split(","):
            yield f"/{controllers}", group


def _quota(folder: str) -> float | None:
    """Return the cores that one group may use on average; None if unlimited."""
    second = (_read(f"{folder}/cpu.max") or "").split()
    first = _read(f"{folder}/cpu.cfs_quota_us"), _read(f"{folder}/cpu.cfs_period_us")
    quota, period = second if len(second) == 2 else first
    try:
        cores = int(quota or "") / int(period or "")
    except (ValueError, ZeroDivisionError):
        return None
    return cores if cores > 0 else None


def _read(path: str) -> str | None:
    try:
        with open(path, "rb") as file:
            return file.read().decode(errors="replace").strip()
    except OSError:
        return None
