"""Causes of breaks that are calls for external input, which can precede the function's call."""

from __future__ import annotations

from .entry import Cause, Pair

NAMED = (
    "write `{taken}` before {call}, and pass `{made}`",
    "do it before {call}, and pass what it gives: `{line}`",
)

CLOCK = Cause(
    "time",
    r"^call of `time\.(?!sleep)",
    "read the clock before and behind the call",
    Pair(
        """\
import time

@jit
def f(x):
    start = time.perf_counter()
    y = x * 2
    seconds = time.perf_counter() - start
    return y + 1, seconds

y, seconds = f(np.arange(4.0))
answer = y, seconds > 0
""",
        """\
import time

@jit
def f(x):
    y = x * 2
    return y + 1

start = time.perf_counter()
y = f(np.arange(4.0))
seconds = time.perf_counter() - start
answer = y, seconds > 0
""",
    ),
    named=("read the clock before and behind {call}, not in it: `{line}`",),
)
DATE = Cause(
    "datetime",
    r"^call of `(?:datetime\.)?(?:date|datetime)\.(?:now|utcnow|today)`",
    "ask for the date before the call, and pass it",
    Pair(
        """\
import datetime

@jit
def f(x):
    y = x * 2
    now = datetime.datetime.now()
    return y + (now.year > 2000)

answer = f(np.arange(4.0))
""",
        """\
import datetime

@jit
def f(x, year):
    y = x * 2
    return y + (year > 2000)

answer = f(np.arange(4.0), datetime.datetime.now().year)
""",
    ),
    named=(
        "write `{taken}` before {call}, and pass what `{f}` needs of `{made}` as numbers",
        "do it before {call}, and pass what `{f}` needs as numbers: `{line}`",
    ),
)
RANDOM = Cause(
    "random",
    r"^call of `(?:random\.)?Random\.|^call of `random\.",
    "draw before the call, and pass the numbers; draws of NumPy's generators go into the graph",
    Pair(
        """\
import random

random.seed(1)

@jit
def f(x):
    y = x * 2
    noise = random.random()
    return y + noise

answer = f(np.arange(4.0))
""",
        """\
import random

random.seed(1)

@jit
def f(x, noise):
    y = x * 2
    return y + noise

answer = f(np.arange(4.0), random.random())
""",
    ),
    named=(
        "write `{taken}` before {call}, and pass `{made}`; draws of `np.random.default_rng()` go "
        "into the graph",
        "draw before {call}, and pass the number; draws of `np.random.default_rng()` go into the "
        "graph",
    ),
    looped=(
        "draw all numbers before {call}, and pass them as an array; draws of "
        "`np.random.default_rng()` go into the graph",
    ),
)
INPUT = Cause(
    "input",
    r"^call of `input`",
    "ask before the call, and pass the answer",
    Pair(
        """\
import io, sys

sys.stdin = io.StringIO("3")

@jit
def f(x):
    y = x * 2
    times = int(input())
    return y + times

answer = f(np.arange(4.0))
""",
        """\
import io, sys

sys.stdin = io.StringIO("3")

@jit
def f(x, times):
    y = x * 2
    return y + times

times = int(input())
answer = f(np.arange(4.0), times)
""",
    ),
    named=NAMED,
)
FILES = Cause(
    "files",
    r"^call of `(?:_?io\.open|numpy\.(?:load|loadtxt|genfromtxt|fromfile|memmap)\b|"
    r"pathlib\.|Path\.|json\.loads?|_?pickle\.loads?|_?csv\.|os\.|posix\.|genericpath\.|posixpath\.)",
    "open and read files before the call, and write them behind it",
    Pair(
        """\
import io

@jit
def f(x, file):
    weights = np.loadtxt(file)
    return x * 2 + weights

answer = f(np.arange(2.0), io.StringIO("1.0\\n2.0\\n"))
""",
        """\
import io

@jit
def f(x, weights):
    return x * 2 + weights

weights = np.loadtxt(io.StringIO("1.0\\n2.0\\n"))
answer = f(np.arange(2.0), weights)
""",
    ),
    named=(
        "write `{taken}` before {call}, and pass `{made}`",
        "open and read files before {call}, and write them behind it: `{line}`",
    ),
)

BEFORE = (CLOCK, DATE, RANDOM, INPUT, FILES)
