"""Equal statements of a kernel become functions that it calls."""

from __future__ import annotations

import re
from contextlib import suppress
from random import Random
from typing import Any

import numpy as np
import pytest
from oracle import check
from text_runs import assert_same

import framejit
from framejit.backends.numba import backend, outlining
from framejit.backends.numba.lines import Line
from framejit.backends.numba.machine_code.compiling import compiled
from framejit.backends.numba.outlining import FEWEST, HEADER, loops_of, text_of
from framejit.backends.numba.source import Source
from framejit.backends.numba.statements import without_copies
from framejit.backends.numba.words import Tables
from framejit.jit.filters import filtered
from framejit.jit.pipeline import TooLong

GRID = np.arange(35.0).reshape(5, 7)


def rolls(x: Any) -> Any:
    """Nine sums of two shifts each."""
    total = 0
    for i in (-1, 0, 1):
        for j in (-1, 0, 1):
            total = total + np.roll(np.roll(x, i, 0), j, 1)
    return total


def terms(x: Any) -> Any:
    """Twenty calls of NumPy's loops, over the blocks of a line."""
    y = 0
    for i in (1, 2, 3, 4):
        for j in (5, 6, 7, 8, 9):
            y = y + np.arctan(x * (i * j))
    return y


def divisions(x: Any) -> Any:
    """Each of which raises a flag, or none, in code that is outlined."""
    y = np.roll(x, 1, 0) / np.roll(x, -1, 0)
    y = y + np.roll(x, 2, 0) / np.roll(x, -2, 0)
    return y + np.roll(y, 1, 0) / np.roll(y, -1, 0)


def conjugates(x: Any) -> Any:
    """Loops over blocks that stand beside each other, between equal statements."""
    y, z = np.fft.ihfft(x * 2) + 1, np.fft.ihfft(x, 9, norm="forward")
    return y, z, np.conjugate(np.fft.ifft(y)) * 3 - 1


@pytest.mark.parametrize("function", [rolls, terms, divisions, conjugates])
@pytest.mark.parametrize("shape", [(5, 7), (1, 7), (5, 1), (40, 30), (3, 3)])
def test_results(function: Any, shape: tuple[int, ...]) -> None:
    """The bits and the warnings are eager's."""
    x = np.resize(np.array([1.5, -2.0, 0.0, 3.25, 7.0]), shape)
    check(function, x, calls=3)
    check(function, np.asfortranarray(x))
    check(function, x[::-1, ::2])


def test_other_shapes_of_one_kernel() -> None:
    """An outlined part that finds another shape ends the kernel, and eager answers."""
    jitted = framejit.jit(rolls, backend="numba")
    for shape in ((5, 7), (2, 9), (1, 4), (3, 1), (0, 3), (6, 6)):
        x = np.random.default_rng(1).random(shape)
        assert np.array_equal(jitted(x), rolls(x))


TERMS = (
    *("np.roll({}, {k})", "np.roll({}, -{k})[::-1]", "np.arctan({} * {k})", "np.sort({}) + {k}"),
    *(
        "np.fft.ifft({}, {k} + 5).real",
        "np.conjugate(np.fft.rfft({})) * {k}",
        "np.cumsum({})[{k}:]",
    ),
    *("np.where({} > {k}, {}, {k})", "np.diff({}, n=2)", "np.hypot({}, {k})", "np.pad({}, {k})"),
    *("np.clip({}, -{k}, {k})", "np.convolve({}, [1, {k}])", "({}).sum() + {}", "np.exp({}) / {k}"),
    *("np.fft.ihfft({}) + {k}", "np.fft.ihfft({}, {k} + 6)", "np.arctan(np.tan({}) + 1) * 2"),
    *("np.abs(np.exp({} * 1j) * 2 + 1)", "np.tanh(np.sinh({}))", "np.cbrt(np.expm1({})) - 1"),
    *(
        "np.interp({}, [0, {k}], [1, 2])",
        "np.median({})",
        "np.spacing({})",
        "np.outer({}, {})[{k}]",
    ),
    *("{} / {}", "np.log({})", "{} // {k}", "{} % {k}", "1.0 / ({} - {k})", "({} * 1e300).max()"),
    *("np.divmod({}, {k})", "float(({})[{k}]) * 1e-5", "np.linspace(0, {k}, 7) * ({}).mean()"),
    *("np.repeat({}, {k})", "({})[np.abs({}) > {k}]", "np.where({} > 0)[0]", "-({})", "{} ** {k}"),
    *("({}).astype('f4') * {k}", "np.correlate({}, [1.0, {k}, 2], 'same')", "np.gradient({})"),
    *("np.argsort({})[{k}]", "complex(({})[1]) * {k}j", "np.percentile({}, {k} * 10)"),
)
IN_PLACE = (
    "z += {k}",
    "z[1:5] = {k}",
    "z[{k}] = z[{k} + 1]",
    "z /= {k}",
    "z[z > {k}] = 0",
    "z.sort()",
)


