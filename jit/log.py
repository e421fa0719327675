"""Log records: the topics of FRAMEJIT_LOG, and messages about lost time.

Each topic is a child of the logger "framejit"; messages about lost time go to that logger itself,
each once. Nothing is issued through `warnings`, because the program's filters could turn a warning
into an exception, and its recorders would see it, though eager gives none.

`FRAMEJIT_LOG=breaks,graphs` prints two topics to stderr, and `with config(log=("breaks",))` prints
one in a block. Otherwise logging's own switches work:
`logging.getLogger("framejit.breaks").setLevel("INFO")`. The level of the root logger does not
switch topics on, as a program that logs everything of its own has not asked for ours.
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
"""INFO for events in a program, DEBUG for texts of graphs, kernels and guards."""
FORMAT = "%(name)s: %(message)s"
ROOT = "framejit"

asked: ContextVar[tuple[str, ...]] = ContextVar("framejit_log", default=())
"""Topics that the enclosing `with config(log=...)` blocks print."""
_told: set[str] = set()


def log(topic: str, message: str, *args: object) -> None:
    """Log an event; `args` are merged into the message only if somebody listens."""
    name = f"{ROOT}.{topic}"
    if topic in asked.get() and topic not in SETTINGS["log"]:
        _print(name, message % args)
    if _has_level(name) or _has_level(ROOT):
        sys.modules["logging"].getLogger(name).log(LEVELS[topic], message, *args)


def tell(message: str) -> None:
    """Log once per process, as a warning, something that costs the program time.

    Handlers of the program's get it. Without any it is shown only with FRAMEJIT_LOG or config().
    Exceptions of such handlers do not propagate to the call that led here.
    """
    if message in _told:
        return
    _told.add(message)
    if asked.get() and not SETTINGS["log"]:
        _print(ROOT, message)
    import logging

    logger = logging.getLogger(ROOT)
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())  # logging would print it unasked
    try:
        logger.warning("%s", message)
    except Exception as error:
        from .interrupts import meant_for_program  # two milliseconds of every import otherwise

        if meant_for_program(error) is not None:
            raise


def _print(name: str, text: str) -> None:
    """Print a record to the present stderr, for the config() block that asked for it."""
    if sys.stderr is not None:
        with suppress(OSError, ValueError):  # the program has closed stderr
            print(FORMAT % {"name": name, "message": text}, file=sys.stderr)


def _has_level(name: str) -> bool:
    """True if the level of a logger was set; does not create the logger."""
    logging = sys.modules.get("logging")
    if logging is None:
        return False
    return bool(getattr(logging.root.manager.loggerDict.get(name), "level", 0))


@contextmanager
def muted(name: str) -> Iterator[None]:
    """Raise a library's loggers to the level WARNING in a block, unless a level was set."""
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
    """Print the topics of FRAMEJIT_LOG to stderr; do nothing if it is not set.

    Messages about lost time are printed with any topic.
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
