"""Checked against the sources of Codex (343074d, with its published schemas), Gemini CLI (5411f11), LLxprt
(2026-08-20), Crush (37f36e9), Goose (2026-05-21) and Cline (21cb8d2), the published types of the chat hooks of VS Code,
and the manuals of Copilot and VS Code. Claude Code, Cursor and Windsurf are as our notes on them say.
"""

import pytest

from groundwire.surfaces.hooks.event import Replaced
from groundwire.surfaces.hooks.payload import read_payload
from tests.surfaces.hooks.payloads import (
    EDITS,
    PATCH,
    Sent,
    claude,
    cline,
    codex,
    copilot,
    encoded,
    gemini,
    goose,
    plugin,
    read,
    vscode,
    windsurf,
)


@pytest.mark.parametrize("sent", EDITS.values(), ids=EDITS)
def test_an_edit_of_any_host_names_its_host_file_folder_and_session(sent: Sent) -> None:
    event = read(sent.payload)

    assert (event.agent, event.moment, event.files) == (sent.agent, "edited", ("/w/a.py",))
    assert (event.cwd, event.session, event.is_pending) == ("/w", "s1", False)


@pytest.mark.parametrize(
    "host",
    [
        "claude Edit",
        "gemini replace",
        "copilot edit",
        "cursor afterFileEdit",
        "windsurf post_write_code",
        "goose PostToolUse",
        "opencode edit",
    ],
)
def test_what_was_replaced_is_told_where_the_host_tells_it(host: str) -> None:
    assert read(EDITS[host].payload).replaced == (Replaced("/w/a.py", "1", "2"),)


@pytest.mark.parametrize("host", ["claude Edit", "gemini replace"])
def test_the_text_before_is_told_where_the_host_shows_it(host: str) -> None:
    assert read(EDITS[host].payload).before == {"/w/a.py": "x = 1\n"}


def test_a_file_that_claude_created_was_empty_before() -> None:
    response = {"type": "create", "filePath": "/w/a.py", "originalFile": None}
    event = read(claude("PostToolUse", tool_name="Write", tool_input={"file_path": "/w/a.py"}, tool_response=response))

    assert event.before == {"/w/a.py": ""}
    assert event.is_write


def test_nothing_is_known_of_the_text_before_when_a_file_was_overwritten_and_not_shown() -> None:
    response = {"type": "update", "filePath": "/w/a.py", "originalFile": None}
    event = read(claude("PostToolUse", tool_name="Write", tool_input={"file_path": "/w/a.py"}, tool_response=response))

    assert event.before == {}


def test_the_edits_of_a_multi_edit_are_told_one_by_one() -> None:
    edits = [{"old_string": "1", "new_string": "2"}, {"old_string": "a", "new_string": "b", "replace_all": True}]
    event = read(claude("PostToolUse", tool_name="MultiEdit", tool_input={"file_path": "/w/a.py", "edits": edits}))

    assert event.replaced == (Replaced("/w/a.py", "1", "2"), Replaced("/w/a.py", "a", "b", is_everywhere=True))


def test_an_edit_of_a_notebook_names_the_notebook() -> None:
    event = read(claude("PostToolUse", tool_name="NotebookEdit", tool_input={"notebook_path": "/w/a.ipynb"}))

    assert (event.moment, event.files) == ("edited", ("/w/a.ipynb",))


def test_a_batch_names_every_file_once_and_keeps_the_oldest_text() -> None:
    calls = [
        {"tool_name": "Edit", "tool_input": {"file_path": "/w/a.py"}, "tool_response": {"originalFile": "first"}},
        {"tool_name": "Edit", "tool_input": {"file_path": "/w/a.py"}, "tool_response": {"originalFile": "second"}},
        {"tool_name": "Write", "tool_input": {"file_path": "/w/b.py"}, "tool_response": {}},
        {"tool_name": "Read", "tool_input": {"file_path": "/w/c.py"}, "tool_response": {}},
    ]
    event = read(claude("PostToolBatch", tool_calls=calls))

    assert (event.moment, event.files, event.is_write) == ("edited", ("/w/a.py", "/w/b.py"), True)
    assert event.before == {"/w/a.py": "first"}


def test_a_batch_with_a_shell_command_may_have_changed_anything_and_still_names_its_files() -> None:
    calls = [
        {"tool_name": "Edit", "tool_input": {"file_path": "/w/a.py"}},
        {"tool_name": "Bash", "tool_input": {"command": "sed -i s/1/2/ b.py"}},
    ]
    event = read(claude("PostToolBatch", tool_calls=calls))

    assert (event.moment, event.files) == ("ran", ("/w/a.py",))


def test_of_a_batch_only_what_reached_the_disk_is_named() -> None:
    calls = [
        {"tool_name": "Edit", "tool_input": {"file_path": "/w/a.py"}, "tool_response": {"staged": True}},
        {"tool_name": "Edit", "tool_input": {"file_path": "/w/b.py"}, "tool_response": {}},
    ]
    event = read(claude("PostToolBatch", tool_calls=calls))

    assert (event.files, event.is_pending) == (("/w/b.py",), False)


