"""A row of biquad filters, sample by sample, with the loop over samples in the module itself."""

import argparse
import math

import numpy as np

HOT = ["peak", "shelf", "loudness"]
SMALL = ["--seconds", "0.01"]

parser = argparse.ArgumentParser(description="an equaliser and a compressor")
parser.add_argument("--seconds", type=float, default=8.0)
parser.add_argument("--rate", type=int, default=44100)
parser.add_argument("--threshold", type=float, default=0.35)
parser.add_argument("--save")
args = parser.parse_args()


def peak(frequency, gain, quality):
    """Coefficients of a filter that lifts or lowers a band."""
    a = 10.0 ** (gain / 40.0)
    w = 2.0 * math.pi * frequency / args.rate
    alpha = math.sin(w) / (2.0 * quality)
    b = np.array([1.0 + alpha * a, -2.0 * math.cos(w), 1.0 - alpha * a])
    return b / (1.0 + alpha / a), np.array([-2.0 * math.cos(w), 1.0 - alpha / a]) / (
        1.0 + alpha / a
    )


def shelf(frequency, gain):
    """Coefficients of a filter that lifts or lowers all below."""
    a = 10.0 ** (gain / 40.0)
    w = 2.0 * math.pi * frequency / args.rate
    c = math.cos(w)
    root = 2.0 * math.sqrt(a) * math.sin(w) / 2.0 * math.sqrt(2.0)
    scale = (a + 1) + (a - 1) * c + root
    b = [
        a * ((a + 1) - (a - 1) * c + root),
        2 * a * ((a - 1) - (a + 1) * c),
        a * ((a + 1) - (a - 1) * c - root),
    ]
    return np.array(b) / scale, np.array(
        [-2 * ((a - 1) + (a + 1) * c), (a + 1) + (a - 1) * c - root]
    ) / scale


def loudness(x, width=1024):
    """Root mean square of each stretch, in decibels."""
    blocks = x[: len(x) // width * width].reshape(-1, width)
    return 20.0 * np.log10(np.sqrt((blocks**2).mean(axis=1)) + 1e-9)


count = int(args.seconds * args.rate)
t = np.arange(count) / args.rate
rng = np.random.default_rng(77)
sound = 0.4 * np.sin(2 * np.pi * 110 * t) + 0.25 * np.sin(2 * np.pi * (400 + 900 * t) * t)
sound += 0.1 * rng.standard_normal(count) * (np.sin(2 * np.pi * 3 * t) > 0)

(b0, b1, b2), (a1, a2) = (part.tolist() for part in shelf(160.0, 5.0))
(c0, c1, c2), (d1, d2) = (part.tolist() for part in peak(1200.0, -7.0, 1.1))
x1 = x2 = y1 = y2 = z1 = z2 = 0.0
level = 0.0
clipped = 0
out = np.zeros(count)
gains = np.zeros(count)
for i in range(count):
    x = sound[i]
    y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2
    z = c0 * y + c1 * y1 + c2 * y2 - d1 * z1 - d2 * z2
    x2, x1 = x1, x
    y2, y1 = y1, y
    z2, z1 = z1, z
    size = abs(z)
    if size > level:
        level += 0.02 * (size - level)
    else:
        level += 0.0005 * (size - level)
    gain = 1.0
    if level > args.threshold:
        gain = (args.threshold + (level - args.threshold) / 4.0) / level
    value = z * gain
    if value > 0.98:
        value = 0.98
        clipped += 1
    elif value < -0.98:
        value = -0.98
        clipped += 1
    out[i] = value
    gains[i] = gain

before, after = loudness(sound), loudness(out)
print(f"{count} samples, {clipped} clipped, smallest gain {gains.min():.12f}")
if len(before):
    print(f"loudness {before.mean():.9f} to {after.mean():.9f} dB, range {np.ptp(after):.9f}")
spectrum = np.abs(np.fft.rfft(out))
strongest = np.argsort(spectrum)[-3:][::-1]
print("strongest", (strongest * args.rate / max(count, 1)).round(6), spectrum[strongest].round(6))
if args.save:
    np.savez(args.save, out=out, gains=gains)
