"""A later process of a program captures nothing, loads nothing that captures, and answers alike."""

from __future__ import annotations

from pathlib import Path

import pytest
from kept_programs import OBJECTS, SEGMENTS, START, WHOLE, entries_in, run, run_twice

pytestmark = pytest.mark.counts("what was captured, kept and taken")

CLOSURES = """
SCALE = 3.0
def make(k):
    offset = np.full(50, k)
    def inner(x, power=2):
        return (x ** power + offset) * SCALE
    return inner
f, g = jit(make(1.5)), jit(make(2.5))
for one in (f, g, f):
    print(one(X).tobytes().hex())
"""
BAILS = """
@jit
def f(x, out):
    for i in range(len(x)):
        out[i] = x[i] * 2
        if x[i] > 0.9:
            out[i] = 1 / (x[i] - 1.0)
    return out
print(f(X[:30], np.zeros(50)).tobytes().hex())
with np.errstate(all="ignore"):
    print(f(X, np.zeros(50)).tobytes().hex())
"""
LISTS = """
@jit
def f(rows):
    out = []
    for row in rows:
        out.append((row * 2).sum())
    return {"all": out, "mean": sum(out) / len(out)}
print(f([X, X + 1, X + 2]))
"""
LONG_LISTS = """
NUMBERS, PAIRS = [0.1 * k for k in range(70)], [(k % 5, k % 3) for k in range(50)]
@jit
def f(numbers, pairs, x):
    total = 0.0
    for one in numbers:
        total += one * x[3]
    for i, j in pairs:
        total -= numbers[i * j] * j
    return total, sum(one * 2 for one in numbers), 3 in numbers
print(f(NUMBERS, PAIRS, X))
print(f(NUMBERS[:40], PAIRS, X))
"""
LISTS_IN_LISTS = """
GRID, GRAPH = [[0.5 * k + j for j in range(4)] for k in range(5)], [[1, 2], [], [0, 3], [1]]
@jit
def f(grid, graph, n):
    total, best = 0.0, grid[0]
    for k in range(n):
        total += grid[k % 5][k % 4] * k
        for v in graph[k % 4]:
            total -= v
        if total > 3:
            best = grid[-k % 5]
    return total, best
print(f(GRID, GRAPH, 9), f(GRID, GRAPH, 9)[1] is GRID[2])
print(f(GRID[::-1], GRAPH, 9), f(GRID, [[1], [2], [3], [0]], 9))
"""
LIBRARY = """
@jit
def f(x):
    return np.median(x) + np.roll(x, 3).std() + np.linalg.norm(x) + np.sort(x[::-1])[2]
print(float(f(X)).hex())
"""
PROGRAMS = {
    "whole": WHOLE,
    "segments": SEGMENTS,
    "objects": OBJECTS,
    "closures": CLOSURES,
    "bails": BAILS,
    "lists": LISTS,
    "long lists": LONG_LISTS,
    "lists in lists": LISTS_IN_LISTS,
    "library": LIBRARY,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_captures_nothing(name: str, tmp_path: Path) -> None:
    first, second = run_twice(START + PROGRAMS[name], tmp_path)

    assert first.total("kept") == (name == "closures")  # the second one of a `def`
    assert second.total("launches") > 0
    assert second.loaded == []


MADE_AGAIN = """
def made(k, offset):
    @jit
    def inner(x):
        return x * k + offset
    return inner
MADE = [made(k, X + k) for k in (1.5, 2, np.float64(3.0))]
for one in MADE:
    for _ in range(2):
        print(one(X).tobytes().hex())
print(made(2.5, X * 2)(X).tobytes().hex(), made(2.5, X[:7])(X[:7]).tobytes().hex())
first, second, third = MADE
"""


def test_functions_of_one_def_share_entries(tmp_path: Path) -> None:
    """Those that are made later take what the first one has captured."""
    program = START + MADE_AGAIN
    eager = run(program, tmp_path, eager=True)
    first = run(program, tmp_path)

    assert eager.printed == first.printed
    assert first.stats["first"]["captures"] == 1
    assert first.stats["second"]["kept"] == 1


DIES = """
def main():
    @jit
    def inner(x):
        return (x * 2.0 + SCALE).sum()
    for _ in range(20):
        print(inner(X).hex())
    return inner.stats()
SCALE = 0.5
class told:
    stats = main().copy
"""


def test_functions_that_die_are_kept(tmp_path: Path) -> None:
    """Functions that were called often are kept when they die: the end of the process is late."""
    program = START + DIES
    eager = run(program.replace("inner.stats()", "{}"), tmp_path, eager=True)
    first = run(program, tmp_path)
    second = run(program, tmp_path)

    assert eager.printed == first.printed == second.printed
    assert first.total("captures") == 1
    assert (second.total("captures"), second.total("kept")) == (0, 1)


def test_other_kinds_of_arguments_are_captured(tmp_path: Path) -> None:
    """Calls use the stored entries; new entries are stored beside them."""
    program = START + WHOLE
    other = program + "print(f(X.astype('f4'), X.astype('f4'))[1].tobytes().hex())\n"
    run(program, tmp_path)
    eager = run(other, tmp_path, eager=True)
    second = run(other, tmp_path)
    third = run(other, tmp_path)

    assert eager.printed == second.printed == third.printed
    assert (second.total("kept"), second.total("captures")) == (1, 1)
    assert (third.total("kept"), third.total("captures")) == (2, 0)


@pytest.mark.parametrize(
    "environment",
    [{"FRAMEJIT_ENTRIES": "0"}, {"FRAMEJIT_CACHE": "0"}, {"FRAMEJIT_CACHE_DIR": "off"}],
)
def test_nothing_is_kept(environment: dict[str, str], tmp_path: Path) -> None:
    run(START + WHOLE, tmp_path, **environment)

    assert entries_in(tmp_path) == []


@pytest.mark.parametrize(
    "environment", [{"NPY_DISABLE_CPU_FEATURES": "AVX512F"}, {"FRAMEJIT_DEBUG": ""}]
)
def test_of_another_environment(environment: dict[str, str], tmp_path: Path) -> None:
    """Settings that change NumPy's loops, or framejit itself, are part of an entry's file name."""
    first = run(START + WHOLE, tmp_path)
    second = run(START + WHOLE, tmp_path, **environment)

    assert first.printed == second.printed
    assert second.total("kept") == 0


@pytest.mark.parametrize("damage", ["cut", "empty", "bit", "text"])
def test_damaged_files(damage: str, tmp_path: Path) -> None:
    """They are as if they were not there."""
    program = START + SEGMENTS
    first = run(program, tmp_path)
    for file in entries_in(tmp_path):
        content = file.read_bytes()
        spoilt = {
            "cut": content[: len(content) // 2],
            "empty": b"",
            "bit": content[:100] + bytes([content[100] ^ 1]) + content[101:],
            "text": b"{}",
        }
        file.write_bytes(spoilt[damage])
    second = run(program, tmp_path)

    assert first.printed == second.printed
    assert second.total("kept") == 0
    assert second.total("captures") > 0


def test_kernels_that_are_gone_are_compiled_anew(tmp_path: Path) -> None:
    """The text of each is kept with its entry."""
    program = START + SEGMENTS
    first = run(program, tmp_path)
    for file in (tmp_path / "cache" / "kernels").iterdir():
        file.unlink()
    second = run(program, tmp_path)

    assert first.printed == second.printed
    assert second.total("kept") > 0
    assert second.total("captures") == 0


IN_VAIN = """
@jit
def backwards(word):
    out = ""
    for letter in word:
        out = letter.upper() + out
    return out
for k in range(200):
    got = backwards(f"word {k}")
print(got)
"""


def test_captures_in_vain_are_not_made_again(tmp_path: Path) -> None:
    """A later process that is short does not even import what captures."""
    program = START + IN_VAIN
    first = run(program, tmp_path, FRAMEJIT_COMPILE="auto", FRAMEJIT_COPIES="0")
    second = run(program, tmp_path, FRAMEJIT_COMPILE="auto", FRAMEJIT_COPIES="0")

    assert first.printed == second.printed
    assert first.loaded
    assert second.loaded == []


SEVERAL = """
@jit
def f(x):
    return x * 2.0 + 1.0
@jit
def g(x):
    return np.sqrt(x) - x * 0.5
@jit
def h(x):
    return x - x.mean()
for _ in range(3):
    answers = [one(X) for one in (f, g, h)]
print([one.tobytes().hex() for one in answers])
"""


def test_a_short_program_captures_all_its_functions(tmp_path: Path) -> None:
    """The imports for the first capture leave time for the others."""
    first = run(START + SEVERAL, tmp_path, FRAMEJIT_COMPILE="auto", FRAMEJIT_COPIES="0")
    second = run(START + SEVERAL, tmp_path, FRAMEJIT_COMPILE="auto", FRAMEJIT_COPIES="0")

    assert first.printed == second.printed
    assert first.total("captures") == 3
    assert (second.total("captures"), second.total("kept")) == (0, 3)
