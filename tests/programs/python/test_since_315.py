"""New syntax of 3.15 around array code. Programs are text, as older versions cannot parse it."""

import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import framejit

pytestmark = pytest.mark.skipif(sys.version_info < (3, 15), reason="of 3.15")

X = np.linspace(0.5, 2.5, 6)
LAZY = """
    lazy import colorsys
    lazy from fractions import Fraction

    def uses(x):
        y = x * 2
        return y + colorsys.rgb_to_hls(0.1, 0.2, 0.3)[1], Fraction(1, 2)

    def hands_on(x):
        return x + 1, colorsys

    def imports_another(x):
        import bisect
        return x + bisect.bisect([1, 2], 1)
"""


def module() -> dict[str, Any]:
    """A module that has imported nothing yet."""
    for name in ("colorsys", "fractions"):
        sys.modules.pop(name, None)
    made: dict[str, Any] = {"__name__": "lazy_one"}
    exec(textwrap.dedent(LAZY), made)
    return made


@pytest.mark.usefixtures("plain_and_stubs")
@pytest.mark.parametrize("name", ["uses", "hands_on", "imports_another"])
def test_lazy_imports(name: str) -> None:
    """The first use of a name imports its module, and is not compiled; later ones are."""
    for backend in ("numpy", "numba"):
        expected = module()[name](X)
        jitted = framejit.jit(backend=backend)(module()[name])
        for _ in range(4):
            found = jitted(X)
            assert repr(found) == repr(expected)


def test_lazy_imports_of_a_script(tmp_path: Path) -> None:
    """Bodies of modules import lazily under `run`, too."""
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent("""
            import sys
            lazy import colorsys
            import numpy as np
            x = np.ones(5)
            for k in [1.0, 2.0, 3.0]:
                x = x * k + 1
            print("colorsys" in sys.modules, x.sum())
            print(colorsys.rgb_to_hls(0.1, 0.2, 0.3), "colorsys" in sys.modules)
        """)
    )
    plain, ours = (
        subprocess.run([sys.executable, *options, script], capture_output=True, text=True)
        for options in ((), ("-m", "framejit", "run"))
    )

    assert (ours.returncode, ours.stdout) == (plain.returncode, plain.stdout)
    assert plain.stdout.startswith("False")


def test_frozen_dicts() -> None:
    """Known by nobody in framejit: what reads one is plain Python."""
    held = eval("frozendict(a=2.0)")

    def program(x: Any) -> Any:
        y = x * 3
        return y * held["a"] + 1

    jitted = framejit.jit(program)
    for _ in range(3):
        assert jitted(X).tobytes() == program(X).tobytes()
