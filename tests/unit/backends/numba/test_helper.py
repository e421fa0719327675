"""The compile helper itself: what it answers, whom it waits for, when it ends."""

from __future__ import annotations

import ctypes
import os
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from framejit.backends.numba.machine_code import stored
from framejit.backends.numba.machine_code.objects import Code
from framejit.backends.numba.machine_code.outside import Compiles, Pending, command
from framejit.jit.digests import digest256
from framejit.jit.disk import Folder
from framejit.jit.helper_process import Command
from framejit.jit.leases import Leases

pytestmark = pytest.mark.on_numba

SECONDS = 120.0
IMPATIENT = "helper.IDLE, helper.compile_leases.LEASE_LIMIT = 0.3, 0.5"


def kernel(number: int) -> str:
    return f"def kernel(w):\n    return w[0] + {number}\n"


def result(code: Code | None) -> int:
    """Return the result of a call whose word is 40."""
    assert code is not None
    word = ctypes.c_int64(40)
    function = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(code.address)
    return int(function(ctypes.addressof(word)))


@pytest.fixture
def compiles() -> Callable[..., Compiles]:
    """Makes the compiles of a process whose helper runs a line before it serves."""

    def make(line: str, folder: Path | None = None) -> Compiles:
        module = stored.__name__.replace("stored", "helper")
        code = f"import sys, {module} as helper; {line}; helper.main(int(sys.argv[1]))"
        words = [sys.executable, "-c", code, str(os.getpid())]
        variables = {**os.environ, "FRAMEJIT_CACHE_DIR": str(folder or "off")}
        environment = [f"{name}={value}" for name, value in variables.items()]
        greeting = stored.versions()
        assert greeting is not None
        made = Command([*map(os.fsencode, words)], [*map(os.fsencode, environment)], greeting)
        return Compiles(lambda: made)

    return make


def done(pending: Pending | None) -> Pending:
    assert pending is not None
    assert pending.wait(SECONDS)
    return pending


def kind_of(pending: Pending) -> str:
    answer = pending._question.answer
    assert answer is not None
    return answer.kind.name


def test_one_compile_for_each_text() -> None:
    """Whoever asks for the same text while it is compiled has the same answer."""
    made = Compiles(command)
    pending = [made.ask(kernel(2), False) for _ in range(3)]
    assert pending[0] is pending[1] is pending[2]
    assert result(done(pending[0]).code()) == 42
    assert pending[0].cpu > 0
    assert 0 < pending[0].cpu <= made.helper.cpu
    assert not made.why_inside


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "def kernel(w):\n    return nothing\n",
            "NotInKernels: the name nothing",
        ),
        (
            "def kernel(w):\n    return int64(float64(w[0]) % float64(w[1]))\n",  # fmod
            "the code needs the interpreter",
        ),
    ],
)
def test_what_cannot_be_made_outside(text: str, why: str) -> None:
    """It has to be compiled inside, is counted, and the helper goes on."""
    made = Compiles(command)
    assert done(made.ask(text, False)).code() is None
    assert made.why_inside == Counter({why: 1})
    assert result(done(made.ask(kernel(3), False)).code()) == 43


def test_an_idle_helper_ends(compiles: Callable[..., Compiles]) -> None:
    """It takes memory; the next kernel starts another one."""
    made = compiles(IMPATIENT)
    pids = []
    for number in (4, 5):
        assert result(done(made.ask(kernel(number), False)).code()) == 40 + number
        pids.append(made.helper.pid)
        end = time.monotonic() + SECONDS
        while os.path.exists(f"/proc/{pids[-1]}") and time.monotonic() < end:
            time.sleep(0.02)
        assert not os.path.exists(f"/proc/{pids[-1]}")
    assert pids[0] != pids[1]
    assert made.helper.why_none == ""


def test_another_helper_compiles_the_same(
    compiles: Callable[..., Compiles], tmp_path: Path
) -> None:
    """A text that others compile waits for them, but not too long; others are compiled."""
    home = tmp_path / "home"
    leases = Leases(Folder(str(home / "statistics")))
    texts = [kernel(number) for number in (6, 7, 8)]
    for text in texts[:2]:
        assert leases.take(digest256(text.encode()).hexdigest())
    made = compiles("helper.IDLE = 0.3", home)
    pending = [made.ask(text, True) for text in texts]
    done(pending[2])
    assert pending[0] is not None
    assert not pending[0].is_done()
    other = done(Compiles(command).ask(texts[0], False))._question.answer
    assert other is not None
    facts = stored.facts_of(texts[0])
    assert facts is not None
    assert Folder(str(home / "kernels")).write(stored.name_of(facts), other.body)
    assert kind_of(done(pending[0])) == "FOUND"
    leases.give_back(digest256(texts[1].encode()).hexdigest())
    assert [kind_of(done(one)) for one in pending] == ["FOUND", "MADE", "MADE"]
    assert [result(one.code()) for one in pending if one] == [46, 47, 48]


def test_another_helper_that_takes_too_long(
    compiles: Callable[..., Compiles], tmp_path: Path
) -> None:
    """It may have been stopped: the text is compiled twice then."""
    home = tmp_path / "home"
    leases = Leases(Folder(str(home / "statistics")))
    assert leases.take(digest256(kernel(9).encode()).hexdigest())
    made = compiles(IMPATIENT, home)
    assert kind_of(done(made.ask(kernel(9), True))) == "MADE"


def test_a_disk_that_refuses(compiles: Callable[..., Compiles], tmp_path: Path) -> None:
    """The code comes all the same."""
    home = tmp_path / "home"
    (home / "kernels").mkdir(parents=True, mode=0o700)
    facts = stored.facts_of(kernel(1))
    assert facts is not None
    line = f"{IMPATIENT}; helper.stored.Folder.write = lambda *_: False"
    pending = done(compiles(line, home).ask(kernel(1), True))
    assert kind_of(pending) == "MADE_NOT_KEPT"
    assert result(pending.code()) == 41
