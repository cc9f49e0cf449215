"""The head of a SKILL.md: what is understood, and that everything else is refused with its place."""

import pytest

from groundwire.errors import InvalidArgument
from groundwire.operations.workflow.skills_front_matter import parse_front_matter

HEAD = """---
# a comment
name: lsp-try
description: "Quoted: with a colon, and a \\"quote\\"."
argument-hint: '<file> it''s'
needs: [textDocument/hover, 'textDocument/rename']
optional: []
arguments:
  - name: file_path
    description: A file.
    required: true
  - name: mode
    choices: [warn, block]
phases:
- name: look
  effects: [reads]
tags:
  - one
  - "two"
metadata:
  version: "1"
  nested:
    deep: yes
---

# Title

Body.
"""


def test_everything_that_skills_are_written_in_is_understood() -> None:
    members, body = parse_front_matter(HEAD, "SKILL.md")
    assert members == {
        "name": "lsp-try",
        "description": 'Quoted: with a colon, and a "quote".',
        "argument-hint": "<file> it's",
        "needs": ["textDocument/hover", "textDocument/rename"],
        "optional": [],
        "arguments": [
            {"name": "file_path", "description": "A file.", "required": True},
            {"name": "mode", "choices": ["warn", "block"]},
        ],
        "phases": [{"name": "look", "effects": ["reads"]}],
        "tags": ["one", "two"],
        "metadata": {"version": "1", "nested": {"deep": "yes"}},
    }
    assert body == "# Title\n\nBody.\n"


@pytest.mark.parametrize(
    ("head", "line", "why"),
    [
        ("name: a\n", 1, "does not begin"),
        ("---\nname: a\n", 3, "ends the head"),
        ("---\n\tname: a\n---\n", 2, "tab"),
        ("---\nname: a\nname: b\n---\n", 3, "twice"),
        ("---\njust words\n---\n", 2, "neither a member"),
        ("---\nname:\n---\n", 2, "without a value"),
        ("---\nname:\nother: a\n---\n", 2, "without a value"),
        ("---\nname: a\n    deep: b\n---\n", 3, "indentation"),
        ("---\nname: |\n  text\n---\n", 2, "quotes"),
        ("---\nname: {a: b}\n---\n", 2, "quotes"),
        ("---\nname: &anchor a\n---\n", 2, "quotes"),
        ("---\nname: a: b\n---\n", 2, "quotes"),
        ("---\nname: a # comment\n---\n", 2, "quotes"),
        ('---\nname: "open\n---\n', 2, "does not end"),
        ("---\nname: 'open\n---\n", 2, "does not end"),
        ("---\nname: [a, b\n---\n", 2, "does not end"),
        ("---\nname: [[a], b]\n---\n", 2, "quotes"),
        ("---\nnames:\n  -\n---\n", 3, "without a value"),
    ],
)
def test_what_is_not_understood_is_refused_with_its_place(head: str, line: int, why: str) -> None:
    with pytest.raises(InvalidArgument, match=why) as raised:
        parse_front_matter(head, "lsp-try/SKILL.md")
    assert raised.value.message.startswith(f"lsp-try/SKILL.md:{line}: ")
