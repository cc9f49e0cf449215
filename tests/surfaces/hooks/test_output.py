"""Checked against the sources and manuals that ``test_payload`` names. Claude Code has two ways to go on after a stop;
the older one is used, which Codex and Goose know as well.
"""

import json
from typing import cast

import pytest

from groundwire.surfaces.hooks.event import HookEvent
from groundwire.surfaces.hooks.output import can_speak, silence, write_output
from tests.surfaces.hooks.payloads import (
    EDITS,
    claude,
    cline,
    codex,
    copilot,
    crush,
    cursor,
    gemini,
    goose,
    read,
    vscode,
    windsurf,
)

NESTED = {"hookEventName": "PostToolUse", "additionalContext": "T"}
BLOCK = {"decision": "block", "reason": "T"}
SPOKEN: dict[str, tuple[object, object]] = {
    "claude Edit": (EDITS["claude Edit"].payload, {"hookSpecificOutput": NESTED}),
    "claude PostToolBatch": (
        claude("PostToolBatch", tool_calls=[{"tool_name": "Edit", "tool_input": {"file_path": "a"}}]),
        {"hookSpecificOutput": {"hookEventName": "PostToolBatch", "additionalContext": "T"}},
    ),
    "claude PostToolUseFailure": (
        claude("PostToolUseFailure", tool_name="Bash", tool_input={}),
        {"hookSpecificOutput": {"hookEventName": "PostToolUseFailure", "additionalContext": "T"}},
    ),
    "claude SessionStart": (
        claude("SessionStart", source="startup"),
        {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "T"}},
    ),
    "claude Stop": (claude("Stop", stop_hook_active=False), BLOCK),
    "claude SubagentStop": (claude("SubagentStop", stop_hook_active=False), BLOCK),
    "codex apply_patch": (EDITS["codex apply_patch"].payload, {"hookSpecificOutput": NESTED}),
    "codex Stop": (codex("Stop", stop_hook_active=False), BLOCK),
    "gemini replace": (
        EDITS["gemini replace"].payload,
        {"hookSpecificOutput": {"hookEventName": "AfterTool", "additionalContext": "T"}},
    ),
    "gemini AfterAgent": (gemini("AfterAgent", stop_hook_active=False), {"decision": "deny", "reason": "T"}),
    "copilot edit": (
        EDITS["copilot edit"].payload,
        {
            "additionalContext": "T",
            "hookSpecificOutput": {"hookEventName": "postToolUse", "additionalContext": "T"},
        },
    ),
    "copilot edit in snake case": (
        EDITS["copilot edit in snake case"].payload,
        {"additionalContext": "T", "hookSpecificOutput": NESTED},
    ),
    "copilot agentStop": (copilot(stopReason="end_turn"), BLOCK),
    "vscode editFiles": (
        EDITS["vscode editFiles"].payload,
        {"additionalContext": "T", "hookSpecificOutput": NESTED},
    ),
    "vscode Stop": (
        vscode("Stop", stop_hook_active=False),
        {**BLOCK, "hookSpecificOutput": {"hookEventName": "Stop", **BLOCK}},
    ),
    "cursor postToolUse": (EDITS["cursor postToolUse"].payload, {"additional_context": "T"}),
    "cursor stop": (cursor("stop", status="completed", loop_count=0), {"followup_message": "T"}),
    "cline replace_in_file": (
        EDITS["cline replace_in_file"].payload,
        {"cancel": False, "contextModification": "T", "errorMessage": ""},
    ),
    "crush PreToolUse": (crush(tool_name="view", tool_input={}), {"version": 1, "context": "T"}),
    "goose Stop": (goose("Stop"), BLOCK),
    "opencode edit": (EDITS["opencode edit"].payload, {"text": "T"}),
    "kilo edit": (EDITS["kilo edit"].payload, {"text": "T"}),
    "somebody": (
        {"event": "PostToolUse", "tool_name": "edit", "tool_input": {"path": "a"}},
        {"additionalContext": "T", "hookSpecificOutput": NESTED},
    ),
    "somebody like claude": (
        {"hook_event_name": "PostToolUse", "tool_name": "edit", "tool_input": {"path": "a"}},
        {"hookSpecificOutput": NESTED},
    ),
}
UNHEARD: dict[str, object] = {
    "goose PostToolUse": EDITS["goose PostToolUse"].payload,
    "goose AfterFileEdit": EDITS["goose AfterFileEdit"].payload,
    "goose SessionStart": goose("SessionStart"),
    "goose PreToolUse": goose("PreToolUse", tool_name="developer__edit", tool_input={"path": "a"}),
    "windsurf post_write_code": EDITS["windsurf post_write_code"].payload,
    "windsurf post_cascade_response": windsurf("post_cascade_response"),
    "cursor afterFileEdit": EDITS["cursor afterFileEdit"].payload,
    "cursor afterShellExecution": cursor("afterShellExecution", command="ls"),
    "cursor stop that was aborted": cursor("stop", status="aborted", loop_count=0),
    "cursor stop again": cursor("stop", status="completed", loop_count=1),
    "claude Stop again": claude("Stop", stop_hook_active=True),
    "codex Stop again": codex("Stop", stop_hook_active=True),
    "claude Read": claude("PostToolUse", tool_name="Read", tool_input={"file_path": "a"}),
    "claude UserPromptSubmit": claude("UserPromptSubmit", prompt="p"),
    "gemini BeforeTool": gemini("BeforeTool", tool_name="replace", tool_input={"file_path": "a"}),
    "copilot preToolUse": copilot(toolName="edit", toolArgs={"path": "a"}),
    "cline TaskComplete": cline("TaskComplete"),
    "nobody": {},
}


