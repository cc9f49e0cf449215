"""What a change set introduced, with a server that checks how many arguments a function takes."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from groundwire.operations.answer import Answer, Status
from groundwire.operations.operation import Call
from groundwire.operations.reporting.change_set import ChangeSet, Wanted, read_change_set
from groundwire.operations.reporting.check_changes import check_changes
from groundwire.operations.results.change_report import ChangeReport
from groundwire.pool.pool import Pool
from groundwire.registry.catalog import Catalog
from tests.fakes.toy_servers import toy_catalog, toy_spec
from tests.pool.repositories import Project

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]

LIBRARY = "def shout(what)\n\ndef bark(loudness)\n    use shout(loudness)\n"
BROKEN = LIBRARY.replace("shout(what)", "shout(what, how)")
FILES = {
    "library.toy": LIBRARY,
    "caller.toy": "def call()\n    use shout(1)\n    use never(1)\n",
    "other.toy": "def other()\n    use nowhere(1)\n",
    "far.toy": "def far()\n",
}
CATALOG = toy_catalog(toy_spec("type_checked"))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return committed(Project(tmp_path), FILES)


def committed(project: Project, files: Mapping[str, str]) -> Project:
    for name, text in files.items():
        project.write(name, text)
    project.commit()
    return project


def read(project: Project, wanted: Wanted) -> ChangeSet:
    return read_change_set(project.workspace.resolve(), project.environment, wanted, wait_s=30.0, largest=100_000)


async def check(
    project: Project, kind: Wanted | None = None, *, catalog: Catalog = CATALOG, wait_s: float = 30.0
) -> Answer[ChangeReport]:
    change_set = read(project, kind or Wanted("changed"))
    async with Pool(project.workspace, catalog=catalog, environment=project.environment) as pool:
        return await check_changes(Call(pool, asyncio.get_running_loop().time() + wait_s), change_set)


def said(answer: Answer[ChangeReport]) -> list[str]:
    return [
        f"{file.file}:{each.line} {each.message} {each.origin or '?'}"
        for file in answer.value.files
        for each in file.diagnostics
    ]


async def test_errors_are_told_apart_by_whether_they_were_there_before(project: Project):
    project.write("other.toy", "# new line\ndef other()\n    use nowhere(1)\n    use elsewhere(2)\n")
    answer = await check(project)
    assert answer.status is Status.CONFIRMED, answer.reason
    assert said(answer) == [
        "other.toy:3 nowhere is not declared existing",
        "other.toy:4 elsewhere is not declared introduced",
    ]
    assert (answer.value.introduced, answer.value.existing, answer.value.changed) == (1, 1, 1)
    assert said(Answer(value=answer.value.shown(with_existing=False), status=answer.status)) == said(answer)[1:]


async def test_a_caller_that_nobody_touched_is_broken_by_the_change_and_its_old_error_stays_an_old_one(
    project: Project,
):
    project.write("library.toy", BROKEN)
    answer = await check(project)
    assert answer.status is Status.CONFIRMED, answer.reason
    assert said(answer) == [
        "library.toy:4 shout takes 2, not 1 introduced",
        "caller.toy:2 shout takes 2, not 1 introduced",
        "caller.toy:3 never is not declared existing",
    ]
    assert (answer.value.changed, answer.value.others) == (1, 1)


async def test_what_is_mended_is_resolved_and_nothing_is_introduced(project: Project):
    project.write("other.toy", "def other()\n")
    answer = await check(project)
    assert (answer.status, said(answer), answer.value.resolved) == (Status.CONFIRMED, [], 1)


async def test_without_a_change_nothing_is_started_and_that_is_known(project: Project):
    answer = await check(project)
    assert (answer.status, answer.servers, answer.value.files) == (Status.CONFIRMED, (), ())


async def test_files_that_no_server_takes_care_of_make_no_doubt(project: Project):
    project.write("README.md", "# words\n")
    project.write("picture.bin", "x\n")
    answer = await check(project)
    assert (answer.status, answer.value.changed) == (Status.CONFIRMED, 0)


async def test_everything_in_a_new_file_is_introduced(project: Project):
    project.write("new.toy", "def new()\n    use nowhere(1)\n")
    assert said(await check(project)) == ["new.toy:2 nowhere is not declared introduced"]


async def test_an_error_of_a_file_that_was_moved_is_an_old_one(project: Project):
    project.git("mv", "other.toy", "moved.toy")
    answer = await check(project)
    assert (answer.status, said(answer)) == (Status.CONFIRMED, ["moved.toy:2 nowhere is not declared existing"])


async def test_what_names_a_deleted_file_is_broken_by_that(project: Project):
    """This server goes by the documents that it is shown, on disk or not."""
    project.write("voice.toy", "def voice(what)\n")
    project.write("far.toy", "def far()\n    use voice(1)\n")
    project.commit()
    (project.workspace / "voice.toy").unlink()
    answer = await check(project)
    assert said(answer) == ["far.toy:2 voice is not declared introduced"]
    assert (answer.status, answer.value.deleted) == (Status.CONFIRMED, 1)


async def test_staged_content_is_checked_where_the_disk_has_another(project: Project):
    project.write("library.toy", BROKEN)
    project.git("add", "library.toy")
    project.write("library.toy", LIBRARY)
    answer = await check(project, Wanted("staged"))
    assert answer.status is Status.CONFIRMED, answer.reason
    assert said(answer) == [
        "library.toy:4 shout takes 2, not 1 introduced",
        "caller.toy:2 shout takes 2, not 1 introduced",
        "caller.toy:3 never is not declared existing",
        "other.toy:2 nowhere is not declared existing",
    ]


async def test_what_is_not_staged_neither_breaks_nor_mends_what_is(project: Project):
    project.write("other.toy", "def other()\n    use elsewhere(1)\n")
    project.git("add", "other.toy")
    project.write("elsewhere.toy", "def elsewhere(what)\n")
    project.write("far.toy", "def far()\n    use also_nowhere(1)\n")
    answer = await check(project, Wanted("staged"))
    assert said(answer) == ["other.toy:2 elsewhere is not declared introduced"]
    assert (answer.status, answer.reason) == (
        Status.PARTIAL,
        "elsewhere.toy is not staged, but may be used by what is",
    )


async def test_a_staged_file_that_is_not_on_disk_is_not_known(project: Project):
    project.write("new.toy", "def new()\n")
    project.git("add", "new.toy")
    (project.workspace / "new.toy").unlink()
    answer = await check(project, Wanted("staged"))
    assert (answer.status, answer.reason) == (Status.PARTIAL, "new.toy is staged, but not on disk")


async def test_a_file_whose_past_only_a_filter_knows_has_errors_of_unknown_origin(project: Project):
    project.write(".gitattributes", "other.toy filter=lfs\n")
    project.write("other.toy", "def other()\n    use nowhere(1)\n    use elsewhere(1)\n")
    answer = await check(project)
    assert said(answer) == [
        "other.toy:2 nowhere is not declared ?",
        "other.toy:3 elsewhere is not declared ?",
        "caller.toy:3 never is not declared ?",
    ]
    assert (answer.status, answer.value.introduced, answer.value.undetermined) == (Status.PARTIAL, 0, 3)
    assert answer.reason == "what was wrong in other.toy and 1 more before is not known"


async def test_a_file_without_an_ending_cannot_be_shown_as_it_was(tmp_path: Path):
    project = committed(Project(tmp_path), {"TOYFILE": "def far()\n"})
    language = msgspec.structs.replace(CATALOG.languages["toy"], names=("TOYFILE",))
    project.write("TOYFILE", "def far()\n    use nowhere(1)\n")
    answer = await check(project, catalog=Catalog({"toy": language}, CATALOG.servers))
    assert (answer.status, said(answer)) == (Status.PARTIAL, ["TOYFILE:2 nowhere is not declared ?"])


async def test_changed_settings_of_the_project_concern_every_file_and_leave_the_past_unknown(project: Project):
    project.write("toy.json", "{}")
    catalog = toy_catalog(toy_spec("type_checked", roots=(("toy.json",),)))
    answer = await check(project, catalog=catalog)
    assert [file.file for file in answer.value.files] == ["caller.toy", "other.toy"]
    assert (answer.status, answer.value.others, answer.value.undetermined) == (Status.PARTIAL, 4, 2)
    assert answer.note == "all files of the workspace were checked, for toy.json has changed"


async def test_changed_settings_are_known_to_have_introduced_nothing_where_nothing_is_wrong(tmp_path: Path):
    project = committed(Project(tmp_path), {"library.toy": LIBRARY})
    project.write("toy.json", "{}")
    answer = await check(project, catalog=toy_catalog(toy_spec("type_checked", roots=(("toy.json",),))))
    assert (answer.status, answer.value.introduced, answer.value.others) == (Status.CONFIRMED, 0, 1)


async def test_without_references_all_files_are_checked_instead(project: Project):
    project.write("library.toy", "def shout(what, how)\n")
    answer = await check(project, catalog=toy_catalog(toy_spec("base")))
    assert (answer.value.changed, answer.value.others) == (1, 3)
    assert answer.note.startswith("all files of the workspace were checked, for ")


async def test_a_server_that_cannot_be_had_is_a_doubt(project: Project):
    project.write("far.toy", "def far(x)\n")
    missing = toy_spec("type_checked", command=("not-there-at-all",))
    answer = await check(project, catalog=toy_catalog(missing))
    assert (answer.status, answer.value.changed) == (Status.PARTIAL, 0)
    assert answer.reason.startswith("far.toy: ")


async def test_time_that_is_over_is_not_clean(project: Project):
    project.write("far.toy", "def far(x)\n")
    answer = await check(project, catalog=toy_catalog(toy_spec("hang_at_start")), wait_s=0.5)
    assert answer.status in (Status.PARTIAL, Status.UNKNOWN)
    assert answer.value.introduced == 0
