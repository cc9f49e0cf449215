"""Code actions and commands in all the forms that servers send them in."""

import json

import pytest
from msgspec import Raw

from groundwire.errors import Wire
from groundwire.protocol.lsp_actions import decode_actions, edit_within
from groundwire.protocol.lsp_questions import Command

METHOD = "textDocument/codeAction"


def test_null_is_no_action() -> None:
    assert decode_actions(b"null", METHOD) == []


def test_a_bare_command_is_an_action_too() -> None:
    sent = [{"title": "Run", "command": "x.run", "arguments": [1]}, {"title": "Fix", "kind": "quickfix"}]
    run, fix = decode_actions(json.dumps(sent).encode(), METHOD)
    assert run.action.command is not None
    assert (run.action.title, run.action.command.command, bytes(run.action.command.arguments)) == (
        "Run",
        "x.run",
        b"[1]",
    )
    assert (fix.action.title, fix.action.command) == ("Fix", None)


def test_what_was_sent_is_kept_as_it_was() -> None:
    sent = b'[{"title": "Fix",  "own": {"x": 1}, "data": [2]}]'
    (offered,) = decode_actions(sent, METHOD)
    assert bytes(offered.raw) == sent[1:-1]


@pytest.mark.parametrize(
    ("kind", "wanted", "is_of"),
    [
        ("quickfix", "quickfix", True),
        ("source.fixAll.ruff", "source.fixAll", True),
        ("source.fixAll.ruff", "source", True),
        ("source.fixAllOfIt", "source.fixAll", False),
        ("refactor", "refactor.extract", False),
        (None, "quickfix", False),
    ],
)
def test_a_kind_takes_in_what_is_below_it(kind: str | None, wanted: str, is_of: bool) -> None:
    (offered,) = decode_actions(json.dumps([{"title": "x", "kind": kind}]).encode(), METHOD)
    assert offered.is_of((wanted,)) == is_of


def test_what_is_no_action_is_named() -> None:
    with pytest.raises(Wire, match=METHOD):
        decode_actions(b'[{"kind": "quickfix"}]', METHOD)


@pytest.mark.parametrize(
    ("arguments", "is_edit"),
    [
        (b'[{"changes": {}}]', True),
        (b'[{"documentChanges": [], "changeAnnotations": {}}]', True),
        (b'[{"changes": {}, "more": 1}]', False),
        (b'[{"changes": {}}, {"changes": {}}]', False),
        (b"[{}]", False),
        (b"[1]", False),
        (b"[]", False),
        (b"", False),
    ],
)
def test_a_command_that_only_hands_back_an_edit_is_that_edit(arguments: bytes, is_edit: bool) -> None:
    assert (edit_within(Command("x", "x", Raw(arguments))) is not None) == is_edit
