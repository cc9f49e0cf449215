"""What the hosts send to a hook, one of each kind, as their sources and manuals show it."""

import json
from collections.abc import Mapping
from typing import NamedTuple

from groundwire.surfaces.hooks.event import Agent, HookEvent
from groundwire.surfaces.hooks.payload import read_payload

Payload = Mapping[str, object]

PATCH = """*** Begin Patch
*** Update File: src/a.py
*** Move to: src/b.py
@@ def area():
-    return 1
+    return 2
*** Add File: src/new.py
+x = 1
*** Delete File: src/gone.py
*** End Patch
"""


class Sent(NamedTuple):
    """A payload, and by whom it is sent."""

    agent: Agent
    payload: Payload


def encoded(payload: object) -> bytes:
    """As it comes in on standard input."""
    return json.dumps(payload).encode()


def read(payload: object, agent: str = "", environment: Mapping[str, str] | None = None) -> HookEvent:
    """The event that a payload is."""
    return read_payload(encoded(payload), agent, environment or {})


def claude(event: str, **members: object) -> Payload:
    """Claude Code."""
    common = {"session_id": "s1", "transcript_path": "/t.jsonl", "cwd": "/w", "permission_mode": "default"}
    return {**common, "hook_event_name": event, **members}


def codex(event: str, **members: object) -> Payload:
    """Codex."""
    common = {"session_id": "s1", "turn_id": "t1", "transcript_path": None, "cwd": "/w", "model": "m"}
    return {**common, "permission_mode": "default", "hook_event_name": event, **members}


def gemini(event: str, **members: object) -> Payload:
    """Gemini CLI, and LLxprt."""
    common = {"session_id": "s1", "transcript_path": "/t.json", "cwd": "/w", "timestamp": "2026-08-21T16:16:56Z"}
    return {**common, "hook_event_name": event, **members}


def copilot(**members: object) -> Payload:
    """Copilot, an event that is spelled in camel case: it is not named."""
    return {"sessionId": "s1", "timestamp": 1704614600000, "cwd": "/w", **members}


def vscode(event: str, **members: object) -> Payload:
    """VS Code."""
    common = {"timestamp": "2026-08-19T10:30:00.000Z", "cwd": "/w", "sessionId": "s1", "transcript_path": "/t.json"}
    return {**common, "hookEventName": event, **members}


def cursor(event: str, **members: object) -> Payload:
    """Cursor."""
    common = {"conversation_id": "s1", "generation_id": "g1", "workspace_roots": ["/w"], "cursor_version": "2.0.77"}
    return {**common, "hook_event_name": event, **members}


def cline(event: str, **members: object) -> Payload:
    """Cline."""
    common = {"clineVersion": "3.9", "timestamp": "1", "taskId": "s1", "workspaceRoots": ["/w"], "userId": "u"}
    return {**common, "hookName": event, **members}


def windsurf(event: str, **members: object) -> Payload:
    """Windsurf."""
    return {"agent_action_name": event, "trajectory_id": "s1", "execution_id": "e", "timestamp": "t", **members}


def crush(**members: object) -> Payload:
    """Crush, which has one event."""
    return {"event": "PreToolUse", "session_id": "s1", "cwd": "/w", **members}


def goose(event: str, **members: object) -> Payload:
    """Goose."""
    return {"event": event, "session_id": "s1", "matcher_context": None, "working_dir": "/w", **members}


def plugin(agent: Agent, **members: object) -> Payload:
    """Our own plugin in opencode and Kilo."""
    common = {"agent": agent, "event": "tool.execute.after", "directory": "/w", "sessionID": "s1"}
    return {**common, **members}


EDITS: Mapping[str, Sent] = {
    "claude Edit": Sent(
        "claude",
        claude(
            "PostToolUse",
            tool_name="Edit",
            tool_input={"file_path": "/w/a.py", "old_string": "1", "new_string": "2"},
            tool_response={"filePath": "/w/a.py", "originalFile": "x = 1\n", "structuredPatch": []},
            tool_use_id="u1",
        ),
    ),
    "codex apply_patch": Sent(
        "codex",
        codex(
            "PostToolUse",
            tool_name="apply_patch",
            tool_input={"command": "*** Begin Patch\n*** Update File: /w/a.py\n@@\n-1\n+2\n*** End Patch"},
            tool_response="Success. Updated the following files:\nM a.py\n",
            tool_use_id="u1",
        ),
    ),
    "gemini replace": Sent(
        "gemini",
        gemini(
            "AfterTool",
            tool_name="replace",
            tool_input={"file_path": "/w/a.py", "old_string": "1", "new_string": "2"},
            tool_response={"llmContent": "ok", "returnDisplay": {"fileDiff": "", "originalContent": "x = 1\n"}},
        ),
    ),
    "copilot edit": Sent(
        "copilot",
        copilot(
            toolName="edit",
            toolArgs={"path": "/w/a.py", "old_str": "1", "new_str": "2"},
            toolResult={"resultType": "success", "textResultForLlm": "done"},
        ),
    ),
    "copilot edit in snake case": Sent(
        "copilot",
        {
            "hook_event_name": "PostToolUse",
            "session_id": "s1",
            "timestamp": "2026-08-19T10:30:00.000Z",
            "cwd": "/w",
            "tool_name": "edit",
            "tool_input": {"path": "/w/a.py", "old_str": "1", "new_str": "2"},
            "tool_result": {"result_type": "success", "text_result_for_llm": "done"},
        },
    ),
    "vscode editFiles": Sent(
        "vscode",
        vscode(
            "PostToolUse",
            tool_name="editFiles",
            tool_input={"files": ["/w/a.py"]},
            tool_use_id="u1",
            tool_response="File edited successfully",
        ),
    ),
    "cursor afterFileEdit": Sent(
        "cursor", cursor("afterFileEdit", file_path="/w/a.py", edits=[{"old_string": "1", "new_string": "2"}])
    ),
    "cursor postToolUse": Sent(
        "cursor",
        cursor("postToolUse", tool_name="Edit", tool_input='{"file_path": "/w/a.py"}', tool_output="{}", cwd="/w"),
    ),
    "cline replace_in_file": Sent(
        "cline",
        cline(
            "PostToolUse",
            postToolUse={
                "toolName": "replace_in_file",
                "parameters": {"path": "/w/a.py", "diff": "------- SEARCH\n1\n=======\n2\n+++++++ REPLACE"},
                "result": "ok",
                "success": True,
                "executionTimeMs": 5,
            },
        ),
    ),
    "windsurf post_write_code": Sent(
        "windsurf",
        windsurf(
            "post_write_code",
            tool_info={"file_path": "/w/a.py", "edits": [{"old_string": "1", "new_string": "2"}], "cwd": "/w"},
        ),
    ),
    "goose PostToolUse": Sent(
        "goose",
        goose("PostToolUse", tool_name="developer__edit", tool_input={"path": "/w/a.py", "before": "1", "after": "2"}),
    ),
    "goose AfterFileEdit": Sent(
        "goose",
        goose("AfterFileEdit", matcher_context="/w/a.py", tool_name="developer__edit", tool_input={"path": "/w/a.py"}),
    ),
    "opencode edit": Sent(
        "opencode",
        plugin("opencode", tool="edit", args={"filePath": "/w/a.py", "oldString": "1", "newString": "2"}),
    ),
    "kilo edit": Sent("kilo", plugin("kilo", tool="edit", args={"filePath": "/w/a.py"})),
}
"""One edit of ``/w/a.py``, by every host that tells of one."""
