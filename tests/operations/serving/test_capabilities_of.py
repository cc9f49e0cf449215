"""What servers can be asked: every operation is served or not, and nothing is said of servers that do not run."""

from pathlib import Path

import pytest

from groundwire.errors import CapabilityMissing, FileNotFound, InvalidArgument, NoServerForExtension, SessionDead
from groundwire.operations.answer import Status
from groundwire.operations.navigation.navigate import find_references
from groundwire.operations.table import OPERATIONS, get_server_capabilities
from tests.operations.toy_project import ZOO, ask, zoo

pytestmark = pytest.mark.anyio


async def test_where_no_server_runs_that_is_said_and_none_is_started(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, get_server_capabilities)
        assert (answer.status, answer.value.servers, pool.instances()) == (Status.UNKNOWN, (), ())
        assert "no language server runs yet" in answer.reason


async def test_a_file_starts_its_server_and_every_operation_is_in_one_list(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        (offer,) = (await ask(pool, get_server_capabilities, file_path="lonely.toy")).value.servers
        assert (offer.server, offer.root, offer.role, offer.languages) == ("well_read", ".", "primary", ("toy",))
        assert sorted((*offer.supported_tools, *offer.unsupported_tools)) == sorted(OPERATIONS)
        assert offer.capabilities["completionProvider"] == {"resolveProvider": True}
        running = await ask(pool, get_server_capabilities)
        assert running.value.servers[0].supported_tools == offer.supported_tools


async def test_what_is_not_offered_is_unsupported_and_cannot_be_asked(tmp_path: Path) -> None:
    async with zoo(tmp_path, "lacks=textDocument/references") as pool:
        answer = await ask(pool, get_server_capabilities, file_path="lonely.toy")
        (offer,) = answer.value.servers
        assert "find_references" in offer.unsupported_tools
        assert "referencesProvider" not in offer.capabilities
        with pytest.raises(CapabilityMissing):
            await ask(pool, find_references, file_path="voices.toy", line=5, column=5)


async def test_a_server_that_has_just_started_may_offer_more_yet(tmp_path: Path) -> None:
    async with zoo(tmp_path, "lacks=textDocument/references") as pool:
        answer = await ask(pool, get_server_capabilities, file_path="lonely.toy")
        assert answer.status is Status.PARTIAL
        assert "may offer more yet" in answer.reason
        pool.instances()[0].session.ready_since -= 3600
        assert (await ask(pool, get_server_capabilities)).status is Status.CONFIRMED


async def test_operations_that_need_no_server_are_always_served(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        (offer,) = (await ask(pool, get_server_capabilities, file_path="lonely.toy")).value.servers
        assert {"lsp_status", "set_log_level", "detect_lsp_servers"} <= set(offer.supported_tools)


async def test_what_cannot_be_asked_about_is_typed(tmp_path: Path) -> None:
    async with zoo(tmp_path, files={**ZOO, "x.unknown": "\n"}) as pool:
        with pytest.raises(FileNotFound):
            await ask(pool, get_server_capabilities, file_path="nowhere.toy")
        with pytest.raises(NoServerForExtension):
            await ask(pool, get_server_capabilities, file_path="x.unknown")
        with pytest.raises(InvalidArgument, match="well_raed"):
            await ask(pool, get_server_capabilities, server_id="well_raed")


async def test_a_server_that_cannot_start_is_a_typed_error(tmp_path: Path) -> None:
    async with zoo(tmp_path, command=("/bin/false",)) as pool:
        with pytest.raises(SessionDead):
            await ask(pool, get_server_capabilities, file_path="lonely.toy")
