"""An option that is told at run time decides anew in each call: results, and whose memory it is."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from every_function import values
from options import Option, options
from oracle import check_script

OPTIONS = list(options())


@pytest.mark.parametrize("option", OPTIONS, ids=str)
def test_option(option: Option) -> None:
    """Results, whose memory they have, what is written to and errors are eager's, call by call."""

    def script(decorate: Callable[..., Any]) -> list[Any]:
        jitted = decorate(option.function())
        return [tried(jitted, given) for given in option.given]

    def tried(jitted: Callable[..., Any], given: Any) -> Any:
        arguments = values()
        try:
            result = jitted(*arguments.values(), option=given, number=given)
        except Exception as error:
            return type(error), str(error), arguments
        return result, arguments

    check_script(script, backends=["numpy"], filters=["ignore"])
