"""Functions that `python -m framejit run` captures where they stand."""

from __future__ import annotations

import copy
import gc
import json
import pickle
import subprocess
import sys
import types
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from modes import HOSTILE

from framejit.frontends.support import start
from framejit.frontends.undecorated import entrance, policy
from framejit.frontends.undecorated.inplace import adopt
from framejit.jit import native

start()  # puts the options in force that captures are made with
BODIES = {
    "whole": "def f(x):\n  return x * 2 + 1",
    "broken": "def f(x):\n  y = x * 2 + 1\n  print(end='')\n  return y * y - x",
    "star": "def f(*a, **k):\n  y = a[0] * 2 + 1\n  print(end='')\n  return y * 3 - 1",
    "generator": "def f(x):\n  y = x * 2 + 1\n  yield y\n  z = y * 3 + x\n  yield z",
    "fails": "def f(x):\n  y = x * 2 + 1\n  raise KeyError(str(y * 2))",
    "recursive": "def f(x, n=40):\n  y = x * 2 + 1\n  return y if n == 0 else f(x, n - 1) + y",
    "nothing": "def f(x):\n  return len(str(x))",
    "closure": "def g(c):\n  def f(x):\n    y = x * c + 1\n    print(end='')\n    return y * c\n"
    "  return f\nf = g(3.0)",
}


def made(body: str) -> Any:
    space: dict[str, Any] = {"__name__": "made"}
    exec(BODIES[body], space)
    return space["f"]


def outcome(f: Any, x: Any) -> Any:
    """Returns the result of a call, or its exception and the lines of the traceback."""
    try:
        result = f(x)
        result = list(result) if isinstance(result, types.GeneratorType) else [result]
    except KeyError as error:
        link: Any = error.__traceback__.tb_next  # type: ignore[union-attr]
        told = str(error), link.tb_lineno, link.tb_frame.f_code.co_name, link.tb_next
        del link  # it would be a cycle with this frame
        return told
    return [one.tobytes() if isinstance(one, np.ndarray) else one for one in result]


@pytest.mark.parametrize("body", BODIES)
def test_a_function_goes_on_as_it_was(body: str) -> None:
    """Results, errors and lines are eager's, and the function shows nothing of it."""
    x = np.linspace(0, 1, 5)
    expected = outcome(made(body), x)
    f = made(body)
    code, names = f.__code__, sorted(dir(f))
    assert adopt(f)

    for _ in range(4):
        assert outcome(f, x) == expected
        assert outcome(f, x.astype("f4")) == outcome(made(body), x.astype("f4"))
    assert f.__code__ is code
    assert sorted(dir(f)) == names
    assert vars(f) == {}
    assert weakref.getweakrefcount(f) == 0
    assert HOSTILE or (native.running_code(f) is code) == (body == "nothing")
    assert native.owned(f).failures == []


def test_another_code_is_the_users() -> None:
    """The code that a program assigns to `__code__` runs, and stays."""
    f, x = made("broken"), np.ones(3)
    assert adopt(f)
    f(x)
    f.__code__ = (lambda x: x - 1).__code__
    for kind in ("f8", "f4", "f8"):
        assert f(x.astype(kind)).tolist() == [0, 0, 0]
    f.__code__ = made("whole").__code__
    assert f(x).tolist() == [3, 3, 3]


def test_functions_are_copied_and_pickled() -> None:
    """They are pickled by name, as in plain Python; a copy has the user's own code."""
    f = made("broken")
    assert adopt(f)
    f(np.ones(3))
    again = types.FunctionType(f.__code__, f.__globals__)

    assert copy.deepcopy(f) is f
    assert native.running_code(again) is f.__code__
    assert b"broken" not in pickle.dumps(np.ones(1))
    assert f.__code__.co_consts == made("broken").__code__.co_consts


@pytest.mark.parametrize("body", BODIES)
def test_a_function_dies_with_what_was_made_of_it(body: str) -> None:
    """By itself where it is in no cycle, else with the next collection."""
    gc.collect()
    before = len(native.all_owned())

    def use() -> list[weakref.ref[Any]]:
        f = made(body)
        assert adopt(f)
        for _ in range(3):
            outcome(f, np.ones(3))
        return [weakref.ref(f), weakref.ref(f.__code__), weakref.ref(native.owned(f))]

    refs = use()
    gc.collect()

    assert [ref() for ref in refs] == [None] * 3
    assert len(native.all_owned()) == before


