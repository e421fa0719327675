"""The helper as the program sees it: helpers that answer, end, die and talk nonsense."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from framejit.jit import native
from framejit.jit.helper_frames import Broken, Frame, Kind, Receiver
from framejit.jit.helper_process import Command, Helper, Unavailable

SECONDS = 60.0
GREETING = b"versions"
FAKE = f"""
import os, struct, sys, time
HEAD = struct.Struct("<4sIIdQ")
COMPILE, READY, MADE, FAILED, GOODBYE = {[Kind[k].value for k in ("COMPILE", "READY", "MADE")]} + [
    {Kind.FAILED.value}, {Kind.GOODBYE.value}]

def send(kind, number, body=b"", cpu=0.0):
    os.write(3, HEAD.pack(b"fj\\0\\1", kind, number, cpu, len(body)) + body)

def read(size):
    part = b""
    while len(part) < size:
        more = os.read(3, size - len(part))
        if not more: os._exit(0)
        part += more
    return part

def receive():
    "(number, body) of the next question"
    _, kind, number, _, size = HEAD.unpack(read(HEAD.size))
    return number, read(size)

started = not os.path.exists(sys.argv[1])
open(sys.argv[1], "a").write("started\\n")
"""
READY = f"send(READY, os.getpid(), {GREETING!r}, 0.5)"
ECHO = """
while True:
    number, body = receive()
    send(MADE, number, body[::-1], 0.5 + number)
"""


@pytest.fixture
def fake(tmp_path: Path) -> Callable[[str], Helper]:
    """Makes a helper of a program; each start adds a line to the file `starts`."""

    def make(program: str) -> Helper:
        words = [sys.executable, "-I", "-S", "-c", f"{FAKE}\n{program}", str(tmp_path / "starts")]
        return Helper(lambda: Command([*map(os.fsencode, words)], [], GREETING))

    return make


@pytest.fixture
def starts(tmp_path: Path) -> Callable[[], int]:
    return lambda: len((tmp_path / "starts").read_text().split())


def answer(helper: Helper, body: bytes) -> bytes | str:
    """Return the answer to a question, or the reason why there is none."""
    question = helper.ask(Kind.COMPILE, body)
    if question is None:
        return helper.why_none
    assert question.wait(SECONDS)
    return question.answer.body if question.answer is not None else question.why_none


# ---- answers -------------------------------------------------------------------------------------


def test_answers(fake: Callable[[str], Helper], starts: Callable[[], int]) -> None:
    """Large ones too, several at a time; time of the processor is told with each."""
    helper = fake(READY + ECHO)
    bodies = [b"abc", bytes(range(256)) * 8000, b""]
    questions = [helper.ask(Kind.COMPILE, body) for body in bodies]
    for question, body in zip(questions, bodies, strict=True):
        assert question is not None
        assert question.wait(SECONDS)
        assert question.answer is not None
        assert question.answer.body == body[::-1]
    assert [question.cpu for question in questions if question] == [1.5, 1.0, 1.0]
    assert helper.cpu == 3.5
    assert starts() == 1


def test_to_ask_does_not_wait(fake: Callable[[str], Helper]) -> None:
    """Neither for the start nor for a helper that reads nothing; waiting has an end."""
    helper = fake("time.sleep(0.5)\n" + READY + ECHO)
    begin = time.monotonic()
    question = helper.ask(Kind.COMPILE, b"x" * 3_000_000)
    assert question is not None
    assert not question.is_done()
    assert not question.wait(0.01)
    assert not question.wait(None, bytearray(b"\1"))
    assert time.monotonic() - begin < 0.4
    assert question.wait(SECONDS)


def test_an_idle_helper_ends(fake: Callable[[str], Helper], starts: Callable[[], int]) -> None:
    """A question that was asked at the same moment is put again, to another helper."""
    helper = fake(
        READY + "\nif started:\n    send(GOODBYE, 0); time.sleep(0.2); os._exit(0)\n" + ECHO
    )
    assert answer(helper, b"abc") == b"cba"
    assert (starts(), helper.why_none) == (2, "")


# ---- helpers that fail ---------------------------------------------------------------------------


def test_a_helper_that_dies(fake: Callable[[str], Helper], starts: Callable[[], int]) -> None:
    """It is replaced, but not for ever."""
    helper = fake(READY + "\nreceive(); os._exit(1)")
    for _ in range(2):
        assert "the compile helper is gone" in str(answer(helper, b"abc"))
        assert helper.why_none == ""
    assert str(answer(helper, b"abc")).endswith("again")
    assert helper.ask(Kind.COMPILE, b"abc") is None
    assert starts() == 3


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("os._exit(1)", "before it was ready"),
        ("send(READY, 1, b'others')", "consists of other versions"),
        ("send(FAILED, 0, b'ImportError: numba\\nTraceback')", "start: ImportError: numba"),
        ("os.write(3, b'nonsense' * 10)", "Broken"),
        ("send(77, 0)", "Broken"),
    ],
)
def test_a_helper_that_does_not_start(
    program: str, why: str, fake: Callable[[str], Helper], starts: Callable[[], int]
) -> None:
    """There is no second try."""
    helper = fake(program + "\ntime.sleep(5)")
    assert why in str(answer(helper, b"abc"))
    assert why in helper.why_none
    assert helper.ask(Kind.COMPILE, b"abc") is None
    assert starts() == 1


def test_there_can_be_none() -> None:
    """The reason is kept, and not looked for again."""
    asked = []

    def command() -> Command:
        asked.append(1)
        raise Unavailable("as a test")

    helper = Helper(command)
    assert [helper.ask(Kind.COMPILE, b"") for _ in range(3)] == [None] * 3
    assert (helper.why_none, len(asked)) == ("as a test", 1)


def test_a_signal_handler_that_asks(fake: Callable[[str], Helper]) -> None:
    """In the thread that is reading: the question is on its way, and sent a moment later."""
    helper = fake(READY + ECHO)
    with helper._lock:
        question = helper.ask(Kind.COMPILE, b"abc")
        assert question is not None
        assert not question.is_done()
    assert question.wait(SECONDS)


# ---- frames and processes ------------------------------------------------------------------------


def test_frames_in_parts() -> None:
    """However the bytes come."""
    frames = [Frame(Kind.MADE, 7, b"body", 1.25), Frame(Kind.GOODBYE, 0), Frame(Kind.MADE, 8, b"")]
    stream = b"".join(frame.packed() for frame in frames)
    for size in (1, 7, 1000):
        receiver = Receiver()
        parts = [stream[k : k + size] for k in range(0, len(stream), size)]
        assert [frame for part in parts for frame in receiver.feed(part)] == frames
    with pytest.raises(Broken):
        Receiver().feed(b"x" * 100)


def test_a_program_that_cannot_be_executed() -> None:
    """The error is the one of the system, and no child is left."""
    children = Path(f"/proc/self/task/{threading.get_native_id()}/children")
    before = children.read_text()
    ours, theirs = native.open_channel()
    assert min(ours, theirs) >= 512
    with pytest.raises(FileNotFoundError):
        native.spawn_detached((b"/nowhere",), (), theirs)
    with pytest.raises(PermissionError):
        native.spawn_detached((b"/",), (), theirs)
    assert children.read_text() == before
    os.close(ours)
    os.close(theirs)
