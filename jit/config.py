"""THE table of options: it drives the environment, config(), the decorator and the docs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from .errors import FramejitError, warn
from .frozen import dataclass


@dataclass(frozen=True, slots=True)
class Option:
    """One row."""

    name: str
    default: Any
    help: str
    choices: tuple[str, ...] = ()
    least: int | None = None
    """Of an int."""
    parse: Callable[[str], Any] = str
    """From the text of an environment variable."""
    scope: str = "call"
    """"call": jit(), config() and environment; "function": jit() only; "block": config() and
    environment; "process": environment."""

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


def _folders(text: str) -> str:
    """Absolute paths, which stay the same folders whatever the program does, as in $PATH.

    The first is "" for none, and the default where it is left out.
    """
    first, *further = map(str.strip, text.split(os.pathsep))
    paths = [OPTIONS["cache_dir"].default if further and not first else _folder(first)]
    return os.pathsep.join([*paths, *(found for found in map(_folder, further) if found)])


def _folder(path: str) -> str:
    return "" if path.lower() in ("", "off") else os.path.abspath(os.path.expanduser(path))


PERFORMANCE = "performance"
"""The topic of what costs the program time; it goes to the logger "framejit" itself."""
LOG_TOPICS = (
    *(PERFORMANCE, "breaks", "recompiles", "graphs", "passes", "kernels", "guards", "bails"),
    *("cache", "tiers"),
)
ALL = "all"
"""In the place of all topics."""
HOSTILE_MODES = (
    *("tier_everywhere", "stub_everywhere", "exit0_everywhere", "bail_everywhere"),
    "threads_everywhere",
)
"""For tests: calls go ways that they seldom go."""
DEBUG_MODES = ("strict", *HOSTILE_MODES, "kept_everywhere", "unproved")

OPTIONS: dict[str, Option] = {
    option.name: option
    for option in (
        Option("backend", "numba", "what computes: numba; numpy, op by op; eager, plain Python"),
        Option(
            "fullgraph",
            False,
            "a graph break is an error that names it",
            parse=_flag,
            scope="function",
        ),
        Option(
            "static",
            (),
            "names of arguments by whose value kernels are specialised",
            parse=_words,
            scope="function",
        ),
        Option(
            "verify",
            False,
            "compare each kernel with NumPy on each call, on copies: slow, and finds wrong kernels",
            parse=_flag,
        ),
        Option(
            "cache",
            True,
            "keep machine code in the folder cache_dir, and take it from there",
            parse=_flag,
        ),
        Option(
            "compile",
            "auto",
            "when kernels are compiled: auto, by a helper process while plain Python answers, and "
            "under run and capture() when they pay; now, while the first call waits",
            ("auto", "now"),
        ),
        Option(
            "threads",
            0,
            "how many threads may share the work of a kernel; 1: the caller's alone; 0: as many as "
            "the process has cores, or OMP_NUM_THREADS says",
            least=0,
            parse=int,
        ),
        Option(
            "entries",
            True,
            "keep what was captured in the folder cache_dir, so that later processes capture "
            "nothing; with cache off nothing is kept either",
            parse=_flag,
            scope="process",
        ),
        Option(
            "copies",
            True,
            "under `python -m framejit run` and capture(), capture in copies of the process, while "
            "the program goes on, where there is a second core",
            parse=_flag,
            scope="process",
        ),
        Option("disable", False, "run everything eagerly", parse=_flag, scope="process"),
        Option(
            "cache_dir",
            "~/.cache/framejit",
            "folder in which machine code is kept for later processes (in $XDG_CACHE_HOME where "
            "that is set); off: none. A colon and other folders behind it: these are only read",
            parse=_folders,
            scope="process",
        ),
        Option(
            "log",
            (),
            "comma-separated topics of the logger 'framejit' to print to stderr",
            (ALL, *LOG_TOPICS),
            parse=_words,
            scope="block",
        ),
        Option(
            "debug",
            (),
            "for tests, comma-separated: strict raises errors of framejit; unproved works on "
            "Pythons where not all tests have passed; the others make calls go ways that they "
            "seldom go",
            DEBUG_MODES,
            parse=_words,
            scope="process",
        ),
        Option(
            "seed",
            0,
            "for tests: the seed of what a mode of FRAMEJIT_DEBUG tosses; 0: another one each time",
            parse=int,
            scope="process",
        ),
    )
}


class Options:
    """One distinct set of per-call options; equal sets are the same object."""

    __slots__ = ("values",)
    _known: ClassVar[dict[tuple[tuple[str, Any], ...], Options]] = {}

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

    @property
    def verify(self) -> bool:
        """Whether kernels are compared with NumPy before each launch."""
        return bool(self.values.get("verify", False))

    @property
    def cache(self) -> bool:
        """Whether machine code may stand on disk."""
        return bool(self.values.get("cache", True))

    @property
    def compiles_later(self) -> bool:
        """Whether eager answers while kernels are compiled.

        Not where the call is to be looked into: it is compared with NumPy, must be one graph, goes
        op by op, or runs in a mode for tests.
        """
        is_plain = self.backend == "numba" and not (self.verify or self.fullgraph)
        return self.values.get("compile") == "auto" and is_plain and not _IS_HOSTILE

    @property
    def threads(self) -> int:
        """How many threads may share the work of a kernel; 0: as many as there are cores."""
        return int(self.values.get("threads", 0))

    @property
    def fullgraph(self) -> bool:
        """Whether a graph break is an error."""
        return bool(self.values.get("fullgraph", False))

    def text(self) -> str:
        """As the user would write them."""
        return ", ".join(f"{name}={value!r}" for name, value in self.values.items())

    def __repr__(self) -> str:
        return f"Options({self.text()})"


_ALONE = "write @jit alone"
NUMBAS = {
    "nopython": "what cannot be compiled runs as plain Python; fullgraph=True makes that an error",
    "forceobj": f"{_ALONE}: what cannot be compiled runs as plain Python",
    "looplift": f"{_ALONE}: what stands around a graph break is compiled, loops too",
    "parallel": f"{_ALONE}: threads share large loops by themselves, without a change in any bit",
    "fastmath": f"{_ALONE}: results have the bits that NumPy gives, which fastmath changes",
    "nogil": f"{_ALONE}: calls hold the GIL, as those of plain Python do",
    "boundscheck": f"{_ALONE}: an index out of bounds raises IndexError, as in plain Python",
    "error_model": f"{_ALONE}: errors and warnings are those of NumPy and Python",
    "inline": f"{_ALONE}: functions that are called are inlined, decorated or not",
    "locals": f"{_ALONE}: types are found when the function is called",
}
"""Options that users of Numba write, and what to do instead."""

CALLERS = {
    "jit": ("call", "function"),
    "config": ("call", "block"),
    "environment": ("call", "block", "process"),
}
"""Who may set options of which scopes."""


def check_option(name: str, value: Any, caller: str = "jit") -> Any:
    """The value, if the table allows it; `caller` is a key of CALLERS.

    Raises:
        FramejitError: an unknown option or value; the message lists the valid ones.
    """
    known = [option.name for option in OPTIONS.values() if option.scope in CALLERS[caller]]
    if name not in known:
        raise FramejitError(f"{caller}: {_why_no_option(name, known)}")
    option = OPTIONS[name]
    if option.scope == "block" and isinstance(value, str):
        value = option.parse(value)  # as in the environment: "breaks, bails"
    if not isinstance(value, type(option.default)):
        wanted = {bool: "True or False", int: "an int", str: "a string", tuple: "a tuple of names"}[
            type(option.default)
        ]
        raise FramejitError(f"{caller}: option {name!r} must be {wanted}, not {value!r}")
    if option.least is not None and value < option.least:
        raise FramejitError(
            f"{caller}: option {name!r} must be {option.least} or more, not {value!r}"
        )
    given = value if isinstance(value, tuple) else (value,)
    wrong = [one for one in given if option.choices and one not in option.choices]
    if wrong:
        valid = ", ".join(repr(choice) for choice in option.choices)
        close = meant(wrong[0], option.choices)
        raise FramejitError(
            f"{caller}: option {name!r} cannot be {wrong[0]!r}{close}: use one of {valid}"
        )
    return _all_of(value) if name == "log" else value


def _all_of(topics: tuple[str, ...]) -> tuple[str, ...]:
    """The topics that are meant."""
    return LOG_TOPICS if ALL in topics else topics


def _why_no_option(name: str, known: list[str]) -> str:
    if name in OPTIONS and OPTIONS[name].scope == "process":
        variable = OPTIONS[name].variable
        block = " or write `with disable():`" if name == "disable" else ""
        return (
            f"option {name!r} holds for the whole process: set the environment variable "
            f"{variable}{block}"
        )
    if name in OPTIONS and OPTIONS[name].scope == "block":
        return (
            f"option {name!r} belongs to no function: write `with config({name}=...):` or set the "
            f"environment variable {OPTIONS[name].variable}"
        )
    if name in OPTIONS:
        return f"option {name!r} belongs to one function: write jit({name}=...)"
    if name in NUMBAS:
        return f"option {name!r} is Numba's, not framejit's: {NUMBAS[name]}"
    return f"unknown option {name!r}{meant(name, known)}: valid options are {', '.join(known)}"


def meant(name: object, known: Iterable[str], shown: Callable[[str], str] = str) -> str:
    """A question in brackets where a known name is close, else nothing; `shown` in its words."""
    from difflib import get_close_matches  # costs a millisecond of every import, else

    close = get_close_matches(str(name), list(known), 1)
    return f" (did you mean {shown(close[0])!r}?)" if close else ""


def read_environment(environment: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """All options, from FRAMEJIT_* variables or the defaults; an unknown name or value warns.

    An empty variable is none. Of several words those count that are known.
    """
    values = {o.name: o.default for o in OPTIONS.values() if o.scope in CALLERS["environment"]}
    for variable, text in environment.items():
        if not variable.startswith("FRAMEJIT_") or variable.startswith("FRAMEJIT_BUILD_"):
            continue
        if not text.strip():
            continue
        name = variable.removeprefix("FRAMEJIT_").lower()
        if name not in values:
            valid = ", ".join(OPTIONS[known].variable for known in values)
            close = meant(name, values, lambda known: OPTIONS[known].variable)
            warn(f"unknown environment variable {variable}{close}: valid ones are {valid}")
            continue
        values[name] = _read(OPTIONS[name], text)
    return values


def _read(option: Option, text: str) -> Any:
    """The value of a variable; what is wrong is warned of, and does not count."""
    kept: tuple[str, ...] = ()
    try:
        value = option.parse(text)
        if isinstance(value, tuple):
            kept = tuple(word for word in value if word in option.choices)
        return check_option(option.name, value, "environment")
    except (ValueError, FramejitError) as error:
        why = str(error).removeprefix("environment: ")
        but = f" but for {', '.join(kept)}" if kept else ""
        warn(f"{option.variable}={text!r} is ignored{but}: {why}")
        return _all_of(kept) or option.default


SETTINGS = read_environment()
"""What the environment said at import."""
DEFAULT = Options.of({o.name: SETTINGS[o.name] for o in OPTIONS.values() if o.scope == "call"})
"""The options where no config() is active."""


_IS_HOSTILE = not {*HOSTILE_MODES}.isdisjoint(SETTINGS["debug"])


def is_hostile() -> bool:
    """True in a mode for tests in which calls go ways that they seldom go."""
    return _IS_HOSTILE


def debug_mode(name: str) -> bool:
    """Whether FRAMEJIT_DEBUG names this mode."""
    return name in SETTINGS["debug"]
