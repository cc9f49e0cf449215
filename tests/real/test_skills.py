"""Every skill followed from its first step to its last by a scripted client, on real projects, in ``block`` mode.

The client makes the calls of the example in the SKILL.md, in the words of each language. What the phases refuse there
they refuse everywhere, and nothing else; what only looks leaves every file as it is.
"""

from pathlib import Path

import pytest

from groundwire import errors
from groundwire.errors import CapabilityMissing, PhaseViolation
from groundwire.operations.workflow.skills import Skill, packaged_skills
from groundwire.operations.workflow.skills_calls import TRANSCRIPT, step_calls, transcript
from tests.real.conftest import why_unavailable
from tests.real.skill_project import SHOPS, Shop
from tests.real.skill_transcripts import Client, Said, shop_pool, written_transcript

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]

SKILLS = packaged_skills()
EVERYWHERE = ("lsp-rename", "lsp-refactor", "lsp-verify")
LOOKS_ONLY_HERE = frozenset({"lsp-verify", "lsp-test-correlation"})
"""Their last steps may write or run; the examples have nothing to mend."""
RUNS = [
    *(pytest.param("typescript", (name,), id=f"typescript-{name}") for name in SKILLS),
    *(pytest.param(language, EVERYWHERE, id=language) for language in ("go", "rust")),
]
"""The servers of the last two take longer to start than a skill does: one serves all of them, one after another."""
FAILURES = tuple(f"{each.__name__}: " for each in vars(errors).values() if isinstance(each, type))


def require(shop: Shop, skill: str) -> None:
    for server in (shop.server, *shop.helpers.get(skill, ())):
        if missing := why_unavailable(server):
            pytest.skip(missing)


def sources(shop: Shop, root: Path, skill: str) -> dict[str, bytes]:
    """The files of the project, and not what tools leave beside them."""
    return {name: (root / name).read_bytes() for name in (*shop.files, *shop.extra.get(skill, {}))}


@pytest.mark.parametrize(("language", "names"), RUNS)
async def test_a_skill_can_be_followed_to_its_end(language: str, names: tuple[str, ...], tmp_path: Path) -> None:
    shop, root = SHOPS[language], tmp_path / "shop"
    for name in names:
        require(shop, name)
    async with shop_pool(shop, root, names[0]) as pool:
        for name in names:
            shop.write(root, name)
            before = sources(shop, root, name)
            await follow(SKILLS[name], shop, Client(pool))
            has_written = sources(shop, root, name) != before
            assert has_written == writes(SKILLS[name], shop), name


async def follow(skill: Skill, shop: Shop, client: Client) -> None:
    for written, shown in transcript(skill):
        said = await client.call(shop.call(written))
        is_refused = isinstance(said.failure, PhaseViolation)
        told = f"{skill.name}: {written.tool}: {said.text}"
        assert is_refused == shown.startswith("PhaseViolation"), told
        assert is_refused or said.failure is None or lacks(shop, said), told


def lacks(shop: Shop, said: Said) -> bool:
    return said.call.tool in shop.lacks or isinstance(said.failure, CapabilityMissing)


def writes(skill: Skill, shop: Shop) -> bool:
    """Whether the example changes files; by ``safe_apply_edit`` only where something can be proven beforehand."""
    if skill.name in LOOKS_ONLY_HERE or not any("writes" in phase.effects for phase in skill.phases):
        return False
    return not (shop.never_safe and skill.name != "lsp-rename")


@pytest.mark.parametrize("name", SKILLS)
async def test_followed_in_python_a_skill_says_what_its_example_says(name: str, tmp_path: Path) -> None:
    shop, root, skill = SHOPS["python"], tmp_path / "shop", SKILLS[name]
    require(shop, name)
    found = TRANSCRIPT.search(skill.body)
    assert found is not None
    assert found["text"] == await written_transcript(skill, root), "run scripts/generate-skill-transcripts"
    assert [said for _, said in transcript(skill) if said.startswith(FAILURES) and "PhaseViolation" not in said] == []
    before = {**shop.files, **shop.extra.get(name, {})}
    assert (sources(shop, root, name) != {file: text.encode() for file, text in before.items()}) == writes(skill, shop)


@pytest.mark.parametrize("name", SKILLS)
def test_the_example_of_a_skill_makes_the_calls_of_its_steps(name: str) -> None:
    steps = {call.tool for call in step_calls(SKILLS[name])}
    made = [call.tool for call, _ in transcript(SKILLS[name])]
    assert made[0] == "activate_skill"
    assert made[-1] == "deactivate_skill"
    unmentioned = [tool for tool in made[1:-1] if tool not in steps]
    assert [tool for tool in unmentioned if tool != "apply_edit"] == []
    assert len(made) >= 5
