"""Pages and data that are generated are as their generators would write them, and hold what they must."""

import subprocess
import sys
from pathlib import Path

import pytest

from groundwire.config.models import Settings
from groundwire.operations.table import OPERATIONS
from groundwire.registry.catalog import load_catalog
from groundwire.surfaces.setup.agent import all_agents

HERE = Path(__file__).parents[1]
# Generators, and the tests that hold what they write.
COMPARED_ELSEWHERE = {
    "generate-config-schema": "tests/config/test_schema.py",
    "generate-greetings": "tests/surfaces/mcp/test_shim.py",
    "generate-openapi": "tests/surfaces/http/test_openapi.py",
    "generate-schemas": "tests/registry/test_schemas.py",
    "generate-skill-transcripts": "tests/real/test_skills.py",
}
PAGES = ("generate-tools-doc", "generate-config-doc", "generate-servers-doc")


@pytest.mark.parametrize("generator", PAGES)
def test_a_page_that_is_generated_is_up_to_date(generator: str) -> None:
    done = subprocess.run(
        [sys.executable, HERE / "scripts" / generator, "--check"],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, f"run scripts/{generator}\n{done.stdout}{done.stderr}"


def test_whatever_is_generated_is_held_by_a_test() -> None:
    assert {file.name for file in (HERE / "scripts").glob("generate-*")} == {*PAGES, *COMPARED_ELSEWHERE}
    for generator, test in COMPARED_ELSEWHERE.items():
        assert generator in (HERE / test).read_text("utf-8")


def test_every_operation_and_each_of_its_arguments_is_in_the_reference() -> None:
    reference = (HERE / "docs/tools.md").read_text("utf-8")
    for operation in OPERATIONS.values():
        section = reference.partition(f"\n## {operation.name}\n")[2].partition("\n## ")[0]
        assert f"`groundwire {operation.command}" in section
        assert all(f"\n| `{field}` |" in section for field in operation.arguments.__struct_fields__)


def test_every_server_and_every_language_is_in_the_catalogue() -> None:
    page = (HERE / "docs/servers.md").read_text("utf-8")
    catalog = load_catalog()
    assert [server for server in catalog.servers if f"\n### {server}\n" not in page] == []
    assert [language for language in catalog.languages if f"\n| {language} | " not in page] == []


def test_every_key_of_the_configuration_is_in_its_reference() -> None:
    page = (HERE / "docs/configuration.md").read_text("utf-8")
    tables = ("timeouts", "memory", "audit", "cache", "indexing", "daemon", "extensions", "languages", "servers")
    keys = [key for key in Settings.__struct_fields__ if key not in tables]
    assert [key for key in keys if f"\n| `{key}` |" not in page] == []
    assert [table for table in tables if f"\n## `[{table}" not in page] == []


def test_the_numbers_that_the_readme_names_are_right() -> None:
    readme = (HERE / "README.md").read_text("utf-8")
    catalog = load_catalog()
    assert f"describes {len(catalog.servers)} servers for {len(catalog.languages)} languages" in readme
    assert f"each of {len(all_agents())} agents" in readme


def test_every_agent_has_its_line() -> None:
    page = (HERE / "docs/agents.md").read_text("utf-8")
    assert [agent for agent in all_agents() if f"(`{agent}`) |" not in page] == []
