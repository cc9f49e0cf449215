"""What Codex sends to a hook and takes from it, as tables of our own after its published schemas (343074d).

All are objects without further members. ``codex_input`` makes inputs of them, ``faults`` finds what an output breaks.
"""

from collections.abc import Mapping
from typing import NamedTuple, cast

from hypothesis import strategies as st

Schema = Mapping[str, object]

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
TEXT = st.text(max_size=30)
TEXT_OR_NULL = st.none() | TEXT
MODE = st.sampled_from(["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"])
COMMON = {"session_id": TEXT, "transcript_path": TEXT_OR_NULL, "cwd": TEXT, "model": TEXT, "permission_mode": MODE}
TURN = {**COMMON, "turn_id": TEXT}
TOOL = {**TURN, "tool_name": TEXT, "tool_input": ANYTHING, "tool_use_id": TEXT}
STOP = {**TURN, "stop_hook_active": st.booleans(), "last_assistant_message": TEXT_OR_NULL}
AGENT = {"agent_id": TEXT, "agent_type": TEXT}


class Input(NamedTuple):
    """The members of one input."""

    required: Mapping[str, st.SearchStrategy[object]]
    optional: Mapping[str, st.SearchStrategy[object]] = {}


INPUTS: Mapping[str, Input] = {
    "PostToolUse": Input({**TOOL, "tool_response": ANYTHING}, AGENT),
    "PreToolUse": Input(TOOL, AGENT),
    "SessionStart": Input({**COMMON, "source": st.sampled_from(["startup", "resume", "clear", "compact"])}),
    "Stop": Input(STOP),
    "SubagentStop": Input({**STOP, **AGENT, "agent_transcript_path": TEXT_OR_NULL}),
    "UserPromptSubmit": Input({**TURN, "prompt": TEXT}, AGENT),
}

UNIVERSAL = {"continue": bool, "stopReason": str, "suppressOutput": bool, "systemMessage": str}
DECISION = {"decision": str, "reason": str}
SPECIFIC: Mapping[str, type] = {"hookEventName": str, "additionalContext": str}
OUTPUTS: Mapping[str, Mapping[str, type]] = {
    "PostToolUse": {**UNIVERSAL, **DECISION, "hookSpecificOutput": dict},
    "PreToolUse": {**UNIVERSAL, **DECISION, "hookSpecificOutput": dict},
    "SessionStart": {**UNIVERSAL, "hookSpecificOutput": dict},
    "Stop": {**UNIVERSAL, **DECISION},
    "SubagentStop": {**UNIVERSAL, **DECISION},
}


@st.composite
def codex_inputs(draw: st.DrawFn, event: str) -> dict[str, object]:
    """Any input of this event that Codex may send."""
    members = INPUTS[event]
    given = draw(st.fixed_dictionaries(dict(members.required), optional=dict(members.optional)))
    return {**given, "hook_event_name": event}


def faults(event: str, output: object) -> list[str]:
    """What Codex would refuse the output for."""
    if not isinstance(output, dict):
        return ["no object"]
    given = cast("dict[str, object]", output)
    found = _misfits(OUTPUTS[event], given)
    specific = given.get("hookSpecificOutput")
    if isinstance(specific, dict):
        inner = cast("dict[str, object]", specific)
        found += _misfits(SPECIFIC, inner)
        found += [] if inner.get("hookEventName") == event else ["hookEventName is not the event"]
    if "decision" in given and (given["decision"] != "block" or not str(given.get("reason", "")).strip()):
        found.append("a decision that is not a block with a reason")
    return found


def _misfits(members: Mapping[str, type], given: Mapping[str, object]) -> list[str]:
    unknown = [f"{name} is not a member" for name in given if name not in members]
    return unknown + [
        f"{name} is of the wrong type" for name in given if not isinstance(given[name], members.get(name, object))
    ]
