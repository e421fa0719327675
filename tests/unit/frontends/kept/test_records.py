"""Content of files on disk is used only after it was checked."""

from __future__ import annotations

import copy
import json
import operator
import random
import re
import types
import weakref
from typing import Any

import numpy as np
import pytest

from framejit import jit
from framejit.frontends.kept.fingerprints import NoFingerprintError, fingerprint
from framejit.frontends.kept.names import Namer, UnnamedError
from framejit.frontends.kept.reading import bring_back
from framejit.frontends.kept.record import BadRecordError, packed, unpacked
from framejit.frontends.kept.resolving import CannotResolveError, Root, resolved
from framejit.frontends.kept.writing import content_of
from framejit.frontends.runtime import exit_calls
from framejit.jit import generators
from framejit.jit.attributes import Attributes
from framejit.jit.ir import references

pytestmark = pytest.mark.counts("what is captured and kept")

X = np.linspace(0.0, 1.0, 30)


def _told(one: Any) -> str:
    """Without addresses: the same in each process of a session."""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(one))


LIMIT = 2.5
NUMBERS = {"of a program": 1}
TABLE: dict[str, Any] = {"half": lambda x: x / 2, "list": [lambda x: x + 1, lambda x: x + 2]}


class Scale:
    """A class of a program."""

    factor = 3.0

    def __init__(self, by: float) -> None:
        self.by = by

    def of(self, x: Any) -> Any:
        """A product."""
        return x * self.by * self.factor


def program(x: Any, scale: Scale, n: int = 3) -> Any:
    total = np.zeros(4)
    for i in range(n):
        y = scale.of(np.sqrt(x + i))
        str(np.array([i]))  # a break
        total[i % 4] += (y * LIMIT).sum()
    return total


def manager_of(function: Any) -> Any:
    return jit(function, backend="numba")._manager


@pytest.fixture(scope="module")
def content() -> bytes:
    """Return the records that are kept of a program."""
    jitted = jit(program, backend="numba")
    for n in (3, 4, 3):
        jitted(X, Scale(2.0), n)
    found = content_of(jitted._manager)
    assert found is not None
    return found


def test_it_comes_back(content: bytes) -> None:
    jitted = jit(program, backend="numba")
    manager = jitted._manager

    assert bring_back(manager, content)
    assert np.array_equal(jitted(X, Scale(2.0)), program(X, Scale(2.0)))
    assert jitted.stats()["kept"] > 1
    assert jitted.stats()["captures"] == 0


def test_damage_is_seen(content: bytes) -> None:
    """10,000 files of which a byte, a piece or the end is another one."""
    rng = random.Random(1)
    for _ in range(10_000):
        at = rng.randrange(len(content))
        size = rng.choice((1, 1, 1, 2, 8, 100))
        with_ = rng.choice((bytes(size), rng.randbytes(size), b""))
        spoilt = content[:at] + with_ + content[at + size :]
        if spoilt == content:
            continue
        with pytest.raises(BadRecordError):
            unpacked(spoilt)


