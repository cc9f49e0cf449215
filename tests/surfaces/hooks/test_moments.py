import pytest

from tests.surfaces.hooks.payloads import (
    claude,
    cline,
    codex,
    copilot,
    crush,
    cursor,
    gemini,
    goose,
    plugin,
    read,
    vscode,
    windsurf,
)


@pytest.mark.parametrize(
    "payload",
    [
        claude("PostToolUse", tool_name="Bash", tool_input={"command": "make"}, tool_response={"stdout": ""}),
        claude("PostToolUseFailure", tool_name="Bash", tool_input={"command": "make"}, error="2"),
        claude("PostToolUse", tool_name="mcp__github__list_files", tool_input={}),
        claude("PostToolUse", tool_name="Task", tool_input={"prompt": "p"}),
        codex("PostToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_response=""),
        gemini("AfterTool", tool_name="run_shell_command", tool_input={"command": "ls"}),
        copilot(toolName="bash", toolArgs={"command": "ls"}, toolResult={"resultType": "success"}),
        vscode("PostToolUse", tool_name="run_in_terminal", tool_input={"command": "ls"}),
        cursor("afterShellExecution", command="ls", cwd="/w", output=""),
        cursor("afterMCPExecution", tool_name="list_things", tool_input="{}", result_json="{}"),
        cline("PostToolUse", postToolUse={"toolName": "execute_command", "parameters": {"command": "ls"}}),
        windsurf("post_run_command", tool_info={"command_line": "ls", "cwd": "/w"}),
        windsurf("post_mcp_tool_use", tool_info={"mcp_tool_name": "write"}),
        goose("AfterShellExecution", tool_name="developer__shell", tool_input={"command": "ls"}),
        plugin("opencode", tool="bash", args={"command": "ls"}),
        plugin("kilo", tool="edit", args={"note": "an edit that does not say of what"}),
    ],
)
def test_a_tool_that_may_have_changed_anything_ran(payload: object) -> None:
    event = read(payload)

    assert (event.moment, event.files, event.is_pending) == ("ran", (), False)


@pytest.mark.parametrize(
    "payload",
    [
        claude("PostToolUse", tool_name="Read", tool_input={"file_path": "/w/a.py"}),
        claude("PostToolUse", tool_name="TodoWrite", tool_input={"todos": []}),
        claude("PostToolUse", tool_name="mcp__groundwire__rename_symbol", tool_input={"file_path": "/w/a.py"}),
        claude("UserPromptSubmit", prompt="hello"),
        claude("StopFailure"),
        codex("UserPromptSubmit", prompt="hello"),
        gemini("BeforeModel", llm_request={}),
        copilot(prompt="hello"),
        copilot(toolName="str_replace_editor", toolArgs={"command": "view", "path": "/w/a.py"}, toolResult={}),
        cursor("stop", status="aborted", loop_count=0),
        cline("UserPromptSubmit", userPromptSubmit={"prompt": "hello"}),
        goose("SessionEnd"),
    ],
)
def test_what_only_looks_or_is_none_of_our_business_is_other(payload: object) -> None:
    assert read(payload).moment == "other"


@pytest.mark.parametrize(
    ("payload", "agent", "name"),
    [
        (claude("Stop", stop_hook_active=False), "claude", "Stop"),
        (claude("SubagentStop", stop_hook_active=False), "claude", "SubagentStop"),
        (codex("Stop", stop_hook_active=False, last_assistant_message=None), "codex", "Stop"),
        (gemini("AfterAgent", prompt="p", prompt_response="r", stop_hook_active=False), "gemini", "AfterAgent"),
        (copilot(transcriptPath="/t", stopReason="end_turn"), "copilot", "agentStop"),
        (copilot(transcriptPath="/t", stopReason="end_turn", agentName="a"), "copilot", "subagentStop"),
        (vscode("Stop", stop_hook_active=False), "vscode", "Stop"),
        (cursor("stop", status="completed", loop_count=0), "cursor", "stop"),
        (windsurf("post_cascade_response", tool_info={"response": "r"}), "windsurf", "post_cascade_response"),
        (goose("Stop"), "goose", "Stop"),
    ],
)
def test_the_end_of_a_turn_is_a_stop(payload: object, agent: str, name: str) -> None:
    event = read(payload)

    assert (event.agent, event.moment, event.name, event.is_continued) == (agent, "stop", name, False)


@pytest.mark.parametrize(
    "payload",
    [
        claude("Stop", stop_hook_active=True),
        codex("Stop", stop_hook_active=True, last_assistant_message=None),
        gemini("AfterAgent", prompt="p", prompt_response="r", stop_hook_active=True),
        vscode("Stop", stop_hook_active=True),
        cursor("stop", status="completed", loop_count=1),
    ],
)
def test_a_turn_that_already_goes_on_because_of_a_hook_is_continued(payload: object) -> None:
    event = read(payload)

    assert (event.moment, event.is_continued) == ("stop", True)


@pytest.mark.parametrize(
    ("payload", "agent"),
    [
        (claude("SessionStart", source="startup"), "claude"),
        ({**claude("SessionStart", source="startup", model="m"), "permission_mode": "default"}, "codex"),
        (gemini("SessionStart", source="startup"), "gemini"),
        (copilot(source="new"), "copilot"),
        (vscode("SessionStart", source="new"), "vscode"),
        (cursor("sessionStart", session_id="s2"), "cursor"),
        (cline("TaskStart", taskStart={"taskMetadata": {}}), "cline"),
        (goose("SessionStart"), "goose"),
    ],
)
def test_the_begin_of_a_session_is_a_start(payload: object, agent: str) -> None:
    event = read(payload)

    assert (event.agent, event.moment) == (agent, "start")


@pytest.mark.parametrize(
    ("payload", "agent"),
    [
        (crush(tool_name="edit", tool_input={"file_path": "/w/a.py", "old_string": "1", "new_string": "2"}), "crush"),
        (claude("PreToolUse", tool_name="Edit", tool_input={"file_path": "/w/a.py"}), "claude"),
        (cline("PreToolUse", preToolUse={"toolName": "write_to_file", "parameters": {"path": "/w/a.py"}}), "cline"),
        (copilot(toolName="edit", toolArgs={"path": "/w/a.py"}), "copilot"),
    ],
)
def test_what_comes_ahead_of_a_tool_names_the_files_that_it_is_about(payload: object, agent: str) -> None:
    event = read(payload)

    assert (event.agent, event.moment, event.files, event.is_pending) == (agent, "before", ("/w/a.py",), False)
