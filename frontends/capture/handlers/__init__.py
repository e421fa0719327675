"""Handlers of the neutral instructions by family; importing this package fills the tables.

Each module registers what it handles: instructions, calls of builtins, kinds of values.
"""

from importlib import import_module
from pkgutil import iter_modules

from ...numpy import creation, dtypes, places, products, ranges, views, writes

__all__ = ["creation", "dtypes", "places", "products", "ranges", "views", "writes"]

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
