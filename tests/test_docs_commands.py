"""Every command on every page is run, and prints what the page shows."""

import json
import re
import shlex
import tomllib
from pathlib import Path

import pytest

from groundwire.surfaces.cli.arguments import build_parser
from groundwire.surfaces.cli.operation_parser import add_commands
from tests.documents.pages import COMMANDS, REPOSITORY, RUN_ELSEWHERE, Block, Command, blocks_of, name_of, pages
from tests.documents.terminal import fits, make_home, run_all

BLOCKS = {name_of(page): blocks_of(page) for page in pages()}
OTHERS = {name: blocks for name, blocks in BLOCKS.items() if name not in RUN_ELSEWHERE}
PAGES = [name for name in OTHERS if name == "README.md" or name.startswith("docs/")]
RUN = [name for name, blocks in OTHERS.items() if any(block.commands() for block in blocks)]
SHOWN = ("text", "json", "toml", "yaml", "lua", "python", "http", "dockerfile")
# A command in the middle of a sentence: `groundwire init --undo`.
SPANS = re.compile(r"`groundwire ([a-z][^`\n]*)`")


def _options() -> dict[str, set[str]]:
    """Those of each command, with those of its own commands."""
    _, commands = build_parser()
    add_commands(commands)
    return {name: set(re.findall(r"--[a-z][a-z-]*", parser.format_help())) for name, parser in commands.parsers.items()}


OPTIONS = _options()


@pytest.mark.timeout(1200)  # the pages with most commands have fifty; terminal.py bounds each
@pytest.mark.parametrize("page", RUN)
def test_every_command_of_the_page_prints_what_it_shows(page: str, tmp_path: Path) -> None:
    commands = [command for block in BLOCKS[page] for command in block.commands()]
    outcomes = run_all(commands, make_home(tmp_path / "home"))
    for command, outcome in zip(commands, outcomes, strict=True):
        told = f"{page}:{command.line}: {command.text}\nstatus {outcome.status}\n{outcome.printed}"
        # Where a page shows what comes out, a failure may be just what it is about.
        assert outcome.status == 0 if command.printed is None else fits(command.printed, outcome.printed), told


def test_what_is_not_run_is_known_with_its_reason() -> None:
    not_run = {name: [block.not_run for block in blocks if block.not_run] for name, blocks in BLOCKS.items()}
    assert {name: reasons for name, reasons in not_run.items() if reasons} == {
        "README.md": ["the tests have it installed already"],
        "docs/adding-a-server.md": [
            "YOURS stands for a server that is not in the catalogue",
            "the server of the example is not in the catalogue",
        ],
        "docs/benchmarks.md": ["minutes of measurements"],
        "docs/deployment.md": [
            "it needs the systemd of a user; tests/test_deployment.py reads the unit",
            "it needs docker; tests/test_deployment.py reads the Containerfile",
            "it needs a cluster; tests/test_deployment.py reads the manifests",
        ],
        "docs/extensions.md": ["tests/extensions/test_page.py runs it, with the example installed"],
        "docs/frontend-handoff.md": ["it needs a service; tests/surfaces/http/test_status_routes.py asks one"],
        "docs/serve.md": ["tests/test_docs_serve.py runs it, on a free port"] * 2,
        "docs/status-page.md": [
            "it serves until it is told to end; tests/surfaces/http/test_page_real.py looks at the page"
        ],
    }


@pytest.mark.parametrize("page", PAGES)
def test_every_block_says_what_is_in_it(page: str) -> None:
    wrong = [block.line for block in OTHERS[page] if block.language not in (*COMMANDS, *SHOWN)]
    assert wrong == []


@pytest.mark.parametrize("page", RUN_ELSEWHERE)
def test_a_page_with_a_project_of_its_own_has_a_test_that_reads_it(page: str) -> None:
    assert Path(page).name in (REPOSITORY / RUN_ELSEWHERE[page]).read_text("utf-8")


def test_what_is_shown_as_json_or_toml_is_that() -> None:
    for block in (block for blocks in BLOCKS.values() for block in blocks if "…" not in block.text):
        if block.language == "toml":
            tomllib.loads(block.text)
        elif block.language == "json":
            json.loads(block.text)


def test_commands_in_sentences_are_understood() -> None:
    wrong = [
        f"{name_of(page)}: groundwire {words}"
        for page in pages()
        for words in SPANS.findall(page.read_text("utf-8"))
        if not _is_understood(words)
    ]
    assert wrong == []


def _is_understood(words: str) -> bool:
    """Whether there is such a command, with such options; what they are given may stand for anything."""
    command, *rest = shlex.split(words.replace("|", " "), comments=True)
    return command in OPTIONS and {word for word in rest if word.startswith("--")} <= OPTIONS[command]


def test_a_command_goes_on_until_something_else_is_shown() -> None:
    block = Block("page.md", 1, "console", "$ cat <<END\n> a\n> END\na\n> b\n$ true\n", "")
    assert block.commands() == [Command(2, "cat <<END\na\nEND", "a\n> b\n"), Command(7, "true", None)]
    assert block._replace(not_run="no docker").commands() == []
    assert block._replace(language="json").commands() == []


def test_anything_stands_for_anything_and_nothing_else_does() -> None:
    assert fits("a … c\n", "a b c\n")
    assert fits("a\n…\nd\n", "a\nb\nc\nd\n")
    assert fits("a\n…\n", "a\n")
    assert not fits("a … c\n", "a b\nc\n")
    assert not fits("a\n", "a\nb\n")
