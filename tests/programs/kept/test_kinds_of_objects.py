"""Whatever an entry holds: a later process finds it again, or sees that it is another one now."""

from __future__ import annotations

from pathlib import Path

import pytest
from kept_programs import START, run, run_twice

pytestmark = pytest.mark.counts("what was captured, kept and taken")

TEXTS = """
@jit
def f(x):
    total = (x * FACTOR).sum()
    return f"{total:.6f} of {len(x)}" + f"{total}", [x, [x * 2]]
FACTOR = 2.0
for _ in range(3):
    print(f(X)[0], f(X)[1][1][0].tobytes().hex())
"""
LISTS_OF_LISTS = """
@jit
def f(rows):
    out = []
    for row in rows:
        out.append([row * 2])
        if row[3] > 5:
            break
    return out
for _ in range(3):
    print([[one.tobytes().hex() for one in row] for row in f([X, X + 1, X + 2])])
"""
GENERATORS = """
@jit
def f(seed, x):
    rng = np.random.default_rng(seed)
    return rng.standard_normal(50) * x + g(rng) + rng.uniform(0, 1, 50)
def g(rng):
    return rng.normal(size=50)
FACTOR = 1
for seed in (1, 2, 1):
    print(f(seed, X).tobytes().hex())
"""
SHARED_GENERATOR = """
@jit
def f(x):
    return np.random.normal(size=50) * x + np.random.rand(50)
FACTOR = 1
np.random.seed(3)
for _ in range(3):
    print(f(X).tobytes().hex())
"""
METHODS_OF_UFUNCS = """
@jit
def f(x, places):
    out = np.zeros(4)
    np.add.at(out, places, x)
    return out * found(np.logical_or.reduce(np.stack((x > 0.5, x < 0.1)), axis=0))
found = lambda mask: mask[::13]
for _ in range(3):
    print(f(X, np.arange(50) % 4).tobytes().hex())
"""
HELD_METHOD = """
@jit
def f(x):
    return held(x) + 1.0
held = np.add.reduce
for _ in range(3):
    print(f(X).tobytes().hex())
"""
ATTRIBUTES = """
@jit
def f(u):
    v = u[1] / u[0]
    made = np.stack([u[0], v, u[2]]).transpose(1, 0, 2).reshape(-1, 2)
    return np.concatenate((made, made[::-1])).copy(), np.maximum.reduce(u.astype(np.longdouble))
for _ in range(3):
    a, b = f(np.linspace(1.0, 2.0, 24).reshape(3, 4, 2))
    print(a.tobytes().hex(), b.astype(float).tobytes().hex())
"""
LINEAR_ALGEBRA = """
@jit
def f(a):
    values, basis = np.linalg.eigh(a)
    return np.linalg.inv(a) @ basis * values + np.linalg.norm(a, axis=0)
FACTOR = 1
A = np.diag(np.arange(1.0, 5.0)) + 0.1
for _ in range(3):
    print(f(A).tobytes().hex())
"""
DISPATCHERS = """
@jit
def f(x):
    made = np.tile(x, (3, 1)) + np.arange(3.0)[:, None]
    square = made[:, :3].copy()
    np.fill_diagonal(square, x[5])
    return np.corrcoef(made * made), square
FACTOR = 1
for _ in range(3):
    print([one.tobytes().hex() for one in f(X)])
"""
TRANSFORMS = """
@jit
def f(x):
    return np.abs(np.fft.rfft(x)), np.fft.ifft(x).real
FACTOR = 1
for _ in range(3):
    print([one.tobytes().hex() for one in f(X)])
"""
MULTIMETHODS = """
from scipy import fft as other
@jit
def f(x):
    return np.abs(other.fft(x))
FACTOR = 1
for _ in range(3):
    print(f(X).tobytes().hex())
"""
GRIDS = """
@jit
def f(n, x):
    rows, columns = np.mgrid[0:5, 0:10]
    return rows * columns * x[:10] + n
FACTOR = 1
for n in (3, 3, 4):
    print(f(n, X).tobytes().hex())
"""
ITERATORS = """
@jit
def f(rows):
    found = []
    for number, row in enumerate(rows):
        if row.sum() > 20.0:
            print("found", number)
            found.append(row.imag.sum() + number)
    return found
for _ in range(3):
    print([float(one).hex() for one in f(np.outer(np.arange(5.0), X))])
"""
LAMBDAS = """
TABLE = {"square": [lambda x: x * x, (lambda x: x + 1,)], "half": lambda x: x / 2}
def applied(x, way=lambda x: x - 3.0, *, back=lambda x: x + 0.5):
    return back(way(x))
class Kinds:
    ways = {"cube": lambda x: x ** 3}
@jit
def f(x):
    first, second = (lambda y: y * 2), (lambda y: y * 5)
    made = [lambda y: y + 7, lambda y: y + 9]
    y = applied(first(x)) + second(x) + made[0](made[1](x))
    print("between")
    y = TABLE["half"](TABLE["square"][0](y)) + TABLE["square"][1][0](y) + Kinds.ways["cube"](y)
    return y, first, made
for _ in range(3):
    y, first, made = f(X)
    print(y.tobytes().hex(), first(3), made[0](3), made[1](3))
"""
SLICES = """
EVERY_OTHER = slice(1, None, 2)
@jit
def f(x, part=slice(2, None)):
    return x[EVERY_OTHER].sum() + x[part] * x[1:-1].sum() + x[:3].sum()
for _ in range(3):
    print(f(X).tobytes().hex())
"""
PROGRAMS = {
    "slices": SLICES,
    "texts": TEXTS,
    "lists of lists": LISTS_OF_LISTS,
    "generators": GENERATORS,
    "the shared generator": SHARED_GENERATOR,
    "methods of ufuncs": METHODS_OF_UFUNCS,
    "a method of a ufunc that is held": HELD_METHOD,
    "attributes of nodes": ATTRIBUTES,
    "linear algebra": LINEAR_ALGEBRA,
    "dispatchers": DISPATCHERS,
    "transforms": TRANSFORMS,
    "multimethods": MULTIMETHODS,
    "grids": GRIDS,
    "iterators": ITERATORS,
    "lambdas": LAMBDAS,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_captures_nothing(name: str, tmp_path: Path) -> None:
    _, second = run_twice(START + PROGRAMS[name], tmp_path)

    assert second.total("launches") > 0
    assert second.loaded == []


EDITS = {
    "a global of a text": (TEXTS, "FACTOR = 2.0", "FACTOR = 3.0"),
    "what makes a generator": (
        *(GENERATORS, "FACTOR = 1"),
        "old = np.random.default_rng; np.random.default_rng = lambda seed: old(seed + 1)",
    ),
    "what makes a generator, by another one of C": (
        *(GENERATORS, "FACTOR = 1"),
        "np.random.default_rng = np.random.RandomState",
    ),
    "what draws from a generator": (GENERATORS, "rng.normal(size=50)", "rng.random(size=50)"),
    "the shared generator": (
        *(SHARED_GENERATOR, "FACTOR = 1"),
        "np.random.normal = np.random.RandomState(5).normal",
    ),
    "a method of a ufunc": (METHODS_OF_UFUNCS, "np.add.at", "np.subtract.at"),
    "a ufunc": (METHODS_OF_UFUNCS, "found = ", "np.add = np.multiply; found = "),
    "a lambda behind it": (METHODS_OF_UFUNCS, "mask[::13]", "mask[1::13]"),
    "a held method of another ufunc": (HELD_METHOD, "held = np.add", "held = np.multiply"),
    "another held method": (HELD_METHOD, "held = np.add.reduce", "held = np.add.accumulate"),
    "a table of a library": (
        *(LINEAR_ALGEBRA, "FACTOR = 1"),
        "import numpy.linalg._linalg as m; m._real_types_map = {**m._real_types_map, 1: 2}",
    ),
    "an item of a table of a library": (
        *(LINEAR_ALGEBRA, "FACTOR = 1"),
        "import numpy.linalg._linalg as m; m._real_types_map[np.float64] = np.float32",
    ),
    "linear algebra": (LINEAR_ALGEBRA, "FACTOR = 1", "np.linalg.inv = np.linalg.cholesky"),
    "a class of a library": (
        *(LINEAR_ALGEBRA, "FACTOR = 1"),
        "import numpy.linalg._linalg as m; m.EighResult = lambda a, b: (a + 1, b)",
    ),
    "a method of a class of a library": (
        *(LINEAR_ALGEBRA, "FACTOR = 1"),
        "import numpy.linalg._linalg as m; "
        "m.EighResult.__new__ = lambda cls, a, b: tuple.__new__(cls, (a + 1, b))",
    ),
    "tile": (DISPATCHERS, "FACTOR = 1", "np.tile = lambda x, n: np.zeros((n[0], len(x))) + x * 2"),
    "what tile calls": (
        *(DISPATCHERS, "FACTOR = 1"),
        "np.tile.__wrapped__.__code__ = (lambda A, reps: np.ones((3, 50)) + A * 2).__code__",
    ),
    "corrcoef": (DISPATCHERS, "FACTOR = 1", "np.corrcoef = np.cov"),
    "a transform": (TRANSFORMS, "FACTOR = 1", "np.fft.rfft = np.fft.hfft"),
    "a multimethod": (MULTIMETHODS, "FACTOR = 1", "other.fft = other.ifft"),
    "a backend": (
        *(MULTIMETHODS, "FACTOR = 1"),
        "class B: __ua_domain__ = 'numpy.scipy.fft'; __ua_function__ = lambda m, a, k: a[0] * 2\n"
        "other.set_global_backend(B)",
    ),
    "a grid": (GRIDS, "FACTOR = 1", "np.mgrid = np.ogrid"),
    "the kind of a grid": (GRIDS, "FACTOR = 1", "np.mgrid.sparse = True"),
    "a lambda in a list": (LAMBDAS, "lambda x: x * x", "lambda x: x * 9"),
    "a lambda in a tuple": (LAMBDAS, "(lambda x: x + 1,)", "(lambda x: x + 2,)"),
    "a lambda in a dict": (LAMBDAS, "lambda x: x / 2", "lambda x: x / 3"),
    "a lambda in a dict of a class": (LAMBDAS, "x ** 3", "x ** 2"),
    "a lambda as a default": (LAMBDAS, "x - 3.0", "x - 4.0"),
    "a lambda as a keyword default": (LAMBDAS, "x + 0.5", "x + 0.6"),
    "another lambda in its place": (
        *(LAMBDAS, "class Kinds"),
        "TABLE['half'], TABLE['square'][0] = TABLE['square'][0], TABLE['half']\nclass Kinds",
    ),
    "the first lambda": (LAMBDAS, "y * 2", "y * 3"),
    "the second lambda": (LAMBDAS, "y * 5", "y * 6"),
    "the first lambda of a list": (LAMBDAS, "y + 7", "y + 8"),
    "both in the other order": (
        *(LAMBDAS, "(lambda y: y * 2), (lambda y: y * 5)"),
        "(lambda y: y * 5), (lambda y: y * 2)",
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_answers_as_plain_python(name: str, tmp_path: Path) -> None:
    program, before, after = EDITS[name]
    edited = START + program.replace(before, after)
    assert edited != START + program
    first = run(START + program, tmp_path)
    assert first.total("captures") > 0
    eager = run(edited, tmp_path, eager=True)
    found = run(edited, tmp_path)

    assert found.printed == eager.printed
