"""Machine code on disk is found by later processes, forks and threads, unless switched off."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from kernels_on_disk import PROGRAM, SMALL, TOLD, compile_anew, entries, run

from framejit.backends.numba.machine_code import stored
from framejit.jit.disk import Folder


def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    """It has the same answers, bit for bit, and never imports Numba or LLVM."""
    first, second = (run(tmp_path, PROGRAM + TOLD) for _ in range(2))

    assert first[:-1] == second[:-1]
    assert (first[-1], second[-1]) == ("True", "False")
    assert first == run("off", PROGRAM + TOLD)
    assert len(entries(tmp_path)) == 2
    assert {path.stat().st_mode & 0o777 for path in entries(tmp_path)} == {0o600}
    assert (tmp_path / "kernels").stat().st_mode & 0o777 == 0o700


def test_run_uses_it(tmp_path: Path) -> None:
    """`python -m framejit run` does not compile again either."""
    program = PROGRAM.replace("@jit", "").replace("from framejit import jit", "")
    program = program.rpartition("print(arrays")[0].replace("for f", "for _ in range(3):\n  for f")
    program = program.replace("    print([np", "        print([np") + TOLD
    script = tmp_path / "script.py"
    script.write_text(program, encoding="utf-8")
    command = [sys.executable, "-m", "framejit", "run", str(script)]
    environment = {**os.environ, "FRAMEJIT_CACHE_DIR": str(tmp_path)}
    first, second = (
        subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout
        for _ in range(2)
    )

    assert first.splitlines()[:-1] == second.splitlines()[:-1]
    assert (first.split()[-1], second.split()[-1]) == ("True", "False")


def test_children_find_what_others_left(tmp_path: Path) -> None:
    """Forked ones compile nothing, whether their parent has loaded any or not."""
    run(tmp_path, PROGRAM)
    forks = """
import os
for k in range(4):
    child = os.fork()
    if not child:
        arrays(x, x), loops(x, x)
        os._exit("numba" in sys.modules)
    print(os.waitpid(child, 0)[1])
"""
    unused = PROGRAM[: PROGRAM.index("for f in")]

    assert run(tmp_path, unused + forks) == ["0"] * 4
    assert run(tmp_path, PROGRAM + forks)[-4:] == ["0"] * 4


def test_threads_link_at_once(folder: Folder, kernels: tuple[str, str]) -> None:
    """Each of them gets code of its own."""
    for text in kernels:
        compile_anew(text)
    found: list[Any] = []
    threads = [
        threading.Thread(target=lambda k=k: found.append(stored.find(kernels[k % 2])))
        for k in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len({code.address for code in found}) == 8


def test_switched_off(tmp_path: Path) -> None:
    """By the folder, by the option in each of its places."""
    options = SMALL.replace("@jit", "@jit(cache=False)")
    entered = "import framejit\nframejit.config(cache=False).__enter__()\nx = np.ara"
    context = SMALL.replace("x = np.ara", entered)
    expected = run(tmp_path / "on", SMALL)

    assert run("", SMALL) == expected
    assert run(tmp_path, options) == expected
    assert run(tmp_path, context) == expected
    assert run(tmp_path, SMALL, FRAMEJIT_CACHE="0") == expected
    assert not (tmp_path / "kernels").exists()


def test_verify_reads_and_writes_the_same(tmp_path: Path) -> None:
    """verify=True compares the kernel that runs, so its entry serves both."""
    verified = PROGRAM.replace("@jit", "@jit(verify=True)")
    first, second = (run(tmp_path, verified + TOLD) for _ in range(2))

    assert first[:-1] == second[:-1]
    assert second[-1] == "False"