def places(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to all values of a record."""
    found = [way] if way else []
    if isinstance(value, dict):
        return found + [one for key in value for one in places(value[key], (*way, key))]
    if isinstance(value, list):
        return found + [one for k, item in enumerate(value) for one in places(item, (*way, k))]
    return found


def other(value: Any, rng: random.Random) -> Any:
    """Something else in the place of a value."""
    if isinstance(value, bytes) and value and rng.random() < 0.8:
        at = rng.randrange(len(value))
        return value[:at] + rng.randbytes(rng.choice((1, 4))) + value[at + 1 :]
    if type(value) is int and rng.random() < 0.7:
        return rng.choice((value + 1, value - 1, -value, 2**31, -(2**31), 2**62, 10**30, 0))
    return rng.choice((None, [], {}, "", "x", 0, -1, 1, True, 1.5, b"", b"\1\0\0\0", [[]], ["int"]))


def test_other_values_do_no_harm(content: bytes) -> None:
    """2,000 records with a right digest and a wrong value: no crash, and no error that gets out."""
    rng = random.Random(2)
    record = unpacked(content)
    ways = [way for way in places(record) if way[0] != "format"]
    taken = 0
    for _ in range(2_000):
        spoilt = copy.deepcopy(record)
        home: Any = spoilt
        way = rng.choice(ways)
        for key in way[:-1]:
            home = home[key]
        home[way[-1]] = other(home[way[-1]], rng)
        manager = manager_of(program)
        taken += bring_back(manager, packed(spoilt))
    assert taken < 2_000


@pytest.mark.parametrize(
    "one",
    [
        *(None, True, 3, -(2**70), 1.5, -0.0, float("nan"), 2j, "a", b"b", (1, ("a",))),
        *(np.float32(2), np.dtype("f4"), np.dtype(">i2"), np.sin, np.sum, np.median, len),
        *(list.append, np, Scale, Scale.of, Scale.__dict__["factor"], np.ndarray, np.float64),
        *(object.__init__, program, np.random.default_rng, np.random.Generator.normal, np.mgrid),
        *(np.random.rand, np.random.mtrand._rand, np.add.reduce, np.logical_or.at, np.s_, np.r_),
        *(np.tile.__wrapped__, type(iter([])), type(iter(np.ones(1))), operator.attrgetter("imag")),
        *(operator.attrgetter("a", "b.c"), Attributes(axis=0, ufunc=np.add), references.copy),
        *(TABLE["half"], TABLE["list"][0], TABLE["half"].__code__, TABLE["list"][0].__code__),
        *(np.linalg._linalg._real_types_map, np.fft, np.linalg._linalg.EighResult),
        *(exit_calls.joined, generators.keep),
    ],
    ids=_told,
)
def test_names_lead_back(one: Any) -> None:
    root = Root(program)
    namer = Namer(root)
    at = namer.add(one)
    rows: list[Any] = []
    for name, mark in json.loads(json.dumps(namer.rows)):
        rows.append(resolved(name, root, rows.__getitem__))
        assert not mark or fingerprint(rows[-1]) == mark
    back = rows[at]

    assert type(back) is type(one)
    assert back is one or repr(back) == repr(one)


@pytest.mark.parametrize(
    "one",
    [
        *(object(), [1], {"a": 1}, lambda x: x, np.ones(3), Scale(1.0), np.dtype("f4,f4")),
        *(Scale(1.0).of, np.random.default_rng(1), np.random.RandomState(1).rand, vars(Scale)),
        *({"order": "K"}, iter([]), NUMBERS, compile("x", "nowhere", "exec")),
    ],
    ids=_told,
)
def test_what_has_no_name(one: Any) -> None:
    with pytest.raises(UnnamedError):
        Namer(Root(program)).add(one)


@pytest.mark.parametrize(
    "name",
    [
        *(None, [], [1], ["?"], ["int"], ["int", "x"], ["object", "os", "system.x"], ["tuple", 3]),
        *(["object", "nowhere", "x"], ["weak", 0], ["cell", 0], ["dtype", "O", "|O"], ["row"]),
        *(["scalar", "d", "00"], ["const", 10**9], ["code", "numpy", "x.<locals>.y"]),
        *(["float", "0"], ["method", 0, "reduce"], ["behind", "numpy", []], ["iterator", "x"]),
        *(["behind", "numpy", ["linalg", "x"]], ["behind", "numpy", [[]]], ["attrgetter", 1]),
        *(["table", "json", "x"], ["table", "numpy", "linalg"], ["globals of", 0], ["attrgetter"]),
        *(["code behind", "numpy", ["x"], "y", 0], ["inner code", "x", 0], ["code", "numpy", "x"]),
        *(["inner code", 3, -1], ["code of", None], ["attributes", [["a"]]], ["module", "numpy.x"]),
    ],
    ids=_told,
)
def test_what_is_no_name(name: Any) -> None:
    with pytest.raises(CannotResolveError):
        resolved(name, Root(program))


def test_classes_that_lead_round_in_circles() -> None:
    """Their fingerprint comes to an end, and tells them apart."""

    class One:
        pass

    class Other(One):
        held = One

        def back(self, kind: type = One) -> type:
            return kind

    One.other = Other  # type: ignore[attr-defined]
    before = fingerprint(Other)
    One.more = 3  # type: ignore[attr-defined]

    assert fingerprint(Other) != before
    with pytest.raises(NoFingerprintError):
        fingerprint(object())


def test_no_code_of_the_program_runs() -> None:
    """Neither of an object, nor of its class or the class of that."""

    class Meta(type):
        def __hash__(cls) -> int:
            raise AssertionError

        def __getattribute__(cls, name: str) -> Any:
            raise AssertionError(name)

        def __instancecheck__(cls, one: Any) -> bool:
            raise AssertionError

    class Kind(metaclass=Meta):
        def __getattribute__(self, name: str) -> Any:
            raise AssertionError(name)

        def __hash__(self) -> int:
            raise AssertionError

        def __eq__(self, other: object) -> bool:
            raise AssertionError

        def __call__(self) -> None:
            raise AssertionError

    named = type("cython_function_or_method", (Kind,), {"__module__": "numpy", "__qualname__": "x"})
    method = types.MethodType(Kind(), 1)
    for one in (Kind(), Kind, named(), method, weakref.ref(Kind), [Kind()]):
        with pytest.raises(UnnamedError):
            Namer(Root(program)).add(one)
    assert fingerprint(Kind)


def test_which_method_it_is_counts() -> None:
    """A new one would be another object: no guard that compares it would ever hold."""
    held = np.add.reduce

    assert Namer(Root(program)).add(held) == 1
    with pytest.raises(UnnamedError):
        Namer(Root(program)).add(held, is_compared=True)
    with pytest.raises(UnnamedError):
        Namer(Root(program)).add(weakref.ref(held))


def test_dicts_of_the_program_have_no_fingerprint_in_others() -> None:
    """Dicts in classes and defaults may change in a process: they have no fingerprint."""

    def function(x: Any, known: dict[str, int] = NUMBERS) -> Any:
        return x

    before = fingerprint(function)
    NUMBERS["more"] = 1
    try:
        assert fingerprint(function) == before
    finally:
        del NUMBERS["more"]


EDITS: list[tuple[str, Any]] = [
    ("__code__", (lambda x: x + 1).__code__),
    ("__defaults__", (4,)),
    ("__defaults__", None),
    ("__kwdefaults__", {"by": 2}),
]


@pytest.mark.parametrize(("name", "value"), EDITS, ids=_told)
def test_functions_that_are_edited(name: str, value: Any) -> None:
    def edited(x: Any, n: int = 3, *, by: int = 1) -> Any:
        return x * n + by

    before = fingerprint(edited)
    setattr(edited, name, value)

    assert fingerprint(edited) != before
