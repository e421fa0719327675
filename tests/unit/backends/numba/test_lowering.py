"""The lowering of a kernel's text comes to what Numba makes of the same text."""

from __future__ import annotations

import ctypes
from typing import Any

import numba
import numpy as np
import pytest

from framejit.backends.numba.library.intrinsics import WORD_POINTER, namespace
from framejit.backends.numba.machine_code.codes import compile_text
from framejit.backends.numba.machine_code.lowering import lowered
from framejit.backends.numba.machine_code.operations import NotInKernels

ITEMS = 24
KERNELS = {
    "ints of all sizes": """
    a, b, c, d = A, B, C, D
    w[0] = uint8(a) + 7
    w[1] = int8(a) * int32(b) - uint8(c)
    w[2] = int64(uint64(a) // uint64(5)) + int64(uint64(b) % uint64(7))
    w[3] = (a >> 3) ^ (b << 2) | c & ~d
    w[4] = -a // 7 + b % -5 + abs(c)
    w[5] = int64(uint8(a) > int8(b)) + int64(uint64(a) < uint64(b))
    w[6] = min(a, b) + max(c, d) + int64(not a) + int64(+b)
    w[7] = wrapped_mul(a, wrapped_add(b, 1)) + int64(add_overflows(a, b))
""",
    "floats": """
    a, b, c, d = A, B, C, D
    x = float64_at(w[20])
    y = float32_at(w[21])
    x[0] = x[1] / x[2] - 0.5 * x[3] + a
    x[4] += fabs(x[5]) * sqrt(fabs(x[6]))
    y[0] = y[1] * y[2] + float32(x[3])
    x[7] = y[3] * x[2] + float64(b)
    x[1] = min(x[2], x[3]) + max(1, x[5]) - (x[6] if x[0] > x[1] else c)
    w[0] = int64(x[3] * 10) + int64(x[3] != x[3]) + int64(x[2] <= y[2])
    w[1] = bits_of(x[3]) + bits_of(y[4])
    x[8] = pinned(x[1]) * inf + floor(x[2]) - d
""",
    "branches": """
    a, b, c, d = A, B, C, D
    if a > b and not c > d or a == 3:
        e = 1
    elif 0 < b < 50 and c:
        e = a if b > c else d
    else:
        e = 2.5
    wrong = a > b or c > d
    w[0] = int64(e * 2) + int64(wrong) + int64(unlikely(wrong and a < d))
    if wrong:
        if c > d:
            return a + 1
        return b
    w[1] = 5
    if unpredictable(a & 1 != 0):
        w[2] = 7
    w[3] = int64(d != 0 and a // d > 1) + 2 * int64(0 < b < w[4] < 50) + 4 * int64(a < b + 1 < c)
    if d != 0 and c - 1 < b and a % d == 1 or not (-9 <= d <= b + 3):
        w[4] = 8
""",
    "loops": """
    a, b, c, d = A, B, C, D
    total = 0
    for i in range(b):
        if i == 7:
            continue
        for j in range(3, 17, 4):
            total = total + i * j
            if total > 900:
                break
        else:
            total += 2
    for k in range(20, c % 5, -3):
        total = total + k
    for m in range(a, a + 3):
        total = wrapped_add(total * 2, m)
    left = d
    while left > 3 and total:
        left = left - 2
        if left == 4:
            break
    else:
        left = 99
    while True:
        left = left + 1
        if left > 120:
            break
    w[0] = total + left + trip_count(a, b, 3)
""",
    "unified": """
    a, b, c, d = A, B, C, D
    x = float64_at(w[20])
    number = last = 0
    flag = False
    for i in range(5):
        number = number + x[i]
        flag = flag or x[i] > 2
    x[0] = number
    last = w[2] = w[3] = i
    w[0] = int64(flag) + last
    if a > 5:
        late = b
    if a > 5:
        w[1] = late
""",
    "ways out": """
    a, b, c, d = A, B, C, D
    for i in range(a):
        if i == 7:
            return bail(w, 19, -1)
        if unlikely(i > b and c > 0):
            return left(w, i, b, 4)
    if c < 0:
        return bail(w, 23, 2)
    if c == 0:
        return c + 9
    return left(w, a, d, 1)
""",
    "steps of nothing": """
    a, b, c, d = A, B, C, D
    total = 0
    for i in range(a, b, w[9]):
        total = total + i
    return total
""",
}
NUMBERS = [(1, 2, 3, 4), (17, 40, -3, 9), (-5, 100, 12, 2), (3, 0, 0, 0), (250, -128, 300, 5)]


def text_of(body: str) -> str:
    """A kernel; the four numbers are its words 10 to 13."""
    first = "".join(f"    {name} = w[{10 + k}]\n" for k, name in enumerate("abcd"))
    return (
        "def kernel(w):\n" + body.replace("    a, b, c, d = A, B, C, D\n", first) + "    return 0\n"
    )


def run(address: int, numbers: tuple[int, ...]) -> tuple[int, list[bytes]]:
    """Run a kernel; return its result and what it left in its words and two arrays."""
    words = np.zeros(ITEMS, np.int64)
    x = np.array([0.25, -7.5, 3.25, 1e9, np.nan, 2.0, -0.0, np.inf, 5.0, 6.0])
    y = x.astype(np.float32)
    words[10:14] = numbers
    words[20:22] = x.ctypes.data, y.ctypes.data
    left = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(address)(words.ctypes.data)
    return left, [words[:20].tobytes(), x.tobytes(), y.tobytes()]


@pytest.mark.parametrize("name", KERNELS)
def test_it_does_what_numbas_does(name: str) -> None:
    """Types, casts, wrapping and short circuits are Numba's."""
    text = text_of(KERNELS[name])
    scope: dict[str, Any] = dict(namespace())
    exec(text, scope)
    signature = numba.types.int64(WORD_POINTER)
    numbas = numba.cfunc(signature, error_model="numpy")(scope["kernel"])
    code = compile_text(text, cached=False)
    for numbers in NUMBERS:
        if name == "steps of nothing":  # which is an error in Numba's, and leaves the kernel here
            assert run(code.address, numbers)[0] < 0
            continue
        assert run(code.address, numbers) == run(numbas.address, numbers)


@pytest.mark.parametrize(
    "line",
    ["x = [w[0]]", "x = nothing", "for x in w: pass", "x, y = 1, 2", "x = w[0] ** 2", "x = 'a'"],
)
def test_what_is_no_kernel_is_an_error(line: str) -> None:
    with pytest.raises(NotInKernels):
        lowered(text_of(f"    {line}\n"))
