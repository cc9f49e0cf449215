"""Another name for a file, with the imports of it in other files: asked of the server, written together or not at all.

Above: ``table``. Below: ``question``, ``edits``, ``carry_out``.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta, Raw

from groundwire.client.ask import Reply
from groundwire.client.session import Session
from groundwire.client.sync import path_of, require_takes, uri_of
from groundwire.edits.boundary import Boundary
from groundwire.edits.files import Disk
from groundwire.edits.plan import Plan, plan_edit
from groundwire.edits.text_changes import Basis
from groundwire.errors import CapabilityMissing, GroundwireError, InvalidArgument, NoServerForExtension, ServerError
from groundwire.operations.answer import Answer, Status
from groundwire.operations.editing.carry_out import carry_out, preview
from groundwire.operations.files.paths import existing_file
from groundwire.operations.navigation.targets import DOCUMENT_SYMBOL
from groundwire.operations.operation import Arguments, Call, operation
from groundwire.operations.question import Asking, ask_about
from groundwire.operations.results.edits import EditOutcome
from groundwire.protocol.jsonrpc import METHOD_NOT_FOUND
from groundwire.protocol.lsp import decode_or_none
from groundwire.protocol.lsp_edits import DocumentChange, RenameFile, WorkspaceEdit
from groundwire.protocol.positions import PositionEncoding

_WILL_RENAME = "workspace/willRenameFiles"
_DID_RENAME = "workspace/didRenameFiles"
_NOT_OFFERED = Raw(b'"not offered"')


class RenameArguments(Arguments, frozen=True):
    """From where to where."""

    old_path: Annotated[str, Meta(description="File, absolute or relative to the workspace.")]
    new_path: Annotated[str, Meta(description="Its new place; directories are made.")]
    apply: Annotated[bool, Meta(description="Write it; otherwise it is only shown.")] = False


class _Imports(NamedTuple):
    """What a server wants changed along with the name; ``doubt``: why that may not be all, or is not known."""

    changes: Sequence[DocumentChange] = ()
    encoding: PositionEncoding = "utf-16"
    computed_for: Mapping[Path, Basis] = MappingProxyType({})
    notes: tuple[str, ...] = ()
    doubt: str = ""
    session: Session | None = None


@operation(
    "Rename or move a file and update the imports of it where its language server can; shown first, written by apply.",
    effect="writes",
    command="rename-file",
)
async def rename_file(call: Call, arguments: RenameArguments) -> Answer[EditOutcome]:
    """All of it or nothing."""
    workspace, roots = call.pool.workspace, tuple(call.pool.folders)
    boundary = Boundary(roots, Disk())
    boundary.entry(workspace / arguments.old_path)
    old = existing_file(workspace / arguments.old_path, workspace)
    new = boundary.entry(workspace / arguments.new_path)
    if new.is_dir():
        raise InvalidArgument(f"{arguments.new_path} is a directory", hint="Name the file in it, too.")
    imports = await _imports(call, old, new)
    plan = _plan(imports, old, new, roots)
    if not arguments.apply:
        servers = (imports.session.options.server,) if imports.session is not None else ()
        return _doubted(preview(call, plan, notes=imports.notes, servers=servers), imports)
    answer = await carry_out(call, plan, notes=imports.notes)
    _tell_renamed(imports, old, new)
    return _doubted(answer, imports)


def _plan(imports: _Imports, old: Path, new: Path, roots: Sequence[Path]) -> Plan:
    own = [change for change in imports.changes if not isinstance(change, RenameFile)]
    changes = [*own, RenameFile(uri_of(old), uri_of(new))]
    return plan_edit(changes, roots=roots, encoding=imports.encoding, computed_for=imports.computed_for)


async def _imports(call: Call, old: Path, new: Path) -> _Imports:
    async def put(asking: Asking) -> tuple[Reply[Raw], str]:
        require_takes(asking.session, new)
        loaded = await _loaded(asking)
        files = {"files": [{"oldUri": uri_of(old), "newUri": uri_of(new)}]}
        try:
            return loaded.having(await asking.follow_up(_WILL_RENAME, files)), ""
        except ServerError as error:
            if error.code != METHOD_NOT_FOUND:
                raise
            return loaded.having(_NOT_OFFERED), ""

    try:
        heard = await ask_about(call, old, put)
    except NoServerForExtension:
        return _Imports(notes=("imports are not updated: no server offers to for this kind of file",))
    except GroundwireError as error:
        return _Imports(notes=("imports are not updated: no server could be asked",), doubt=error.message)
    session = heard.asking.session
    if heard.result is _NOT_OFFERED:
        note = f"imports are not updated: {session.options.server} does not offer to"
        return _Imports(notes=(note,), session=session)
    edit = decode_or_none(heard.result, WorkspaceEdit, _WILL_RENAME)
    changes = edit.ordered_changes() if edit is not None else ()
    note = () if changes else (f"{session.options.server} knows of no import to update",)
    return _Imports(
        changes, heard.asking.encoding, _bases(session), note, heard.incomplete or session.unseen(_WILL_RENAME), session
    )


async def _loaded(asking: Asking) -> Reply[Raw]:
    """A question that spans files is asked once they are loaded: this one waits for that."""
    try:
        return await asking.workspace_question(DOCUMENT_SYMBOL, {})
    except CapabilityMissing:
        world = asking.session.state.documents.world
        return Reply(Raw(b"null"), "whether the server has loaded all files is not known", world)


def _bases(session: Session) -> dict[Path, Basis]:
    return {Path(path_of(document.uri)): Basis(document.hash, document.version) for document in session.state.documents}


def _tell_renamed(imports: _Imports, old: Path, new: Path) -> None:
    session = imports.session
    if session is not None and session.life == "ready" and session.state.capabilities.supports(_DID_RENAME):
        session.notify(_DID_RENAME, {"files": [{"oldUri": uri_of(old), "newUri": uri_of(new)}]})


def _doubted(answer: Answer[EditOutcome], imports: _Imports) -> Answer[EditOutcome]:
    """What the server may have missed makes the whole no better known."""
    if not imports.doubt:
        return answer
    reason = f"imports: {imports.doubt}"
    reasons = "; ".join(filter(None, [answer.reason, reason]))
    status = Status.PARTIAL if answer.status is Status.CONFIRMED else answer.status
    return msgspec.structs.replace(answer, status=status, reason=reasons)
