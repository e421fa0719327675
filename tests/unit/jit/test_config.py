"""The table of options: environment variables, what is refused, and with which words."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import warnings

import pytest

from framejit.backends.registry import BUILT_IN
from framejit.jit.config import OPTIONS, SETTINGS, Options, check_option, read_environment
from framejit.jit.disk import cache_home, further_homes
from framejit.jit.errors import FramejitError, FramejitWarning


def refused(name: str, value: object, caller: str = "jit") -> str:
    with pytest.raises(FramejitError) as caught:
        check_option(name, value, caller)
    return str(caught.value)


def warned(environment: dict[str, str]) -> tuple[dict[str, object], str]:
    with pytest.warns(FramejitWarning) as caught:
        values = read_environment(environment)
    assert len(caught) == 1
    return values, str(caught[0].message)


def python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A fresh interpreter with these variables and no other of ours."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("FRAMEJIT_")}
    kept |= {"FRAMEJIT_COMPILE": "now", "FRAMEJIT_ENTRIES": "0"}
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**kept, **environment},
    )


def test_unknown_option() -> None:
    """The message lists the valid options, and names the one that was probably meant."""
    assert refused("speed", 1) == (
        "jit: unknown option 'speed': valid options are backend, fullgraph, static, verify, "
        "cache, compile, threads"
    )
    assert refused("backnd", "numpy", "config") == (
        "config: unknown option 'backnd' (did you mean 'backend'?): valid options are backend, "
        "verify, cache, compile, threads, log"
    )


@pytest.mark.parametrize("name", ["math", "errors"])
def test_what_is_not_built_yet_is_not_silently_accepted(name: str) -> None:
    """An option of the design that does nothing yet is an unknown option."""
    assert refused(name, True).startswith(f"jit: unknown option {name!r}")


def test_wrong_value() -> None:
    """A value of another type, and a value that is not among the choices."""
    assert refused("fullgraph", "yes") == (
        "jit: option 'fullgraph' must be True or False, not 'yes'"
    )
    assert refused("backend", 3, "config") == "config: option 'backend' must be a string, not 3"


def test_wrong_place() -> None:
    """An option of the process, and an option of one function, say where they belong."""
    assert refused("debug", ("strict",), "config") == (
        "config: option 'debug' holds for the whole process: "
        "set the environment variable FRAMEJIT_DEBUG"
    )
    assert refused("log", ("breaks",), "jit") == (
        "jit: option 'log' belongs to no function: write `with config(log=...):` or set the "
        "environment variable FRAMEJIT_LOG"
    )
    assert refused("fullgraph", True, "config") == (
        "config: option 'fullgraph' belongs to one function: write jit(fullgraph=...)"
    )


def test_environment() -> None:
    """Every option but those of one function has a variable; the defaults are the table's."""
    values = read_environment(
        {"FRAMEJIT_BACKEND": "numpy", "FRAMEJIT_DISABLE": "1", "FRAMEJIT_LOG": "breaks, bails"}
    )

    assert values == {
        "backend": "numpy",
        "verify": False,
        "cache": True,
        "compile": "auto",
        "threads": 0,
        "seed": 0,
        "disable": True,
        "cache_dir": "~/.cache/framejit",
        "entries": True,
        "copies": True,
        "keep_freed": True,
        "log": ("breaks", "bails"),
        "debug": (),
    }
    assert set(values) == {o.name for o in OPTIONS.values() if o.scope != "function"}


def test_unknown_variable_warns() -> None:
    """A misspelt variable must not pass in silence."""
    values, message = warned({"FRAMEJIT_BAKEND": "numpy"})

    assert values["backend"] == "numba"
    assert message == (
        "unknown environment variable FRAMEJIT_BAKEND (did you mean 'FRAMEJIT_BACKEND'?): "
        "valid ones are FRAMEJIT_BACKEND, FRAMEJIT_VERIFY, FRAMEJIT_CACHE, FRAMEJIT_COMPILE, "
        "FRAMEJIT_THREADS, FRAMEJIT_ENTRIES, FRAMEJIT_COPIES, "
        "FRAMEJIT_KEEP_FREED, FRAMEJIT_DISABLE, FRAMEJIT_CACHE_DIR, "
        "FRAMEJIT_LOG, FRAMEJIT_DEBUG, FRAMEJIT_SEED"
    )


def test_wrong_variable_warns_and_is_ignored() -> None:
    """The default holds, and the message lists the valid values."""
    values, message = warned({"FRAMEJIT_LOG": "brakes"})

    assert values["log"] == ()
    assert message == (
        "FRAMEJIT_LOG='brakes' is ignored: option 'log' cannot be 'brakes' (did you mean "
        "'breaks'?): use one of 'all', 'performance', 'breaks', 'recompiles', 'graphs', 'passes', "
        "'kernels', 'guards', 'bails', 'cache', 'tiers'"
    )
    assert warned({"FRAMEJIT_DISABLE": "maybe"})[1] == (
        "FRAMEJIT_DISABLE='maybe' is ignored: use 1 or 0"
    )


