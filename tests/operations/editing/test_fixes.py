"""What servers offer to mend: suggested under short names, applied by them, and refused once the file is another."""

from pathlib import Path

import pytest

from groundwire.errors import CapabilityMissing, EditConflict, InvalidArgument
from groundwire.operations.answer import Answer, Status
from groundwire.operations.editing.fixes import apply_fix, suggest_fixes
from groundwire.operations.editing.source_actions import fix_all, organize_imports
from groundwire.operations.results.fixes import Fix, Fixes
from groundwire.operations.serving.restart import restart_lsp_server
from groundwire.pool.pool import Pool
from tests.operations.toy_project import ask, zoo

pytestmark = pytest.mark.anyio

BROKEN = "# import b\n# import a\ndef one()\n    é wrong\n    wrong\n"
FILES = {"a.toy": BROKEN, "b.toy": "def two()\n"}


def text(pool: Pool, name: str = "a.toy") -> str:
    return (pool.workspace / name).read_bytes().decode()


def named(answer: Answer[Fixes], title: str) -> Fix:
    return next(fix for fix in answer.value.fixes if fix.title == title)


async def test_of_a_whole_file_the_fixes_of_every_finding_are_suggested(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        answer = await ask(pool, suggest_fixes, file_path="a.toy")
    assert (answer.status, answer.servers) == (Status.CONFIRMED, ("well_read",))
    mending = [fix for fix in answer.value.fixes if not fix.disabled]
    assert [(fix.id, fix.title, fix.line, fix.column, fix.preferred) for fix in mending] == [
        ("f1", "Make it right", 4, 7, True),
        ("f2", "Make it right", 5, 5, True),
    ]
    assert mending[0].fixes == ("    é wrong",)


async def test_what_cannot_be_done_is_shown_with_the_reason_and_without_a_name(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        fix = named(await ask(pool, suggest_fixes, file_path="a.toy", line=5), "Ignore it")
    assert (fix.id, fix.disabled) == ("", "nothing is ignored")


async def test_only_what_concerns_the_line_is_suggested_for_it(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        answer = await ask(pool, suggest_fixes, file_path="a.toy", line=5, kinds=["quickfix"])
        other = await ask(pool, suggest_fixes, file_path="a.toy", line=1, kinds=["quickfix"])
    assert {fix.line for fix in answer.value.fixes} == {5}
    assert (other.status, other.value.fixes) == (Status.CONFIRMED, ())


@pytest.mark.parametrize(
    ("kinds", "titles"),
    [
        (["refactor"], {"Add a comment", "Shout"}),
        (["source.fixAll"], {"Fix all"}),
        (["source"], {"Fix all", "Sort"}),
        (["source", "quickfix"], {"Fix all", "Sort", "Make it right", "Ignore it"}),
    ],
)
async def test_kinds_narrow_what_is_suggested(kinds: list[str], titles: set[str], tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        answer = await ask(pool, suggest_fixes, file_path="a.toy", kinds=kinds)
    assert {fix.title for fix in answer.value.fixes} == titles


async def test_the_same_fix_has_the_same_name_when_it_is_suggested_again(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        first = await ask(pool, suggest_fixes, file_path="a.toy")
        again = await ask(pool, suggest_fixes, file_path="a.toy")
    assert first.value == again.value


async def test_a_fix_is_applied_by_its_name_and_what_is_wrong_then_is_reported(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        await ask(pool, suggest_fixes, file_path="a.toy")
        answer = await ask(pool, apply_fix, id="f1")
        assert text(pool) == BROKEN.replace("é wrong", "é right")
    assert answer.value.applied
    assert answer.value.undo_id
    assert answer.value.report is not None
    assert (answer.value.report.resolved, answer.value.report.introduced) == (1, 0)


async def test_a_preview_writes_nothing_and_the_fix_stays(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        await ask(pool, suggest_fixes, file_path="a.toy")
        shown = await ask(pool, apply_fix, id="f2", preview=True)
        assert text(pool) == BROKEN
        assert "+    right" in shown.value.files[0].diff
        await ask(pool, apply_fix, id="f2")
        assert text(pool) == BROKEN.removesuffix("    wrong\n") + "    right\n"


async def test_a_fix_does_not_outlive_the_content_it_was_suggested_for(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        await ask(pool, suggest_fixes, file_path="a.toy")
        (pool.workspace / "a.toy").write_text("# new\n" + BROKEN, "utf-8")
        with pytest.raises(EditConflict, match="changed since f1") as raised:
            await ask(pool, apply_fix, id="f1")
        assert "suggest_fixes" in raised.value.hint
        with pytest.raises(InvalidArgument, match="no fix 'f2' is kept"):
            await ask(pool, apply_fix, id="f2")
        assert text(pool) == "# new\n" + BROKEN


async def test_a_fix_does_not_outlive_the_server_that_suggested_it(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        await ask(pool, suggest_fixes, file_path="a.toy")
        await ask(pool, restart_lsp_server)
        with pytest.raises(EditConflict, match="started anew since f1"):
            await ask(pool, apply_fix, id="f1")


async def test_what_is_computed_only_on_demand_is_asked_for(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        answer = await ask(pool, suggest_fixes, file_path="b.toy", line=1)
        await ask(pool, apply_fix, id=named(answer, "Add a comment").id)
        assert text(pool, "b.toy") == "# A comment.\ndef two()\n"


async def test_a_fix_that_is_a_command_leads_to_the_edit_that_the_server_asks_for(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        answer = await ask(pool, suggest_fixes, file_path="b.toy", line=1)
        fix = named(answer, "Shout").id
        shown = await ask(pool, apply_fix, id=fix, preview=True)
        assert text(pool, "b.toy") == "def two()\n"
        done = await ask(pool, apply_fix, id=fix)
        assert text(pool, "b.toy") == "# SHOUT\ndef two()\n"
    assert (shown.status, "only known once" in shown.reason) == (Status.PARTIAL, True)
    assert (done.value.applied, bool(done.value.undo_id)) == (True, True)


async def test_a_command_that_only_editors_know_is_a_typed_refusal(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        answer = await ask(pool, suggest_fixes, file_path="b.toy", line=1)
        with pytest.raises(CapabilityMissing, match=r"editor\.look"):
            await ask(pool, apply_fix, id=named(answer, "Look at it").id)


async def test_a_server_without_fixes_says_so(tmp_path: Path) -> None:
    async with zoo(tmp_path, "lacks=textDocument/codeAction", files=FILES) as pool:
        with pytest.raises(CapabilityMissing):
            await ask(pool, suggest_fixes, file_path="a.toy")
        with pytest.raises(CapabilityMissing):
            await ask(pool, fix_all, file_path="a.toy")


async def test_imports_are_put_in_order(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        shown = await ask(pool, organize_imports, file_path="a.toy", preview=True)
        assert text(pool) == BROKEN
        done = await ask(pool, organize_imports, file_path="a.toy")
        assert text(pool).startswith("# import a\n# import b\n")
        again = await ask(pool, organize_imports, file_path="a.toy")
    assert (shown.value.applied, done.value.applied, again.value.applied) == (False, True, False)
    assert (again.status, again.value.files) == (Status.CONFIRMED, ())


async def test_all_is_fixed_in_as_many_rounds_as_it_takes(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        answer = await ask(pool, fix_all, file_path="a.toy")
        assert text(pool) == BROKEN.replace("wrong", "right")
        again = await ask(pool, fix_all, file_path="a.toy")
    assert [file.file for file in answer.value.files] == ["a.toy"]
    assert any("it took 2 edits" in note for note in answer.value.notes)
    assert (again.value.applied, again.value.files) == (False, ())


async def test_the_preview_of_all_fixes_is_the_first_round(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        answer = await ask(pool, fix_all, file_path="a.toy", preview=True)
        assert text(pool) == BROKEN
    assert [file.file for file in answer.value.files] == ["a.toy"]


async def test_a_fix_can_be_named_by_its_place_and_title(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        await ask(pool, apply_fix, id="a.toy:5:make it right")
        assert text(pool) == BROKEN.removesuffix("    wrong\n") + "    right\n"
        with pytest.raises(InvalidArgument, match=r"fits no fix of a\.toy:1") as raised:
            await ask(pool, apply_fix, id="a.toy:1:make it wrong")
        assert "Add a comment" in raised.value.hint
        with pytest.raises(InvalidArgument, match="fits 3 fixes"):
            await ask(pool, apply_fix, id="a.toy:1:a")
