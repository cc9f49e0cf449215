"""Changes on disk that an agent tells of. The watcher tells servers by itself; this is for files that it may not see.

Above: ``table``. Below: ``pool``, ``workspace.changes``.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from groundwire.client.sync import path_of, uri_of
from groundwire.errors import FileNotFound, InvalidArgument
from groundwire.operations.answer import Answer, Status
from groundwire.operations.files.inside import path_inside
from groundwire.operations.files.paths import shortened, shown_path
from groundwire.operations.operation import Arguments, Call, operation
from groundwire.operations.results.servers import ToldChanges, ToldServer
from groundwire.pool.instance import Instance
from groundwire.workspace.changes import ChangeKind, FileChange, coalesce

_KINDS: dict[int | str, ChangeKind] = {
    **{int(kind): kind for kind in ChangeKind},
    **{kind.name.lower(): kind for kind in ChangeKind},
}


class NamedChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file, by its path or its URI, and what happened to it."""

    type: Annotated[
        Literal["created", "changed", "deleted", 1, 2, 3],
        Meta(description="What happened; 1 created, 2 changed, 3 deleted."),
    ]
    file_path: Annotated[str, Meta(description="File, absolute or relative to the workspace.")] = ""
    uri: Annotated[str, Meta(description="File URI, instead of file_path.")] = ""


class TellChanges(Arguments, frozen=True):
    """What changed."""

    changes: Annotated[
        tuple[NamedChange, ...], Meta(description="Files to tell of; without any, only the disk is looked at.")
    ] = ()


@operation(
    "Tell language servers of files that changed on disk. Seldom needed: changes are noticed without it.",
    effect="manages",
    command="files-changed",
)
async def did_change_watched_files(call: Call, arguments: TellChanges) -> Answer[ToldChanges]:
    """Everything is checked before anything is told: a server that is told of what is not so answers wrongly."""
    workspace, instances = call.pool.workspace, call.pool.instances()
    changes = coalesce(_change(named, workspace) for named in arguments.changes)
    if instances:
        call.pool.refresh()
    told = tuple(_tell(instance, changes, workspace) for instance in instances)
    names = dict.fromkeys(each.server for each in told if each.files)
    value = ToldChanges(changes=len(changes), told=told)
    return Answer(value=value, status=Status.CONFIRMED, servers=tuple(names))


def _change(named: NamedChange, workspace: Path) -> FileChange:
    if bool(named.file_path) == bool(named.uri):
        raise InvalidArgument("a change names one file", hint="Give either file_path or uri.")
    path = path_inside(named.file_path or path_of(named.uri), workspace)
    kind = _KINDS[named.type]
    is_there = path.is_symlink() or path.exists()
    shown = shortened(shown_path(path, workspace))
    if kind == ChangeKind.DELETED and is_there:
        raise InvalidArgument(f"{shown} is there, so it was not deleted", hint="Tell of it as changed.")
    if kind != ChangeKind.DELETED and not is_there:
        raise FileNotFound(f"{shown} is not there", hint="Tell of it as deleted.")
    return FileChange(path.as_posix(), kind)


def _tell(instance: Instance, changes: Sequence[FileChange], workspace: Path) -> ToldServer:
    own = [change for change in changes if Path(change.path).is_relative_to(instance.chosen.root)]
    concerned = len(own) if instance.is_starting else sum(_concerns(instance, change) for change in own)
    if own:
        instance.tell_changes(own)
    running = "outdated" if instance.is_outdated else "told"
    return ToldServer(
        server=instance.chosen.spec.id,
        root=shown_path(instance.chosen.root, workspace),
        files=concerned,
        state="starting" if instance.is_starting else running,
    )


def _concerns(instance: Instance, change: FileChange) -> bool:
    """Whether it is told of such a change: it watches the file, has it open, or never said what it watches."""
    state = instance.session.state
    is_open = state.documents.get(uri_of(change.path)) is not None
    return is_open or not state.watched.has_patterns or bool(state.watched.wanted([change]))
