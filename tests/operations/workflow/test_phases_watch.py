"""A client that works by a skill: its calls are held against the phases, noted, and nobody else's are."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest

from groundwire.errors import FileNotFound, InvalidArgument, PhaseViolation
from groundwire.operations.answer import Answer, Status
from groundwire.operations.journal import Journal
from groundwire.operations.operation import Result
from groundwire.operations.runner import perform
from groundwire.operations.table import OPERATIONS, find_operation
from groundwire.operations.workflow.phases_watch import Phases
from groundwire.operations.workflow.skills import Phase, Skill, packaged_skills
from groundwire.operations.workflow.skills_operations import require_usable
from groundwire.operations.workflow.skills_results import SkillPhase
from groundwire.operations.workflow.skills_support import Offers, find_offers, support_of
from groundwire.pool.audit_log import AuditSettings
from groundwire.pool.kept import Kept
from groundwire.pool.pool import Pool
from groundwire.pool.settings import PoolSettings
from tests.fakes.toy_servers import toy_catalog, toy_spec
from tests.operations.toy_project import ZOO

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]

EDIT = {"file_path": "lonely.toy", "old_text": "nobody", "new_text": "somebody"}


@asynccontextmanager
async def audited(tmp_path: Path) -> AsyncGenerator[Pool]:
    root = tmp_path / "project"
    root.mkdir()
    for name, text in ZOO.items():
        (root / name).write_text(text, "utf-8")
    settings = PoolSettings(audit=AuditSettings(tmp_path / "audit.jsonl"))
    async with Pool(root, catalog=toy_catalog(toy_spec("well_read")), settings=settings) as pool:
        yield pool


class Client:
    """One connection."""

    def __init__(self, pool: Pool, name: str = "one") -> None:
        self._pool = pool
        self.kept = Kept(name)

    async def call(self, name: str, **given: object) -> Answer[Result]:
        operation = find_operation(name)
        return await perform(self._pool, operation, operation.parse(given), client=self.kept)

    async def phase(self) -> SkillPhase:
        return cast("SkillPhase", (await self.call("get_skill_phase")).value)


def text_of(pool: Pool) -> str:
    return (pool.workspace / "lonely.toy").read_text("utf-8")


async def test_a_call_against_the_phase_is_refused_before_anything_happens(tmp_path: Path) -> None:
    async with audited(tmp_path) as pool:
        client = Client(pool)
        await client.call("activate_skill", skill_name="lsp-safe-edit", mode="block")
        for name in ("apply_edit", "safe_apply_edit", "safe_edit"):
            with pytest.raises(PhaseViolation, match="setup") as raised:
                await client.call(name, **EDIT)
            assert "Allowed now, in setup: start_lsp" in raised.value.hint
            assert "deactivate_skill" in raised.value.hint
        assert text_of(pool) == ZOO["lonely.toy"]
        assert not pool.instances()
        record = pool.kept.get(Journal).calls[-1]
        assert (record.operation, record.outcome, record.error) == ("safe_apply_edit", "error", "PhaseViolation")


async def test_the_steps_of_a_skill_lead_through_its_phases(tmp_path: Path) -> None:
    async with audited(tmp_path) as pool:
        client = Client(pool)
        await client.call("activate_skill", skill_name="lsp-safe-edit", mode="block")
        for name, given, phase in (
            ("get_diagnostics", {"file_path": "lonely.toy"}, "setup"),
            ("preview_edit", EDIT, "speculative_preview"),
            ("apply_edit", EDIT, "apply"),
            ("get_diagnostics", {"file_path": "lonely.toy"}, "verify_and_fix"),
        ):
            await client.call(name, **given)
            assert (await client.phase()).current_phase == phase
        told = await client.phase()
        assert (told.phase_index, told.total_phases, told.mode) == (3, 4, "block")
        assert told.tool_history == ("get_diagnostics", "preview_edit", "apply_edit", "get_diagnostics")
        with pytest.raises(PhaseViolation):
            await client.call("simulate_edit_atomic", **EDIT)
        assert text_of(pool) == "def somebody()\n"


async def test_a_step_that_fails_does_not_end_a_phase(tmp_path: Path) -> None:
    async with audited(tmp_path) as pool:
        client = Client(pool)
        await client.call("activate_skill", skill_name="lsp-safe-edit", mode="block")
        with pytest.raises(FileNotFound):
            await client.call("preview_edit", **{**EDIT, "file_path": "nowhere.toy"})
        assert not (await client.phase()).phase_done
        with pytest.raises(PhaseViolation, match="must wait until the phase speculative_preview is done"):
            await client.call("apply_edit", **EDIT)
        assert text_of(pool) == ZOO["lonely.toy"]


async def test_where_it_is_only_warned_the_answer_says_so(tmp_path: Path) -> None:
    async with audited(tmp_path) as pool:
        client = Client(pool)
        await client.call("activate_skill", skill_name="lsp-safe-edit")
        answer = await client.call("apply_edit", **EDIT)
        assert "against the phase of lsp-safe-edit: the phase setup forbids apply_edit (writes)" in answer.note
        assert text_of(pool) == "def somebody()\n"
        assert (await client.phase()).current_phase == "setup"


async def test_the_skill_of_one_client_is_none_of_anothers(tmp_path: Path) -> None:
    async with audited(tmp_path) as pool:
        one, other = Client(pool), Client(pool, "other")
        await one.call("activate_skill", skill_name="lsp-explore", mode="block")
        assert not (await other.phase()).active
        await other.call("apply_edit", **EDIT)
        assert text_of(pool) == "def somebody()\n"
        with pytest.raises(PhaseViolation):
            await one.call("undo_edit")
        await other.call("activate_skill", skill_name="lsp-rename")
        assert ((await one.phase()).skill_name, (await other.phase()).skill_name) == ("lsp-explore", "lsp-rename")


async def test_a_preview_is_a_look_and_applying_it_is_not(tmp_path: Path) -> None:
    async with audited(tmp_path) as pool:
        client = Client(pool)
        await client.call("activate_skill", skill_name="lsp-rename", mode="block")
        wanted = {"symbol": "nobody", "new_name": "someone"}
        with pytest.raises(PhaseViolation):
            await client.call("rename_symbol", **wanted, apply=True)
        with pytest.raises(PhaseViolation):
            await client.call("rename_symbol", **wanted, dry_run=False)
        await client.call("rename_symbol", **wanted)
        await client.call("rename_symbol", **wanted, apply=True)
        assert text_of(pool) == "def someone()\n"


async def test_a_second_skill_is_not_activated_before_the_first_has_ended(tmp_path: Path) -> None:
    async with audited(tmp_path) as pool:
        client = Client(pool)
        await client.call("activate_skill", skill_name="lsp-impact", mode="block")
        with pytest.raises(InvalidArgument, match="lsp-impact is active already") as raised:
            await client.call("activate_skill", skill_name="lsp-docs")
        assert "deactivate_skill" in raised.value.hint
        await client.call("deactivate_skill")
        await client.call("deactivate_skill")
        await client.call("activate_skill", skill_name="lsp-docs")
        with pytest.raises(InvalidArgument, match="there is no skill 'lsp-dance'"):
            await Client(pool).call("activate_skill", skill_name="lsp-dance")


async def test_a_skill_that_was_just_activated_may_be_activated_so_again(tmp_path: Path) -> None:
    async with audited(tmp_path) as pool:
        client = Client(pool)
        for _ in range(2):  # the second time as the next daemon hears a request that the first did not answer
            await client.call("activate_skill", skill_name="lsp-impact", mode="block")
        with pytest.raises(InvalidArgument, match="active already"):
            await client.call("activate_skill", skill_name="lsp-impact", mode="warn")
        await client.call("find_references", symbol="shout")
        with pytest.raises(InvalidArgument, match="active already"):
            await client.call("activate_skill", skill_name="lsp-impact", mode="block")


async def test_a_skill_that_was_lost_is_told_of_with_the_next_answer_and_once(tmp_path: Path) -> None:
    async with audited(tmp_path) as pool:
        client = Client(pool)
        client.kept.get(Phases).lost = "a skill was active"
        notes = [(await client.call("find_references", symbol="shout")).note for _ in range(2)]
        assert ["a skill was active" in note for note in notes] == [True, False]


async def test_phases_are_in_the_audit_log(tmp_path: Path) -> None:
    async with audited(tmp_path) as pool:
        client = Client(pool)
        await client.call("activate_skill", skill_name="lsp-safe-edit", mode="block")
        with pytest.raises(PhaseViolation):
            await client.call("apply_edit", **EDIT)
        await client.call("preview_edit", **EDIT)
        await client.call("deactivate_skill")
        log = tmp_path / "audit.jsonl"
        async with asyncio.timeout(20):
            while not log.exists() or log.read_bytes().count(b"\n") < 4:  # noqa: ASYNC110  a thread writes it
                await asyncio.sleep(0.01)
        records = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert [record["event"] for record in records] == [
        *("activate_skill", "phase_violation", "phase_advance", "deactivate_skill")
    ]
    assert {record["skill"] for record in records} == {"lsp-safe-edit"}
    assert {record["client"] for record in records} == {"one"}
    assert (records[1]["called"], records[1]["effect"], records[1]["phase"]) == ("apply_edit", "writes", "setup")
    assert (records[2]["from"], records[2]["to"]) == ("setup", "speculative_preview")


def test_a_skill_without_phases_or_with_words_that_mean_nothing_cannot_be_activated() -> None:
    without = Skill(name="lsp-none", description="")
    with pytest.raises(InvalidArgument, match="no phases"):
        require_usable(without, OPERATIONS.values())
    misspelt = Skill(name="lsp-off", description="", phases=(Phase(name="p", forbid=("aply_edit",)),))
    with pytest.raises(InvalidArgument, match="'aply_edit', which is no tool"):
        require_usable(misspelt, OPERATIONS.values())


async def test_whether_a_skill_is_supported_is_not_known_before_its_servers_run(tmp_path: Path) -> None:
    async with audited(tmp_path) as pool:
        rename = packaged_skills()["lsp-rename"]
        assert support_of(rename, await find_offers(pool)).status == "unknown"
        await Client(pool).call("get_diagnostics", file_path="lonely.toy")
        assert support_of(rename, await find_offers(pool)).status == "supported"
        listed = await Client(pool).call("list_skills")
        assert listed.status is Status.CONFIRMED


def test_what_is_missing_is_said_only_when_every_server_runs() -> None:
    explore = packaged_skills()["lsp-explore"]
    hover = frozenset({"textDocument/hover"})
    assert support_of(explore, Offers(frozenset(), is_all=False)).status == "unknown"
    assert support_of(explore, Offers(frozenset(), is_all=True)).status == "unsupported"
    assert support_of(explore, Offers(hover, is_all=True)).status == "partial"
    assert support_of(explore, Offers(hover, is_all=False)).status == "supported"
    assert support_of(explore, Offers(hover | {*explore.optional}, is_all=True)).status == "supported"
