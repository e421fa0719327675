"""Converts scalars to the dtype of a loop, as ufuncs do."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....jit.checks import Check
from ....jit.ir.graph import Value
from ....jit.ir.types import ScalarType
from ..library.names import storage_name
from ..writer import KernelWriter


def convert_number(writer: KernelWriter, variable: str, value: Value, dtype: np.dtype[Any]) -> None:
    """Write the conversion of a scalar; bail if eager would report something about it."""
    text, source = writer.scalars[value], writer.source
    kind = storage_name(dtype)
    type_ = value.type
    assert isinstance(type_, ScalarType)
    if type_.python and type_.dtype.kind == "i" and dtype.kind in "iu" and dtype.itemsize < 9:
        limits = np.iinfo(dtype)
        high = min(int(limits.max), 2**63 - 1)
        if value not in writer.known.constants and (limits.min > -(2**63) or high < 2**63 - 1):
            condition = f"{text} < {max(int(limits.min), -(2**63))} or {text} > {high}"
            writer.bail_if(condition, Check.RANGE)
    narrows = type_.dtype.char in "dD" and dtype.char in "fF"
    status = source.name("status") if narrows else None
    if status:
        source.line(f"{status} = get_status()")
    truth = dtype.kind == "b" and type_.dtype.kind != "b"
    source.line(f"{variable} = {kind}({f'{text} != 0' if truth else text})")
    if status:
        source.line(f"set_status({status})")
        for part in ("",) if dtype.kind == "f" else (".real", ".imag"):
            own = f"{text}{part if type_.dtype.kind == 'c' else ''}"
            if type_.dtype.kind == "c" or part != ".imag":
                overflow = f"fabs({variable}{part}) == inf and fabs({own}) != inf"
                writer.bail_if(overflow, Check.RANGE)
