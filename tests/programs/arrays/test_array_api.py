"""Functions written against the array API: NumPy's namespace, however it is found, is NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check

X = np.linspace(0.1, 1.0, 6)
Y = X[::-1] * 2


def of_the_array(x: Any, y: Any) -> Any:
    xp = x.__array_namespace__()
    return xp.sum(xp.exp(x)) + y


def of_a_version(x: Any, y: Any) -> Any:
    xp = x.__array_namespace__(api_version="2023.12")
    return xp.matmul(x[None, :], y[:, None]), xp.astype(x, xp.float32), xp.concat([x, y])


def of_a_number(x: Any, y: Any) -> Any:
    xp = x[0].__array_namespace__()
    return xp.exp(x) * y


def by_name(x: Any, y: Any) -> Any:
    xp = np
    return xp.sum(xp.exp(x)) + y


def by_argument(x: Any, y: Any, xp: Any = np) -> Any:
    return xp.exp(x) + xp.asarray(y, dtype=xp.float64)


def if_it_has_one(x: Any, y: Any) -> Any:
    xp = x.__array_namespace__() if hasattr(x, "__array_namespace__") else np
    return xp.permute_dims(xp.stack([x, y]), (1, 0)), xp.acos(x), xp.linalg.vector_norm(y)


def by_getattr(x: Any, y: Any) -> Any:
    xp = getattr(x, "__array_namespace__", lambda: np)()
    return xp.where(x > 0.5, x, y), xp.vecdot(x, y), xp.pi * x, x[xp.newaxis]


def is_numpy(x: Any) -> bool:
    return isinstance(x, np.ndarray | np.generic)


def namespace_of(*arrays: Any) -> Any:
    found = []
    for one in arrays:
        if isinstance(one, int | float | None):
            continue
        if is_numpy(one):
            found.append(np)
        elif hasattr(one, "__array_namespace__"):
            found.append(one.__array_namespace__())
        else:
            raise TypeError(f"{type(one).__name__} is no array")
    if any(one is not found[0] for one in found):
        raise TypeError("of several libraries")
    return found[0]


def by_isinstance(x: Any, y: Any) -> Any:
    xp = namespace_of(x, 2.0, y)
    return xp.sum(xp.exp(x)) + y


def by_type(x: Any, y: Any) -> Any:
    xp = {np.ndarray: np}[type(x)]
    return xp.exp(x) + y


def with_devices(x: Any, y: Any) -> Any:
    xp = x.__array_namespace__()
    made = xp.zeros(x.shape, dtype=x.dtype, device=x.device)
    return made + x.to_device("cpu") + xp.linspace(0, 1, x.shape[0])


def with_limits(x: Any, y: Any) -> Any:
    xp = x.__array_namespace__()
    if xp.result_type(x, y) == xp.float64 and x.dtype in (xp.float32, xp.float64):
        return x * xp.finfo(x.dtype).eps, xp.isdtype(x.dtype, "real floating")
    return y


class Scaler:
    """A model that holds the namespace in an attribute."""

    def __init__(self, xp: Any) -> None:
        self.xp = xp

    def fit(self, x: Any, y: Any) -> Any:
        return (x - self.xp.mean(x)) / self.xp.std(y)


SCALER = Scaler(np)


def by_attribute(x: Any, y: Any) -> Any:
    return SCALER.fit(x, y)


CAPTURED = [
    of_the_array,
    of_a_version,
    of_a_number,
    by_name,
    by_argument,
    if_it_has_one,
    by_getattr,
]
CAPTURED += [by_getattr, by_isinstance, by_type, with_devices, with_limits, by_attribute]


@pytest.mark.parametrize("program", CAPTURED)
def test_it_is_captured_whole(program: Callable[..., Any]) -> None:
    """One segment, no break."""
    jitted = check(program, X, Y, backends=["numpy"])
    assert_counts(jitted, captures=1, segments=1, breaks=0, hits=2)


def test_in_a_kernel() -> None:
    """The kernel does not look up the namespace: there is one segment, and no break."""
    assert_counts(check(of_the_array, X, Y), captures=1, segments=1, breaks=0, hits=2)


def wrong_version(x: Any, y: Any) -> Any:
    xp = x.__array_namespace__(api_version="1999.12")
    return xp.exp(x) * y


def by_position(x: Any, y: Any) -> Any:
    xp = x.__array_namespace__("2023.12")
    return xp.exp(x) * y


@pytest.mark.parametrize("program", [wrong_version, by_position])
def test_what_numpy_refuses(program: Callable[..., Any]) -> None:
    """The error is NumPy's own."""
    check(program, X, Y, backends=["numpy"])


DTYPES: list[Callable[..., Any]] = [
    lambda x: x * 2 if x.dtype == np.float64 else x,
    lambda x: x * 2 if np.float64 == x.dtype else x,
    lambda x: x * 2 if x.dtype != np.dtype("f8") else x,
    lambda x: x * 2 if x.dtype == "f8" else x,
    lambda x: x * 2 if x.dtype == float else x,
    lambda x: x * 2 if x.dtype == None else x,  # noqa: E711
    lambda x: x * 2 if x.dtype in (np.int32, np.float64) else x,
    lambda x: x * 2 if x.dtype is np.dtype(float) else x,
    lambda x: x * 2 if x.dtype < np.complex128 else x,
    lambda x: x * np.finfo(x.dtype).tiny,
]


@pytest.mark.parametrize("place", range(len(DTYPES)))
def test_dtypes_that_decide(place: int) -> None:
    """A branch on a dtype is decided at capture, without a break."""
    for dtype in ("f8", "f4"):
        jitted = check(DTYPES[place], X.astype(dtype), backends=["numpy"])
        assert_counts(jitted, breaks=0)


class Asked:
    """An object whose `dtype` NumPy reads."""

    @property
    def dtype(self) -> Any:
        print("asked")
        return np.dtype("f8")


def compared_with_an_object(x: Any, other: Any) -> Any:
    y = x * 2
    return y if x.dtype == other else x


def test_objects_are_asked_by_eager() -> None:
    """Eager compares the dtype with the object and so reads its `dtype`, once for each call."""
    check(compared_with_an_object, X, Asked(), backends=["numpy"])
    check(compared_with_an_object, X, "no dtype", backends=["numpy"])
