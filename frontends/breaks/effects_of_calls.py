"""Causes of breaks that are calls with side effects, which can wait until the function returns."""

from __future__ import annotations

from .entry import Cause, Pair

NAMED = (
    "return {reads} too, and do it behind {call}: `{line}`",
    "do it before or behind {call}: `{line}`",
)
LOOPED = (
    "append {reads} to a list in the loop, return the list, and do it behind {call}: `{line}`",
)

PRINT = Cause(
    "print",
    r"^call of `print`",
    "return what is to be printed, and print it behind the call",
    Pair(
        """\
@jit
def f(x):
    y = x * 2
    mean = y.mean()
    print("mean:", mean)
    return y - mean

answer = f(np.arange(4.0))
""",
        """\
@jit
def f(x):
    y = x * 2
    mean = y.mean()
    return y - mean, mean

answer, mean = f(np.arange(4.0))
print("mean:", mean)
""",
    ),
    pair_in_loop=Pair(
        """\
@jit
def f(x):
    for k in range(3):
        x = x * 2
        print(k, x[0])
    return x

answer = f(np.arange(4.0))
""",
        """\
@jit
def f(x):
    rows = []
    for k in range(3):
        x = x * 2
        rows.append((k, x[0]))
    return x, rows

answer, rows = f(np.arange(4.0))
for k, first in rows:
    print(k, first)
""",
    ),
    named=NAMED,
    looped=LOOPED,
)
LOGGING = Cause(
    "logging",
    r"^call of `(?:logging\.|Logger\.|LoggerAdapter\.)",
    "return what is to be logged, and log it behind the call",
    Pair(
        """\
import logging

log = logging.getLogger("model")
log.addHandler(logging.NullHandler())

@jit
def f(x):
    y = x * 2
    mean = y.mean()
    log.warning("mean %s", mean)
    return y - mean

answer = f(np.arange(4.0))
""",
        """\
import logging

log = logging.getLogger("model")
log.addHandler(logging.NullHandler())

@jit
def f(x):
    y = x * 2
    mean = y.mean()
    return y - mean, mean

answer, mean = f(np.arange(4.0))
log.warning("mean %s", mean)
""",
    ),
    named=NAMED,
    looped=LOOPED,
)
WARNING = Cause(
    "warnings",
    r"^call of `_?warnings\.warn",
    "return what the warning depends on, and warn behind the call",
    Pair(
        """\
import warnings

warnings.simplefilter("ignore")

@jit
def f(x):
    y = x * 2
    if y[0] < 1:
        warnings.warn("small")
    return y + 1

answer = f(np.arange(4.0))
""",
        """\
import warnings

warnings.simplefilter("ignore")

@jit
def f(x):
    y = x * 2
    return y + 1, y[0] < 1

answer, small = f(np.arange(4.0))
if small:
    warnings.warn("small")
""",
    ),
    named=NAMED,
    looped=LOOPED,
)
SAVING = Cause(
    "saving",
    r"^call of `(?:numpy\.(?:save|savez|savez_compressed|savetxt)|_?pickle\.dumps?|json\.dumps?|"
    r"Path\.write_\w+|ndarray\.tofile|matplotlib|Axes|Figure)\b",
    "return what is to be saved or drawn, and do that behind the call",
    Pair(
        """\
import io

@jit
def f(x, file):
    y = x * 2
    np.save(file, y)
    return y + 1

file = io.BytesIO()
answer = f(np.arange(4.0), file), file.getvalue()
""",
        """\
import io

@jit
def f(x):
    y = x * 2
    return y + 1, y

file = io.BytesIO()
result, y = f(np.arange(4.0))
np.save(file, y)
answer = result, file.getvalue()
""",
    ),
    named=NAMED,
    looped=LOOPED,
)
SLEEP = Cause(
    "sleep",
    r"^call of `time\.sleep`",
    "sleep before or behind the call",
    Pair(
        """\
import time

@jit
def f(x):
    y = x * 2
    time.sleep(0.001)
    return y + 1

answer = f(np.arange(4.0))
""",
        """\
import time

@jit
def f(x):
    y = x * 2
    return y + 1

answer = f(np.arange(4.0))
time.sleep(0.001)
""",
    ),
    named=("do it before or behind {call}: `{line}`",),
    looped=("call `{f}` once for each iteration, and sleep between the calls: `{line}`",),
)
JOIN = Cause(
    "join",
    r"^call of `str\.join`",
    "return the numbers, and make the text behind the call",
    Pair(
        """\
@jit
def f(x):
    y = x * 2
    row = ", ".join(str(item) for item in y)
    return y, row

answer = f(np.arange(4.0))
""",
        """\
@jit
def f(x):
    y = x * 2
    return y

y = f(np.arange(4.0))
answer = y, ", ".join(str(item) for item in y)
""",
    ),
    named=NAMED,
    looped=LOOPED,
)

BEHIND = (PRINT, LOGGING, WARNING, SAVING, SLEEP, JOIN)
