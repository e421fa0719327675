"""Random numbers: what is drawn, how often, and where the generators stand afterwards."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import Decorator, check, check_script
from samples import captured

X = np.array([1.0, 2.0, 3.0, 4.0])


Program = Callable[..., Any]


# ---- the legacy functions, which share one state -------------------------------------------------


def distributions(x: Any) -> Any:
    y = x * 2
    a = np.random.rand(4) + y
    b = np.random.randn(2, 2)
    c = np.random.normal(x, 2.0) * y
    d = np.random.uniform(-1.0, 1.0, size=(3,)) + a[:3]
    e = np.random.randint(0, 10, size=4) * x
    f = np.random.exponential(2.0), np.random.poisson(3.0, 5), np.random.binomial(10, 0.3)
    g = np.random.gamma(2.0, size=2), np.random.beta(1.0, 2.0), np.random.standard_normal(3)
    return y, a, b, c, d, e, f, g, np.random.random_sample()


def orders(x: Any) -> Any:
    y = x.copy()
    np.random.shuffle(y)
    z = np.random.permutation(x) - y
    w = np.random.choice(x, 3), np.random.choice(4, 2, replace=False), np.random.bytes(3)
    return y, z * 2, w


def seeds(x: Any) -> Any:
    first = np.random.rand(2)
    np.random.seed(7)
    second = np.random.rand(2) + x[0]
    state = np.random.get_state()
    third = np.random.rand(2) * x[1]
    np.random.set_state(state)
    return first, second, third, np.random.rand(2)


def odd_normals(x: Any) -> Any:
    """The legacy normal draws two and keeps one: it is part of the state."""
    y = x + np.random.randn()
    if y[0] > -100:
        y = y * np.random.randn()
    return y + np.random.randn(3)[0]


def in_a_loop(x: Any) -> Any:
    total = 0.0
    for k in range(10):
        total += np.random.random() * x[k % 4]
        if total > 8.0:
            break
    return total, x * total


def in_a_while(x: Any) -> Any:
    inside = n = 0
    while n < 20:
        point = np.random.rand(2)
        if (point * point).sum() < 1.0:
            inside += 1
        n += 1
    return 4 * inside / n, x + inside


def in_branches(x: Any) -> Any:
    y = x + 1
    if y.sum() > 100:
        y = y + np.random.rand(4)
    else:
        y = y * 2
        y -= np.random.rand(4)
    z = np.where(y > 0, np.random.rand(4), 0.0)
    return y, z if y[0] > 5 else z + np.random.rand()


def in_functions(x: Any) -> Any:
    def step(v: Any, scale: float) -> Any:
        return v + np.random.normal(0.0, scale, v.shape)

    y = x
    for scale in (0.1, 0.2, 0.3):
        y = step(y, scale) * 2
    return y, [step(v, 1.0) for v in (x, y)]


def python_too(x: Any) -> Any:
    y = x * random.random() + np.random.rand()
    return y, random.gauss(0.0, 1.0), random.sample(range(9), 3), np.random.rand()


LEGACY = (
    distributions,
    orders,
    seeds,
    odd_normals,
    in_a_loop,
    in_a_while,
    in_branches,
    in_functions,
    python_too,
)


@pytest.mark.parametrize("program", LEGACY)
def test_the_global_state(program: Program) -> None:
    """Numbers and state after each of some calls are eager's."""
    backends = ["numba", "numpy"] if program in (in_a_loop, in_branches) else ["numpy"]
    check(program, X, calls=4, backends=backends)


# ---- generators ----------------------------------------------------------------------------------


def draws(rng: Any, x: Any) -> Any:
    y = x + rng.random(4)
    a = rng.normal(x, 1.0) * y
    b = rng.integers(0, 9, 4) + x
    c = rng.standard_normal((2, 2), dtype="f4"), rng.uniform(0.0, 2.0), rng.exponential(size=2)
    d = rng.permutation(x), rng.choice(x, 2), rng.permuted(y), rng.multivariate_normal(x[:1], [[1]])
    rng.shuffle(y)
    return y, a, b, c, d, rng.bit_generator.state["state"]


def into_an_array(rng: Any, x: Any) -> Any:
    out = np.empty(4)
    made = rng.random(out=out)
    y = out * x
    rng.standard_normal(out=x)
    return made is out, y, out + rng.standard_exponential(4, out=x), x


def of_sizes(rng: Any, x: Any) -> Any:
    n = x.shape[0]
    y = [rng.random(size=k) * 2 for k in range(n)]
    return y, rng.random(()) + x, rng.random(size=(n, 0)), rng.integers(5, size=None)


def in_turns(rng: Any, x: Any) -> Any:
    other = np.random.default_rng(3)
    y = np.zeros(4)
    for k in range(6):
        source = rng if k % 2 else other
        y = y + source.normal(size=4) * x
        x[k % 4] = y[0]
    return y, other.random()


def spawned(rng: Any, x: Any) -> Any:
    total = x
    for child in rng.spawn(3):
        total = total + child.random(4)
    old = np.random.RandomState(5)
    return total * rng.random(), old.rand(2), old.standard_normal()


def by_methods(rng: Any, x: Any) -> Any:
    draw, scale = rng.random, 2.0
    y = draw(4) * scale + x
    walk = np.cumsum(rng.choice([-1.0, 1.0], size=8))
    return y, walk * x[0], [draw() for _ in range(3)]


