"""THE table of options: it drives the environment variables, config(), the decorator and the docs."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .errors import FramejitError, FramejitWarning


@dataclass(frozen=True, slots=True)
class Option:
    """One row."""

    name: str
    default: Any
    help: str
    choices: tuple[str, ...] = ()
    parse: Callable[[str], Any] = str
    """From the text of an environment variable."""
    scope: str = "call"
    """"call": differs between functions and contexts; "process": environment only."""

    @property
    def variable(self) -> str:
        """The environment variable."""
        return f"FRAMEJIT_{self.name.upper()}"


def _flag(text: str) -> bool:
    if text.strip().lower() in ("1", "true", "yes", "on"):
        return True
    if text.strip().lower() in ("", "0", "false", "no", "off"):
        return False
    raise ValueError("use 1 or 0")


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


LOG_TOPICS = ("breaks", "recompiles", "graphs", "kernels", "guards", "bails")
DEBUG_MODES = ("strict", "stub_everywhere", "exit0_everywhere", "bail_everywhere")

OPTIONS: dict[str, Option] = {
    option.name: option
    for option in (
        Option("backend", "numba", "what computes a graph: a name of backend_names()"),
        Option("disable", False, "run everything eagerly", parse=_flag, scope="process"),
        Option(
            "log",
            (),
            "comma-separated topics to print to the logger 'framejit'",
            LOG_TOPICS,
            parse=_words,
            scope="process",
        ),
        Option(
            "debug",
            (),
            "comma-separated: strict (errors of framejit are raised), and the hostile modes",
            DEBUG_MODES,
            parse=_words,
            scope="process",
        ),
    )
}


class Options:
    """One distinct set of per-call options; equal sets are the same object."""

    __slots__ = ("values",)
    _known: dict[tuple[tuple[str, Any], ...], Options] = {}

    values: dict[str, Any]

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Options:
        """The one object for these values."""
        key = tuple(sorted(values.items()))
        if key not in cls._known:
            made = cls._known[key] = cls()
            made.values = dict(values)
        return cls._known[key]

    def replace(self, changes: Mapping[str, Any]) -> Options:
        """The object for these values with some changed."""
        return self.of({**self.values, **changes})

    @property
    def backend(self) -> str:
        """Name of the backend."""
        name: str = self.values["backend"]
        return name

    def __repr__(self) -> str:
        return f"Options({', '.join(f'{k}={v!r}' for k, v in self.values.items())})"


def check_option(name: str, value: Any, scope: str = "call") -> Any:
    """The value, if the table allows it.

    Raises:
        FramejitError: an unknown option or value; the message lists the valid ones.
    """
    known = [option.name for option in OPTIONS.values() if option.scope == scope]
    if name not in known:
        raise FramejitError(f"unknown option {name!r}: valid options are {', '.join(known)}")
    option = OPTIONS[name]
    given = value if isinstance(value, tuple) else (value,)
    if option.choices and any(one not in option.choices for one in given):
        raise FramejitError(
            f"option {name!r} cannot be {value!r}: use one of {', '.join(option.choices)}"
        )
    return value


def read_environment(environment: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """All options, from FRAMEJIT_* variables or the defaults; an unknown name or value warns."""
    values = {option.name: option.default for option in OPTIONS.values()}
    for variable, text in environment.items():
        if not variable.startswith("FRAMEJIT_") or variable.startswith("FRAMEJIT_BUILD_"):
            continue
        name = variable.removeprefix("FRAMEJIT_").lower()
        if name not in OPTIONS:
            valid = ", ".join(option.variable for option in OPTIONS.values())
            _warn(f"unknown environment variable {variable}: valid ones are {valid}")
            continue
        option = OPTIONS[name]
        try:
            values[name] = check_option(name, option.parse(text), option.scope)
        except (ValueError, FramejitError) as error:
            _warn(f"{variable}={text!r} is ignored: {error}")
    return values


def _warn(message: str) -> None:
    warnings.warn(message, FramejitWarning, stacklevel=4)


SETTINGS = read_environment()
"""What the environment said at import."""
DEFAULT = Options.of({o.name: SETTINGS[o.name] for o in OPTIONS.values() if o.scope == "call"})
"""The options where no config() is active."""


def debug_mode(name: str) -> bool:
    """Whether FRAMEJIT_DEBUG names this mode."""
    return name in SETTINGS["debug"]
