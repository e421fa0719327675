"""Code objects to one neutral instruction set and back, and the rewriting of code in place.

Importing this package on a CPython without a table raises `UnsupportedPythonError`, which is an
`ImportError`: the caller then runs everything eagerly.
"""

from . import isa
from .assemble import encode
from .decode import decode
from .errors import UnsupportedCodeError, UnsupportedPythonError
from .flow import Flow, analyse
from .isa import Op
from .kinds import Kind
from .listing import listing
from .loops import Loop
from .model import GENERATORS, Decoded, Handler, Instruction, SlotKind
from .placement import why_no_entry, why_no_stub
from .rewrite import rewrite
from .stub import Exit, Stub

__all__ = [
    "GENERATORS",
    "Decoded",
    "Exit",
    "Flow",
    "Handler",
    "Instruction",
    "Kind",
    "Loop",
    "Op",
    "SlotKind",
    "Stub",
    "UnsupportedCodeError",
    "UnsupportedPythonError",
    "analyse",
    "decode",
    "encode",
    "isa",
    "listing",
    "rewrite",
    "why_no_entry",
    "why_no_stub",
]
