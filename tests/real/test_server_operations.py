"""Operations about servers, put to real ones: what is said to be served is answered, and a restart loses nothing.

Both are shown in one life of a server, which ends with the restart.
"""

from pathlib import Path

import pytest

from groundwire.errors import CapabilityMissing
from groundwire.operations.answer import Status
from groundwire.operations.navigation.navigate import find_references
from groundwire.operations.runner import perform
from groundwire.operations.serving.lsp_status import lsp_status
from groundwire.operations.serving.restart import restart_lsp_server
from groundwire.operations.table import get_server_capabilities
from groundwire.pool.pool import Pool
from tests.real.conftest import server_environment
from tests.real.shapes import SAMPLES
from tests.real.test_operations import CHECKS, WAIT_S, Questions, write

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]

SERVERS = ("ty", "pyright", "typescript-language-server", "gopls")
each_server = pytest.mark.parametrize("server", [name for name in SERVERS if name in SAMPLES], indirect=True)


async def is_answered(q: Questions, name: str) -> bool:
    """Whether the server answers an operation at all; whether rightly is for ``test_operations``."""
    try:
        await CHECKS[name](q)
    except CapabilityMissing:
        return False
    return True


def test_the_servers_are_those_of_the_samples() -> None:
    assert set(SERVERS) <= set(SAMPLES)


async def what_is_said_to_be_served_is_answered_and_nothing_else_is(pool: Pool, q: Questions) -> None:
    """The first question of all: nothing has been started yet."""
    given = get_server_capabilities.parse({"file_path": q.sample.user})
    (offer,) = (await perform(pool, get_server_capabilities, given, wait_s=WAIT_S)).value.servers
    answered = {name for name in CHECKS if await is_answered(q, name)}
    assert set(offer.supported_tools) & set(CHECKS) == answered
    assert set(offer.unsupported_tools) & set(CHECKS) == set(CHECKS) - answered


async def after_a_restart_the_next_answer_is_right_and_confirmed(pool: Pool, q: Questions, server: str) -> None:
    before = await q.ask(find_references, q.double)
    old = pool.instances()[0].pid
    answer = await perform(pool, restart_lsp_server, restart_lsp_server.parse({}), wait_s=WAIT_S)
    assert (answer.status, [each.state for each in answer.value.servers]) == (Status.CONFIRMED, ["active"])
    assert pool.instances()[0].pid not in (old, None)
    after = await q.ask(find_references, q.double)
    assert (after.total, after.locations) == (q.sample.uses, before.locations)
    states = (await perform(pool, lsp_status, lsp_status.parse({}), wait_s=WAIT_S)).value
    assert (server, "active") in [(each.server, each.state) for each in states.servers]


@each_server
async def test_what_is_said_to_be_served_is_answered_and_after_a_restart_the_next_answer_is_right_and_confirmed(
    server: str, tmp_path: Path
) -> None:
    write(SAMPLES[server], tmp_path)
    async with Pool(tmp_path, only=frozenset({server}), environment=server_environment(server)) as pool:
        q = Questions(pool, SAMPLES[server])
        await what_is_said_to_be_served_is_answered_and_nothing_else_is(pool, q)
        await after_a_restart_the_next_answer_is_right_and_confirmed(pool, q, server)
