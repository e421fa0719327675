"""np.hanning and the like: their lengths are often arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
from oracle import check
from whole import check_whole


def windows(x: Any, n: Any) -> Any:
    made = x[:n] * np.hanning(n), np.hamming(n), np.blackman(n) * 2, np.bartlett(n)
    return *made, np.isreal(x), np.emath.sqrt(x)


def power(x: Any, width: int) -> Any:
    """A spectrogram, frame by frame."""
    window = np.hanning(width)
    frames = range(0, len(x) - width + 1, width // 2)
    made = np.empty((len(frames), width // 2 + 1))
    for k in range(len(frames)):
        start = k * (width // 2)
        made[k] = np.abs(np.fft.rfft(x[start : start + width] * window)) ** 2
    return made


X = np.linspace(0.0, 9.0, 400)


def test_lengths() -> None:
    """Windows of one item and of none, too, and of lengths that are floats."""
    for n in (0, 1, 2, 3, 4, 5, 8, 101, 256, -3):
        check(windows, X, n)
    check(windows, X, np.int64(7))
    check(lambda n: (np.hanning(n), np.bartlett(n), np.blackman(n), np.hamming(n)), 6.5)


def test_a_spectrogram() -> None:
    check_whole(power, (np.sin(X * X), 32))
