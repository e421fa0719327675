"""The compile helper as this process sees it: it is started, asked, and may be gone at any time.

It is another process because compilers written in Python hold the GIL: in a thread of the program
they take half of its time. No program sees it: it is no child (jit/native/detached.c), its socket
has a high number, and no thread belongs to it. Whoever wants an answer looks for it with
`Question.is_done`, which reads what has come, or waits without the GIL with `Question.wait`.

The program may close our descriptor or fork at any time. So the descriptor is compared with the
socket that it was before each use, and a forked child drops what its parent has asked.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic

from . import native
from .frozen import dataclass
from .helper_frames import Broken, Frame, Kind, Receiver
from .log import log

STARTS = 3
"""Helpers that may die before there is no other one."""
START_LIMIT = 120.0
"""Seconds until a helper that has not said that it is ready is given up."""
FORK_WAITS = 1.0
"""Seconds at most; the thread that forks may itself have the lock, in a signal handler."""
LOOKS_AGAIN = 1000
"""ms after which a waiting thread looks if its descriptor is still the helper's."""


class Unavailable(Exception):  # noqa: N818
    """There can be no helper; says why."""


@dataclass(frozen=True, slots=True)
class Command:
    """How a helper is started, and what it says when it is ready."""

    argv: Sequence[bytes]
    environment: Sequence[bytes]
    greeting: bytes


class Question:
    """One text that a helper was asked for; done when there is an answer, or none will come."""

    __slots__ = ("_helper", "answer", "body", "cpu", "forgotten", "kind", "number", "why_none")

    def __init__(self, helper: Helper, kind: Kind, body: bytes, number: int) -> None:
        self._helper = helper
        self.kind, self.body, self.number = kind, body, number
        self.answer: Frame | None = None
        self.why_none = ""
        """Why there will be no answer; empty as long as there may be one."""
        self.forgotten = False
        """The process was forked: the answer goes to the parent, and this process asks anew."""
        self.cpu = 0.0
        """Seconds of the helper's processor time since the answer before, its start included."""

    def is_done(self) -> bool:
        """True if there is an answer, or the reason why there is none. Reads what has come."""
        if self.answer is None and not self.why_none:
            self._helper.pump()
        return self.answer is not None or bool(self.why_none)

    def wait(self, timeout: float | None = None, stop: bytearray | None = None) -> bool:
        """Waits until it is done, the time is over or `stop[0]` is not 0; True if it is done."""
        end = None if timeout is None else monotonic() + timeout
        while not self.is_done():
            left = LOOKS_AGAIN if end is None else int(1000 * (end - monotonic()))
            if left <= 0 or (stop is not None and stop[0]):
                return False
            self._helper.rest(min(left, LOOKS_AGAIN), stop)
        return True


