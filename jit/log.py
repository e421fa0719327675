"""Events as log records: one child of the logger "framejit" for each topic of FRAMEJIT_LOG.

`FRAMEJIT_LOG=breaks,graphs` prints two topics to stderr. Without it the standard library's own
switches work: `logging.getLogger("framejit.breaks").setLevel("INFO")`. The level of the root logger
is no such switch: a program that logs everything of its own has not asked for us.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from .config import LOG_TOPICS, SETTINGS

LEVELS = dict.fromkeys(LOG_TOPICS, 20) | dict.fromkeys(
    ("graphs", "passes", "kernels", "guards"), 10
)
"""INFO for what happens to a program, DEBUG for the texts of what was made."""
FORMAT = "%(name)s: %(message)s"


def log(topic: str, message: str, *args: object) -> None:
    """One event; `args` are put into the message by `%` when somebody listens."""
    name = f"framejit.{topic}"
    if _has_level(name) or _has_level("framejit"):
        sys.modules["logging"].getLogger(name).log(LEVELS[topic], message, *args)


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
    """Prints the topics of FRAMEJIT_LOG to stderr; does nothing where it is not set."""
    if not SETTINGS["log"]:
        return
    import logging

    root = logging.getLogger("framejit")
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter(FORMAT))
    root.addHandler(handler)
    root.propagate = False
    for topic in SETTINGS["log"]:
        logging.getLogger(f"framejit.{topic}").setLevel(LEVELS[topic])
