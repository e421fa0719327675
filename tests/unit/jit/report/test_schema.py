"""The JSON of reports: its schema is that of the records, and reports of programs keep to it."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from break_pairs import IDS, PAIRS, run, surroundings
from report_facts import FACTS
from report_schema import PAGE, Schema, faults, page, schema, schema_text

from framejit import Report, capture, config, disable, explain, jit
from framejit.jit.report import ProgramFacts, ProgramReport, SkipRecord, Spending

WHOLE: Schema = json.loads(
    files("framejit.jit.report").joinpath("schema.json").read_text(encoding="utf-8")
)
"""The schema in the package."""


def faults_of(text: str) -> list[str]:
    """Return the places where the JSON of a report breaks the schema."""
    return list(faults(json.loads(text), WHOLE, WHOLE))


def test_the_schema_is_that_of_the_records() -> None:
    """After a change `python tests/support/report_schema.py` writes it anew."""
    assert schema_text() == json.dumps(WHOLE, indent=2) + "\n"
    assert PAGE.read_text(encoding="utf-8") == page(WHOLE)


def test_each_field_is_documented() -> None:
    """Every field of the page has a description."""
    rules = [*schema()["oneOf"], *schema()["$defs"].values()]
    bare = [
        name
        for rule in rules
        for name, one in rule["properties"].items()
        if not one.get("description")
    ]

    assert bare == []


def test_records_keep_to_it() -> None:
    """Each kind of record, with all that may be left out and without."""
    spent = replace(FACTS, spending=Spending("captured", None, 0.5, 1, 0.0))
    program = ProgramFacts((FACTS, spent), (SkipRecord("library", "it is NumPy's", FACTS.place),))

    assert faults_of(Report(None, lambda: FACTS).to_json()) == []
    assert faults_of(Report(None, lambda: spent).to_json()) == []
    assert faults_of(ProgramReport(lambda: program).to_json()) == []


def _edited(edit: Any) -> list[str]:
    body = json.loads(Report(None, lambda: FACTS).to_json())
    edit(body)
    return faults_of(json.dumps(body))


def test_what_does_not_keep_to_it_is_found() -> None:
    """A field that is missing, new, or of another type, and another version."""
    assert _edited(lambda body: None) == []
    assert _edited(lambda body: body.pop("breaks")) == ["$: no 'breaks'"]
    assert _edited(lambda body: body.update(format=2)) == ["$.format: 2"]
    assert _edited(lambda body: body.update(new=1)) == ["$.new: not in the schema"]
    assert _edited(lambda body: body["breaks"][0].update(count="9")) == [
        "$.breaks[0].count: str in place of integer"
    ]
    assert _edited(lambda body: body["segments"][1].update(waits=1)) == [
        "$.segments[1].waits: int in place of boolean"
    ]
    assert _edited(lambda body: body["segments"][0]["bails"].update(x=None)) == [
        "$.segments[0].bails.x: NoneType in place of integer"
    ]


@pytest.mark.parametrize("id_", [id_ for id_ in IDS if id_ not in ("FJ305", "FJ403")][::5])
def test_reports_of_breaks_keep_to_it(id_: str, tmp_path: Path) -> None:
    """Programs of the registry."""
    _, _, pair = PAIRS[IDS.index(id_)]
    with surroundings():
        reports = run(pair.breaks, tmp_path, "numpy").reports

    assert [fault for report in reports for fault in faults_of(report.to_json())] == []


def test_reports_of_functions_and_programs_keep_to_it() -> None:
    """Functions compiled, recompiled, left alone and switched off; a generator; code around."""

    def doubled(x: Any) -> Any:
        return x * 2 + 1

    def items(x: Any) -> Any:
        yield x * 2

    x = np.arange(6.0)
    jitted = jit(doubled, backend="numpy", compile="now")
    for one in (x, x.astype(np.float32), x.astype(int), x.reshape(2, 3)):
        jitted(one)
    assert faults_of(explain(jitted)(x).to_json()) == []
    assert faults_of(explain(items)(x).to_json()) == []
    with disable():
        assert faults_of(explain(doubled)(x).to_json()) == []
    with config(backend="numpy"), capture() as block:
        for _ in range(3):
            doubled(x)
            json.dumps(next(iter(items(x))).tolist())
    assert faults_of(block.report.to_json()) == []


def test_the_report_of_run_keeps_to_it(tmp_path: Path) -> None:
    """`python -m framejit run --report FILE.json`."""
    script, told = tmp_path / "script.py", tmp_path / "told.json"
    script.write_text(
        "import numpy as np\n"
        "def step(x):\n    return x * 2 + 1\n"
        "x = np.ones(9)\n"
        "for k in range(200):\n    x = step(x) / 3\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "framejit", "run", "--report", str(told), str(script)]
    subprocess.run(command, check=True, timeout=120)

    assert faults_of(told.read_text(encoding="utf-8")) == []
