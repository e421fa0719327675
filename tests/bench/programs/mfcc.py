"""Cepstral coefficients of sounds that are made here: framing, windows, filter banks, cosines."""

import argparse

import numpy as np

HOT = ["framed", "filter_bank", "cosines", "coefficients", "deltas", "tone", "aligned"]
SMALL = ["--clips", "2", "--seconds", "0.25"]

RATE = 16000


def tone(frequency, seconds, rng):
    """A voice-like sound: harmonics that fade, vibrato, breath."""
    t = np.arange(int(seconds * RATE)) / RATE
    phase = 2 * np.pi * frequency * t + 0.6 * np.sin(2 * np.pi * 5.5 * t)
    sound = np.zeros_like(t)
    for k in range(1, 9):
        sound += np.sin(k * phase) / k**1.3
    envelope = np.minimum(1.0, t / 0.05) * np.exp(-1.1 * t)
    return envelope * sound + 0.01 * rng.standard_normal(len(t))


def framed(sound, length, hop):
    """Overlapping frames, one a row."""
    count = 1 + (len(sound) - length) // hop
    frames = np.zeros((count, length))
    for k in range(count):
        frames[k] = sound[k * hop : k * hop + length]
    return frames


def mel(frequency):
    return 2595.0 * np.log10(1.0 + frequency / 700.0)


def unmel(value):
    return 700.0 * (10.0 ** (value / 2595.0) - 1.0)


def filter_bank(filters, size):
    """Triangles that overlap, evenly spaced in mel."""
    edges = unmel(np.linspace(mel(0.0), mel(RATE / 2), filters + 2))
    bins = np.floor((size + 1) * edges / RATE).astype(int)
    bank = np.zeros((filters, size // 2 + 1))
    for i in range(filters):
        low, middle, high = bins[i], bins[i + 1], bins[i + 2]
        for j in range(low, middle):
            bank[i, j] = (j - low) / (middle - low)
        for j in range(middle, high):
            bank[i, j] = (high - j) / (high - middle)
    return bank


def cosines(filters, kept):
    basis = np.empty((filters, kept))
    for j in range(kept):
        basis[:, j] = np.cos(np.pi * j * (np.arange(filters) + 0.5) / filters)
    return basis * np.sqrt(2.0 / filters)


def coefficients(sound, bank, basis, window, size, hop):
    emphasised = np.append(sound[0], sound[1:] - 0.97 * sound[:-1])
    frames = framed(emphasised, len(window), hop) * window
    power = np.abs(np.fft.rfft(frames, size)) ** 2 / size
    energies = np.maximum(power @ bank.T, 1e-10)
    found = np.log(energies) @ basis
    found -= found.mean(axis=0)
    return found


def deltas(features, reach=2):
    scale = 2 * sum(k * k for k in range(1, reach + 1))
    padded = np.pad(features, ((reach, reach), (0, 0)), mode="edge")
    out = np.empty_like(features)
    for t in range(len(features)):
        total = np.zeros(features.shape[1])
        for k in range(1, reach + 1):
            total += k * (padded[t + reach + k] - padded[t + reach - k])
        out[t] = total / scale
    return out


def aligned(a, b):
    """Return the cost of warping one sequence onto another."""
    cost = np.full((len(a) + 1, len(b) + 1), np.inf)
    cost[0, 0] = 0.0
    local = np.sqrt(((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=2))
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            cost[i, j] = local[i - 1, j - 1] + min(
                cost[i - 1, j], cost[i, j - 1], cost[i - 1, j - 1]
            )
    return cost[-1, -1] / (len(a) + len(b))


def main():
    parser = argparse.ArgumentParser(description="features of sounds")
    parser.add_argument("--clips", type=int, default=70)
    parser.add_argument("--seconds", type=float, default=1.6)
    parser.add_argument("--filters", type=int, default=26)
    parser.add_argument("--kept", type=int, default=13)
    parser.add_argument("--save")
    args = parser.parse_args()

    rng = np.random.default_rng(4)
    size, hop = 512, 160
    window = np.hamming(400)
    bank = filter_bank(args.filters, size)
    basis = cosines(args.filters, args.kept)
    features = []
    for k in range(args.clips):
        sound = tone(110.0 * 1.06 ** (k % 12), args.seconds * (1.0 + 0.02 * k), rng)
        base = coefficients(sound, bank, basis, window, size, hop)
        features.append(np.hstack([base, deltas(base)]))
    print(f"{len(features)} clips of {[len(one) for one in features][:6]}... frames")
    means = np.array([one.mean(axis=0) for one in features])
    spreads = np.array([one.std(axis=0) for one in features])
    print("spread of the first clip", spreads[0][:5].round(9))
    costs = [aligned(features[0][::3], features[k][::3]) for k in range(1, min(12, args.clips))]
    print("alignment", np.array(costs).round(9))
    if args.save:
        np.savez(args.save, means=means, spreads=spreads, costs=costs, last=features[-1])


if __name__ == "__main__":
    main()
