"""Start script of the compile helper, run by its path, isolated and without `site`.

Nothing of the user's is imported: no `sitecustomize`, no files named like modules, no packages that
extend Numba. Arguments are the helper's module, the program's pid, and for each package that the
helper needs the file it is imported from.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location


class Packages:
    """A finder for the packages that the program has found, at the same places, and no others."""

    def __init__(self, files: dict[str, str]) -> None:
        self._files = files

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return the spec of a module, as the import system expects of a finder."""
        file = self._files.get(name)
        if file is None:
            return None
        folder = os.path.dirname(file)
        return spec_from_file_location(name, file, submodule_search_locations=[folder])


def main(module: str, program: str, *packages: str) -> None:
    """Run the helper; does not return before it ends."""
    files = {name: file for name, _, file in (one.partition("=") for one in packages)}
    sys.meta_path.insert(0, Packages(files))
    import_module(module).main(int(program))


if __name__ == "__main__":
    main(*sys.argv[1:])
