import pytest

from tests.surfaces.hooks.payloads import EDITS, Sent, read


@pytest.mark.parametrize("sent", EDITS.values(), ids=EDITS)
def test_saying_who_it_is_changes_nothing_about_what_is_read(sent: Sent) -> None:
    assert read(sent.payload, sent.agent) == read(sent.payload)


def test_llxprt_is_told_from_gemini_by_its_environment() -> None:
    payload = EDITS["gemini replace"].payload

    assert read(payload, environment={"LLXPRT_PROJECT_DIR": "/w"}).agent == "llxprt"


@pytest.mark.parametrize("host", ["copilot edit in snake case", "vscode editFiles", "cursor postToolUse"])
def test_a_host_that_runs_the_hooks_of_claude_is_recognized_all_the_same(host: str) -> None:
    assert read(EDITS[host].payload, "claude").agent == EDITS[host].agent


def test_who_is_named_on_the_command_line_wins_over_the_shape() -> None:
    assert read(EDITS["gemini replace"].payload, " LLxprt ").agent == "llxprt"


def test_an_unknown_name_on_the_command_line_is_as_none() -> None:
    assert read(EDITS["gemini replace"].payload, "hal").agent == "gemini"
