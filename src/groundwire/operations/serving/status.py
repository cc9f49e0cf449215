"""The state of every server that a workspace needs: of those that run as they are, of the others as they would be.

Above: ``render.status``. Below: ``needs`` and ``pool.status``.
"""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from groundwire.operations.files.paths import shown_path
from groundwire.operations.files.survey import Survey, survey
from groundwire.operations.results.workspace_status import ServerLine, WorkspaceStatus
from groundwire.operations.serving.decisions import Decisions
from groundwire.operations.serving.explain import cheap_version
from groundwire.operations.serving.extension_lines import extension_lines
from groundwire.operations.serving.needs import Need, find_needs
from groundwire.operations.serving.remedies import TRUST
from groundwire.pool.status import ServerStatus, State
from groundwire.registry.versions import short_version

_STATES: dict[str, State] = {
    "ready": "idle",
    "missing": "unavailable",
    "untrusted": "unavailable",
    "disabled": "disabled",
}


def workspace_status(decisions: Decisions, running: Iterable[ServerStatus] = ()) -> WorkspaceStatus:
    """Looks at the workspace and starts nothing. ``running`` is what a pool says of its servers, if there is one."""
    seen = survey(decisions.workspace, decisions.plan.catalog_when_trusted)
    needs = find_needs(decisions, seen)
    return summed_up(decisions, seen, needs, running)


def summed_up(
    decisions: Decisions, seen: Survey, needs: Iterable[Need], running: Iterable[ServerStatus] = ()
) -> WorkspaceStatus:
    """Servers that run come first; of the others, those that are needed."""
    present = [_of_running(decisions, status) for status in running]
    known = {(line.status.server, line.status.root) for line in present}
    others = (_of_need(decisions, need) for need in needs)
    waiting = [line for line in others if (line.status.server, line.status.root) not in known]
    return WorkspaceStatus(
        workspace=str(decisions.workspace),
        files=seen.files,
        servers=(*present, *waiting),
        withheld=decisions.withheld,
        trust_command=TRUST if decisions.trust_helps else "",
        note=seen.note,
        extensions=extension_lines(),
    )


def _of_running(decisions: Decisions, status: ServerStatus) -> ServerLine:
    spec = decisions.spec(status.server)
    root = shown_path(Path(status.root), decisions.workspace)
    return ServerLine(
        status=msgspec.structs.replace(status, root=root, version=short_version(status.version)),
        languages=spec.languages if spec is not None else (),
        role=spec.role if spec is not None else "primary",
    )


def _of_need(decisions: Decisions, need: Need) -> ServerLine:
    chosen = need.chosen
    return ServerLine(
        status=ServerStatus(
            server=need.server,
            root=shown_path(chosen.root, decisions.workspace) if chosen is not None else "",
            state=_STATES[need.state],
            reason=need.why if chosen is None else " ".join(chosen.lacking),
            version=cheap_version(Path(chosen.command[0]), need.server) if chosen is not None else "",
        ),
        languages=need.languages,
        role=need.role,
        remedy=need.remedy,
    )
