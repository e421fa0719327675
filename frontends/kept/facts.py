"""The environment that an entry depends on beside its function: versions, machine, settings."""

from __future__ import annotations

import os
import sys
from functools import cache

import numpy as np

from ...jit.config import SETTINGS
from ...jit.digests import digest256
from ...jit.disk import Folder
from ...jit.own_sources import digest_of_sources

VARIABLES = (
    *("NPY_DISABLE_CPU_FEATURES", "NPY_ENABLE_CPU_FEATURES", "NPY_PROMOTION_STATE"),
    *("NUMPY_EXPERIMENTAL_ARRAY_FUNCTION", "OPENBLAS_CORETYPE", "GLIBC_TUNABLES"),
)
"""Environment variables that change which loops NumPy and its libraries choose."""
LIBRARIES = ("scipy", "numba", "llvmlite")
NAMES = {"scipy": "SciPy", "numba": "Numba", "llvmlite": "llvmlite"}


@cache
def digest_of_facts(cache: Folder | None) -> str | None:
    """Return a digest of all facts; None if one cannot be determined."""
    facts = facts_by_name(cache)
    return digest256(repr(facts).encode()).hexdigest() if facts is not None else None


def facts_by_name(cache: Folder | None) -> dict[str, str] | None:
    """Return all facts under readable names; None if one cannot be determined."""
    sources = digest_of_sources(cache)
    if sources is None:
        return None
    return {
        "framejit's own sources": sources,
        "Python": sys.version,
        "the kind of Python": str(sys.implementation.cache_tag),
        "python -O": str(sys.flags.optimize),
        "NumPy": np.__version__,
        "the instructions that NumPy has found": " ".join(_features()),
        "the C library": str(_c_library()),
        "the machine": os.uname().machine,
        **{f"the variable {name}": os.environ.get(name, "not set") for name in VARIABLES},
        **{NAMES[name]: _version_of(name) for name in LIBRARIES},
        "FRAMEJIT_DEBUG": ", ".join(sorted(SETTINGS["debug"])),
    }


def _features() -> list[str]:
    """Return the CPU features that NumPy found, by which it chooses its loops."""
    from numpy._core import _multiarray_umath as core

    found = getattr(core, "__cpu_features__", {})
    return sorted(name for name, is_there in found.items() if is_there)


def _c_library() -> str | None:
    return os.confstr("CS_GNU_LIBC_VERSION") if hasattr(os, "confstr") else None


def _version_of(package: str) -> str:
    """Return the version of an installed package from its folder's name, without importing it."""
    return _folders().get(package, "")


@cache
def _folders() -> dict[str, str]:
    """Return the version in the name of each package's .dist-info folder, the first on the path."""
    found: dict[str, str] = {}
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue
        for name in names:
            if name.endswith(".dist-info"):
                package, _, version = name[: -len(".dist-info")].partition("-")
                found.setdefault(package.lower(), version)
    return found
