"""Why the C core cannot be imported, in words that say what to do about it.

A checkout of the sources named like the package, in the folder of a script or where Python was
started, hides the installed package, and its C core is not built: to install once more helps
nobody. So where the package was imported from is said, and where an installed one is.
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
    """The reason, in one line."""
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
    """The Pythons that this folder has a C core for, as file names tell them."""
    try:
        names = os.listdir(_HERE)
    except OSError:
        return []
    built = (name.split(".") for name in names if name.startswith(f"{CORE}.") and ".so" in name)
    return sorted({words[1] for words in built if len(words) > 2})


def _installed() -> str | None:
    """The folder of a package with a C core that would be imported if this one were not there."""
    for folder in _others():
        if is_built(folder) and not os.path.samefile(folder, HOME):
            return folder
    return None


def _others() -> list[str]:
    """Where the import system would look further: `sys.path`, then finders of editable installs."""
    found = [os.path.join(os.path.abspath(entry), PACKAGE) for entry in sys.path]
    for finder in sys.meta_path:
        if finder in (BuiltinImporter, FrozenImporter, PathFinder):
            continue
        try:
            spec = finder.find_spec(PACKAGE, None)
        except Exception:  # a finder of somebody's, who did not expect the question
            continue
        if spec is not None and spec.origin is not None:
            found.append(os.path.dirname(spec.origin))
    return found
