"""The public suite of what MCP asks of a server, run against the HTTP service in both eras of the protocol.

Scenarios that call tools, prompts or resources of a server made for the suite say nothing of one that has others: they
are in the tables below, and everything else must pass.
"""

from collections.abc import Generator
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from tests.daemon.homes import Home
from tests.real.http_packages import modules, require_packages, run_node
from tests.surfaces.http.front import Front, serving

SUITE = "@modelcontextprotocol/conformance/dist/index.js"
VERSIONS = ("2025-06-18", "2025-11-25", "2026-07-28")
SECONDS = 110

NOT_APPLICABLE = {
    "completion-complete": "completes an argument of the prompt test_prompt_with_arguments",
    "elicitation-sep1034-defaults": "calls a tool that asks the user; none of ours does",
    "elicitation-sep1330-enums": "calls a tool that asks the user; none of ours does",
    "http-custom-header-server-validation": "needs a tool with arguments that go into headers; none of ours has any",
    "input-required-result-basic-elicitation": "calls a tool that asks back; none of ours does",
    "input-required-result-basic-list-roots": "calls a tool that asks back; none of ours does",
    "input-required-result-basic-sampling": "calls a tool that asks back; none of ours does",
    "input-required-result-capability-check": "calls a tool that asks back; none of ours does",
    "input-required-result-ignore-extra-params": "calls a tool that asks back; none of ours does",
    "input-required-result-missing-input-response": "calls a tool that asks back; none of ours does",
    "input-required-result-multi-round": "calls a tool that asks back; none of ours does",
    "input-required-result-multiple-input-requests": "calls a tool that asks back; none of ours does",
    "input-required-result-non-tool-request": "gets a prompt that asks back; none of ours does",
    "input-required-result-request-state": "calls a tool that asks back; none of ours does",
    "input-required-result-result-type": "calls a tool that asks back; none of ours does",
    "input-required-result-tampered-state": "calls a tool that asks back; none of ours does",
    "input-required-result-validate-input": "calls a tool that asks back; none of ours does",
    "json-schema-2020-12": "looks at the schema of the tool json_schema_2020_12_tool",
    "prompts-get-embedded-resource": "gets the prompt test_prompt_with_embedded_resource",
    "prompts-get-simple": "gets the prompt test_simple_prompt",
    "prompts-get-with-args": "gets the prompt test_prompt_with_arguments",
    "prompts-get-with-image": "gets the prompt test_prompt_with_image",
    "resources-read-binary": "reads test://static-binary",
    "resources-read-text": "reads test://static-text",
    "resources-subscribe": "watches test://watched-resource",
    "resources-templates-read": "reads test://template/123/data",
    "resources-unsubscribe": "watches test://watched-resource",
    "server-sse-polling": "calls the tool test_reconnection",
    "tools-call-audio": "calls the tool test_audio_content",
    "tools-call-elicitation": "calls the tool test_elicitation",
    "tools-call-embedded-resource": "calls the tool test_embedded_resource",
    "tools-call-error": "calls the tool test_error_handling",
    "tools-call-image": "calls the tool test_image_content",
    "tools-call-mixed-content": "calls the tool test_multiple_content_types",
    "tools-call-sampling": "calls the tool test_sampling",
    "tools-call-simple-text": "calls the tool test_simple_text",
    "tools-call-with-logging": "calls the tool test_tool_with_logging",
    "tools-call-with-progress": "calls the tool test_tool_with_progress",
}

CHECKS_NOT_APPLICABLE = {
    ("server-stateless", "sep-2575-server-rejects-undeclared-capability"): "calls the tool test_missing_capability",
    ("server-stateless", "sep-2575-missing-capability-http-400"): "calls the tool test_missing_capability",
    ("server-stateless", "sep-2575-server-sends-tools-list-changed-on-subscription"): "calls a tool to add one",
    ("server-stateless", "sep-2575-server-sends-prompts-list-changed-on-subscription"): "calls a tool to add one",
}

REMARKS = {
    ("sep-2164-resource-not-found", "sep-2164-error-code"): "we say -32002, which clients of every era know",
    ("sep-2164-resource-not-found", "sep-2164-data-uri"): "the message names it",
}
"""What the suite would rather have, and the protocol does not demand."""


class Check(msgspec.Struct):
    """One row of a scenario's ``checks.json``."""

    id: str
    status: str
    error_message: str = msgspec.field(name="errorMessage", default="")


class Found(NamedTuple):
    """A check that did not pass."""

    scenario: str
    check: str
    status: str
    why: str


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Generator[Front]:
    """One for every version: it serves clients of all of them at once. The suite has no place for a token."""
    require_packages()
    home = Home(tmp_path_factory.mktemp("suite"))
    try:
        with serving(Front(home, "--no-auth", token="")) as started:
            yield started
    finally:
        left = home.close()
    assert not left, left


@pytest.mark.timeout(SECONDS + 60)
@pytest.mark.parametrize("version", VERSIONS)
def test_the_generic_scenarios_of_the_public_suite_pass(front: Front, tmp_path: Path, version: str) -> None:
    words = ["server", "--url", f"{front.url}/mcp", "--suite", "all", "--spec-version", version]
    run_node([modules() / SUITE, *words, "-o", tmp_path / "told"], seconds=SECONDS, allowed=(0, 1))
    told = {path.parent: read(path) for path in (tmp_path / "told").glob("*/checks.json")}
    ran = {scenario_of(directory) for directory in told}
    assert {"tools-list", "resources-list", "prompts-list"} <= ran
    found = [each for directory, checks in told.items() for each in not_passed(scenario_of(directory), checks)]
    assert [each for each in found if each.status == "FAILURE"] == []
    assert {each[:2] for each in found} <= set(REMARKS)
    generic = ran - set(NOT_APPLICABLE)
    assert all(any(check.status == "SUCCESS" for check in told[path]) for path in told if scenario_of(path) in generic)


def read(path: Path) -> list[Check]:
    return msgspec.json.decode(path.read_bytes(), type=list[Check])


def scenario_of(directory: Path) -> str:
    """``server-NAME-TIME``, and the time has 24 characters."""
    return directory.name.removeprefix("server-")[:-25]


def not_passed(scenario: str, checks: list[Check]) -> list[Found]:
    """Of what applies."""
    if scenario in NOT_APPLICABLE:
        return []
    return [
        Found(scenario, check.id, check.status, check.error_message)
        for check in checks
        if check.status not in {"SUCCESS", "INFO", "SKIPPED"} and (scenario, check.id) not in CHECKS_NOT_APPLICABLE
    ]


def test_no_scenario_is_listed_that_the_suite_does_not_have() -> None:
    require_packages()
    listed = run_node([modules() / SUITE, "list", "--server"], seconds=SECONDS)
    known = {line.split()[1] for line in listed.splitlines() if line.startswith("  - ")}
    assert set(NOT_APPLICABLE) <= known
    assert {scenario for scenario, _ in (*CHECKS_NOT_APPLICABLE, *REMARKS)} <= known