class _Channel:
    """Our end of the socket to one helper."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        about = os.fstat(descriptor)
        self._identity = about.st_dev, about.st_ino
        self.started = monotonic()
        self.is_ready = False
        self.receiver = Receiver()
        self.unsent = bytearray()
        self.cpu = 0.0
        """Seconds of processor time that the helper has told of."""
        self.charged = 0.0
        """The same, as far as answers have told of it."""

    def descriptor(self) -> int | None:
        """Its number; None where the program has closed it, and perhaps opened another file."""
        try:
            about = os.fstat(self._descriptor)
        except OSError:
            return None
        return self._descriptor if (about.st_dev, about.st_ino) == self._identity else None

    def close(self) -> None:
        """Closes it, which ends the helper after its present job."""
        if self.descriptor() is not None:
            os.close(self._descriptor)


class Helper:
    """The helper of this process: started by the first question, and once more if it dies."""

    def __init__(self, command: Callable[[], Command]) -> None:
        self._command = command
        self._greeting = b""
        self._lock = threading.Lock()
        """Never waited for: a signal handler may ask in the thread that has it."""
        self._held = False
        """For a fork."""
        self._asked: deque[Question] = deque()
        """Not sent yet. Whoever asks appends, without the lock."""
        self._sent: dict[int, Question] = {}
        self._channel: _Channel | None = None
        self._deaths = 0
        self._numbers = 0
        self.why_none = ""
        """Why there is no helper and will be none; empty where there may be one."""
        self.pid = 0
        """That of the last helper that was ready; not a child of this process."""
        self.cpu = 0.0
        """Seconds of processor time that all helpers of this process have told of."""
        os.register_at_fork(
            before=self._before_fork,
            after_in_parent=self._after_fork,
            after_in_child=self._after_fork_in_child,
        )

    def ask(self, kind: Kind, body: bytes) -> Question | None:
        """A question that is on its way; None where there is no helper. Does not wait."""
        if self.why_none:
            return None
        self._numbers += 1
        question = Question(self, kind, body, self._numbers)
        self._asked.append(question)
        self.pump()
        return None if self.why_none else question

    def pump(self) -> None:
        """Starts a helper if it is needed, sends what there is room for, reads what has come."""
        if not self._lock.acquire(blocking=False):
            return  # another thread is doing so, or this one below a signal handler
        try:
            if self._channel is None and self._asked:
                self._channel = self._start()
            while self._channel is not None and self._exchange(self._channel):
                pass
        except Unavailable as reason:
            self._give_up(str(reason))
        except (OSError, Broken) as error:
            self._lose(f"the compile helper is gone: {error!r}")
        finally:
            self._lock.release()

    def rest(self, milliseconds: int, stop: bytearray | None) -> None:
        """Waits without the GIL until there may be something to pump."""
        channel = self._channel
        descriptor = channel.descriptor() if channel is not None else None
        if channel is not None and descriptor is not None:
            native.wait_for_channel(descriptor, bool(channel.unsent), milliseconds, stop)

    # ---- forks -----------------------------------------------------------------------------------

    def _before_fork(self) -> None:
        """Waits if another thread is starting a helper, whose ends of the socket are not noted yet.

        A child that inherits them would hide from us that the helper has ended.
        """
        self._held = self._lock.acquire(timeout=FORK_WAITS)

    def _after_fork(self) -> None:
        if self._held:
            self._held = False
            self._lock.release()

    def _after_fork_in_child(self) -> None:
        """The helper, and what it was asked, are the parent's."""
        self._lock, self._held = threading.Lock(), False
        for question in [*self._asked, *self._sent.values()]:
            question.forgotten, question.why_none = True, "the process was forked"
        self._asked.clear()
        self._sent.clear()
        self.cpu = 0.0
        if self._channel is not None:
            self._channel.close()
            self._channel = None

    # ---- with the lock held ----------------------------------------------------------------------

    def _start(self) -> _Channel:
        command = self._command()
        try:
            ours, theirs = native.open_channel()
        except OSError as error:
            raise Unavailable(f"no socket could be opened: {error.strerror}") from None
        channel = _Channel(ours)
        try:
            native.spawn_detached(tuple(command.argv), tuple(command.environment), theirs)
        except OSError as error:
            channel.close()
            raise Unavailable(f"no process could be started: {error.strerror}") from None
        finally:
            os.close(theirs)
        self._greeting = command.greeting
        return channel

    def _exchange(self, channel: _Channel) -> bool:
        """One round; True if something has come, so that there may be more."""
        descriptor = channel.descriptor()
        if descriptor is None:
            raise OSError("its descriptor was closed")
        while self._asked:
            question = self._asked.popleft()
            self._sent[question.number] = question
            channel.unsent += Frame(question.kind, question.number, question.body).packed()
        with suppress(BrokenPipeError, ConnectionResetError):  # it may have said why it ended
            if channel.unsent:
                del channel.unsent[: native.send_some(descriptor, channel.unsent)]
        part = native.receive_some(descriptor)
        if part is None:
            if not channel.is_ready and monotonic() - channel.started > START_LIMIT:
                raise OSError("it did not start")
            return False
        if not part:
            raise OSError("it has ended")
        for frame in channel.receiver.feed(part):
            self._take(channel, frame)
        return True

    def _take(self, channel: _Channel, frame: Frame) -> None:
        self.cpu += frame.cpu - channel.cpu
        channel.cpu = frame.cpu
        if frame.kind is Kind.READY:
            if frame.body != self._greeting:
                raise Unavailable("the compile helper consists of other versions")
            channel.is_ready, self.pid = True, frame.number
            log("kernels", "compile helper: ready after %.2f s", monotonic() - channel.started)
        elif frame.kind is Kind.FAILED and not frame.number:
            why = frame.body.decode(errors="replace").partition("\n")[0]
            raise Unavailable(f"the compile helper could not start: {why}")
        elif frame.kind is Kind.GOODBYE:
            self._asked.extendleft(reversed(self._sent.values()))
            self._sent.clear()
            self._drop_channel()
        else:
            question = self._sent.pop(frame.number, None)
            if question is not None:
                question.cpu, channel.charged = frame.cpu - channel.charged, frame.cpu
                question.answer = frame

    def _lose(self, why: str) -> None:
        """The helper has died: what it was asked has no answer; there may be another helper."""
        was_ready = self._channel is not None and self._channel.is_ready
        self._deaths += 1
        if not was_ready or self._deaths >= STARTS:
            self._give_up(f"{why}, {'again' if was_ready else 'before it was ready'}")
            return
        log("kernels", "%s", why)
        self._drop_channel()
        for question in self._sent.values():
            question.why_none = why
        self._sent.clear()

    def _give_up(self, why: str) -> None:
        log("kernels", "no compile helper: %s", why)
        self.why_none = why
        self._drop_channel()
        for question in [*self._sent.values(), *self._asked]:
            question.why_none = why
        self._sent.clear()
        self._asked.clear()

    def _drop_channel(self) -> None:
        if self._channel is not None:
            self._channel.close()
            self._channel = None
