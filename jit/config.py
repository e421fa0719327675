"""The table of options; environment variables, config(), the decorator and the docs follow it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from .errors import FramejitError, warn


class Option:
    """One row of the table of options; no dataclass, which would lengthen each start."""

    name: str
    default: Any
    help: str
    choices: tuple[str, ...] = ()
    least: int | None = None
    """Smallest value of an int option."""
    parse: Callable[[str], Any] = str
    """Converts the text of an environment variable to a value."""
    scope: str = "call"
    """The places where it may be set. "call": jit(), config() and the environment; "function":
    jit() only; "block": config() and the environment; "process": the environment."""

    def __init__(
        self, name: str, default: Any, text: str, choices: tuple[str, ...] = (), **others: Any
    ) -> None:
        self.name, self.default, self.help, self.choices = name, default, text, choices
        vars(self).update(others)

    @property
    def variable(self) -> str:
        """Return the name of the environment variable."""
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
    """Make the folders of a $PATH-like list absolute, so that chdir does not change their meaning.

    An empty first folder means none; a missing one the default.
    """
    first, *further = map(str.strip, text.split(os.pathsep))
    paths = [OPTIONS["cache_dir"].default if further and not first else _folder(first)]
    return os.pathsep.join([*paths, *(found for found in map(_folder, further) if found)])


def _folder(path: str) -> str:
    return "" if path.lower() in ("", "off") else os.path.abspath(os.path.expanduser(path))


PERFORMANCE = "performance"
"""The topic of messages about lost time; its logger is "framejit" itself."""
LOG_TOPICS = (
    *(PERFORMANCE, "breaks", "recompiles", "graphs", "passes", "kernels", "guards", "bails"),
    *("cache", "tiers"),
)
ALL = "all"
"""Stands for all topics."""
HOSTILE_MODES = (
    *("tier_everywhere", "stub_everywhere", "exit0_everywhere", "bail_everywhere"),
    "threads_everywhere",
)
"""Debug modes for tests that force rare paths."""
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
            "capture in copies of the process, while the program goes on, where there is a second "
            "core and results can be kept",
            parse=_flag,
            scope="process",
        ),
        Option(
            "keep_freed",
            True,
            "under `python -m framejit run`, up to 64 MiB that the program frees stay in its heap, "
            "for its next arrays: clearing new pages is up to half of the time of programs",
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
    """A set of per-call options; equal sets are the same object, so they compare by identity."""

    __slots__ = ("values",)
    _known: ClassVar[dict[tuple[tuple[str, Any], ...], Options]] = {}

    values: dict[str, Any]

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Options:
        """Return the object for these values."""
        key = tuple(sorted(values.items()))
        if key not in cls._known:
            made = cls._known[key] = cls()
            made.values = dict(values)
        return cls._known[key]

    def replace(self, changes: Mapping[str, Any]) -> Options:
        """Return the object for these values with some replaced."""
        return self.of({**self.values, **changes})

    @property
    def backend(self) -> str:
        """Return the name of the backend."""
        name: str = self.values["backend"]
        return name

    @property
    def verify(self) -> bool:
        """True if kernels are compared with NumPy before each launch."""
        return bool(self.values.get("verify", False))

    @property
    def cache(self) -> bool:
        """True if machine code may be kept on disk."""
        return bool(self.values.get("cache", True))

    @property
    def compiles_later(self) -> bool:
        """True if eager answers while kernels are compiled in the background.

        False if the call has to be inspected: with verify, fullgraph, another backend than numba,
        or a debug mode for tests.
        """
        is_plain = self.backend == "numba" and not (self.verify or self.fullgraph)
        return self.values.get("compile") == "auto" and is_plain and not _IS_HOSTILE

    @property
    def threads(self) -> int:
        """Return the number of threads that may share a kernel's work; 0 for one per core."""
        return int(self.values.get("threads", 0))

    @property
    def fullgraph(self) -> bool:
        """True if a graph break is an error."""
        return bool(self.values.get("fullgraph", False))

    def text(self) -> str:
        """Return the options as source text."""
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
    "nogil": f"{_ALONE}: long loops run without the GIL, as those of NumPy do",
    "boundscheck": f"{_ALONE}: an index out of bounds raises IndexError, as in plain Python",
    "error_model": f"{_ALONE}: errors and warnings are those of NumPy and Python",
    "inline": f"{_ALONE}: functions that are called are inlined, decorated or not",
    "locals": f"{_ALONE}: types are found when the function is called",
}
"""Options of Numba's decorator, each with advice for its users."""

CALLERS = {
    "jit": ("call", "function"),
    "config": ("call", "block"),
    "environment": ("call", "block", "process"),
}
"""Scopes of the options that each caller may set."""


def check_option(name: str, value: Any, caller: str = "jit") -> Any:
    """Return the value of an option if the table allows it; `caller` is a key of CALLERS.

    Raises:
        FramejitError: an unknown option or value; the message lists the valid ones.
    """
    known = [option.name for option in OPTIONS.values() if option.scope in CALLERS[caller]]
    if name not in known:
        raise FramejitError(f"{caller}: {_why_no_option(name, known)}")
    option = OPTIONS[name]
    if option.scope == "block" and isinstance(value, str):
        value = option.parse(value)  # a string is parsed as in the environment: "breaks, bails"
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
    """Replace "all" by the list of topics."""
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
    """Return " (did you mean ...?)" if a known name is close, else ""; `shown` formats the name."""
    from difflib import get_close_matches  # costs a millisecond, only if needed

    close = get_close_matches(str(name), list(known), 1)
    return f" (did you mean {shown(close[0])!r}?)" if close else ""


def read_environment(environment: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """Read all options from FRAMEJIT_* variables, or use defaults; warn about invalid ones.

    An empty variable counts as unset. Of a list of words, the valid ones are used.
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
    """Return the value of a variable; warn about invalid parts and ignore them."""
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
"""The options set by the environment at import."""
DEFAULT = Options.of({o.name: SETTINGS[o.name] for o in OPTIONS.values() if o.scope == "call"})
"""The options in effect outside of config() blocks."""


_IS_HOSTILE = not {*HOSTILE_MODES}.isdisjoint(SETTINGS["debug"])


def is_hostile() -> bool:
    """True in a debug mode that forces rare paths."""
    return _IS_HOSTILE


def debug_mode(name: str) -> bool:
    """True if FRAMEJIT_DEBUG names this mode."""
    return name in SETTINGS["debug"]
