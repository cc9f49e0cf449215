"""Renaming a symbol everywhere: the server is asked whether that is possible, then for every site; shown, or written.

A rename that may have missed a site is never written unless that is insisted on. Above: ``table``. Below: ``targets``,
``rename_preparing``, ``rename_sites``, ``server_edits``.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec
from msgspec import UNSET, Meta, UnsetType

from groundwire.client.ask import Reply
from groundwire.client.session import IS_WINDOWS
from groundwire.edits.plan import Plan
from groundwire.edits.uri_paths import path_of
from groundwire.errors import EditConflict, InvalidArgument
from groundwire.operations.answer import Answer, Status
from groundwire.operations.arguments import Target
from groundwire.operations.editing.rename_preparing import RENAME, Prepared, prepared
from groundwire.operations.editing.rename_sites import sites_in
from groundwire.operations.editing.server_edits import done_or_shown, planned_or_not, require_same_world
from groundwire.operations.files.paths import shown_path
from groundwire.operations.navigation.places import Places
from groundwire.operations.navigation.targets import ask_at
from groundwire.operations.operation import Call, operation
from groundwire.operations.question import Asking, Heard, answer_of
from groundwire.operations.results.edits import EditOutcome
from groundwire.operations.results.fixes import RenameOutcome, RenameSite, RenameTarget
from groundwire.protocol.globs import Glob
from groundwire.protocol.lsp import Position, decode_or_none
from groundwire.protocol.lsp_edits import DocumentChange, RenameFile, TextDocumentEdit, WorkspaceEdit
from groundwire.protocol.positions import PositionEncoding

_LONGEST_NAME = 1000


class RenameSymbol(Target, frozen=True, kw_only=True):
    """A place in the code and what it is to be called."""

    new_name: Annotated[str, Meta(description="New name.")]
    apply: Annotated[bool, Meta(description="Write it.")] = False
    exclude_globs: Annotated[tuple[str, ...], Meta(description="Files to leave out, such as vendor/**.")] = ()
    force: Annotated[bool, Meta(description="Apply even if sites may be missing.")] = False
    dry_run: Annotated[bool, Meta(description="false: as apply.")] | UnsetType = UNSET


class _Renaming(NamedTuple):
    """What the server answered, planned. ``plan`` is None where it has nothing to rename, or cannot be carried out."""

    prepared: Prepared
    plan: Plan | EditConflict | None = None
    world: int = 0
    changes: Sequence[DocumentChange] = ()
    left_out: Sequence[DocumentChange] = ()


@operation("Whether what is at a place can be renamed, and what it is called now.", needs=(RENAME,))
async def prepare_rename(call: Call, arguments: Target) -> Answer[RenameTarget]:
    """What would be renamed."""

    heard = await ask_at(call, arguments, prepared)
    answer = answer_of(heard, _target(call, heard))
    if heard.result.is_known or answer.status is not Status.CONFIRMED:
        return answer
    reason = f"{heard.asking.session.options.server} does not say beforehand whether something can be renamed"
    return msgspec.structs.replace(answer, status=Status.PARTIAL, reason=reason)


@operation(
    "Rename a symbol everywhere. Shows every site; apply=true writes all files or none and reports new errors.",
    effect="writes",
    needs=(RENAME,),
    command="rename",
)
async def rename_symbol(call: Call, arguments: RenameSymbol) -> Answer[RenameOutcome]:
    """Preview a rename, or write it."""
    is_applied = _is_applied(arguments)
    _require_name(arguments.new_name)
    left_out = _Globs(call.pool.workspace, arguments.exclude_globs)

    async def ask(asking: Asking, position: Position) -> Reply[_Renaming]:
        return await _ask(call, asking, position, arguments.new_name, left_out)

    heard = await ask_at(call, arguments, ask)
    plan = _required_plan(heard)
    if is_applied and heard.incomplete and not arguments.force:
        raise EditConflict(
            f"not renamed, for sites may be missing: {heard.incomplete}; nothing was changed",
            hint="Ask again in a moment, look at the preview, or insist with force=true.",
        )
    if is_applied:  # not even by force: an edit for other content would corrupt it
        require_same_world(call, heard.asking.session, heard.result.world)
    notes = [*([heard.note] if heard.note else []), *_warning(call, heard.result.left_out)]
    server = heard.asking.session.options.server
    done = await done_or_shown(call, plan, apply=is_applied, server=server, notes=notes, doubt=heard.incomplete)
    sites = list(_sites(call, heard.result, plan, heard.asking.encoding))
    return _outcome(done, arguments.new_name, sites)


async def _ask(call: Call, asking: Asking, position: Position, new_name: str, left_out: "_Globs") -> Reply[_Renaming]:
    first = await prepared(asking, position)
    if first.result.where is None:
        return first.having(_Renaming(first.result))
    reply = await asking.workspace_question(RENAME, {"position": position, "newName": new_name})
    edit = decode_or_none(reply.result, WorkspaceEdit, RENAME)
    if edit is None:
        return first.then(reply.having(_Renaming(first.result)))
    everything = edit.ordered_changes()
    kept = [change for change in everything if not left_out.takes(_path(change))]
    without = [change for change in everything if left_out.takes(_path(change))]
    plan = planned_or_not(call, asking.session, kept if without else edit, first.world)
    return first.then(reply.having(_Renaming(first.result, plan, first.world, kept, without)))


def _is_applied(arguments: RenameSymbol) -> bool:
    if arguments.apply and arguments.dry_run is True:
        raise InvalidArgument("apply and dry_run exclude each other", hint="Give one of them.")
    return arguments.apply or arguments.dry_run is False


def _require_name(name: str) -> None:
    """Whether it can be a name is for the server to say, but for what is none in any language."""
    if not name.strip() or name != name.strip():
        raise InvalidArgument("new_name is empty, or has space around it", hint="Give the bare name.")
    if any(not letter.isprintable() for letter in name) or len(name) > _LONGEST_NAME:
        raise InvalidArgument("new_name is no name: it has a line break, or is far too long", hint="Give a bare name.")


def _required_plan(heard: Heard[_Renaming]) -> Plan:
    if isinstance(heard.result.plan, EditConflict):
        raise heard.result.plan
    if heard.result.plan is not None:
        return heard.result.plan
    doubt = f"; that is not certain: {heard.incomplete}" if heard.incomplete else ""
    server, name = heard.asking.session.options.server, heard.result.prepared.name
    what = name if heard.result.prepared.where is not None and name else "what is there"
    raise InvalidArgument(
        f"{server} cannot rename {what}{doubt}", hint="Name a symbol of this project, or the exact place of its name."
    )


class _Globs:
    """Files to leave out: by their path below the workspace, or a pattern without a slash by their name."""

    def __init__(self, workspace: Path, patterns: Sequence[str]) -> None:
        below = [Glob(pattern, str(workspace), windows=IS_WINDOWS) for pattern in patterns]
        by_name = [Glob(pattern, windows=IS_WINDOWS) for pattern in patterns if "/" not in pattern]
        self._globs = [*below, *by_name]

    def takes(self, path: Path) -> bool:
        return any(glob.matches(str(path)) for glob in self._globs)


def _warning(call: Call, left_out: Sequence[DocumentChange]) -> list[str]:
    files = sorted({shown_path(_path(change), call.pool.workspace) for change in left_out})
    if not files:
        return []
    sites = sum(len(change.edits) if isinstance(change, TextDocumentEdit) else 1 for change in left_out)
    more = ", …" if len(files) > 5 else ""
    named = f"{', '.join(files[:5])}{more}"
    return [f"{sites} of the sites are left out by exclude_globs ({named}): the result may not compile"]


def _sites(call: Call, renaming: _Renaming, plan: Plan, encoding: PositionEncoding) -> Iterator[RenameSite]:
    texts = {change.old_path or change.path: change.before_text for change in plan.changes}
    for change in sorted(renaming.changes, key=_path):
        if not isinstance(change, TextDocumentEdit):
            continue
        path = _path(change)
        text = texts.get(path) or texts.get(path.resolve())
        if text is not None:
            yield from sites_in(shown_path(path, call.pool.workspace), text, change.edits, encoding)


def _path(change: DocumentChange) -> Path:
    match change:
        case TextDocumentEdit(text_document=document):
            return path_of(document.uri)
        case RenameFile(old_uri=uri):
            return path_of(uri)
        case _:
            return path_of(change.uri)


def _target(call: Call, heard: Heard[Prepared]) -> RenameTarget:
    where = heard.result.where
    if where is None:
        return RenameTarget(renamable=False)
    places = Places(heard.asking.session, call.pool.workspace)
    place = places.place(heard.asking.document.uri, where)
    return RenameTarget(renamable=True, place=place, placeholder=heard.result.name)


def _outcome(done: Answer[EditOutcome], new_name: str, sites: Sequence[RenameSite]) -> Answer[RenameOutcome]:
    own = msgspec.structs.asdict(done.value)
    shown = () if done.value.applied else tuple(sites)
    value = RenameOutcome(**own, new_name=new_name, sites=shown, total=len(sites))
    return Answer(value=value, status=done.status, reason=done.reason, servers=done.servers, note=done.note)
