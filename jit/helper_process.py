"""The compile helper, seen from this process: starting it, sending requests, surviving its death.

The helper is a separate process because compilers written in Python hold the GIL: in a thread they
would take half of the program's time. It is invisible to the program: not a child process
(jit/native/detached.c), with a socket of high descriptor number and without a thread. Callers poll
for an answer with `Question.is_done`, or wait without the GIL with `Question.wait`.

The program may close our descriptor or fork at any time. Therefore the descriptor is checked to be
the same socket before each use, and a forked child drops its parent's requests.
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
"""Number of helpers that may die before no other is started."""
START_LIMIT = 120.0
"""Seconds after which a helper that has not reported ready is given up."""
FORK_WAITS = 1.0
"""Most seconds that a fork waits for the lock; a signal handler may fork in the thread holding it.
"""
LOOKS_AGAIN = 1000
"""Milliseconds after which a waiting thread checks again that its descriptor is the helper's."""


class Unavailable(Exception):  # noqa: N818 (named for its reason)
    """No helper can be started; the message has the reason."""


@dataclass(frozen=True, slots=True)
class Command:
    """The command that starts a helper, and the greeting expected from it."""

    argv: Sequence[bytes]
    environment: Sequence[bytes]
    greeting: bytes


class Question:
    """A request to compile one text; done once it has an answer, or none can come."""

    __slots__ = ("_helper", "answer", "body", "cpu", "forgotten", "kind", "number", "why_none")

    def __init__(self, helper: Helper, kind: Kind, body: bytes, number: int) -> None:
        self._helper = helper
        self.kind, self.body, self.number = kind, body, number
        self.answer: Frame | None = None
        self.why_none = ""
        """The reason why there will be no answer; "" while there may be one."""
        self.forgotten = False
        """The process was forked since: the answer goes to the parent, this process has to ask
        anew."""
        self.cpu = 0.0
        """CPU seconds of the helper since its previous answer, its start included."""

    def is_done(self) -> bool:
        """True if there is an answer, or a reason for none. Reads what has arrived."""
        if self.answer is None and not self.why_none:
            self._helper.pump()
        return self.answer is not None or bool(self.why_none)

    def wait(self, timeout: float | None = None, stop: bytearray | None = None) -> bool:
        """Wait until done, timeout, or `stop[0]` is nonzero; return True if done."""
        end = None if timeout is None else monotonic() + timeout
        while not self.is_done():
            left = LOOKS_AGAIN if end is None else int(1000 * (end - monotonic()))
            if left <= 0 or (stop is not None and stop[0]):
                return False
            self._helper.rest(min(left, LOOKS_AGAIN), stop)
        return True


class _Channel:
    """The near end of the socket to one helper."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        about = os.fstat(descriptor)
        self._identity = about.st_dev, about.st_ino
        self.started = monotonic()
        self.is_ready = False
        self.receiver = Receiver()
        self.unsent = bytearray()
        self.cpu = 0.0
        """CPU seconds that the helper has reported."""
        self.charged = 0.0
        """The part of `cpu` that was charged to answers."""

    def descriptor(self) -> int | None:
        """Return the descriptor.

        None if the program has closed it, and perhaps reused the number.
        """
        try:
            about = os.fstat(self._descriptor)
        except OSError:
            return None
        return self._descriptor if (about.st_dev, about.st_ino) == self._identity else None

    def close(self) -> None:
        """Close the socket, which ends the helper after its present job."""
        if self.descriptor() is not None:
            os.close(self._descriptor)


class Helper:
    """The compile helper of this process, started by the first request and again if it dies."""

    def __init__(self, command: Callable[[], Command]) -> None:
        self._command = command
        self._greeting = b""
        self._lock = threading.Lock()
        """Never waited for: a signal handler may ask in the very thread that holds it."""
        self._locked_for_fork = False
        """True while the lock is held for a fork."""
        self._asked: deque[Question] = deque()
        """Requests not sent yet; appended without the lock."""
        self._sent: dict[int, Question] = {}
        self._channel: _Channel | None = None
        self._deaths = 0
        self._numbers = 0
        self.why_none = ""
        """The reason why there will be no helper; "" while there may be one."""
        self.pid = 0
        """Process id of the last helper that was ready; it is not a child of this process."""
        self.cpu = 0.0
        """CPU seconds that all helpers of this process have reported."""
        os.register_at_fork(
            before=self._before_fork,
            after_in_parent=self._after_fork,
            after_in_child=self._after_fork_in_child,
        )

    def ask(self, kind: Kind, body: bytes) -> Question | None:
        """Queue a request without waiting; return None if there is no helper."""
        if self.why_none:
            return None
        self._numbers += 1
        question = Question(self, kind, body, self._numbers)
        self._asked.append(question)
        self.pump()
        return None if self.why_none else question

    def pump(self) -> None:
        """Start a helper if needed, send as much as fits, and read what has arrived."""
        if not self._lock.acquire(blocking=False):
            return  # another thread does it, or this one did when a signal handler interrupted it
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
        """Wait without the GIL until `pump` may have something to do."""
        channel = self._channel
        descriptor = channel.descriptor() if channel is not None else None
        if channel is not None and descriptor is not None:
            native.wait_for_channel(descriptor, bool(channel.unsent), milliseconds, stop)

    # ---- forks -----------------------------------------------------------------------------------

    def _before_fork(self) -> None:
        """Wait while another thread is starting a helper and has not recorded its sockets.

        A child that inherited them would keep us from noticing the helper's end.
        """
        self._locked_for_fork = self._lock.acquire(timeout=FORK_WAITS)

    def _after_fork(self) -> None:
        if self._locked_for_fork:
            self._locked_for_fork = False
            self._lock.release()

    def _after_fork_in_child(self) -> None:
        """Drop the helper and the requests, which are the parent's."""
        self._lock, self._locked_for_fork = threading.Lock(), False
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
        """Send and receive once; return True if something arrived, as there may be more."""
        descriptor = channel.descriptor()
        if descriptor is None:
            raise OSError("its descriptor was closed")
        while self._asked:
            question = self._asked.popleft()
            self._sent[question.number] = question
            channel.unsent += Frame(question.kind, question.number, question.body).packed()
        with suppress(BrokenPipeError, ConnectionResetError):  # it may have sent its reason
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
        """Note that the helper died: its requests fail, and another helper may be started."""
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