def random_program(seed: int) -> Any:
    """A function of sums of terms and stores; few kinds of them, so that they repeat."""
    random = Random(seed)
    kinds = [*random.sample(TERMS, 4), *random.sample(IN_PLACE, seed % 2)]
    lines, names = ["    z = x * 1.0"], ["z"]
    for k in range(random.randint(5, 9)):
        of = random.choice(["x", "x[::2]", "y", "x[1:-1]", "(x * 2)", "z", names[-1]])
        kind = random.choice(kinds)
        term = kind.replace("{k}", str(random.randint(1, 4))).replace("{}", of)
        lines.append(f"    {term}" if kind in IN_PLACE else f"    a{k} = {term}")
        names += [] if kind in IN_PLACE else [f"a{k}"]
    text = "\n".join(["def program(x, y):", *lines, f"    return {', '.join(names)}"])
    namespace = {"np": np}
    exec(text, namespace)
    return namespace["program"]


def operands(seed: int) -> tuple[Any, Any]:
    """Arrays of some kind: numbers of a dtype, with gaps, none, many."""
    x = np.random.default_rng(seed).normal(size=17) * 3
    x = np.resize(x, (17, 17, 17, 17, 0, 1, 2000)[seed // 3 % 7])
    dtype = ("f8", "f8", "f8", "f4", "i8", "i1", "?", "c16")[seed % 8]
    x = np.repeat(x.astype(dtype), 3)[::3] if seed % 5 == 0 else x.astype(dtype)
    return x, x[::-1]


def lower_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever repeats becomes a part."""
    for name, value in (("FEWEST", 0), ("GAIN", 1), ("SHORT", 0), ("OFTEN", 2)):
        monkeypatch.setattr(outlining, name, value)


@pytest.mark.parametrize("seed", range(12))
def test_random_programs(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts do the same as their statements, and report the same."""
    lower_limits(monkeypatch)
    check(random_program(seed), *operands(seed), calls=2, backends=["numba"])


@pytest.mark.parametrize("seed", range(100, 108))
def test_texts_of_random_programs(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text and what it was before store and call the same; nothing is compiled for that."""
    lower_limits(monkeypatch)
    numbers = range(8 * seed, 8 * seed + 8)
    assert_texts_do_the_same(
        monkeypatch, [(random_program(number), *operands(number)) for number in numbers]
    )


def test_texts_of_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same of those above: loops over blocks beside each other are among them."""
    lower_limits(monkeypatch)
    calls = [(function, GRID) for function in (rolls, terms, divisions, conjugates)]
    assert_texts_do_the_same(monkeypatch, [*calls, (conjugates, GRID[0])])


def assert_texts_do_the_same(monkeypatch: pytest.MonkeyPatch, calls: list[Any]) -> None:
    """Compares the texts of kernels before and after, and compiles none."""
    found = []

    def noted(source: Source, tables: Tables, *, has_loops: bool) -> str:
        lines, words = [HEADER, *source.lines(), *loops_of(source)], len(tables.words)
        before = "".join(f"{line}\n" for line in lines)
        found.append((before, text_of(source, tables, has_loops=has_loops), words))
        raise TooLong(1, 0)

    monkeypatch.setattr(backend, "text_of", noted)
    refused = (ArithmeticError, AttributeError, IndexError, TypeError, ValueError)
    with np.errstate(all="ignore"), filtered("ignore"):
        for function, *arguments in calls:
            with suppress(*refused):
                framejit.jit(function, backend="numba")(*arguments)
    assert any("def part(" in made for _, made, _ in found)
    for each in found:
        assert_same(*each)


def test_runs_of_texts_tell_them_apart() -> None:
    """A store that is lost, two that change places, another number, a value that is not there."""
    lines = ["def kernel(w):", "    w[30] = w[20]", "    w[31] = due(w)", "    return 0", ""]
    first = "\n".join(lines)
    assert_same(first, first.replace("due(w)\n", "due(w)\n    w[90] = 1\n"), 90)
    for other in (lines[:2] + lines[3:], [lines[0], lines[2], lines[1], *lines[3:]]):
        with pytest.raises(AssertionError):
            assert_same(first, "\n".join(other), 90)
    for before, after in (("return 0", "return 1"), ("w[20]", "w[21]"), ("w[20]", "w[90]")):
        with pytest.raises(AssertionError):
            assert_same(first, first.replace(before, after), 90)


@pytest.mark.counts("what kernels say")
@pytest.mark.parametrize(("function", "lines"), [(rolls, 230), (terms, 240)])
def test_length(function: Any, lines: int) -> None:
    """Nine double rolls were 1,130 lines, twenty terms 410."""
    jitted = framejit.jit(function, backend="numba")
    jitted(np.random.default_rng(0).random((20, 30)))
    text = jitted.inspect("numba") or ""
    assert "def part(" in text
    assert text.count("\n") < lines


def read(line: str) -> Line:
    """A line of a function's body as the writers of ops make it."""
    code, _, note = line.lstrip().partition("  # ")
    bail = re.fullmatch(r"return (?:bail\(w, .*, )?(-?\d+)\)?", code)
    exit_ = None if bail is None else int(bail[1])
    return Line(code, (len(line) - len(line.lstrip())) // 4 + 1, note, exit_)


def text(*lines: str) -> str:
    """Return the text that the compiler gets for a kernel of these lines."""
    source = Source()
    source.append(map(read, lines))
    made = text_of(source, Tables(0, []), has_loops=False)
    compiled(made)
    return made


def block(k: int, *, stop: str = "s0", last: str = "-1") -> list[str]:
    """Statements of an array in the words from 20 + 10 k on."""
    word = 20 + 10 * k
    return [
        f"a_{k} = w[{word}]  # float64[s0]",
        f"n_{k} = max(0, s0 - {k})",
        f"if n_{k} > {stop}:",
        f"    return bail(w, {7 + k}, {last})  # as it is",
        f"for i_{k} in range(n_{k}):",
        f"    x_{k} = float64_at(a_{k})[i_{k}]",
        f"    float64_at(a_{k})[i_{k}] = float64(x_{k} * c)",
        f"w[{word + 1}] = n_{k}",
        f"w[{word + 3}] = a_{k}",
    ]


def begin(count: int = FEWEST) -> list[str]:
    """Statements that are like no other ones."""
    found = ["s0 = w[18]", "c = float64_at(address_of(w, 19))[0]", "raised = 0"]
    return found + [f"w[{200 + k}] = {' + '.join(['s0'] * (k + 1))}" for k in range(count)]


def test_words_and_numbers_are_handed_over() -> None:
    """Words that are as far apart everywhere are reckoned from one number."""
    made = text(*begin(), *(line for k in range(4) for line in block(k)), "return 0")
    assert made.count("part(") == 5
    first, part = made.split("def part")
    assert "    if part(w, s0, c, 30, 1) != 0:\n        return -1\n" in first
    assert "bail(w, (k_1 + 7), 1)" in part
    assert "w[(k" in part


def test_what_is_read_later_comes_back() -> None:
    """By words if there is more than one value, or a way out."""
    blocks = [line for k in range(6) for line in block(k)]
    made = text(*begin(), *blocks, "w[9] = n_2 + a_1", "return 0")
    first, part = made.split("def part")
    assert part.count("] = n_0") == 2
    assert "    n_2 = w[" in first


def test_what_goes_elsewhere_stays() -> None:
    """Ways out with unlike numbers in one sequence, ends of the kernel, kernels of few lines."""
    blocks = [line for k in range(4) for line in block(k)]
    assert "part(" not in text(*begin(0), *blocks, "return 0")
    ends = [
        line.replace("bail(w, ", "left(w, raised, 0, ").replace(", -1)", ")") for line in blocks
    ]
    assert "left" not in text(*begin(), *ends, "return 0").partition("def part")[2]


def test_copies_of_variables() -> None:
    """A variable that is assigned once, from another such, is the other one."""
    lines = ["a = w[3]", "b = a  # in memory that is free", "c = b", "c += 1", "w[4] = b + c"]
    found = without_copies([*map(read, lines)])
    assert [line.code for line in found] == ["a = w[3]", "c = a", "c += 1", "w[4] = a + c"]
