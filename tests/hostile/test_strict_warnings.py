"""Where a program makes errors of all warnings, or records them: framejit gives none of its own."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import sys, warnings
import numpy as np
import framejit
from framejit import capture, config, explain, jit

def plain(x, y):
    z = np.where(x > 0, x * y + 1, np.exp(-x))
    s = 0.0
    for v in z:
        s += v
    print("", end="")
    return z / 3 + s

class Steps:
    def __init__(self): self.t = 0.0
    def step(self, x):
        self.t += float(x.sum())
        return x * self.t

def undecorated(x):
    return np.sqrt(np.abs(x)) + np.median(x)

x = np.linspace(-2, 2, 50)
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter(sys.argv[1])
    f, step = jit(plain), jit(Steps.step)
    ours, eager = Steps(), Steps()
    for _ in range(3):
        assert f(x, x[::-1]).tobytes() == plain(x, x[::-1]).tobytes()
        assert step(ours, x).tobytes() == eager.step(x).tobytes()
    with capture() as block:
        for _ in range(3): undecorated(x)
    str(block.report), str(explain(f)(x, x)), f.inspect("numba"), f.inspect("bytecode")
    with config(verify=True): f(x, x)
    with config(compile="auto"):
        g = jit(lambda x: x * 4 - np.sin(x))
        g(x); g(x); framejit.wait_for_compiles(); g(x)
print([str(w.message) for w in seen], [j.stats()["failures"] for j in (f, step, g)])
"""


def python(program: str, *options: str, action: str = "error", **environment: str) -> str:
    """Return the output of a program; nothing else is printed, and nothing comes from the disk."""
    done = subprocess.run(
        [sys.executable, *options, "-c", program, action],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "FRAMEJIT_CACHE_DIR": "off", **environment},
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("action", ["error", "always"])
def test_a_program_hears_of_nothing(action: str) -> None:
    """Neither while Numba is loaded and compiles, nor in reports, nor from another thread."""
    options = ("-X", "dev", "-X", "warn_default_encoding", "-W", action)

    assert python(PROGRAM, *options, action=action) == "[] [0, 0, 0]\n"


BYTES = """
import sys, warnings
import numpy as np
from framejit import jit
def chosen(x, key):
    if key in ("a", b"b"):
        x = x + 1
    return x * 2
def compared(x, key):
    return x * 2 if key == "a" else x
x = np.arange(3.0)
jitted = {chosen: jit(chosen), compared: jit(compared)}
def ran(function, key):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter(sys.argv[1])
        try: result = function(x, key).tolist()
        except BytesWarning as error: result = repr(error)
    return result, [(str(w.message), w.lineno) for w in seen]
for function, key in [(f, key) for f in jitted for key in ("a", b"b", b"a", "b", "a")]:
    expected = ran(function, key)
    for _ in range(3):
        assert ran(jitted[function], key) == expected, (function.__name__, repr(key), expected)
"""


@pytest.mark.parametrize("action", ["error", "always"])
def test_warnings_of_the_programs_own_comparisons(action: str) -> None:
    """Under `python -b` eager warns of bytes beside str; no capture decides it in silence."""
    assert python(BYTES, "-b", action=action, FRAMEJIT_BACKEND="numpy") == ""
