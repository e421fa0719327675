"""Programs that go down until they are stopped, and the depth that each reaches in each way."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterable

START = """
import sys, functools, operator
import numpy as np
from framejit import jit, capture
sys.setrecursionlimit({limit})
X = np.arange(3.0)
DEEPEST = 0
"""

PROGRAMS = {
    "plain": """
def down(n, x):
    global DEEPEST
    DEEPEST = n
    return down(n + 1, x) + 1
down = mark(down)
def go(): down(0, X)
""",
    "keywords": """
def down(n, x):
    global DEEPEST
    DEEPEST = n
    y = x * 2
    return y + down(x=x, n=n + 1)
down = mark(down)
def go(): down(0, X)
""",
    "quiet": """
def leaf(x): return x * 2 + 1
leaf = mark(leaf)
def down(n):
    global DEEPEST
    DEEPEST = n
    leaf(X)
    down(n + 1)
def go(): down(0)
""",
    "leaves": """
def leaf(x): return x * 2 + 1
def middle(x): return leaf(x) + leaf(x + 1)
def top(x): return middle(x) * 2
top = mark(top)
def down(n):
    global DEEPEST
    DEEPEST = n
    top(X)
    DEEPEST = n + 0.5
    down(n + 1)
def go(): down(0)
""",
    "numpy inside": """
def mean(x): return np.mean(x * 2) + x.std()
mean = mark(mean)
def down(n):
    global DEEPEST
    DEEPEST = n
    mean(X)
    DEEPEST = n + 0.5
    down(n + 1)
def go(): down(0)
""",
    "mutual": """
def even(n, x):
    global DEEPEST
    DEEPEST = n
    y = x * 2
    return odd(n + 1, y - x)
def odd(n, x):
    global DEEPEST
    DEEPEST = n
    return even(n + 1, x * 1.0) + x
even, odd = mark(even), mark(odd)
def go(): even(0, X)
""",
    "every other": """
def even(n, x):
    global DEEPEST
    DEEPEST = n
    y = x * 2
    return odd(n + 1, y - x)
def odd(n, x):
    return even(n + 1, x * 1.0) + x
even = mark(even)
def go(): even(0, X)
""",
    "method": """
class C:
    def down(self, n, x):
        global DEEPEST
        DEEPEST = n
        return self.down(n + 1, x * 1.0) + x
    down = mark(down)
def go(): C().down(0, X)
""",
    "stars": """
def down(*args):
    global DEEPEST
    DEEPEST = args[0]
    return down(args[0] + 1, *args[1:]) + 1
down = mark(down)
def go(): down(0, X)
""",
    "sorted key": """
def down(n, x=X):
    global DEEPEST
    DEEPEST = n
    y = x * 1.0
    return sorted([n + 1], key=down) + [y]
down = mark(down)
def go(): down(0)
""",
    "map": """
def down(n, x=X):
    global DEEPEST
    DEEPEST = n
    y = x * 1.0
    return next(map(down, (n + 1,))) + y
down = mark(down)
def go(): down(0)
""",
    "__getattr__": """
class C:
    n = 0
    def __getattr__(self, name):
        global DEEPEST
        DEEPEST += 1
        y = X * 2.0
        return getattr(self, name + "") + y
    __getattr__ = mark(__getattr__)
def go(): C().missing
""",
    "__add__": """
class C:
    def __add__(self, n):
        global DEEPEST
        DEEPEST = n
        y = X * 2.0
        return self + (n + 1)
    __add__ = mark(__add__)
def go(): C() + 0
""",
    "property": """
class C:
    def down(self):
        global DEEPEST
        DEEPEST += 1
        y = X * 2.0
        return self.down + y
    down = property(mark(down))
def go(): C().down
""",
    "comprehension": """
def down(n, x):
    global DEEPEST
    DEEPEST = n
    return [down(n + 1, one) + 1 for one in [x * 1.0]][0]
down = mark(down)
def go(): down(0, X)
""",
    "generator": """
def down(n, x):
    global DEEPEST
    DEEPEST = n
    yield x * 1.0
    yield from down(n + 1, x)
down = mark(down)
def go(): list(down(0, X))
""",
    "partial": """
def down(n, x):
    global DEEPEST
    DEEPEST = n
    return functools.partial(down, n + 1)(x * 1.0) + x
down = mark(down)
def go(): down(0, X)
""",
    "wrapped": """
def deco(f):
    @functools.wraps(f)
    def inner(*args): return f(*args)
    return inner
def down(n, x):
    global DEEPEST
    DEEPEST = n
    return down(n + 1, x * 1.0) + x
down = deco(mark(down))
def go(): down(0, X)
""",
    "closure": """
def make():
    def down(n, x):
        global DEEPEST
        DEEPEST = n
        return down(n + 1, x * 1.0) + x
    down = mark(down)
    return down
def go(): make()(0, X)
""",
    "caught": """
def down(n, x):
    global DEEPEST
    DEEPEST = n
    try:
        return down(n + 1, x * 1.0) + x
    finally:
        x = x + 1
down = mark(down)
def go(): down(0, X)
""",
    "lru_cache": """
def down(n):
    global DEEPEST
    DEEPEST = n
    return down(n + 1) + X * 2
down = functools.lru_cache(mark(down))
def go(): down(0)
""",
}
"""Each defines go(), which never returns by itself; functions to compile go through mark()."""

WAYS = {
    "eager": "mark = lambda f: f\n",
    "jit": "mark = lambda f: jit(f, backend='numpy')\n",
    "numba": "mark = jit\n",
    "capture": "mark = lambda f: f\n",
}

END = """
def reached(space):
    space["DEEPEST"] = 0
    try: space["go"]()
    except RecursionError: pass
    return space["DEEPEST"]
def all_reached(space):
    with {block}():
        return [reached(space) for _ in range({rounds})]
from framejit.jit.native import hook_mark
for own in (all_reached, reached): hook_mark(own.__code__, 1)
import contextlib, threading
def main():
    for name, text in {programs}:
        space = dict(globals())
        exec(compile(text, name, "exec"), space)
        print(name, *all_reached(space), sep=",")
if {stack}:
    threading.stack_size({stack})
    thread = threading.Thread(target=main)
    thread.start()
    thread.join()
else:
    main()
"""


def program_text(names: Iterable[str], way: str, limit: int, rounds: int, stack: int) -> str:
    """A whole program, which prints the depths that each of these reaches."""
    block = "capture" if way == "capture" else "contextlib.nullcontext"
    programs = [(name, PROGRAMS[name]) for name in names]
    end = END.format(rounds=rounds, block=block, stack=stack, programs=programs)
    return START.format(limit=limit) + WAYS[way] + end


def depths(
    names: Iterable[str], way: str, limit: int, rounds: int = 3, stack: int = 0
) -> dict[str, list[str]]:
    """The depths reached by each, one after the other in a process of their own.

    With one program only its end may be anything: how the process ended stands for the depths.
    """
    names = list(names)
    text = program_text(names, way, limit, rounds, stack)
    try:
        done = subprocess.run(
            [sys.executable, "-c", text], capture_output=True, text=True, timeout=300, check=False
        )
    except subprocess.TimeoutExpired:
        return {name: ["timeout"] for name in names}
    if done.returncode:
        reason = done.stderr.strip().splitlines()[-1:] or [f"exit {done.returncode}"]
        if done.returncode < 0:
            reason = [signal.Signals(-done.returncode).name]
        return dict.fromkeys(names, reason)
    rows = (line.split(",") for line in done.stdout.splitlines())
    return {row[0]: row[1:] for row in rows}
