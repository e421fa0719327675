"""Whether NumPy's sines and cosines of doubles are known so well that sines.py may make them.

NumPy calls the C library's, or has vectorised ones, as its version and the processor will have it.
glibc's are documented: since 2.28 they are wrong by less than 0.55 units in the last place. NumPy
is asked for its own on points where others would hardly give the same bits.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ..machine_code.objects import machine

OLDEST = (2, 28)
"""glibc."""
NAMES: dict[np.ufunc, str] = {np.sin: "sines", np.cos: "cosines"}
"""What a kernel calls."""

_NEAR: dict[np.ufunc, tuple[float, ...]] = {
    np.sin: (
        *(0.6355740311580199, 5.348293671642084, 8.059402057977191, 9.663887080284542),
        *(-0.00018404775914024893, -0.05976033724390106, 0.06522082037838972, 1.7022245583953897),
        *(-1064508.7711142637, -5589264.760171158, 9.330867712384936, -0.4103372859382606),
        *(-3637984.1667581145, -32387.31750614396, 3.118991335034023, -0.2053326310477911),
    ),
    np.cos: (
        *(8.954645067327338, -0.3947623721494783, 0.48983060853885807, -0.39899292463480585),
        *(-9.10512182483226, -0.08134063922296253, 0.05552402538850673, -0.5989211918237143),
        *(-1.5174310534326959e-05, 690482.4793829154, 0.3781292406319211, -5.15160321646303),
        *(-4.622126661432507, 175.9790424363788, 14114.53688270288, 0.20384436923533455),
    ),
}
"""Points whose results are within 0.0001 of half a unit: other errors give other bits."""
_BOUND: dict[np.ufunc, tuple[tuple[float, float], ...]] = {
    np.sin: (
        *((-5.1116383277786, 0.9213530523695398), (5343826.6848071795, 0.4148705106520199)),
        *((4.441480519707419, -0.9635281836771775), (-0.503488500269773, -0.4824840621849203)),
        *((-9.30781363695867, -0.11669781478814431), (6.515544732485665, 0.23027417997343097)),
        *((1.171811204309181, 0.9214557315188125), (7.020020128684287, 0.6719471531044049)),
        *((-2.052154337103918, -0.8863670041968122), (2817480.6713721324, -0.15075515041882565)),
    ),
    np.cos: (
        *((-30798.038434259593, -0.5355384513406761), (0.7565269867324389, 0.7272242678333944)),
        *((-7625.597111136885, -0.580266154466865), (101230.1205968298, -0.15073975203634007)),
        *((0.14038663721763645, 0.9901619696395242), (-6.148710474502765, 0.9909718769890107)),
        *((8.334742854669287, -0.46245424057711115), (-0.14566168811401847, 0.989410080337815)),
        *((3.0324394943308004, -0.9940487062807735), (6.124294663486701, 0.9874034165205839)),
    ),
}
"""Points whose results are 0.0625 to 0.0629 from half a unit, and what they are rounded to."""


@cache
def is_known(ufunc: np.ufunc, number: int) -> bool:
    """Whether the loop of a ufunc computes doubles that sines.py may compute."""
    if ufunc not in NAMES or ufunc.types[number] != "d->d" or not fuses():
        return False
    return _is_recent(_version_of_library()) and agrees(ufunc, _library_function(ufunc))


def fuses() -> bool:
    """Whether kernels have an instruction for a product and a sum; the settings are Numba's."""
    features = os.environ.get("NUMBA_CPU_FEATURES")
    if features is None:
        if os.environ.get("NUMBA_CPU_NAME") not in (None, "host"):
            return False
        features = machine()["features"]
    return "+fma" in features.split(",")


def _version_of_library() -> str:
    """Such as "glibc 2.36"; nothing for another library."""
    try:
        return os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (AttributeError, OSError, ValueError):
        return ""


def _is_recent(version: str) -> bool:
    name, _, number = version.partition(" ")
    try:
        return name == "glibc" and tuple(map(int, number.split(".")[:2])) >= OLDEST
    except ValueError:
        return False


def _library_function(ufunc: np.ufunc) -> Callable[[float], float] | None:
    try:
        function = getattr(ctypes.CDLL("libm.so.6"), ufunc.__name__)
    except (AttributeError, OSError):
        return None
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double]
    made: Callable[[float], float] = function
    return made


def agrees(ufunc: np.ufunc, function: Callable[[float], float] | None) -> bool:
    """Whether a ufunc gives the bits of a function of the C library, however items lie."""
    if function is None:
        return False
    points = _points(ufunc)
    expected = np.array([function(x) for x in points.tolist()])
    twice = np.repeat(points, 2)
    with np.errstate(all="ignore"):
        found = (ufunc(points), ufunc(twice[::2]), ufunc(points[::-1])[::-1])
        bound = [float(ufunc(x)) == result for x, result in _BOUND[ufunc]]
    return all(bound) and all(_same_bits(expected, each) for each in found)


def _points(ufunc: np.ufunc) -> np.ndarray[Any, Any]:
    """Of all sizes and near multiples of pi/2 (by multiples of the golden ratio), and the above."""
    n = np.arange(300)
    part = n * 0.6180339887498949 % 1.0 * 2 - 1
    sizes = 2.0 ** (n % 60 - 30)
    special = [0.0, -0.0, 5e-324, -1e-310, 1e-8, 1e22, -1.7e308]
    near = (n + 1) * (np.pi / 2)
    return np.concatenate([part * 8, part * sizes, near, near * 4099, _NEAR[ufunc], special])


def _same_bits(left: np.ndarray[Any, Any], right: np.ndarray[Any, Any]) -> bool:
    return np.ascontiguousarray(left).tobytes() == np.ascontiguousarray(right).tobytes()
