"""Every operation there is, found by any of its names."""

from typing import cast

import pytest

from groundwire.errors import InvalidArgument
from groundwire.operations.table import OPERATIONS, find_operation
from groundwire.protocol.capabilities import PROVIDERS


def test_every_operation_is_found_by_its_name_and_its_older_names():
    for operation in OPERATIONS.values():
        for name in (operation.name, *operation.aliases):
            assert find_operation(name) is operation


def test_names_are_unique():
    names = [name for operation in OPERATIONS.values() for name in (operation.name, *operation.aliases)]
    commands = [operation.command for operation in OPERATIONS.values()]
    assert len(set(names)) == len(names)
    assert len(set(commands)) == len(commands)


@pytest.mark.parametrize(
    ("old", "name"),
    [
        ("get_info_on_location", "inspect_symbol"),
        ("get_document_symbols", "list_symbols"),
        ("get_workspace_symbols", "find_symbol"),
        ("get_references", "find_references"),
        ("call_hierarchy", "find_callers"),
        ("explore", "explore_symbol"),
    ],
)
def test_an_older_name_is_understood(old: str, name: str):
    assert find_operation(old).name == name


def test_a_name_that_is_not_there_brings_those_close_to_it():
    with pytest.raises(InvalidArgument, match="'find_refrences'") as raised:
        find_operation("find_refrences")
    assert "find_references" in raised.value.hint
    with pytest.raises(InvalidArgument) as raised:
        find_operation("qqqq")
    assert "list_symbols" in raised.value.hint


def test_what_operations_need_is_what_servers_can_offer():
    offered = {*PROVIDERS, "textDocument/semanticTokens/full", "textDocument/semanticTokens/range"}
    for operation in OPERATIONS.values():
        assert set(operation.needs) <= offered, operation.name


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_every_argument_is_described_and_no_other_is_taken(name: str):
    operation = OPERATIONS[name]
    schema = operation.schema()
    properties = cast("dict[str, dict[str, object]]", schema["properties"])
    assert all(entry.get("description") for entry in properties.values())
    assert schema["additionalProperties"] is False
    assert operation.summary.endswith(".")
    with pytest.raises(InvalidArgument, match="no argument"):
        operation.parse({"nonsense": 1})
