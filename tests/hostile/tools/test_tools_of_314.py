"""Tools of 3.14 act on a program: remote scripts, interpreters, filters by context."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from oracle import assert_normally

pytestmark = pytest.mark.skipif(sys.version_info < (3, 14), reason="of 3.14")


def ran(folder: Path, text: str, *options: str) -> str:
    """Run a program that must succeed and return what it prints."""
    path = folder / "program.py"
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    command = [sys.executable, *options, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


REMOTE = """
    import os, sys, threading
    import numpy as np
    import framejit

    told, refused = [], []

    def send():
        try:
            sys.remote_exec(os.getpid(), {script!r})
        except (PermissionError, RuntimeError, OSError) as error:
            refused.append(error)

    @framejit.jit(backend="numpy")
    def work(x, n):
        y = x
        for k in range(n):
            y = y * 0.5 + k
        return y

    def rounds(x):
        for k in range(10_000_000):
            y = work(x, 3)
            if k == 100:
                threading.Thread(target=send).start()
            if told or refused:
                return k, y
        return None

    x = np.ones(4)
    work(x, 3), work(x, 3)
    found = rounds(x)
    if refused:
        print("refused")
        raise SystemExit(0)
    assert found is not None and told[0][-2:] == ["rounds", "<module>"], told
    assert told[1] == 13.0
    print("told", found[1].tolist() == work.__wrapped__(x, 3).tolist())
"""
SCRIPT = """
    import sys
    import numpy as np
    import framejit
    frame, names = sys._getframe(1), []
    while frame:
        names.append(frame.f_code.co_name)
        frame = frame.f_back
    main = sys.modules["__main__"]

    @framejit.jit(backend="numpy")
    def total(a):
        return (a * 2 + 1).sum()

    result = float(total(np.arange(3.0) + 1.0)) - 2.0
    main.told += [names, result]
"""


def test_a_remote_script(tmp_path: Path) -> None:
    """It runs between two calls, sees eager's frames and may use the package itself."""
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(SCRIPT), encoding="utf-8")
    assert ran(tmp_path, REMOTE.replace("{script!r}", repr(str(script)))).strip() in (
        *("refused", "told True"),
    )


INTERPRETERS = """
    import threading
    from concurrent import interpreters
    import numpy as np
    import framejit

    @framejit.jit(backend="numpy")
    def f(x, n):
        y = x
        for k in range(n):
            y = y * 0.5 + k
        return y

    x = np.arange(5.0)
    expected = f.__wrapped__(x, 9).tobytes()
    other = interpreters.create()
    loop = "total = 0" + chr(10) + "for k in range(300_000): total += k"
    thread = threading.Thread(target=other.exec, args=(loop,))
    thread.start()
    for _ in range(50):
        assert f(x, 9).tobytes() == expected
    thread.join()
    other.exec(
        "import warnings; warnings.simplefilter('ignore'); import framejit" + chr(10)
        + "assert framejit.jit(lambda a: a + 1)(2) == 3"
    )
    assert f(x, 9).tobytes() == expected
    other.close()
    assert f(x, 9).tobytes() == expected
    print(f.stats()["launches"] > 50)
"""


def test_other_interpreters(tmp_path: Path) -> None:
    """They run eagerly, while the main one goes on with what it has compiled."""
    assert_normally(ran(tmp_path, INTERPRETERS), "True\n")


WARNINGS = """
    import asyncio, threading, warnings
    import numpy as np
    import framejit

    def f(x):
        return np.log(x) + 1, x / 0

    async def told(function, action):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter(action)
            await asyncio.sleep(0)
            try:
                result = [one.tobytes() for one in function(x)]
            except RuntimeWarning as error:
                result = repr(error)
            await asyncio.sleep(0)
            return result, [str(one.message) for one in seen]

    async def all_of(function):
        actions = ("always", "error", "ignore", "default", "always")
        return await asyncio.gather(*(told(function, action) for action in actions))

    x = np.array([-1.0, 0.0, 2.0])
    jitted = framejit.jit(f, backend="numba")
    for _ in range(3):
        assert asyncio.run(all_of(jitted)) == asyncio.run(all_of(f))
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for function in (f, jitted):
            thread = threading.Thread(
                target=lambda: found.append(asyncio.run(told(function, "always")))
            )
            thread.start()
            thread.join()
    assert found[0] == found[1]
    print("alike")
"""


@pytest.mark.parametrize("by_context", [0, 1])
def test_filters_by_context(tmp_path: Path, by_context: int) -> None:
    """Filters of warnings may be those of a task or of a thread."""
    options = [f"context_aware_warnings={by_context}", f"thread_inherit_context={by_context}"]
    assert ran(tmp_path, WARNINGS, *(f"-X{one}" for one in options)) == "alike\n"