@pytest.mark.parametrize(
    "payload",
    [
        claude("PostToolUse", tool_name="Edit", tool_input={"file_path": "/w/a.py"}, tool_response={"staged": True}),
        claude("PostToolUseFailure", tool_name="Edit", tool_input={"file_path": "/w/a.py"}, error="no match"),
        gemini(
            "AfterTool",
            tool_name="replace",
            tool_input={"file_path": "/w/a.py"},
            tool_response={"error": {"type": "x"}},
        ),
        copilot(toolName="edit", toolArgs={"path": "/w/a.py"}, toolResult={"resultType": "denied"}),
        copilot(toolName="edit", toolArgs={"path": "/w/a.py"}, error="no match"),
        cline(
            "PostToolUse",
            postToolUse={"toolName": "write_to_file", "parameters": {"path": "/w/a.py"}, "success": False},
        ),
        cline("PostToolUse", postToolUse={"toolName": "write_to_file", "parameters": {"path": "/w/a.py"}}),
        goose("PostToolUseFailure", tool_name="developer__edit", tool_input={"path": "/w/a.py"}),
    ],
)
def test_an_edit_that_was_staged_or_failed_is_pending(payload: object) -> None:
    event = read(payload)

    assert (event.moment, event.files, event.is_pending) == ("edited", ("/w/a.py",), True)


def test_a_patch_names_the_files_that_it_adds_updates_moves_and_deletes() -> None:
    event = read(codex("PostToolUse", tool_name="apply_patch", tool_input={"command": PATCH}, tool_response=""))

    assert event.files == ("src/a.py", "src/b.py", "src/new.py", "src/gone.py")
    assert (event.moment, event.is_write) == ("edited", True)


@pytest.mark.parametrize(
    "payload",
    [
        copilot(toolName="apply_patch", toolArgs=PATCH, toolResult={"resultType": "success"}),
        vscode("PostToolUse", tool_name="apply_patch", tool_input={"input": PATCH, "explanation": "e"}),
        cline("PostToolUse", postToolUse={"toolName": "apply_patch", "parameters": {"input": PATCH}, "success": True}),
        plugin("opencode", tool="apply_patch", args={"patchText": PATCH}),
        codex("PostToolUse", tool_name="apply_patch", tool_input={"command": ["apply_patch", PATCH]}),
    ],
)
def test_a_patch_is_found_wherever_a_host_puts_it(payload: object) -> None:
    event = read(payload)

    assert (event.moment, event.files[0], len(event.files), event.is_write) == ("edited", "src/a.py", 4, True)


@pytest.mark.parametrize(
    ("payload", "files"),
    [
        (
            vscode(
                "PostToolUse",
                tool_name="multi_replace_string_in_file",
                tool_input={"replacements": [{"filePath": "/w/a.py"}, {"filePath": "/w/b.py"}]},
            ),
            ("/w/a.py", "/w/b.py"),
        ),
        (gemini("AfterTool", tool_name="write_file", tool_input={"absolute_path": "/w/a.py"}), ("/w/a.py",)),
        (
            claude("PostToolUse", tool_name="mcp__fs__move_file", tool_input={"source": "a", "destination": "b"}),
            ("a", "b"),
        ),
        (claude("PostToolUse", tool_name="SmartEdit", tool_input={"edits": [{"file_path": "a"}, 5, "b"]}), ("a", "b")),
        (copilot(toolName="create", toolArgs='{"path": "a.py"}', toolResult={}), ("a.py",)),
    ],
)
def test_files_are_found_under_every_name_that_hosts_use(payload: object, files: tuple[str, ...]) -> None:
    event = read(payload)

    assert (event.moment, event.files) == ("edited", files)


@pytest.mark.parametrize(
    "payload",
    [
        claude("PostToolUse", tool_name="Write", tool_input={"file_path": "/w/a.py", "content": ""}),
        gemini("AfterTool", tool_name="write_file", tool_input={"file_path": "/w/a.py"}),
        copilot(toolName="str_replace_editor", toolArgs={"command": "create", "path": "/w/a.py"}, toolResult={}),
        goose("PostToolUse", tool_name="developer__write", tool_input={"path": "/w/a.py"}),
    ],
)
def test_a_tool_that_writes_whole_files_is_told_apart(payload: object) -> None:
    assert read(payload).is_write


def test_the_folder_of_a_host_that_does_not_send_it_is_taken_from_its_environment() -> None:
    payload = windsurf("post_write_code", tool_info={"file_path": "a.py"})

    assert read(payload, environment={"CLAUDE_PROJECT_DIR": "/w"}).cwd == "/w"


@pytest.mark.parametrize(
    "raw", [b"", b"null", b"[]", b"3", b'{"hook_event_name": "PostToo', b"\xff\xfe", b"[" * 100_000]
)
def test_what_cannot_be_read_has_nothing_to_do_and_keeps_the_host_that_was_named(raw: bytes) -> None:
    event = read_payload(raw, "codex")

    assert (event.agent, event.moment, event.name, event.files) == ("codex", "other", "", ())
    assert read_payload(raw).agent == "unknown"


def test_a_byte_order_mark_is_no_obstacle() -> None:
    assert read_payload(b"\xef\xbb\xbf" + encoded(EDITS["claude Edit"].payload)).files == ("/w/a.py",)


def test_half_a_character_in_a_text_does_not_lose_the_event() -> None:
    raw = encoded(EDITS["claude Edit"].payload).replace(b"x = 1", b"x = \\ud83d")

    assert read_payload(raw).before == {"/w/a.py": "x = ?\n"}


def test_a_source_text_is_no_file_that_was_moved() -> None:
    payload = claude("PostToolUse", tool_name="CellEdit", tool_input={"path": "/w/a.ipynb", "source": "print()"})

    assert read(payload).files == ("/w/a.ipynb",)


def test_names_that_no_file_can_have_are_left_out() -> None:
    payload = claude("PostToolUse", tool_name="Edit", tool_input={"files": ["a\0b", "", "c.py", None]})

    assert read(payload).files == ("c.py",)
