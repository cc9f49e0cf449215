"""The skills: ours are sound and speak only of what there is; those of others are read, or refused with a reason."""

from pathlib import Path

import pytest

from groundwire.errors import FileNotFound, InvalidArgument
from groundwire.operations.table import OPERATIONS, find_operation
from groundwire.operations.workflow.skills import find_skill, load_skills, packaged_skills, read_skill
from groundwire.operations.workflow.skills_calls import parse_call, step_calls, transcript
from groundwire.operations.workflow.skills_operations import require_usable

CONTRACT = {
    *("architecture", "concurrency-audit", "cross-repo", "dead-code", "docs", "edit-export", "edit-symbol", "explore"),
    *("extract-function", "fix-all", "format-code", "generate", "impact", "implement", "inspect", "local-symbols"),
    *("onboard", "refactor", "rename", "safe-edit", "simulate", "test-correlation", "understand", "verify"),
}
SECTIONS = ("## Steps", "## When an answer is not confirmed", "## Stop when", "## Example")
MINE = "---\nname: lsp-mine\ndescription: Mine.\n---\nBody.\n"


def written(folder: Path, text: str = MINE) -> Path:
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(text, "utf-8")
    return folder


def test_there_is_every_skill_of_the_contract() -> None:
    assert set(packaged_skills()) == {f"lsp-{name}" for name in CONTRACT}


@pytest.mark.parametrize("name", packaged_skills())
def test_a_skill_of_ours_is_whole(name: str) -> None:
    skill = packaged_skills()[name]
    text = (Path(skill.folder) / "SKILL.md").read_text("utf-8")
    assert [section for section in SECTIONS if section not in text] == []
    assert 60 <= len(text.splitlines()) <= 140
    assert len(skill.description) <= 120
    assert all(word in text for word in ("`unknown`", "`partial`", "`unsupported`"))
    assert skill.phases
    require_usable(skill, OPERATIONS.values())


@pytest.mark.parametrize("name", packaged_skills())
def test_every_call_that_a_skill_shows_is_one_that_can_be_made(name: str) -> None:
    skill = packaged_skills()[name]
    calls = [*step_calls(skill), *(call for call, _ in transcript(skill))]
    assert len(calls) > 5
    for call in calls:
        operation = find_operation(call.tool)
        assert operation.name == call.tool, "an older name"
        operation.parse(call.given)


@pytest.mark.parametrize("name", packaged_skills())
def test_every_phase_of_a_skill_can_be_reached_and_done(name: str) -> None:
    for phase in packaged_skills()[name].phases:
        assert phase.allow
        assert set(phase.done_by) <= {*phase.allow, *OPERATIONS}
        assert "reads" in phase.effects


def test_skills_of_others_come_beside_ours(tmp_path: Path) -> None:
    skills = load_skills([written(tmp_path / "lsp-mine")])
    assert skills["lsp-mine"].body == "Body.\n"
    assert set(skills) > set(packaged_skills())


def test_a_skill_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    twice = written(tmp_path / "lsp-rename", MINE.replace("lsp-mine", "lsp-rename"))
    with pytest.raises(InvalidArgument, match="two skills 'lsp-rename'"):
        load_skills([twice])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (MINE.replace("lsp-mine", "lsp-yours"), "another name"),
        (MINE.replace("description", "describes"), "describes"),
        (MINE.replace("---\nBody", "body: here\n---\nBody"), "no member of the head"),
        (MINE.replace("---\nBody", "needs: [textDocument/dance]\n---\nBody"), "no server offers 'textDocument/dance'"),
        (MINE.replace("---\nBody", "phases:\n  - name: a\n  - name: a\n---\nBody"), "the same name"),
        (MINE.replace("---\nBody", "phases:\n  - name: a\n    effects: [dances]\n---\nBody"), "dances"),
    ],
)
def test_a_skill_that_is_not_sound_is_refused(text: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match=why) as raised:
        read_skill(written(tmp_path / "lsp-mine", text))
    assert raised.value.message.startswith("lsp-mine/SKILL.md")


def test_a_folder_without_a_skill_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFound, match=r"lsp-mine/SKILL\.md"):
        read_skill(tmp_path / "lsp-mine")


def test_a_skill_is_found_with_and_without_its_prefix() -> None:
    assert find_skill("rename", packaged_skills()) is find_skill("lsp-rename", packaged_skills())
    with pytest.raises(InvalidArgument) as raised:
        find_skill("lsp-renam", packaged_skills())
    assert "lsp-rename" in raised.value.hint


@pytest.mark.parametrize("text", ["find_symbol", "a.b()", 'find_symbol("x")', "f(x=y)", "f(**{})", "f(", "1 + 1"])
def test_what_is_no_call_is_refused(text: str) -> None:
    with pytest.raises(InvalidArgument):
        parse_call(text)
