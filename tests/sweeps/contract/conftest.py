"""Tables of the contract: where their modules are found, and how many cases were compared."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The figure to be told."""
    from contract import CASES

    text = f"contract: {CASES['cases']} rows x inputs, {CASES['refused']} of them refused by eager"
    terminalreporter.write_line(text)
