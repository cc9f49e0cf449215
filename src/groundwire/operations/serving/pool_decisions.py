"""What is decided about the workspace of a pool, for operations that say more of it than which servers run.

Above: ``detect`` and ``lsp_status``. Below: ``decisions``, ``pool``.
"""

import asyncio
from collections.abc import Callable
from typing import TypeVar

import msgspec

from groundwire.errors import RequestTimeout
from groundwire.operations.operation import Call
from groundwire.operations.serving.decisions import Decisions, read_decisions
from groundwire.pool.pool import Pool

T = TypeVar("T")


def decisions_of(pool: Pool) -> Decisions:
    """As the configuration says; but the servers are the pool's own, where it was given others or has changed since."""
    read = read_decisions(pool.workspace, pool.environment)
    own, configured = pool.catalog, read.plan.catalog
    if (own.languages, own.servers) == (configured.languages, configured.servers):
        return read
    plan = read.plan._replace(catalog=own, catalog_when_trusted=own)
    return msgspec.structs.replace(read, built_in=own, plan=plan)


async def decide(call: Call, look: Callable[[Decisions], T]) -> T:
    """What ``look`` makes of the decisions. It may walk the workspace, so it is done beside the event loop."""
    try:
        async with asyncio.timeout_at(call.deadline):
            return await asyncio.to_thread(lambda: look(decisions_of(call.pool)))
    except TimeoutError:
        raise RequestTimeout("looking at the workspace took too long", hint="Allow more time.") from None
