"""Changes in git by their symbols: from the lines that differ, with those that are gone, each with its risk."""

from pathlib import Path

import pytest

from groundwire.errors import FileNotFound, InvalidArgument, OutsideWorkspace
from groundwire.operations.answer import Answer, Status
from groundwire.operations.impact.detect_changes import detect_changes
from groundwire.operations.results.impact import DetectedChanges
from groundwire.pool.pool import Pool
from groundwire.render.answers import render_answer
from groundwire.workspace.rules import SettleRule
from tests.fakes.toy_servers import toy_catalog, toy_spec
from tests.operations.toy_project import ZOO, ask
from tests.pool.repositories import Project

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]

FILES = {
    **ZOO,
    "tests/voices.toy": "def check()\n    use shout(1)\n",
    "far/kennel.toy": "def call()\n    use bark(1)\n",
    "far/spare.toy": "def spare()\n    use call(1)\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path)
    for name, text in FILES.items():
        made.write(name, text)
    made.commit()
    return made


def change(project: Project, name: str, old: str, new: str) -> None:
    text = (project.workspace / name).read_text("utf-8")
    assert old in text
    project.write(name, text.replace(old, new))


async def detect(project: Project, **given: object) -> Answer[DetectedChanges]:
    catalog = toy_catalog(toy_spec("well_read"))
    async with Pool(project.workspace, catalog=catalog, environment=project.environment) as pool:
        return await ask(pool, detect_changes, **given)


def said(answer: Answer[DetectedChanges]) -> list[str]:
    return [f"{each.risk} {each.file} {each.path} {each.change}" for each in answer.value.changed_symbols]


async def test_only_symbols_whose_lines_differ_are_changed(project: Project):
    change(project, "animals.toy", "😀 use bark(volume, 2)", "😀 use bark(volume, 3)")
    change(project, "voices.toy", "use shout(loudness)", "use shout(loudness, 1)")
    answer = await detect(project)
    assert (answer.status, answer.reason) == (Status.CONFIRMED, "")
    assert said(answer) == ["high voices.toy bark body", "low animals.toy Dog.speak body"]
    assert answer.value.changed_files == ("animals.toy", "voices.toy")
    assert answer.value.changed_symbols[0].reasons == ("used in other directories: far",)


async def test_an_untracked_file_is_new_and_a_signature_is_told_from_a_body(project: Project):
    project.write("fresh.toy", "def fresh()\n    use nobody(1)\n")
    change(project, "voices.toy", "bark(loudness, count)", "bark(loudness)")
    change(project, "voices.toy", "def shout(what)\n", "def shout(what)\n    use fresh(1)\n")
    answer = await detect(project)
    assert answer.status is Status.CONFIRMED, answer.reason
    assert said(answer) == [
        "high voices.toy bark signature",
        "medium voices.toy shout body",
        "medium fresh.toy fresh added",
    ]
    assert answer.value.test_files == ("tests/voices.toy",)


async def test_what_is_gone_is_told_with_the_places_that_still_name_it(project: Project):
    change(project, "voices.toy", "def bark(loudness, count)\n    use shout(loudness)\n", "")
    (project.workspace / "far/spare.toy").unlink()
    answer = await detect(project)
    assert answer.status is Status.PARTIAL
    assert said(answer) == ["high far/spare.toy spare removed", "high voices.toy bark removed"]
    spare, bark = answer.value.changed_symbols
    assert (spare.status, spare.non_test_uses) == (Status.CONFIRMED, 0)
    assert [caller.file for caller in bark.non_test_callers] == ["animals.toy", "far/kennel.toy"]
    assert bark.status is Status.PARTIAL
    assert "not proven" in answer.reason


async def test_staged_and_unstaged_are_told_apart(project: Project):
    change(project, "lonely.toy", "def nobody()\n", "def nobody()\n    use shout(1)\n")
    project.git("add", "--all")
    change(project, "far/kennel.toy", "use bark(1)", "use bark(2)")
    assert said(await detect(project, scope="staged")) == ["low lonely.toy nobody body"]
    assert said(await detect(project)) == ["medium far/kennel.toy call body"]


async def test_commits_are_compared_by_what_is_left_of_them(project: Project):
    change(project, "lonely.toy", "def nobody()\n", "def nobody()\n    use shout(1)\n")
    project.commit()
    change(project, "far/kennel.toy", "use bark(1)", "use bark(2)")
    project.commit()
    kennel, lonely = "medium far/kennel.toy call body", "low lonely.toy nobody body"
    assert said(await detect(project, scope="committed")) == [kennel]
    for between in ("HEAD~2..HEAD", "HEAD~2..", "HEAD~2...HEAD"):
        assert said(await detect(project, range=between)) == [kennel, lonely]
    assert said(await detect(project, range="HEAD~1")) == [lonely]
    change(project, "lonely.toy", "use shout(1)", "use shout(2)")
    later = await detect(project, range="HEAD~1")
    assert (said(later), "changed since" in later.value.note) == ([lonely], True)


async def test_nothing_changed_is_proven_and_said(project: Project):
    answer = await detect(project)
    assert (answer.status, answer.value.total, answer.value.changed_files) == (Status.CONFIRMED, 0, ())
    assert render_answer(detect_changes, answer).startswith("No changed symbols in 0 changed files")


async def test_risks_are_unknown_where_uses_are(project: Project):
    change(project, "far/kennel.toy", "use bark(1)", "use bark(2)")
    catalog = toy_catalog(toy_spec("well_read", settle=SettleRule(measured=False)))
    async with Pool(project.workspace, catalog=catalog, environment=project.environment) as pool:
        answer = await ask(pool, detect_changes)
    assert answer.status is Status.PARTIAL
    assert [each.risk for each in answer.value.changed_symbols] == ["unknown"]


@pytest.mark.parametrize("between", ["nowhere", "HEAD..nowhere", "--all", "HEAD^{tree}..HEAD"])
async def test_what_is_no_commit_is_refused_with_a_hint(project: Project, between: str):
    with pytest.raises(InvalidArgument) as raised:
        await detect(project, range=between)
    assert raised.value.hint


async def test_a_repository_elsewhere_is_refused(project: Project, tmp_path: Path):
    for root, error in ((str(tmp_path), OutsideWorkspace), ("nowhere", FileNotFound)):
        with pytest.raises(error):
            await detect(project, workspace_root=root)


async def test_a_change_of_a_file_that_no_server_knows_is_a_change_all_the_same(project: Project):
    project.write("notes.txt", "more\n")
    answer = await detect(project)
    assert (answer.status, answer.value.changed_files, answer.value.total) == (Status.CONFIRMED, ("notes.txt",), 0)
