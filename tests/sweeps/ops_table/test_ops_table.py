"""The page of ops, dtypes and layouts: the backend decides so, and what is native is proved."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from equality import LAYOUT_PAIRS, LAYOUTS, LIMIT, REALS, Batch, arranged, elementwise_ufuncs, pairs
from ops_table import CALLED, DTYPES, NATIVE, PAGE, cast, elementwise, page, reduction, selection

PROVED = [dtype for dtype in REALS if dtype != "f2"]
CALLS = {1: "np.{}(x)", 2: "np.{}(x, y)"}


def ufuncs(state: str, dtype: str, layout: str) -> list[str]:
    """Calls of the ufuncs that are computed so."""
    names = [u for u in elementwise_ufuncs() if elementwise(u, (dtype, dtype), layout) == state]
    return [CALLS[getattr(np, name).nin].format(name) for name in names]


def test_page() -> None:
    """The page in the docs is up to date for this NumPy, which it names."""
    text = PAGE.read_text()
    minors = re.search(r"\(([\d., ]+) when it was written\)", text)

    assert minors
    assert np.__version__.rpartition(".")[0] in minors[1].split(", ")
    assert page(minors[1]) == text


@pytest.mark.parametrize("k", range(len(LAYOUT_PAIRS)))
def test_native_in_each_layout(k: int) -> None:
    """All that is native for a dtype, on pairs of hostile values, without a call of NumPy."""
    layouts, dtype = LAYOUT_PAIRS[k], PROVED[k % len(PROVED)]
    texts = ufuncs(NATIVE, dtype, "C and F")
    if selection(dtype, "C and F") == NATIVE:
        texts.append("np.where(x == 0, x, y)")
    batch = Batch(texts[:LIMIT])

    batch.check(*arranged(layouts, *pairs(dtype, dtype, 1500)), flags=False)
    assert len(texts) <= LIMIT
    assert "inner_loop(" not in batch.jitted.inspect("numba")
    if "0-d" not in layouts:  # what comes of arrays without an axis is a number
        batch.assert_compiled()


@pytest.mark.parametrize("k", range(3))
def test_native_casts(k: int) -> None:
    """Casts of bools, ints and floats to all dtypes that the page has for native."""
    source, layout = (("?", "transposed"), ("i8", "Fortran"), ("f4", "strided reversed"))[k]
    targets = [target for target in DTYPES if cast(source, target) == NATIVE]
    batch = Batch([f"x.astype({target!r})" for target in targets], "x")

    batch.check(LAYOUTS[layout](pairs(source, source, 900)[0]), flags=False)
    like_ints = np.resize(np.arange(0.0, 100.0, 0.75), 900).astype(source)
    batch.check(LAYOUTS[layout](like_ints), flags=False)  # others bail
    batch.assert_compiled()


@pytest.mark.parametrize(("dtype", "layout"), [("f4", "C"), ("i2", "C"), ("f8", "C and F")])
def test_kernels_do_what_the_page_says(dtype: str, layout: str) -> None:
    """Ufuncs that the page has for called are calls in the kernel, and nothing else is."""
    called = [text for text in ufuncs(CALLED, dtype, layout) if "power" not in text][:3]
    rest = [text for text in ufuncs("loop", dtype, layout) if "power" not in text][::7]
    batch = Batch([*called, *rest, "x.copy()"])

    layouts = ("table", "Fortran" if layout == "C and F" else "table")
    batch.check(*arranged(layouts, *pairs(dtype, dtype, 600)), flags=False)
    batch.assert_compiled(len(called))


@pytest.mark.parametrize("dtype", ["i4", "f8"])
def test_reductions(dtype: str) -> None:
    """The same for reductions along an axis."""
    states = {
        name: reduction(name, dtype, "C, axis 0")
        for name in elementwise_ufuncs()
        if getattr(np, name).nin == 2
    }
    called = [name for name, state in states.items() if state == CALLED and name != "power"][:4]
    rest = [name for name, state in states.items() if state not in (CALLED, "")][::2]
    batch = Batch([f"np.{name}.reduce(x, axis=0)" for name in (*called, *rest)], "x")

    batch.check(LAYOUTS["table"](pairs(dtype, dtype, 600)[0]), flags=False)
    batch.assert_compiled(len(called))
