"""The page about skills: it names every one, its commands are commands, and its example of a head can be read."""

from pathlib import Path

import pytest

from groundwire.operations.table import OPERATIONS
from groundwire.operations.workflow.skills import packaged_skills, read_skill
from groundwire.operations.workflow.skills_operations import require_usable
from groundwire.surfaces.cli.arguments import build_parser

PAGE = (Path(__file__).parents[1] / "docs/skills.md").read_text("utf-8")
BLOCKS = PAGE.split("```\n")[1::2]


def test_every_skill_is_on_the_page_with_its_phases() -> None:
    for skill in packaged_skills().values():
        phases = " → ".join(phase.name for phase in skill.phases)
        assert f"| `{skill.name}` | {skill.description} | {phases} |\n" in PAGE


@pytest.mark.parametrize("command", BLOCKS[0].splitlines())
def test_a_command_of_the_page_is_understood(command: str) -> None:
    parser, _ = build_parser()
    program, *words = command.split()
    assert program == "groundwire"
    assert parser.parse_args(words).command == "skills"


def test_the_head_that_the_page_shows_is_one(tmp_path: Path) -> None:
    (tmp_path / "lsp-mine").mkdir()
    (tmp_path / "lsp-mine/SKILL.md").write_text(BLOCKS[1] + "Body.\n", "utf-8")
    skill = read_skill(tmp_path / "lsp-mine")
    require_usable(skill, OPERATIONS.values())
    assert [phase.done_by for phase in skill.phases] == [("find_references",), ()]