def test_the_folder_of_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is absolute from the beginning, and switched off by "off"; an empty variable is none."""
    monkeypatch.setenv("HOME", "/home/somebody")
    monkeypatch.chdir("/")

    def folder(text: str) -> object:
        return read_environment({"FRAMEJIT_CACHE_DIR": text})["cache_dir"]

    assert folder("there") == "/there"
    assert folder("~/code") == "/home/somebody/code"
    assert [folder(text) for text in ("off", "OFF")] == ["", ""]
    assert [folder(text) for text in ("", " ")] == [OPTIONS["cache_dir"].default] * 2


@pytest.mark.parametrize(
    ("text", "first", "further"),
    [
        ("/a:/b", "/a", ["/b"]),
        ("a:b:c", "/a", ["/b", "/c"]),
        (" /a : /b ", "/a", ["/b"]),
        (":/b", "~/.cache/framejit", ["/b"]),
        ("off:/b", "", ["/b"]),
        ("/a:", "/a", []),
        ("/a::off:/b", "/a", ["/b"]),
    ],
)
def test_folders_that_are_only_read(
    text: str, first: str, further: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They stand behind a colon; the first may be left out, or be off."""
    monkeypatch.chdir("/")
    found = read_environment({"FRAMEJIT_CACHE_DIR": text})["cache_dir"]
    monkeypatch.setitem(SETTINGS, "cache_dir", found)

    assert found.split(os.pathsep) == [first, *further]
    assert further_homes() == further
    assert cache_home(found, default="another") == os.path.expanduser(first)


def test_variables_of_the_build_are_not_options() -> None:
    """Variables that the build reads do not warn."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_environment({"FRAMEJIT_BUILD_WERROR": "1", "OTHER": "x"})


def test_equal_options_are_one_object() -> None:
    """C tells entries apart by the identity of their options."""
    first = Options.of({"backend": "numpy"})

    assert Options.of({"backend": "numba"}).replace({"backend": "numpy"}) is first
    assert first.replace({"fullgraph": True}) is not first
    assert (first.backend, first.fullgraph) == ("numpy", False)


def test_the_environment_is_in_force() -> None:
    """FRAMEJIT_DISABLE, FRAMEJIT_BACKEND and an unknown backend, in a fresh process."""
    code = """
import numpy as np
from framejit import jit
@jit
def f(x): return x * 2 + 1
f(np.ones(3)); f(np.ones(3))
stats = f.stats()
print(stats["calls"], stats["hits"], stats["captures"])
"""
    assert python(code).stdout == "2 2 1\n"
    assert python(code, FRAMEJIT_DISABLE="1").stdout == "2 0 0\n"
    assert python(code, FRAMEJIT_BACKEND="eager").stdout == "2 0 0\n"
    assert python(code, FRAMEJIT_BACKEND="numpy").stdout == "2 2 1\n"
    unknown = python(code, FRAMEJIT_BACKEND="nunba")
    assert unknown.stdout == "2 2 1\n"
    assert (
        "FRAMEJIT_BACKEND: unknown backend 'nunba' (did you mean 'numba'?): use one of "
        f"{', '.join(map(repr, BUILT_IN))}; 'numba' is used"
    ) in unknown.stderr


LOGGED = """
import numpy as np
from framejit import jit
@jit
def f(x):
    y = x + 1
    y += 1
    print("-")
    return y / 0
with np.errstate(all="raise"):
    for array in (np.ones(3), np.ones(3, "f4")):
        try: f(array)
        except FloatingPointError: pass
"""


def test_log_topics() -> None:
    """Each topic goes to stderr when FRAMEJIT_LOG names it, and only then."""
    marks = {
        "breaks": "framejit.breaks: f, <string>:8: FJ201 call of `print`",
        "recompiles": "dtype was float64, now float32",
        "graphs": "framejit.graphs: f:\ngraph(",
        "passes": "framejit.passes: 1 functionalized:\ngraph(",
        "kernels": "framejit.kernels: f:\ndef kernel(",
        "guards": "framejit.guards: f:\n",
        "bails": "framejit.bails: ",
    }
    silent = python(LOGGED).stderr
    everything = python(LOGGED, FRAMEJIT_LOG=",".join(marks)).stderr
    assert python(LOGGED, FRAMEJIT_LOG="all").stderr.count("\n") >= everything.count("\n")

    assert silent == ""
    for topic, mark in marks.items():
        assert mark in everything, topic
    breaks = python(LOGGED, FRAMEJIT_LOG="breaks").stderr
    assert [topic for topic, mark in marks.items() if mark in breaks] == ["breaks"]


def test_the_standard_library_can_listen() -> None:
    """Without the variable, logging's own switches show a topic."""
    start = "import logging; logging.basicConfig(format='%(name)s');"
    everything = start + "logging.getLogger('framejit').setLevel('INFO')" + LOGGED
    one = start + "logging.getLogger('framejit.bails').setLevel('INFO')" + LOGGED

    assert {*python(everything).stderr.split()} == {
        "framejit.breaks", "framejit.recompiles", "framejit.bails", "framejit.tiers",
    }  # fmt: skip
    assert {*python(one).stderr.split()} == {"framejit.bails"}


