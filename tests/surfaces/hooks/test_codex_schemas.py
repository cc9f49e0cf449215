import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.surfaces.hooks.output import can_speak, write_output
from groundwire.surfaces.hooks.payload import read_payload
from tests.surfaces.hooks.codex_schemas import INPUTS, OUTPUTS, codex_inputs, faults
from tests.surfaces.hooks.payloads import EDITS, encoded, read

EVENTS = st.sampled_from(sorted(INPUTS)).flatmap(codex_inputs)
REPORTS = st.text(max_size=200) | st.text("aé\n", min_size=1).map(lambda text: text * 3_000)


@given(EVENTS)
def test_whatever_codex_sends_is_seen_to_be_from_codex(payload: dict[str, object]) -> None:
    event = read_payload(encoded(payload))

    assert (event.agent, event.name) == ("codex", payload["hook_event_name"])
    assert event.is_continued == (payload.get("stop_hook_active") is True)


@given(EVENTS, REPORTS)
def test_codex_is_given_only_what_its_schemas_allow(payload: dict[str, object], report: str) -> None:
    event = read_payload(encoded(payload))
    printed = write_output(event, report)

    assert bool(printed) == (can_speak(event) and bool(report.strip()))
    assert not printed or not faults(event.name, json.loads(printed))


@pytest.mark.parametrize("event", sorted(OUTPUTS))
def test_codex_hears_at_every_event_for_which_it_has_an_answer(event: str) -> None:
    members = {"tool_name": "apply_patch", "tool_input": {"command": "*** Update File: a.py"}, "source": "startup"}
    payload = {**EDITS["codex apply_patch"].payload, **members, "hook_event_name": event}

    assert can_speak(read(payload))
    assert faults(event, json.loads(write_output(read(payload), "report"))) == []


@pytest.mark.parametrize(
    ("event", "output"),
    [
        ("PostToolUse", {"additionalContext": "T"}),
        ("PostToolUse", {"hookSpecificOutput": {"hookEventName": "Stop"}}),
        ("PostToolUse", {"hookSpecificOutput": {"hookEventName": "PostToolUse", "decision": "block"}}),
        ("Stop", {"hookSpecificOutput": {"hookEventName": "Stop", "additionalContext": "T"}}),
        ("Stop", {"decision": "deny", "reason": "T"}),
        ("Stop", {"decision": "block", "reason": " "}),
    ],
)
def test_the_tables_refuse_what_codex_refuses(event: str, output: object) -> None:
    assert faults(event, output)
