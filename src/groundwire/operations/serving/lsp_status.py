"""The state of the servers of a workspace, as an operation.

Above: ``table``. Below: ``status``, ``pool_decisions``.
"""

import msgspec

from groundwire.operations.answer import Answer, Status
from groundwire.operations.operation import Arguments, Call, operation
from groundwire.operations.results.servers import ServerState, ServerStates, WithheldSetting
from groundwire.operations.results.workspace_status import ServerLine, WorkspaceStatus
from groundwire.operations.serving.pool_decisions import decide
from groundwire.operations.serving.status import workspace_status


class NoArguments(Arguments, frozen=True):
    """There is nothing to choose."""


@operation(
    "State of every language server that this workspace needs: running, loading, broken, missing, and what helps.",
    command="lsp-status",
)
async def lsp_status(call: Call, arguments: NoArguments) -> Answer[ServerStates]:  # noqa: ARG001  there are none
    """Starts nothing."""
    running = call.pool.status()
    seen = await decide(call, lambda decisions: workspace_status(decisions, running))
    return Answer(value=_states(seen), status=Status.PARTIAL if seen.note else Status.CONFIRMED, reason=seen.note)


def _states(seen: WorkspaceStatus) -> ServerStates:
    return ServerStates(
        workspace=seen.workspace,
        files=seen.files,
        running=sum(line.status.state in ("starting", "active") for line in seen.servers),
        servers=tuple(map(_state, seen.servers)),
        withheld=tuple(WithheldSetting(key=each.key, place=each.place, effect=each.effect) for each in seen.withheld),
        trust_command=seen.trust_command,
        extensions=seen.extensions,
    )


def _state(line: ServerLine) -> ServerState:
    known = msgspec.structs.asdict(line.status)
    return ServerState(**known, languages=line.languages, role=line.role, remedy=line.remedy)
