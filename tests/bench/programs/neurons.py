"""A sheet of neurons with five kinds of channels: each step is one long piece of straight code."""

import argparse

import numpy as np

HOT = ["rates", "step", "main"]
SMALL = ["--cells", "20", "--steps", "10"]

C, E_NA, E_K, E_CA, E_LEAK, E_H = 1.0, 50.0, -80.0, 120.0, -68.0, -40.0
G_NA, G_K, G_CA, G_KCA, G_A, G_H, G_LEAK = 90.0, 28.0, 1.2, 4.0, 18.0, 0.25, 0.12


def rates(v, m, h, n, s, r, a, b, q, ca, drive):
    """Return the rate of change of everything: sodium, potassium, calcium, A and h currents."""
    # sodium: opening
    x = v + 37.0
    alpha_m = 0.32 * (x + 0.01) / (1.0 - np.exp(-(x + 0.01) / 4.2))
    y = v + 12.0
    beta_m = 0.27 * (y + 0.01) / (np.exp((y + 0.01) / 5.1) - 1.0)
    dm = alpha_m * (1.0 - m) - beta_m * m
    # sodium: closing
    alpha_h = 0.13 * np.exp(-(v + 48.0) / 18.5)
    beta_h = 4.1 / (1.0 + np.exp(-(v + 26.0) / 5.3))
    dh = alpha_h * (1.0 - h) - beta_h * h
    # potassium, delayed
    z = v + 35.0
    alpha_n = 0.034 * (z + 0.01) / (1.0 - np.exp(-(z + 0.01) / 5.2))
    beta_n = 0.48 * np.exp(-(v + 40.0) / 41.0)
    dn = alpha_n * (1.0 - n) - beta_n * n
    # calcium: opening and slow closing
    s_end = 1.0 / (1.0 + np.exp(-(v + 22.0) / 7.5))
    s_time = 0.6 + 5.0 / (1.0 + np.exp((v + 30.0) / 9.0))
    ds = (s_end - s) / s_time
    r_end = 1.0 / (1.0 + np.exp((v + 65.0) / 6.2))
    r_time = 30.0 + 90.0 / (1.0 + np.exp((v + 60.0) / 5.5))
    dr = (r_end - r) / r_time
    # A current
    a_end = 1.0 / (1.0 + np.exp(-(v + 55.0) / 12.0))
    a_time = 0.4 + 1.1 / (np.exp((v + 36.0) / 20.0) + np.exp(-(v + 80.0) / 13.0))
    da = (a_end - a) / a_time
    b_end = 1.0 / (1.0 + np.exp((v + 72.0) / 6.0))
    b_time = 14.0 + 9.0 / (1.0 + np.exp((v + 50.0) / 8.0))
    db = (b_end - b) / b_time
    # h current
    q_end = 1.0 / (1.0 + np.exp((v + 78.0) / 7.0))
    q_time = 1.0 / (np.exp(-14.6 - 0.086 * v) + np.exp(-1.87 + 0.07 * v))
    dq = (q_end - q) / q_time
    # currents
    i_na = G_NA * m * m * m * h * (v - E_NA)
    i_k = G_K * n * n * n * n * (v - E_K)
    i_ca = G_CA * s * s * r * (v - E_CA)
    i_kca = G_KCA * (ca / (ca + 1.4)) * (v - E_K)
    i_a = G_A * a * a * a * b * (v - E_K)
    i_h = G_H * q * (v - E_H)
    i_leak = G_LEAK * (v - E_LEAK)
    dv = (drive - i_na - i_k - i_ca - i_kca - i_a - i_h - i_leak) / C
    dca = -0.018 * i_ca - 0.05 * ca
    return dv, dm, dh, dn, ds, dr, da, db, dq, dca


def coupled(v, strength):
    """Neighbours in a ring pull at each other."""
    return strength * (np.roll(v, 1) + np.roll(v, -1) - 2.0 * v)


def step(v, m, h, n, s, r, a, b, q, ca, drive, strength, dt):
    """Heun's method, written out."""
    now = drive + coupled(v, strength)
    v1, m1, h1, n1, s1, r1, a1, b1, q1, c1 = rates(v, m, h, n, s, r, a, b, q, ca, now)
    vp = v + dt * v1
    mp = m + dt * m1
    hp = h + dt * h1
    np_ = n + dt * n1
    sp = s + dt * s1
    rp = r + dt * r1
    ap = a + dt * a1
    bp = b + dt * b1
    qp = q + dt * q1
    cp = ca + dt * c1
    then = drive + coupled(vp, strength)
    v2, m2, h2, n2, s2, r2, a2, b2, q2, c2 = rates(vp, mp, hp, np_, sp, rp, ap, bp, qp, cp, then)
    half = 0.5 * dt
    return (
        v + half * (v1 + v2),
        m + half * (m1 + m2),
        h + half * (h1 + h2),
        n + half * (n1 + n2),
        s + half * (s1 + s2),
        r + half * (r1 + r2),
        a + half * (a1 + a2),
        b + half * (b1 + b2),
        q + half * (q1 + q2),
        ca + half * (c1 + c2),
    )


def main():
    parser = argparse.ArgumentParser(description="a ring of neurons")
    parser.add_argument("--cells", type=int, default=900)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--dt", type=float, default=0.02)
    parser.add_argument("--coupling", type=float, default=0.15)
    parser.add_argument("--save")
    args = parser.parse_args()

    rng = np.random.default_rng(41)
    v = rng.uniform(-72.0, -62.0, args.cells)
    m, h, n = 0.05 * np.ones_like(v), 0.6 * np.ones_like(v), 0.3 * np.ones_like(v)
    s, r, a, b, q = (0.1 * np.ones_like(v) for _ in range(5))
    ca = 0.1 * np.ones_like(v)
    drive = rng.uniform(2.0, 30.0, args.cells)
    spikes = np.zeros(args.cells, dtype=int)
    means = []
    for k in range(args.steps):
        before = v
        v, m, h, n, s, r, a, b, q, ca = step(
            v, m, h, n, s, r, a, b, q, ca, drive, args.coupling, args.dt
        )
        spikes += (before < 0.0) & (v >= 0.0)
        if k % 25 == 0:
            means.append(v.mean())
        if (k + 1) % 600 == 0:
            print(
                f"{(k + 1) * args.dt:6.1f} ms: mean {v.mean():.9f} mV, spikes {spikes.sum()}, "
                f"calcium {ca.max():.9f}"
            )
    print(f"most active {spikes.max()}, silent {np.count_nonzero(spikes == 0)}")
    if args.save:
        np.savez(args.save, v=v, ca=ca, spikes=spikes, means=means)


if __name__ == "__main__":
    main()
