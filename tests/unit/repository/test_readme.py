"""The README: its program prints its report, its tables are those of the package.

Run as a program it refreshes what is generated.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

README = Path(__file__).resolve().parents[3] / "README.md"
COMMANDS = (
    "python -m pip install . && python -m framejit demo",
    "python -m pip install '.[test]' && python -m pytest",
)


def program() -> str:
    """The first Python program of the README."""
    found = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


def report() -> str:
    """Return the text of the report that the program prints, as a block."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "readme.py")
        file.write_text(program(), encoding="utf-8")
        plain = {k: v for k, v in os.environ.items() if not k.startswith("FRAMEJIT_")}
        plain["FRAMEJIT_CACHE_DIR"] = folder  # else the report counts entries on disk
        done = subprocess.run(
            [sys.executable, str(file)], capture_output=True, text=True, check=False, env=plain
        )
    assert done.returncode == 0, done.stderr
    printed = done.stdout[done.stdout.index("normalise ") :]
    return f"```text\n{printed.rstrip()}\n```\n"


def variables() -> str:
    """The environment variables, as a table."""
    from framejit.jit.config import CALLERS, OPTIONS

    rows = ["| variable | default | meaning |", "| --- | --- | --- |"]
    for option in OPTIONS.values():
        if option.scope in CALLERS["environment"]:
            value = "1" if option.default is True else option.default
            default = f"`{value}`" if value else ""
            words = (
                f" ({', '.join(f'`{one}`' for one in option.choices)})" if option.choices else ""
            )
            rows.append(f"| `{option.variable}` | {default} | {option.help}{words} |")
    return "\n".join([*rows, ""])


GENERATED = {"report": report, "variables": variables}


def block(name: str) -> re.Pattern[str]:
    """Matches (head, body, foot) of a generated block."""
    return re.compile(rf"(<!-- {name}: [^>]*-->\n)(.*?)(<!-- end -->\n)", re.DOTALL)


def current(name: str) -> str:
    """The body of a generated block as it stands in the README."""
    found = block(name).search(README.read_text(encoding="utf-8"))
    assert found is not None
    return found[2]


def refresh() -> None:
    """Writes the generated blocks."""
    text = README.read_text(encoding="utf-8")
    for name, make in GENERATED.items():
        head, _, foot = block(name).split(text)[1:4]
        made = make()
        if untimed(made) != untimed(current(name)):
            text = text.replace(head + current(name) + foot, head + made + foot)
    README.write_text(text, encoding="utf-8")


def test_the_report_is_what_the_program_prints() -> None:
    """The program under the promise runs as it stands, and its report is the one shown."""
    expected = report()

    assert untimed(current("report")) == untimed(expected)


def untimed(text: str) -> str:
    """A report without what it has measured, which is another each time."""
    text = re.sub(r"[\d.]+ (us|ms|s|%)|[\d.]+x|under 1 %", "-", text)
    return re.sub(r" +", " ", text)


def test_the_variables_are_those_of_the_package() -> None:
    """The table of options drives the README too."""
    expected = variables()

    assert current("variables") == expected


def test_the_two_commands() -> None:
    """A fresh machine needs two commands; CI runs exactly them."""
    lines = README.read_text(encoding="utf-8").splitlines()

    assert [command for command in COMMANDS if command not in lines] == []


if __name__ == "__main__":
    refresh()
