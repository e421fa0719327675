"""Services for a running kernel: arrays, slots, opaque calls."""

from __future__ import annotations

import gc
import signal
import sys
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import entries as make
import numpy as np
import pytest
from entries import FIRST, Words, guard, load, machine_entry, recipe, step
from oracle import assert_counts

import framejit
from framejit.frontends.support import DEFAULT_OPTIONS
from framejit.jit.counting import ASKED
from framejit.jit.native import _core

F8 = np.dtype("f8")
BAIL, ERROR = _core.KERNEL_BAIL, _core.KERNEL_ERROR
ARRAY = guard("ARRAY", 0, a=12, b=1, c=2, object=0x101, extra=0)
INVALID = 0x01


@pytest.fixture(autouse=True)
def _options() -> Iterator[None]:
    with make.options():
        yield


def run(made: Any, *live: Any, n_exits: int = 1) -> Any:
    """Return the objects that a stub gets; None for exit 0."""
    return make.segment(made, n_exits=n_exits)(*live)


# ---- arrays --------------------------------------------------------------------------------------


def made_array(kernel: Callable[[Words], int], **fields: Any) -> Any:
    """An entry of one array in and one out, in slot 1, its words behind those of slot 0."""
    order = fields.pop("order", ())
    ndim = fields.pop("ndim", 1)
    base = fields.pop("base", -1)
    return machine_entry(
        kernel,
        **{
            "objects": (F8,),
            "guards": ARRAY,
            "loads": load("ARRAY", 0, FIRST, 1),
            "arrays": make.array(1, FIRST + 3, ndim, 0, base, order),
            "steps": step("SLOT", 1),
            "n_slots": 2,
            **fields,
        },
    )


def test_allocated_arrays_belong_to_the_caller() -> None:
    """One reference, in the memory order that was asked for; no array of the launch stays."""

    def kernel(w: Words) -> int:
        w[FIRST + 4], w[FIRST + 5], w[FIRST + 6] = 2, 3, 4
        return w.ask("ALLOC", 0)

    for order in ((0, 1, 2), (2, 1, 0), (1, 0, 2)):
        result = run(made_array(kernel, ndim=3, order=order), np.ones(4))
        owners = sys.getrefcount(result)
        moved = np.transpose(result, order)

        assert result.shape == (2, 3, 4)
        assert moved.flags.c_contiguous
        assert result.flags.owndata
        assert owners == 1 + ASKED


@pytest.mark.parametrize("length", [-1, 2**62, 2**63 - 1, 2**60])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_arrays_that_cannot_be_made(length: int, order: tuple[int, ...]) -> None:
    """Eager meets the same refusal: the launch bails without an exception."""

    def kernel(w: Words) -> int:
        w[FIRST + 4], w[FIRST + 5] = length, length
        return w.ask("ALLOC", 0)

    assert run(made_array(kernel, ndim=2, order=order), np.ones(4)) is None


def test_an_array_is_used_again_when_nobody_has_it() -> None:
    """Arrays of one shape are reused if their slot alone holds them: else there is a new one."""
    addresses = []

    def kernel(w: Words) -> int:
        for length in (5, 5, 6, 6, 6):
            if len(addresses) == 4:
                w.ask("KEEP", 2, 1)
            w[FIRST + 4] = length
            w.ask("ALLOC", 0)
            addresses.append((w[FIRST + 3], length))
        return 0

    result = run(made_array(kernel, n_slots=3), np.ones(4))

    assert addresses[0] == addresses[1]
    assert addresses[2] == addresses[3] != addresses[4]
    assert (result.shape, sys.getrefcount(result)) == ((6,), 1 + ASKED)


def test_small_arrays_in_the_scratch() -> None:
    """They are no objects; large ones are, and no recipe may ask for either."""
    most = _core.ROOM // 8
    found = []

    def kernel(w: Words) -> int:
        for length in (3, most, most + 1, 0, 2**62):
            w[FIRST + 4], w[FIRST + 5] = length, 1
            answer = w.ask("ALLOC", 0)
            place = w[FIRST + 3] - w[_core.WORDS["SCRATCH"]]
            found.append((length, answer, place == 64, w[FIRST + 6], w[FIRST + 7]))
        return 0

    row = make.array(1, FIRST + 3, 2, 0, -1, (1, 0), room=64)
    fields = {"arrays": row, "n_slots": 2, "scratch": 64 + _core.ROOM}
    x = np.ones(4)
    assert run(made_array(kernel, steps=step("SLOT", 0), **fields), x) is x
    assert found == [
        (3, 0, True, 8, 24),
        (most, 0, True, 8, most * 8),
        (most + 1, 0, False, 8, (most + 1) * 8),
        (0, 0, True, 8, 8),
        (2**62, BAIL, *found[-1][2:]),
    ]
    with pytest.raises(SystemError, match="never made"):
        run(made_array(kernel, **fields), x)


def test_views_hold_their_base() -> None:
    """A view shares memory, is as writeable as its base, and keeps it alive."""

    def kernel(w: Words) -> int:
        w[FIRST + 3], w[FIRST + 4], w[FIRST + 5] = w[FIRST] + 8, 2, 16
        return w.ask("ALLOC", 0)

    made = made_array(kernel, base=0)
    for writeable in (True, False):
        base = np.arange(5.0)
        base.flags.writeable = writeable
        before = sys.getrefcount(base)
        view = run(made, base)

        assert (view.tolist(), view.base is base) == ([1.0, 3.0], True)
        assert view.flags.writeable == writeable
        assert sys.getrefcount(base) == before + 1
        del view
        assert sys.getrefcount(base) == before