class Holder:
    """Has an array."""

    def __init__(self) -> None:
        self.data = np.ones(3)

    def uses(self) -> Any:
        return self.data

    def ignores(self) -> Any:
        return 1

    @property
    def trap(self) -> Any:
        raise AssertionError

    def trapped(self) -> Any:
        return self.trap


def test_what_touches_arrays() -> None:
    """Arguments, attributes that the code names, cells and globals; no code of the user runs."""
    holder, array = Holder(), np.ones(3)

    def closed() -> Any:
        return array

    def plain(x: Any) -> Any:
        return x

    def named() -> Any:
        return np.ones(3)

    touching: list[tuple[Any, tuple[Any, ...]]] = [
        (plain, (array,)),
        (plain, (np.float64(1),)),
        (plain, ([1, array],)),
        (plain, ({"a": array},)),
        (Holder.uses, (holder,)),
        (closed, ()),
        (named, ()),
    ]
    others: list[tuple[Any, tuple[Any, ...]]] = [
        (plain, (1,)),
        (plain, (None,)),
        (plain, (holder,)),
        (Holder.ignores, (holder,)),
        (Holder.trapped, (holder,)),
    ]
    assert all(policy.touches_arrays(*one) for one in touching)
    assert not any(policy.touches_arrays(*one) for one in others)


SCRIPT = """
import sys
import numpy as np
def touches(x):
    y = x * 2 + 1
    print(end="")
    return y * y - x
def never(n): return n + 1
def generated(x):
    y = x * 2
    yield y + 1
class C:
    def __init__(self): self.k = np.ones(3)
    def method(self, x):
        y = x * 2 + 1
        return y * y
def main():
    for k in range(6):
        touches(np.ones(3)), never(k), list(generated(np.ones(3))), C().method(np.ones(3))
main()
print(touches.__code__.co_consts, never.__code__.co_consts, main.__code__.co_name)
"""


