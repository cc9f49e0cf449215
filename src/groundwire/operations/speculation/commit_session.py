"""The end of a session: written to disk, or given as a patch.

Above: ``table``. Below: ``sessions``, ``writing``, ``patch_text``.
"""

from typing import Annotated, Literal

from msgspec import Meta

from groundwire.errors import EditConflict
from groundwire.operations.answer import Answer, Status
from groundwire.operations.operation import Call, operation
from groundwire.operations.paths import shown_path
from groundwire.operations.results_speculation import CommittedSession
from groundwire.operations.speculation.patch_text import patch_text
from groundwire.operations.speculation.sessions import Simulation, session_of
from groundwire.operations.speculation.simulate import OneSession
from groundwire.operations.speculation.writing import require_current, write_texts


class CommitSession(OneSession, frozen=True):
    """Where to."""

    target: Annotated[
        Literal["disk", "patch"], Meta(description="patch: a unified diff for git apply; nothing is written.")
    ] = "disk"


@operation("Write the edits of a session, all or nothing; or give them as a patch for git apply.", effect="writes")
async def commit_session(call: Call, arguments: CommitSession) -> Answer[CommittedSession]:
    """Refused when a file was changed on disk since the session first looked at it."""
    async with session_of(call, arguments.session_id) as session:
        session.require("created", "mutated", "evaluated")
        try:
            require_current(session.texts)
            if arguments.target == "patch":
                return _as_patch(call, session)
            return await _to_disk(call, session)
        except EditConflict:
            session.state = "dirty"
            raise


def _as_patch(call: Call, session: Simulation) -> Answer[CommittedSession]:
    patch = patch_text(session.texts.changed, call.pool.workspace)
    session.end("committed")
    value = CommittedSession(session_id=session.id, status=session.state, target="patch", patch=patch)
    return Answer(value=value, status=Status.CONFIRMED)


async def _to_disk(call: Call, session: Simulation) -> Answer[CommittedSession]:
    files = tuple(shown_path(each.file, call.pool.workspace) for each in session.texts.changed)
    written = await write_texts(call, session.texts)
    session.end("committed")
    value = CommittedSession(
        session_id=session.id, status=session.state, target="disk", files_written=files, outcome=written.value
    )
    return Answer(value=value, status=written.status, reason=written.reason, servers=written.servers, note=written.note)