def test_a_view_of_nothing() -> None:
    """A slot that is empty or holds no array is no base: the launch bails."""
    made = made_array(lambda w: w.ask("ALLOC", 0), base=2, n_slots=3)

    assert run(made, np.ones(3)) is None


def test_a_recipe_of_nothing() -> None:
    """A slot that the kernel left empty cannot be handed back."""
    with pytest.raises(SystemError, match="never made"):
        run(made_array(lambda _: 0), np.ones(3))


def test_slots_change_places() -> None:
    """KEEP adds an owner, SWAP adds none; an empty slot may take part."""
    inside = object()

    def kernel(w: Words) -> int:
        w.ask("KEEP", 1, 0)
        w.ask("SWAP", 1, 2)
        w.ask("KEEP", 3, 1)
        w.ask("KEEP", 2, 2)
        return 0

    made = machine_entry(kernel, n_slots=4, steps=step("SLOT", 2))
    before = sys.getrefcount(inside)
    same = [run(made, inside) is inside for _ in range(10)]

    assert all(same)
    assert sys.getrefcount(inside) == before


# ---- opaque calls --------------------------------------------------------------------------------


def calling(function: Any, **fields: Any) -> Any:
    """An entry whose kernel calls a function with its live-in; the result has to be a float."""

    def kernel(w: Words) -> int:
        return BAIL if w.ask("CALL", 0) != 0 else 0

    return machine_entry(
        kernel,
        **{
            "objects": (function, float),
            "guards": guard("TYPE", 1, object=1),
            "n_guards": 0,
            "loads": load("FLOAT", 1, FIRST),
            "n_loads": 0,
            "calls": make.call(1, 1, 0, 0, 1),
            "recipes": recipe(0, 1) + recipe(1, 3),
            "steps": step("SLOT", 1) + step("CONST") + step("SLOT", 0) + step("CALL", 1),
            "n_slots": 2,
            **fields,
        },
    )


def test_a_call_gives_what_was_expected_or_bails() -> None:
    """A result of another type and an exception are for eager to meet; nothing is kept of them."""
    answer = float("1e10")

    def function(live: Any) -> Any:
        if live == "raise":
            raise ValueError(answer)
        return answer if live == "good" else [answer]

    made = calling(function)
    before = sys.getrefcount(answer)
    answers = [run(made, live) for live in ("good", "raise", "bad")]

    assert answers == [answer, None, None]
    answers.clear()
    assert sys.getrefcount(answer) == before
    assert made.bails == 2


def test_interrupts_are_not_swallowed() -> None:
    """Ctrl-C during a call: the launch bails, and it is raised where eager goes on."""

    def interrupted(_: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        return 1.0

    made = make.segment(calling(interrupted))
    results = []
    # Shells start what they run in the background with Ctrl-C ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):  # noqa: PT012
            results.append(made(1))
            for _ in range(10):
                pass
            results.append("not interrupted")
    finally:
        signal.signal(signal.SIGINT, before)

    assert results in ([], [None])


@pytest.mark.parametrize("kind", [SystemExit, GeneratorExit, KeyboardInterrupt, ValueError])
def test_what_ends_a_program_is_not_swallowed(
    kind: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exceptions that eager might not meet again come out of the call as they are."""
    raised = []

    def once(*_: Any) -> Any:
        if raised:
            return original(*_)
        raised.append(kind(3))
        raise raised[0]

    def f(x: Any) -> Any:
        return np.linalg.qr(x)[1] * 2 + x

    original = np.linalg._linalg._assert_stacked_2d  # type: ignore[attr-defined]
    x = np.eye(3)
    with make.options(DEFAULT_OPTIONS):
        jitted = framejit.jit(f)
        jitted(x)
        monkeypatch.setattr("numpy.linalg._linalg._assert_stacked_2d", once)
        if kind is ValueError:
            assert jitted(x).tolist() == f(x).tolist()
        else:
            with pytest.raises(kind) as caught:
                jitted(x)
            assert caught.value.args in ((3,), ())

    assert len(raised) == 1
    assert_counts([jitted], hits=1)


def test_what_a_call_changes_under_the_launch() -> None:
    """The function may drop the segment, its entries, the garbage, and call the segment again."""
    depth = []

    def function(_: Any) -> float:
        depth.append(1)
        if len(depth) < 5:
            assert made[0](1) == 2.5
        made.append(make.segment())
        gc.collect()
        return 2.5

    made = [make.segment(calling(function, scratch=4096))]

    assert made[0](1) == 2.5
    assert len(depth) == 5


def test_a_call_runs_with_flags_that_raise() -> None:
    """Errors that errstate reports raise inside; sizes of buffers stay; afterwards it is undone."""
    inside = []

    def function(_: Any) -> float:
        inside.append((*np.geterr().values(), np.getbufsize()))
        return 1.0

    made = calling(function)
    with np.errstate(divide="ignore", over="warn", under="call", invalid="print"):
        for size in (8192, 4096, 8192):
            old = np.setbufsize(size)
            assert run(made, 1) == 1.0
            assert np.geterr()["over"] == "warn"
            np.setbufsize(old)
    with np.errstate(all="ignore"):
        run(made, 1)

    raising = ("ignore", "raise", "raise", "raise")
    assert inside[:3] == [(*raising, 8192), (*raising, 4096), (*raising, 8192)]
    assert inside[3][:4] == ("ignore",) * 4


def test_a_call_does_not_keep_the_users_errcall() -> None:
    """A call that raises is kept for ever: the function of np.seterrcall must not be in it."""

    class Called:
        def __call__(self, kind: str, flag: int) -> None:
            """Not called."""

    called = Called()
    died = weakref.ref(called)
    with np.errstate(under="call", over="print", call=called):
        run(calling(lambda _: 1.0), 1)
    del called
    gc.collect()

    assert died() is None
