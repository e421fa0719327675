"""What framejit tells, as log records: topics of FRAMEJIT_LOG, and what costs the program time.

Each topic is a child of the logger "framejit"; what costs time goes to that logger itself, once
each. Nothing of it goes through `warnings`: a filter of the program's could make an exception of
it, and its recorders would see it, while eager gives none.

`FRAMEJIT_LOG=breaks,graphs` prints two topics to stderr, and `with config(log=("breaks",))` prints
one for a block. Without them the standard library's own switches work:
`logging.getLogger("framejit.breaks").setLevel("INFO")`. The level of the root logger is no such
switch: a program that logs everything of its own has not asked for our topics.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar

from .config import LOG_TOPICS, PERFORMANCE, SETTINGS

LEVELS = dict.fromkeys(LOG_TOPICS, 20) | dict.fromkeys(
    ("graphs", "passes", "kernels", "guards"), 10
)
"""INFO for what happens to a program, DEBUG for the texts of what was made."""
FORMAT = "%(name)s: %(message)s"
ROOT = "framejit"

asked: ContextVar[tuple[str, ...]] = ContextVar("framejit_log", default=())
"""The topics that `with config(log=...)` blocks of this context print."""
_told: set[str] = set()


def log(topic: str, message: str, *args: object) -> None:
    """One event; `args` are put into the message by `%` when somebody listens."""
    name = f"{ROOT}.{topic}"
    if topic in asked.get() and topic not in SETTINGS["log"]:
        _print(name, message % args)
    if _has_level(name) or _has_level(ROOT):
        sys.modules["logging"].getLogger(name).log(LEVELS[topic], message, *args)


def tell(message: str) -> None:
    """Tells of something that costs the program time: once a process, as a warning of the logger.

    Handlers of the program's get it; with none it is not shown, but for FRAMEJIT_LOG and config().
    An exception of such a handler does not become one of the call that led here.
    """
    if message in _told:
        return
    _told.add(message)
    if asked.get() and not SETTINGS["log"]:
        _print(ROOT, message)
    import logging

    logger = logging.getLogger(ROOT)
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())  # else logging prints what nobody has asked for
    try:
        logger.warning("%s", message)
    except Exception as error:
        from .interrupts import meant_for_program  # two milliseconds of every import, else

        if meant_for_program(error) is not None:
            raise


def _print(name: str, text: str) -> None:
    """Prints a record to what stderr is now, for the block of config() that asked for it."""
    if sys.stderr is not None:
        with suppress(OSError, ValueError):  # the program has closed it
            print(FORMAT % {"name": name, "message": text}, file=sys.stderr)


def _has_level(name: str) -> bool:
    """Whether somebody has set the level of a logger; makes no logger that was not there."""
    logging = sys.modules.get("logging")
    if logging is None:
        return False
    return bool(getattr(logging.root.manager.loggerDict.get(name), "level", 0))


@contextmanager
def muted(name: str) -> Iterator[None]:
    """A library's loggers say no more than warnings in this block, unless its level was set."""
    import logging

    logger = logging.getLogger(name)
    before = logger.level
    if before == logging.NOTSET:
        logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logger.setLevel(before)


def listen() -> None:
    """Prints what FRAMEJIT_LOG asks for to stderr; does nothing where it is not set.

    What costs time is printed with any topic: who looks at one wants to know.
    """
    if not SETTINGS["log"]:
        return
    import logging

    root = logging.getLogger(ROOT)
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter(FORMAT))
    root.addHandler(handler)
    root.propagate = False
    if root.level == logging.NOTSET:
        root.setLevel(logging.WARNING)
    for topic in SETTINGS["log"]:
        if topic != PERFORMANCE:
            logging.getLogger(f"{ROOT}.{topic}").setLevel(LEVELS[topic])
