"""Events as log records: one child of the logger "framejit" for each topic of FRAMEJIT_LOG.

`FRAMEJIT_LOG=breaks,graphs` prints two topics to stderr. Without it the standard library's own
switches work: `logging.getLogger("framejit.breaks").setLevel("INFO")`.
"""

from __future__ import annotations

import sys

from .config import LOG_TOPICS, SETTINGS

LEVELS = dict.fromkeys(LOG_TOPICS, 20) | dict.fromkeys(("graphs", "kernels", "guards"), 10)
"""INFO for what happens to a program, DEBUG for the texts of what was made."""
FORMAT = "%(name)s: %(message)s"


def log(topic: str, message: str, *args: object) -> None:
    """One event; `args` are put into the message by `%` when somebody listens."""
    if "logging" not in sys.modules:
        return  # nobody can have asked for it
    import logging

    logging.getLogger(f"framejit.{topic}").log(LEVELS[topic], message, *args)


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
