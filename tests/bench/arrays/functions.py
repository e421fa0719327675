"""Element by element: exp, log, sin and the like."""

from __future__ import annotations

from math import asin, cos, exp, log, log1p, sin, sqrt, tanh

import numpy as np
from bench.workloads import element_of, vectors, workload


def _options(rng, n):
    return rng.uniform(10, 50, n), rng.uniform(10, 50, n), rng.uniform(0.2, 2, n), 0.1, 0.2


@workload(_options)
def black_scholes(spot, strike, years, rate, spread):
    root = spread * np.sqrt(years)
    d1 = (np.log(spot / strike) + (rate + 0.5 * spread * spread) * years) / root
    d2 = d1 - root
    n1 = 1.0 / (1.0 + np.exp(-1.702 * d1))
    n2 = 1.0 / (1.0 + np.exp(-1.702 * d2))
    return spot * n1 - strike * np.exp(-rate * years) * n2


@element_of(black_scholes)
def _(spot, strike, years, rate, spread):
    root = spread * sqrt(years)
    d1 = (log(spot / strike) + (rate + 0.5 * spread * spread) * years) / root
    d2 = d1 - root
    n1 = 1.0 / (1.0 + exp(-1.702 * d1))
    n2 = 1.0 / (1.0 + exp(-1.702 * d2))
    return spot * n1 - strike * exp(-rate * years) * n2


@workload(
    vectors(1, -3.0, 3.0),
    expression="0.5 * x * (1.0 + tanh(0.7978845608 * (x + 0.044715 * x * x * x)))",
)
def gelu(x):
    return 0.5 * x * (1.0 + np.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))


@element_of(gelu)
def _(x):
    return 0.5 * x * (1.0 + tanh(0.7978845608 * (x + 0.044715 * x * x * x)))


@workload(vectors(1, -5.0, 5.0), expression="x / (1.0 + exp(-x))")
def silu(x):
    return x / (1.0 + np.exp(-x))


@element_of(silu)
def _(x):
    return x / (1.0 + exp(-x))


@workload(
    vectors(2, 0.01, 0.99),
    expression="-(y * log(1.0 / (1.0 + exp(-x))) + (1.0 - y) * log(1.0 - 1.0 / (1.0 + exp(-x))))",
)
def cross_entropy(x, y):
    p = 1.0 / (1.0 + np.exp(-x))
    return -(y * np.log(p) + (1.0 - y) * np.log(1.0 - p))


@element_of(cross_entropy)
def _(x, y):
    p = 1.0 / (1.0 + exp(-x))
    return -(y * log(p) + (1.0 - y) * log(1.0 - p))


@workload(
    vectors(4, -1.5, 1.5),
    expression="12742.0 * arcsin(sqrt(sin((lat2 - lat1) * 0.5) ** 2 "
    "+ cos(lat1) * cos(lat2) * sin((lon2 - lon1) * 0.5) ** 2))",
)
def haversine(lat1, lon1, lat2, lon2):
    a = np.sin((lat2 - lat1) * 0.5) ** 2
    b = np.cos(lat1) * np.cos(lat2) * np.sin((lon2 - lon1) * 0.5) ** 2
    return 12742.0 * np.arcsin(np.sqrt(a + b))


@element_of(haversine)
def _(lat1, lon1, lat2, lon2):
    a = sin((lat2 - lat1) * 0.5) ** 2
    b = cos(lat1) * cos(lat2) * sin((lon2 - lon1) * 0.5) ** 2
    return 12742.0 * asin(sqrt(a + b))


@workload(vectors(2, -3.0, 3.0), expression="where(x > y, x, y) + log1p(exp(-abs(x - y)))")
def log_add_exp(x, y):
    return np.maximum(x, y) + np.log1p(np.exp(-np.abs(x - y)))


@element_of(log_add_exp)
def _(x, y):
    return max(x, y) + log1p(exp(-abs(x - y)))


@workload(vectors(2, 0.1, 2.0), expression="(x ** 2.4 + y ** 1.7) ** 0.5")
def gamma_correction(x, y):
    return (x**2.4 + y**1.7) ** 0.5


@element_of(gamma_correction)
def _(x, y):
    return (x**2.4 + y**1.7) ** 0.5


@workload(lambda rng, n: (np.linspace(0.0, 10.0, n), 3.0, 0.2))
def damped_wave(t, frequency, damping):
    return np.exp(-damping * t) * np.cos(frequency * t) + 0.1 * np.sin(2.0 * frequency * t)


@element_of(damped_wave)
def _(t, frequency, damping):
    return exp(-damping * t) * cos(frequency * t) + 0.1 * sin(2.0 * frequency * t)
