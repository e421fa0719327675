"""Which functions that nobody decorated are captured, and by which rule the others are not."""

from __future__ import annotations

import sysconfig
from types import FunctionType

MAX_FUNCTIONS = 8
"""Functions made of one code object (closures) that are captured; then the code is left alone."""

LEFT_ALONE = {0x04 | 0x08: "signature", 0x20 | 0x80 | 0x200: "generator"}
"""Flags of code objects that are not captured -> the rule. The hook does not enter them yet."""

LIBRARIES = tuple(
    sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")
)
"""Folders of the standard library and of installed packages."""


def is_library(file: str) -> bool:
    """Whether it belongs to the standard library or to an installed package."""
    return file.startswith(("<frozen", *LIBRARIES))


def why_left_alone(function: FunctionType) -> str | None:
    """The rule by which a function is not captured, None when it may be."""
    code = function.__code__
    module = str(function.__globals__.get("__name__", ""))
    if module.startswith("framejit.") and not module.startswith("framejit.examples."):
        return "framejit"
    if is_library(code.co_filename) or module.startswith("namedtuple_"):
        return "library"
    for flags, rule in LEFT_ALONE.items():
        if code.co_flags & flags:
            return rule
    return None


REASONS = {
    "framejit": "it belongs to framejit itself",
    "library": "it belongs to {package}",
    "signature": "it takes *args or **kwargs, and nobody decorated it",
    "generator": "it is a generator or coroutine, and nobody decorated it",
    "body": "it is the body of a module or class",
    "closures": f"more than {MAX_FUNCTIONS} functions were made of this code",
    "no-arrays": "it computes nothing with arrays",
    "nothing-fused": "nothing in it would be fused, so that a kernel would gain nothing",
    "breaks": "it breaks before anything is computed",
    "deep": "there was too little C stack or recursion depth to spare",
    "tools": "a debugger, profiler or tracer was watching",
    "cold": "it was called too few times to be worth compiling",
}
"""Why frames of a code object ran as they are, by the stable name of the rule."""


def package_of(file: str) -> str:
    """The installed package or the module of the standard library that a file belongs to."""
    if file.startswith("<frozen "):
        return file.removeprefix("<frozen ").rstrip(">").split(".")[0]
    homes = sorted((home for home in LIBRARIES if file.startswith(home)), key=len)
    if not homes:
        return "a library"
    first = file[len(homes[-1]) :].lstrip("/\\").replace("\\", "/").split("/")[0]
    return first.removesuffix(".py")
