"""Schemas of what comes out: short, and no less true for it."""

import json
from typing import Any, cast

import jsonschema
import pytest

from groundwire.operations.navigation.explore import explore_symbol
from groundwire.operations.navigation.navigate import find_references
from groundwire.operations.navigation.symbols import list_symbols
from groundwire.operations.table import OPERATIONS
from groundwire.surfaces.mcp.output_schemas import output_schema

PLACE = {"file": "a", "line": 1, "column": 1, "end_line": 1, "end_column": 2}
ANSWER: dict[str, Any] = {
    "status": "confirmed",
    "reason": "",
    "servers": ["toy"],
    "elapsed_ms": 1.5,
    "result": {"locations": [PLACE], "total": 1},
}


def is_valid(value: dict[str, Any], schema: dict[str, object]) -> bool:
    try:
        jsonschema.validate(value, schema)
    except jsonschema.ValidationError:
        return False
    return True


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_it_is_a_schema_without_prose_and_refers_only_to_what_it_holds(name: str) -> None:
    schema = output_schema((OPERATIONS[name],))
    jsonschema.Draft202012Validator.check_schema(schema)
    text = json.dumps(schema)
    assert '"description": "' not in text
    shapes = cast("dict[str, object]", schema.get("$defs", {}))
    for shape in shapes:
        assert text.count(f'"#/$defs/{shape}"') > 1
    assert text.count('"#/$defs/') == sum(text.count(f'"#/$defs/{shape}"') for shape in shapes)


def test_an_answer_and_a_failure_fit_and_half_of_either_does_not() -> None:
    schema = output_schema((find_references,))
    assert is_valid(ANSWER, schema)
    assert is_valid({"ok": False, "error": "no", "kind": "NoSuchSymbol", "hint": ""}, schema)
    for member in ANSWER:
        assert not is_valid({name: value for name, value in ANSWER.items() if name != member}, schema)
    assert not is_valid({"kind": "NoSuchSymbol"}, schema)


def test_what_stands_where_it_is_used_is_checked_there() -> None:
    schema = output_schema((find_references,))
    assert "$defs" not in schema
    wrong = {**PLACE, "line": "one"}
    assert not is_valid({**ANSWER, "result": {"locations": [wrong], "total": 1}}, schema)
    assert not is_valid({**ANSWER, "result": {"locations": [{"file": "a"}], "total": 1}}, schema)


def test_what_holds_itself_is_referred_to() -> None:
    assert list(cast("dict[str, object]", output_schema((list_symbols,))["$defs"])) == ["SymbolEntry"]


def test_a_tool_of_several_operations_promises_the_envelope_alone() -> None:
    schema = output_schema((find_references, explore_symbol))
    assert is_valid({**ANSWER, "result": {"anything": 1}}, schema)
    assert not is_valid({**ANSWER, "result": 1}, schema)
