"""Finds the reason why the C core cannot be imported, and advice.

A checkout of the sources named like the package, in a script's folder or the working directory,
hides the installed package, and its C core is not built: reinstalling does not help. So the message
tells where the package was imported from, and where an installed one is.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES, BuiltinImporter, FrozenImporter, PathFinder

CORE = "_core"
_HERE = os.path.dirname(os.path.abspath(__file__))
HOME = os.path.dirname(os.path.dirname(_HERE))
"""The folder of this package."""
PACKAGE = __name__.partition(".")[0]


def why_missing(error: ImportError) -> str:
    """Return the reason, in one line."""
    what = f"the C core cannot be imported ({error})"
    if is_built(HOME):
        return f"{what}; `pip install .` builds it"
    hidden = _installed()
    if hidden is not None:
        return (
            f"{what}: framejit was imported from {HOME}, sources in which it is not built, and not "
            f"from {hidden}, where it is installed: rename that folder, or run Python from another"
        )
    if others := _built_for():
        what = f"{what}: in {HOME} it is built for {', '.join(others)}, and this is another Python"
    else:
        what = f"{what}: it is not built in {HOME}, from which framejit was imported"
    return f"{what}; there, `pip install .` builds it"


def is_built(home: str) -> bool:
    """True if a folder of the package has a C core for this Python."""
    names = (f"{CORE}{suffix}" for suffix in EXTENSION_SUFFIXES)
    return any(os.path.isfile(os.path.join(home, "jit", "native", name)) for name in names)


def _built_for() -> list[str]:
    """Return the Pythons that this folder has a C core for, by file names."""
    try:
        names = os.listdir(_HERE)
    except OSError:
        return []
    built = (name.split(".") for name in names if name.startswith(f"{CORE}.") and ".so" in name)
    return sorted({words[1] for words in built if len(words) > 2})


def _installed() -> str | None:
    """Return the folder of an installed package with a C core, if this one hides it."""
    for folder in _others():
        if is_built(folder) and not os.path.samefile(folder, HOME):
            return folder
    return None


def _others() -> list[str]:
    """Return further import locations: `sys.path`, then finders of editable installs."""
    found = [os.path.join(os.path.abspath(entry), PACKAGE) for entry in sys.path]
    for finder in sys.meta_path:
        if finder in (BuiltinImporter, FrozenImporter, PathFinder):
            continue
        try:
            spec = finder.find_spec(PACKAGE, None)
        except Exception:  # a third party's finder may raise anything
            continue
        if spec is not None and spec.origin is not None:
            found.append(os.path.dirname(spec.origin))
    return found
