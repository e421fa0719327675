"""Lists of lists of numbers from outside, read at places that only running tells: `grid[i][j]`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import BACKENDS, check
from whole import Program, Programs, check_whole

import framejit

G = np.random.default_rng(0)
FLOATS: list[list[float]] = G.random((7, 6)).tolist()
INTS: list[list[int]] = G.integers(0, 9, (40, 5)).tolist()
GRAPH = [[1, 2], [3], [], [4, 0, 2], [5], [0, 6], [4]]

PROGRAMS = Programs()
runs = PROGRAMS.runs


@runs((FLOATS, 50), (INTS, 80), ([[1.5]], 3))
def walk(grid: Any, n: int) -> Any:
    i = j = 0
    total = grid[0][0] * 2
    for k in range(n):
        total += grid[i][j] * k
        i = (i + k) % len(grid)
        j = (j + 2 * k + 1) % len(grid[0])
    return total


@runs((INTS,), (FLOATS,))
def sums_of_columns(grid: Any) -> Any:
    sums = np.zeros(len(grid[0]))
    for i in range(len(grid)):
        for j in range(len(grid[0])):
            sums[j] += grid[i][j]
    return sums


@runs((INTS, np.arange(5)), (FLOATS, np.arange(6.0)))
def rows_in_turn(grid: Any, x: Any) -> Any:
    total, longest = 0.0, 0
    for row in grid:
        for k, number in enumerate(row):
            total += number * x[k]
        longest = max(longest, len(row))
    return total, longest


@runs((INTS,), (GRAPH * 6,))
def numbered_rows(grid: Any) -> Any:
    total = 0
    for i, row in enumerate(grid):
        total += sum(row) * i + len(row) + (3 in row)
    return total


@runs(([[k * 0.5, 1.0 - k] for k in range(20)],), ([[k, 3] for k in range(50)],))
def points(pairs: Any) -> Any:
    length, last = 0.0, 0.0
    for x, y in pairs:
        length += ((x - last) ** 2 + y * y) ** 0.5
        last = x * 1.0
    for i in range(len(pairs)):
        x, y = pairs[i]
        length -= x * y
    return length


@runs((GRAPH, 0), (GRAPH, 4))
def breadth_first(graph: Any, start: int) -> Any:
    distance = [-1] * len(graph)
    distance[start] = 0
    queue = [start]
    while queue:
        u = queue.pop(0)
        for v in graph[u]:
            if distance[v] < 0:
                distance[v] = distance[u] + 1
                queue.append(v)
    return distance


@runs((FLOATS, 6), (FLOATS, 3))
def from_the_end(grid: Any, n: int) -> Any:
    total = 0.0
    for k in range(1, n):
        total = total * 0.5 + grid[-k][-k]
    return total


@runs((FLOATS, np.arange(6.0)))
def rows_as_arrays(grid: Any, x: Any) -> Any:
    found = np.zeros(len(grid))
    for i in range(len(grid)):
        found[i] = (x * grid[i]).sum() + np.max(grid[i])
    return found


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_captured_whole(program: Program, args: tuple[Any, ...]) -> None:
    """Each is one segment."""
    check_whole(program, args)


def best_row(grid: Any, n: int) -> Any:
    best, most, again = grid[0], -1.0, None
    for i in range(n):
        row = grid[i]
        total = 0.0
        for number in row:
            total += number
        if total > most:
            most, best = total, row
    return best, most, again


def test_a_row_is_the_very_list() -> None:
    """A row that is handed over is the one that the list holds."""
    check(best_row, FLOATS, 7)
    for backend in BACKENDS:
        jitted = framejit.jit(best_row, backend=backend)
        for _ in range(2):
            assert any(jitted(FLOATS, 7)[0] is row for row in FLOATS)


ENDS = r"""
return [grid[i][j] for i in range(n) for j in range(2)]
return max(grid[i][0] for i in range(n))
return grid[n][0] + grid[n - 1][99]
return [grid[i] for i in range(n)]
return [row[0] for row in grid], [row[-1] for row in grid]
for i in range(n): grid[i][0] = grid[i][1] * 2
for i in range(n): grid[i].append(grid[i][0])
for i in range(n): grid[0], grid[i] = grid[i], grid[0]
for i in range(n): other[0] = other[0] + grid[i][0]
for i in range(n): other.append(grid[i][1] + 1)
grid.append([1, 2]); return [grid[i][0] * 2 for i in range(n)]
grid[0] = other; return [grid[i][0] * 2 for i in range(n)]
return sum(grid[i][1:3][0] * 2 for i in range(n))
for i in range(n):\n        a, b = grid[i][:2]; out += a * b
for i in range(n): out += (grid[i] == other) + (grid[i] is other) + (grid[i] is None)
for i in range(n): out += bool(grid[i]) + isinstance(grid[i], list) + (type(grid[i]) is list)
for row in grid:\n        if row[0] > 3: print(row); break
for a, b in grid: out += a * b
for i in range(n):\n        a, b, c = grid[i]; out += a * b
for i in range(n):\n        a, *b = grid[i]; out += a
for row, k in zip(grid, range(n)): out += row[0] * k
for i in range(n):\n        row = grid[i]\n    return row, i
for i in range(n):\n        if i: print(row[0])\n        row = grid[i]
for i in range(n):\n        row = grid[i] if i % 2 else other\n        out += row[0]
return sorted(grid[n - 1]), list(grid[0]), np.array(grid[n - 2]), grid[0] + grid[n - 1]
for i in range(-n, n): out += grid[i][i % 2]
"""


@pytest.mark.parametrize("end", ENDS.strip().splitlines())
@pytest.mark.parametrize("kind", ["ints", "floats", "ragged", "shared", "mixed"])
def test_whatever_is_done_with_them(end: str, kind: str) -> None:
    """Rows that the program changes, hands over or mixes are eager's; another list may be a row."""
    grids: dict[str, Any] = {
        "ints": INTS[:6],
        "floats": FLOATS,
        "ragged": [[1, 2, 3], [4, 5], [6, 7, 8, 9], [10, 11]],
        "shared": [[3, 1]] * 4,
        "mixed": [[1, 2.0], [3.0, 4], [True, 2], [5, 6]],
    }
    grid = grids[kind]
    scope: dict[str, Any] = {"np": np}
    text = end.replace("\\n", "\n")
    exec(
        f"def program(grid, other, n):\n    out = 0\n    {text}\n    return out, grid, other\n",
        scope,
    )

    def setup(alias: bool) -> Any:
        def make() -> Any:
            rows = [*map(list, grid)] if kind != "shared" else [list(grid[0])] * 4
            return scope["program"], (rows, rows[1] if alias else [7, 8], 4)

        return make

    for alias in (False, True):
        check(setup=setup(alias))


def test_other_lists_in_later_calls() -> None:
    """Calls with more lists, longer ones, unequal ones and other numbers are answered, too."""

    def program(grid: Any) -> Any:
        total = 0
        for i in range(len(grid)):
            for j in range(len(grid[i])):
                total = total * 3 + grid[i][j]
        return total

    others: list[Any] = [INTS, INTS[:3], FLOATS, GRAPH, [], [[]], [[], [1]], [[2**70]], [[True]]]
    for backend in BACKENDS:
        jitted = framejit.jit(program, backend=backend)
        for grid in (*others, *others):
            assert repr(jitted(grid)) == repr(program(grid))
        assert jitted.stats()["failures"] == 0