@pytest.mark.parametrize(("payload", "answer"), SPOKEN.values(), ids=SPOKEN)
def test_a_text_is_said_in_the_form_that_the_host_hears(payload: object, answer: object) -> None:
    event = read(payload)

    assert can_speak(event)
    assert json.loads(write_output(event, "T")) == answer


@pytest.mark.parametrize("payload", UNHEARD.values(), ids=UNHEARD)
def test_where_nobody_listens_nothing_is_said_and_the_caller_knows(payload: object) -> None:
    event = read(payload)

    assert not can_speak(event)
    assert write_output(event, "T") == silence(event.agent)


@pytest.mark.parametrize("text", ["", " \n"])
@pytest.mark.parametrize(("payload", "answer"), SPOKEN.values(), ids=SPOKEN)
def test_nothing_to_say_is_silence(payload: object, answer: object, text: str) -> None:
    event = read(payload)

    assert write_output(event, text) == silence(event.agent)


@pytest.mark.parametrize(
    ("agent", "printed"),
    [
        ("codex", b""),
        ("cline", b'{"cancel":false,"contextModification":"","errorMessage":""}'),
        ("claude", b"{}"),
        ("crush", b"{}"),
        ("goose", b"{}"),
        ("unknown", b"{}"),
        ("hal", b"{}"),
    ],
)
def test_silence_is_what_the_host_takes_for_it(agent: str, printed: bytes) -> None:
    assert silence(agent) == printed


def test_who_hears_us_at_a_stop_of_an_unknown_host_is_not_known_so_its_turn_may_end() -> None:
    assert not can_speak(HookEvent(agent="unknown", moment="stop", name="Stop"))


def test_half_a_character_does_not_spoil_the_answer() -> None:
    answer = json.loads(write_output(read(EDITS["opencode edit"].payload), "a\ud83db"))

    assert answer == {"text": r"a\ud83db"}


@pytest.mark.parametrize(
    ("host", "room"), [("codex apply_patch", 8_000), ("copilot edit", 10_000), ("cline replace_in_file", 50_000)]
)
def test_a_long_report_is_cut_to_the_limit_of_the_host(host: str, room: int) -> None:
    report = "\n".join(f"a.py:{number}: error: é" for number in range(20_000))
    printed = write_output(read(EDITS[host].payload), report).decode()
    said = next(value for value in _texts(json.loads(printed)) if "error" in value)

    assert room - 100 < len(said.encode()) <= room
    assert said.rpartition("\n")[2].endswith("more lines")


def _texts(value: object) -> list[str]:
    if isinstance(value, dict):
        return [text for member in cast("dict[str, object]", value).values() for text in _texts(member)]
    return [value] if isinstance(value, str) else []


def test_a_name_that_is_no_text_is_told_as_it_is_shown_everywhere() -> None:
    told = json.loads(write_output(read(EDITS["claude Edit"].payload), "bad\udcff.py: 1 error"))
    assert told["hookSpecificOutput"]["additionalContext"] == r"bad\xff.py: 1 error"