BLOCKS = """
import sys
import numpy as np
from framejit import config, jit
def f(x):
    y = x + 1
    print("-")
    return y * 2
def limit(topics, jitted):
    global MODE
    with config(log=topics):
        for k in range(20):
            MODE = "m" * k
            jitted(np.ones(3))
limit((), jit(lambda x: x - len(MODE)))
with config(log=("breaks",)):
    with config(backend="numpy"):
        jit(f)(np.ones(3))
jit(f)(np.ones(3))
limit("performance", jit(lambda x: x * len(MODE)))
limit("recompiles, bails", jit(lambda x: x + len(MODE)))
"""


def test_blocks_print_topics() -> None:
    """config(log=...) prints while the block is open, and what costs time with any topic."""
    lines = python(BLOCKS).stderr.splitlines()

    assert lines.pop(0) == "framejit.breaks: f, <string>:7: FJ201 call of `print`"
    limit = r"framejit: <lambda> \(<string>:\d+\) was compiled 16 times, and calls like this one .*"
    assert re.fullmatch(limit, lines.pop(0))
    assert re.fullmatch(limit, lines.pop())
    again = "framejit.recompiles: <lambda>: global `MODE`"
    assert [line for line in lines if not line.startswith(again)] == []
    assert len(lines) == 15


def test_what_costs_time_is_logged_once() -> None:
    """Without the variable, handlers of the program get it, and stderr nothing."""
    program = BLOCKS.replace("with config(log=topics)", "if True").replace("jit(f)(np", "f(np")
    start = "import logging; logging.basicConfig(format='%(levelname)s %(name)s %(message)s');"

    def told(*args: str, **environment: str) -> list[str]:
        lines = python("".join(args) + program, **environment).stderr.splitlines()
        return [line.split(" (")[0] for line in lines if "was compiled 16 times" in line]

    assert told() == []
    assert told(start) == ["WARNING framejit <lambda>"] * 3
    assert told(FRAMEJIT_LOG="performance") == ["framejit: <lambda>"] * 3


@pytest.mark.parametrize("backend", ["numba", "numpy"])
def test_a_program_that_logs_everything_did_not_ask_for_us(backend: str) -> None:
    """Under the root's level DEBUG neither framejit nor Numba says a word; no logger is made."""
    start = "import logging; logging.basicConfig(level='DEBUG', format='%(name)s')"
    end = "\nprint([n for n in logging.root.manager.loggerDict if n.startswith('framejit')])"
    done = python(start + LOGGED + end, FRAMEJIT_BACKEND=backend)

    assert done.stderr == ""
    assert done.stdout.endswith("[]\n")


def test_words_that_are_known_count() -> None:
    """The wrong topic in a list is told of and left out."""
    with pytest.warns(FramejitWarning, match="is ignored but for breaks, bails: .*'foo'"):
        values = read_environment({"FRAMEJIT_LOG": "breaks,foo,bails"})
    assert values["log"] == ("breaks", "bails")


def test_empty_variables_are_none() -> None:
    """As with most programs; nothing is warned of."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        values = read_environment(dict.fromkeys((o.variable for o in OPTIONS.values()), " "))
    assert values["cache"] is True
    assert values["backend"] == "numba"


def test_warnings_point_at_the_program() -> None:
    """Not at a line of the package, however far in the variable is read."""
    done = python("import framejit\n\nframejit.jit(lambda x: x)", FRAMEJIT_BAKEND="numpy")
    assert done.stderr.startswith("<string>:3: FramejitWarning: unknown environment variable")
    start = "import warnings; warnings.simplefilter('error'); import framejit\n"
    strict = python(start + "framejit.jit(lambda x: x)", FRAMEJIT_BAKEND="numpy")
    assert strict.stderr.startswith("FramejitWarning: unknown environment variable")
    assert "did you mean 'FRAMEJIT_BACKEND'?" in done.stderr
