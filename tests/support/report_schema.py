"""The JSON Schema of reports, made of the records; a checker for it; the page that documents it.

`python tests/support/report_schema.py` writes `jit/report/schema.json` and `docs/report.md` anew.
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from framejit.jit.report import Captured, Facts, ProgramFacts, records
from framejit.jit.report import report as report_module
from framejit.jit.report.report import FORMAT

Schema = dict[str, Any]
ROOT = Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "jit" / "report" / "schema.json"
PAGE = ROOT / "docs" / "report.md"
PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean"}
VERSION = {"const": FORMAT, "description": "The version of this format."}
CAPTURED = {"$ref": "#/$defs/Captured", "description": "Sums over its segments."}
HEAD = f"""\
# Reports as JSON

`explain(f)(...).to_json()` is the report of a function, `block.report.to_json()` of
`with capture() as block` and `python -m framejit run --report FILE.json` that of a program.
`jit/report/schema.json` in the package is their JSON Schema (draft 2020-12):

```python
import json
from importlib.resources import files

schema = json.loads(files("framejit.jit.report").joinpath("schema.json").read_text())
```

`format` is the version, now {FORMAT}. It grows when a field goes, or changes its type or meaning.
Fields are added without that, so a reader passes over those that it does not know. Codes and rules
are stable: [breaks](breaks.md).

<!-- made by `python tests/support/report_schema.py` from `jit/report/records.py` -->
"""


# ---- the schema ----------------------------------------------------------------------------------


def schema() -> Schema:
    """The schema: a report of a function or of a program, and a definition for each record."""
    made: dict[str, Schema] = {}
    for record in (Captured, Facts, ProgramFacts):
        _define(record, made)
    program = made.pop("ProgramFacts")
    function = made["Facts"]
    told = [
        _object(
            "The report of a function.",
            {"format": VERSION, "captured": CAPTURED, **function["properties"]},
        ),
        _object("The report of a program.", {"format": VERSION, **program["properties"]}),
    ]
    made["Facts"] = _object(
        "A function of a program.", {"captured": CAPTURED, **function["properties"]}
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A report of framejit",
        "oneOf": told,
        "$defs": dict(sorted(made.items())),
    }


def _object(description: str, properties: Schema) -> Schema:
    return {
        "type": "object",
        "description": description,
        "properties": properties,
        "required": list(properties),
    }


def _define(record: type, made: dict[str, Schema]) -> None:
    """Adds the definition of a record, and of the records in it."""
    told = _told_of_fields(record)
    hints = typing.get_type_hints(record, {**vars(records), **vars(report_module)})
    properties = {}
    for one in fields(record):
        properties[one.name] = _type(hints[one.name], made)
        if one.name in told:
            properties[one.name] = {**properties[one.name], "description": told[one.name]}
    made[record.__name__] = _object(inspect.getdoc(record) or "", properties)


def _type(hint: Any, made: dict[str, Schema]) -> Schema:
    if hint in PLAIN:
        return {"type": PLAIN[hint]}
    if is_dataclass(hint):
        assert isinstance(hint, type)
        if hint.__name__ not in made:
            _define(hint, made)
        return {"$ref": f"#/$defs/{hint.__name__}"}
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple:
        return {"type": "array", "items": _type(parts[0], made)}
    if origin in (types.UnionType, typing.Union):
        return {"anyOf": [*(_type(one, made) for one in parts[:-1]), {"type": "null"}]}
    assert issubclass(origin, Mapping), hint
    return {"type": "object", "additionalProperties": _type(parts[1], made)}


def _told_of_fields(record: type) -> dict[str, str]:
    """Field -> the string under it."""
    (body,) = ast.parse(inspect.getsource(record)).body
    assert isinstance(body, ast.ClassDef)
    told = {}
    for one, below in zip(body.body, body.body[1:], strict=False):
        if isinstance(one, ast.AnnAssign) and isinstance(below, ast.Expr):
            assert isinstance(one.target, ast.Name)
            told[one.target.id] = str(ast.literal_eval(below.value))
    return told


# ---- checking ------------------------------------------------------------------------------------

TYPES = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "null": type(None)}


def faults(value: Any, rule: Schema, whole: Schema, at: str = "$") -> Iterator[str]:
    """Yield the places that break a rule of the schema; keys that it does not name break it."""
    if "$ref" in rule:
        yield from faults(value, whole["$defs"][rule["$ref"].rpartition("/")[2]], whole, at)
    if "const" in rule and value != rule["const"]:
        yield f"{at}: {value!r}"
    for word in ("oneOf", "anyOf"):
        tried = [list(faults(value, one, whole, at)) for one in rule.get(word, ())]
        if tried and sum(not found for found in tried) != 1:
            yield from min(tried, key=len) or [f"{at}: several of {word}"]
    kind = rule.get("type")
    if kind == "array" and isinstance(value, list):
        for k, one in enumerate(value):
            yield from faults(one, rule["items"], whole, f"{at}[{k}]")
    elif kind == "object" and isinstance(value, dict):
        yield from _faults_of_keys(value, rule, whole, at)
    elif kind is not None:
        known = TYPES.get(kind, ())
        if not isinstance(value, known) or (isinstance(value, bool) and kind != "boolean"):
            yield f"{at}: {type(value).__name__} in place of {kind}"


def _faults_of_keys(value: Schema, rule: Schema, whole: Schema, at: str) -> Iterator[str]:
    own = rule.get("properties", {})
    yield from (f"{at}: no {name!r}" for name in rule.get("required", ()) if name not in value)
    for name, one in value.items():
        other = own.get(name, rule.get("additionalProperties"))
        if other is None:
            yield f"{at}.{name}: not in the schema"
        else:
            yield from faults(one, other, whole, f"{at}.{name}")


# ---- the page ------------------------------------------------------------------------------------


def page(whole: Schema) -> str:
    """The schema as tables."""
    function, program = whole["oneOf"]
    parts = [HEAD.rstrip(), *_table("A function", function), *_table("A program", program)]
    for name, rule in whole["$defs"].items():
        parts += _table(name, rule)
    return "\n\n".join(parts) + "\n"


def _table(title: str, rule: Schema) -> list[str]:
    rows = ["| field | type | meaning |", "| --- | --- | --- |"]
    for name, one in rule["properties"].items():
        rows.append(f"| `{name}` | {_in_words(one)} | {one.get('description', '')} |")
    return [f"## {title}", rule["description"].replace("\n", " "), "\n".join(rows)]


def _in_words(rule: Schema) -> str:
    if "$ref" in rule:
        name = rule["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in rule:
        return " or ".join(map(_in_words, rule["anyOf"]))
    if "const" in rule:
        return f"{rule['const']}"
    if rule["type"] == "array":
        return f"list of {_in_words(rule['items'])}"
    if "additionalProperties" in rule:
        return f"object of {_in_words(rule['additionalProperties'])}"
    return str(rule["type"])


def schema_text() -> str:
    """The file of the package."""
    return json.dumps(schema(), indent=2) + "\n"


if __name__ == "__main__":
    SCHEMA.write_text(schema_text(), encoding="utf-8")
    PAGE.write_text(page(schema()), encoding="utf-8")
    sys.exit()
