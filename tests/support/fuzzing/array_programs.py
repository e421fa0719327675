"""Programs of array expressions of every dtype and layout, with branches and loops around them."""

from __future__ import annotations

import warnings

import numpy as np

from fuzzing.arrays import arguments
from fuzzing.choices import Choices, weighted
from fuzzing.programs import Program
from fuzzing.statements import RESULTS, Ended, Statements

ERRSTATES = weighted(ignore=10, warn=5, **{"raise": 1})
MOST_RESULTS = 3


def program_of_arrays(choices: Choices) -> Program:
    """A program of some statements, with the arguments of one or two calls, each made twice."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plan = arguments(choices)
        first = plan.text(choices)
        body = Statements(choices, plan.names, first)
        try:
            body.simple(0)
            for _ in range(choices.one((1, 2, 1, 2, 3, 8))):
                body.statement()
        except Ended:
            pass
    known = [name for name in (*RESULTS, "v", "s", "t") if name in body.values]
    results = known[:MOST_RESULTS] or ["a"]
    ending = "return " + ", ".join(results)
    source = f"import numpy as np\n\n{body.source(ending)}"
    calls = (first, plan.text(choices)) if choices.chance(60) else (first,)
    steps = tuple(call for call in calls for _ in range(2))
    errstate = choices.one(ERRSTATES)
    return Program(source, plan.names, steps, errstate, filtered=choices.chance(15))
