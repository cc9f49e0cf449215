"""The end of a session: written to disk, or given as a patch.

Above: ``table``. Below: ``sessions``, ``writing``, ``patch_text``.
"""

from typing import Annotated, Literal

from msgspec import Meta

from groundwire.errors import EditConflict, InvalidArgument
from groundwire.operations.answer import Answer, Status
from groundwire.operations.files.paths import shown_path
from groundwire.operations.operation import Call, operation
from groundwire.operations.results.speculation import CommittedSession
from groundwire.operations.speculation.patch_text import patch_text
from groundwire.operations.speculation.sessions import Simulation, session_of
from groundwire.operations.speculation.simulate import OneSession
from groundwire.operations.speculation.virtual_texts import VirtualFile, content_on_disk
from groundwire.operations.speculation.writing import require_current, write_texts

_MARK = "\ufeff"


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
    patch = patch_text([_as_written(call, each) for each in session.texts.changed], call.pool.workspace)
    session.end("committed")
    value = CommittedSession(session_id=session.id, status=session.state, target="patch", patch=patch)
    return Answer(value=value, status=Status.CONFIRMED)


def _as_written(call: Call, each: VirtualFile) -> VirtualFile:
    """With its byte order mark, which git takes for part of the first line. Raises InvalidArgument where a patch, which
    is text, cannot say what the bytes are."""
    content = content_on_disk(each.file) if each.is_on_disk else None
    if content is None or (content.encoding == "utf-8" and not content.mark):
        return each
    if content.encoding != "utf-8":
        raise InvalidArgument(
            f"{shown_path(each.file, call.pool.workspace)} is not written in UTF-8, and no patch can be made of that",
            hint="Commit it to disk, or convert the file to UTF-8 first.",
        )
    before, after = (text if text is None else f"{_MARK}{text}" for text in (each.before, each.after))
    return VirtualFile(each.file, before, after)


async def _to_disk(call: Call, session: Simulation) -> Answer[CommittedSession]:
    files = tuple(shown_path(each.file, call.pool.workspace) for each in session.texts.changed)
    written = await write_texts(call, session.texts)
    session.end("committed")
    value = CommittedSession(
        session_id=session.id, status=session.state, target="disk", files_written=files, outcome=written.value
    )
    return Answer(value=value, status=written.status, reason=written.reason, servers=written.servers, note=written.note)