def test_a_script_is_captured_and_reported(tmp_path: Path) -> None:
    """Hot functions that touch arrays, no other; the report names both, with counts."""
    (tmp_path / "program.py").write_text(SCRIPT)
    command = [sys.executable, "-m", "framejit", "run", "--report", "out.json", "program.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    plain = subprocess.run(
        [sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    report = json.loads((tmp_path / "out.json").read_text())

    assert (done.stdout, done.stderr, done.returncode) == (plain.stdout, "", 0)
    captured = {one["place"]["function"] for one in report["functions"]}
    left = {one["place"]["function"]: one for one in report["skipped"]}
    if not HOSTILE:
        assert captured >= {"touches", "generated", "C.method"}
        assert all(one["segments"][0]["hits"] >= 3 for one in report["functions"])
    assert left["never"]["rule"] == "no-arrays"
    assert left["never"]["count"] == policy_patience()
    assert left["main"]["rule"] == "cold"


def policy_patience() -> int:
    from framejit.frontends.undecorated.arrivals import PATIENCE

    return PATIENCE


def test_without_numpy_nothing_is_loaded(tmp_path: Path) -> None:
    """A program that never imports it runs with Python's own modules, and the report says so."""
    (tmp_path / "program.py").write_text(
        "import sys\n"
        "heavy = filter(lambda n: n.startswith(('numpy', 'framejit.jit')), sys.modules)\n"
        "print([*heavy])"
    )
    command = [sys.executable, "-m", "framejit", "run", "--report", "-", "program.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)

    assert done.stdout == "[]\n"
    assert "the program never imported NumPy" in done.stderr


LOOPS = "def loops(n):\n  for k in range(n): pass\n"
BEFORE_NUMPY = {
    "a function": LOOPS + "import numpy\n",
    "a method": "class C:\n  def loops(n):\n    for k in range(n): pass\n"
    "loops = C.loops; del C\nimport numpy\n",
    "a module": "from other import loops\nimport numpy\n",
    "in a loop": "for k in range(2):\n  if k: import numpy\n  else:\n"
    "    def loops(n):\n      for k in range(n): pass\n",
    "in a function": "def load():\n  def loops(n):\n    for k in range(n): pass\n"
    "  import numpy\n  return loops\nloops = load()\n",
    "none": "import numpy\n" + LOOPS,
}
GENEROUS = """
from framejit.frontends.tiers.accounts import ACCOUNT
ACCOUNT.credit = 60.0  # modules of framejit that must be compiled first take more than is allowed
"""
GATES_OF_LOOPS = """
from framejit.frontends.bytecode import gating
from framejit.jit import native
print(len(gating.gates_of(native.running_code(loops))))
"""


@pytest.mark.counts("hostile modes change code in other ways")
@pytest.mark.parametrize("kind", BEFORE_NUMPY)
def test_functions_made_before_numpy_is_there(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their loops have gates as those of functions that are made later."""
    monkeypatch.setenv("FRAMEJIT_COMPILE", "auto")
    (tmp_path / "other.py").write_text(LOOPS)
    (tmp_path / "program.py").write_text(GENEROUS + BEFORE_NUMPY[kind] + GATES_OF_LOOPS)
    command = [sys.executable, "-m", "framejit", "run", "program.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)

    assert (done.stdout, done.stderr) == ("1\n", "")


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="only 3.11 has no sys.monitoring")
def test_code_that_says_when_it_is_called() -> None:
    """Lines, columns, handlers and results of the standard library's code stay what they were."""
    import inspect
    import textwrap

    from framejit.frontends.bytecode.codetables import read_exception_table
    from framejit.frontends.undecorated import trigger

    def unit_lines(code: types.CodeType) -> list[Any]:
        return list(code.co_positions())

    checked = 0
    for module in (inspect, textwrap, json, copy, pickle):
        for function in [one for one in vars(module).values() if inspect.isfunction(one)]:
            code = function.__code__
            made = trigger.watched(code)
            if made is code:
                continue
            at = trigger._behind_resume(code)
            assert at is not None
            added = (len(made.co_code) - len(code.co_code)) // 2
            before, after = unit_lines(code), unit_lines(made)
            assert after[:at] == before[:at]
            assert after[at + added :] == before[at:]
            assert after[at : at + added] == [before[at]] * added
            old = list(read_exception_table(code.co_exceptiontable))
            new = list(read_exception_table(made.co_exceptiontable))
            moved = [(*(unit + added * (unit > at) for unit in one[:3]), *one[3:]) for one in old]
            assert new == moved
            checked += 1
    assert checked > 50
    fill = trigger.watched(textwrap.fill.__code__)
    copy_of = types.FunctionType(fill, vars(textwrap), None, textwrap.fill.__defaults__)
    assert copy_of("some words to fill", 6) == textwrap.fill("some words to fill", 6)
    assert copy_of.__code__ is textwrap.fill.__code__


# ---- the body of a program -----------------------------------------------------------------------

LOOP = "for k in range(3):\n    print(k)\n"
MANY = "".join(f"name{k} = {k}\n" for k in range(300))
"""So many names that an argument has more than eight bits."""
BODIES_OF_PROGRAMS = {
    "": False,
    "import json, os.path\nfrom collections import abc\n": False,
    "def f():\n    import re\n    return re\n": False,
    "import numpy as np\n": True,
    "import scipy.sparse\n": True,
    "from helpers import rows\n": True,
    "from . import rows\n": True,
    "def f():\n    def g():\n        import numpy\n    return g\n": True,
    "class C:\n    import numpy\n": True,
    "import importlib\nimportlib.import_module('numpy')\n": True,
    "exec(open('other.py').read())\n": True,
    f"{MANY}import numpy\n": True,
    f"{MANY}import json\n": False,
}


@pytest.mark.parametrize(("text", "gets"), BODIES_OF_PROGRAMS.items())
def test_which_bodies_get_gates(text: str, gets: bool) -> None:
    """Those that may come to import NumPy and loop; in others nothing of ours runs."""
    code = compile(text + LOOP, "script.py", "exec")

    assert entrance._may_loop(code)
    assert entrance._may_import_numpy(code) is gets


def test_a_script_that_only_computes_loads_nothing_more(tmp_path: Path) -> None:
    """A loop at module level without another library: framejit has read its own start, no more."""
    script = tmp_path / "script.py"
    text = "import sys\nfor k in range(3): pass\n"
    text += "print(sorted(n for n in sys.modules if n.startswith('framejit.')))"
    script.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "framejit", "run", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)

    assert "framejit.frontends.bytecode" not in done.stdout
    assert "framejit.jit" not in done.stdout