@pytest.mark.parametrize("program", [draws, into_an_array, of_sizes, in_turns, spawned, by_methods])
def test_generators(program: Program) -> None:
    """Streams and states of every generator, that of the caller's and those made inside."""

    def script(jit: Decorator) -> Any:
        f, results = jit(program), []
        for bits in (np.random.PCG64, np.random.MT19937, np.random.Philox):
            rng = np.random.Generator(bits(11))
            results += [(f(rng, X.copy()), rng.random()) for _ in range(3)]
        return results

    check_script(script, backends=["numpy"])


def test_a_generator_goes_on() -> None:
    """One generator through many calls, among kernels, shared with plain code."""

    def script(jit: Decorator) -> Any:
        rng = np.random.default_rng(5)
        f, g = jit(draws), jit(in_turns)
        made = [(f(rng, X.copy()), rng.random(), g(rng, X.copy())) for _ in range(3)]
        return made, rng.bit_generator.state

    check_script(script)


def walks(rng: Any, n: int) -> Any:
    place, highest = 0.0, 0.0
    for _ in range(n):
        place += rng.normal(0.0, 2.0)
        if place > highest:
            highest = place
    return place, highest


def within_the_circle(n: int) -> float:
    inside = 0
    for _ in range(n):
        x, y = np.random.random(), np.random.random()
        if x * x + y * y <= 1:
            inside += 1
    return 4 * inside / n


def priced(rng: Any, n: int) -> Any:
    ends = 100 * np.exp(0.02 + 0.2 * rng.normal(size=n))
    return np.maximum(ends - 100, 0).mean()


def cooled(x: Any, n: int, rng: Any) -> Any:
    best = (x * x).sum()
    for _ in range(n):
        y = x + rng.normal(0, 0.1, x.shape)
        cost = (y * y).sum()
        if cost < best or rng.random() < np.exp((best - cost) * 10):
            x, best = y, cost
    return x, best


def test_draws_are_no_breaks() -> None:
    """One kernel from the first call on, in loops and out of them."""
    captured(walks, np.random.default_rng(1), 20)
    captured(within_the_circle, 20)
    captured(priced, np.random.default_rng(2), 7)
    captured(cooled, X, 5, np.random.default_rng(3))


def test_sizes_that_change() -> None:
    """A draw may return another length, and other axes, than at capture."""

    def pairs(rng: Any, n: int) -> Any:
        return rng.normal(size=(n, 2)) * 2, rng.random(n) + 1, rng.integers(n + 1, size=(2, n))

    def script(jit: Decorator) -> Any:
        f, g = jit(priced), jit(pairs)
        made = []
        for rng in (np.random.default_rng(5), np.random.RandomState(5)):
            if isinstance(rng, np.random.Generator):
                made += [g(rng, n) for n in (3, 1, 2, 0, 5)]
            made += [(f(rng, n), rng.normal()) for n in (5, 1, 2, 9, 3)]
        return made

    check_script(script)


class Bits(np.random.PCG64):
    """A bit generator of somebody else's."""

    state = property(lambda self: {"bit_generator": "Bits"})  # type: ignore[assignment]


def test_bits_of_somebody_elses() -> None:
    """Their state cannot be put back: they are drawn by eager."""

    def script(jit: Decorator) -> Any:
        rng = np.random.Generator(Bits(3))
        f = jit(walks)
        return [f(rng, 5) for _ in range(3)], rng.random()

    check_script(script)


# ---- where a draw is hidden ----------------------------------------------------------------------


class Sampler:
    """An object of the program's with a generator of its own."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.drawn = 0

    def step(self, x: Any) -> Any:
        self.drawn += 1
        return x + self.rng.normal(size=x.shape) * 0.1

    @property
    def noise(self) -> float:
        self.drawn += 1
        return float(self.rng.random())


def by_an_object(sampler: Any, x: Any) -> Any:
    y = sampler.step(x * 2)
    return sampler.step(y) * sampler.noise, sampler.drawn


def by_a_default(x: Any, rng: Any = np.random.default_rng(1)) -> Any:  # noqa: B008
    return x * 2 + rng.random(4)


def in_a_generator(x: Any) -> Any:
    def steps() -> Any:
        y = x
        while True:
            y = y * 0.5 + np.random.rand(4)
            yield y

    walk = steps()
    return [next(walk) for _ in range(3)], np.random.rand()


def in_comprehensions(x: Any) -> Any:
    y = [x * np.random.rand() for _ in range(3)]
    z = {k: np.random.rand() for k in range(2)}
    return y, z, sum(np.random.rand() for _ in range(3)) + x


def test_hidden_draws() -> None:
    """In methods, properties, defaults, generators and comprehensions."""

    def script(jit: Decorator) -> Any:
        sampler, f = Sampler(4), jit(by_an_object)
        g, h, k = jit(by_a_default), jit(in_a_generator), jit(in_comprehensions)
        by_a_default.__defaults__ = (np.random.default_rng(1),)
        made = [(f(sampler, X), g(X), h(X), k(X)) for _ in range(3)]
        return made, sampler.rng.bit_generator.state

    check_script(script, backends=["numpy"])
