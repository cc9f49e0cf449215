"""Bringing a server up to date with the disk, before every question.

The order is that of a writing editor: the disk has it already, then ``didChange``, ``didSave``,
``didChangeWatchedFiles``. Above: ``diagnose``, ``ask`` and ``pool``. Below: ``session``, ``disk``, ``workspace``.
"""

from collections.abc import Container, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path, PurePath

from groundwire.client.barrier import note_when_read
from groundwire.client.disk import read_source
from groundwire.client.inbound import WATCHED_FILES
from groundwire.client.session import IS_WINDOWS, RECONFIGURE, Session
from groundwire.errors import FileNotFound, FileTooLarge, GroundwireError, NotAFile, PermissionDenied
from groundwire.protocol.names import RENAME_IT, is_text
from groundwire.protocol.uris import path_to_uri, uri_key, uri_to_path
from groundwire.workspace.changes import ChangeKind, FileChange
from groundwire.workspace.documents import Document
from groundwire.workspace.outgoing import Outgoing


def uri_of(path: Path | str) -> str:
    """The URI this session uses for a file."""
    return _uri_of_text(str(path))


@lru_cache(maxsize=4096)
def _uri_of_text(path: str) -> str:
    return path_to_uri(path, windows=IS_WINDOWS)


@lru_cache(maxsize=4096)
def path_of(uri: str) -> str:
    """The path of a file's URI."""
    return uri_to_path(uri, windows=IS_WINDOWS)


def require_takes(session: Session, path: Path | str) -> None:
    """Raise NotAFile unless the server may hear of a file of this name."""
    if not _can_take(session, str(path)):
        raise NotAFile(
            f"{path} has a name that is no UTF-8, which {session.options.server} cannot take", hint=RENAME_IT
        )


def _can_take(session: Session, path: str) -> bool:
    return session.options.settle.takes_any_name or is_text(path)


def sync_file(session: Session, path: Path | str, language: str, *, since: float | None = None) -> Document:
    """Read the file and tell the server what it holds now. Raises what ``read_source`` raises.

    A document that was read after ``since``, when the question was asked, is not read again.
    """
    path = str(path)
    if not session.options.settle.takes_any_name:
        require_takes(session, path)
    uri, now = _uri_of_text(path), session.now()
    documents = session.state.documents
    known = documents.get(uri)
    if known is not None and since is not None and known.read_at > since:  # not at the same tick of a coarse clock
        return known
    try:
        text = read_source(path, session.options.max_file_size)
    except GroundwireError:
        close_file(session, uri)
        raise
    messages = documents.sync(uri, text, language, now)
    if session.options.settle.saves_late and messages and messages[-1].method == "textDocument/didSave":
        messages.pop()
        session.state.late_saves[uri] = None
    _send(session, messages)
    document = known or documents.get(uri)
    assert document is not None  # noqa: S101 - sync has just opened it
    return document


def send_late_saves(session: Session) -> None:
    """Tell of the saves that were put off."""
    saves, session.state.late_saves = session.state.late_saves, {}
    rule = session.options.settle.save_check
    units = (
        {_unit_of(path_of(uri), rule.unit): uri for uri in saves} if rule and rule.unit else {uri: uri for uri in saves}
    )
    for uri in units.values():
        _send(session, session.state.documents.save(uri))


def _unit_of(path: str, marker: str) -> str:
    """The directory round a file that holds the marker; the file itself where none does."""
    found = (parent for parent in Path(path).parents if (parent / marker).is_file())
    return str(next(found, path))


def close_file(session: Session, uri: str, *, is_news: bool = True) -> None:
    """Close a document; what was said about it proves nothing any more."""
    session.tell(session.state.documents.close(uri, is_news=is_news))
    session.state.diagnostics.forget(uri)
    untold = session.state.told_on_close.pop(uri_key(uri), None)
    if untold is not None:  # from now on the server goes by the disk, of which it has not heard
        session.notify(WATCHED_FILES, {"changes": [{"uri": uri, "type": int(untold.kind)}]})


def close_surplus(session: Session, pinned: Container[str] = ()) -> None:
    """Close the least used documents beyond the limit. Not while a question is under way: it may be about them.

    Those whose key is ``pinned`` stay open, and others go in their place.
    """
    surplus = len(session.state.documents) - session.options.max_open_documents
    if surplus <= 0 or session.life != "ready":
        return
    closable = (document.uri for document in session.state.documents if uri_key(document.uri) not in pinned)
    for uri in list(islice(closable, surplus)):
        close_file(session, uri, is_news=False)


def announce(session: Session, changes: Sequence[FileChange]) -> None:
    """Tell the server what happened on disk: its open documents first, then the files it watches."""
    documents, watched, unwatched = session.state.documents, session.state.watched, session.state.unwatched
    settle = session.options.settle
    changes = [change for change in changes if _can_take(session, change.path)]
    if not changes and not unwatched:
        return
    late = watched.wanted(unwatched.values()) if unwatched else []
    if late or any(documents.get(uri_of(change.path)) is None for change in changes):
        documents.tick()
    now, rescans = session.now(), session.state.readiness.rescans
    for change in changes:
        _sync_if_open(session, change)
        _expect_reload(session, change, now)
        _expect_check(session, change)
    wanted = [*late, *watched.wanted(changes)]
    _remember_unwatched(session, changes, {change.path for change in wanted})
    if not watched.has_patterns:  # it may be about to say what it wants to hear of, and is asked right away
        wanted = [change for change in changes if documents.get(uri_of(change.path)) is None]
    if wanted and not settle.tells_open_files:
        wanted = [change for change in wanted if not _is_told_by_its_document(session, change)]
    events = _tell_watched(session, wanted) if wanted else []
    _tell_of_tangles(session, changes)
    if session.state.readiness.rescans != rescans:
        note_when_read(session, WATCHED_FILES, {"changes": events})
    if settle.reconfigures_on and any(PurePath(change.path).name in settle.reconfigures_on for change in changes):
        session.notify(RECONFIGURE, {"settings": session.options.settings})


def _tell_of_tangles(session: Session, changes: Sequence[FileChange]) -> None:
    """Once for all that changed while closed; open documents have told by themselves."""
    state, tangles = session.state, session.state.tangles
    if tangles is None:
        return
    closed = [
        each for each in changes if tangles.concerns(each.path) and state.documents.get(uri_of(each.path)) is None
    ]
    is_any_told = bool(closed) and bool(state.tangled())
    ended = [tangles.closed_may_end(each.path, _text_of(session, each), is_any_told=is_any_told) for each in closed]
    if any(ended):
        session.tell([tangles.notice])


def _text_of(session: Session, change: FileChange) -> str | None:
    try:
        return read_source(change.path, session.options.max_file_size) if change.kind != ChangeKind.DELETED else None
    except GroundwireError:  # gone since, or no text any more
        return None


def _tell_watched(session: Session, wanted: Sequence[FileChange]) -> list[dict[str, object]]:
    documents = session.state.documents
    events: list[dict[str, object]] = [{"uri": uri_of(path), "type": kind} for path, kind in _events(session, wanted)]
    session.notify(WATCHED_FILES, {"changes": events})
    if session.state.watched.has_patterns and any(documents.get(uri_of(change.path)) is None for change in wanted):
        documents.tick()  # a publish for what its documents were told before may come before it has read this
    return events


def _is_told_by_its_document(session: Session, change: FileChange) -> bool:
    uri = uri_of(change.path)
    if change.kind != ChangeKind.CHANGED or session.state.documents.get(uri) is None:
        return False
    session.state.told_on_close[uri_key(uri)] = change
    return True


def _events(session: Session, changes: Sequence[FileChange]) -> list[tuple[str, int]]:
    settle = session.options.settle
    events = [(change.path, int(change.kind)) for change in dict.fromkeys(changes)]
    created = [change.path for change in changes if change.kind == ChangeKind.CREATED]
    if settle.rereads_created:
        events = [*((path, int(ChangeKind.CHANGED)) for path in created), *events]
    if settle.tells_directories:
        root = session.options.root
        events += ((path, int(ChangeKind.DELETED)) for path in _gone_directories(root, changes))
        parents = {parent for path in created for parent in PurePath(path).parents if root in parent.parents}
        events = [*((str(parent), int(ChangeKind.CREATED)) for parent in sorted(parents)), *events]
    return events


def _gone_directories(root: Path, changes: Sequence[FileChange]) -> list[str]:
    """Those below the root in which deleted files lay, and which are not there any more, the innermost first."""
    gone = dict[str, None]()
    for change in changes:
        for parent in PurePath(change.path).parents if change.kind == ChangeKind.DELETED else ():
            if str(parent) in gone or root not in parent.parents or Path(parent).is_dir():
                break
            gone[str(parent)] = None
    return list(gone)


def _remember_unwatched(session: Session, changes: Sequence[FileChange], told: set[str]) -> None:
    unwatched = session.state.unwatched
    for path in told:
        unwatched.pop(path, None)
    if session.now() < session.ready_since + session.options.registration_wait:
        unwatched.update((change.path, change) for change in changes if change.path not in told)
    else:
        unwatched.clear()


def sync_open_documents(session: Session) -> None:
    """Compare every open document with the disk: for when no watcher can vouch for them."""
    for document in session.state.documents:
        try:
            sync_file(session, path_of(document.uri), document.language)
        except GroundwireError:
            continue  # sync_file closed it, which is all that can be told about a file that is gone


def _sync_if_open(session: Session, change: FileChange) -> None:
    if change.kind == ChangeKind.DELETED:
        close_file(session, uri_of(change.path))
        return
    document = session.state.documents.get(uri_of(change.path))
    language = document.language if document else _language_to_open(session, change)
    if not language:
        return
    try:
        sync_file(session, change.path, language)
    except (FileNotFound, FileTooLarge, NotAFile, PermissionDenied):
        return  # deleted since, or no text any more; sync_file closed it


def _language_to_open(session: Session, change: FileChange) -> str:
    """The language under which a changed file is opened, where only that makes the server notice at once."""
    settle = session.options.settle
    is_elsewhere = settle.opens_elsewhere and not PurePath(change.path).is_relative_to(session.options.root)
    if not (is_elsewhere or (settle.opens_created if change.kind == ChangeKind.CREATED else settle.opens_changed)):
        return ""
    return session.options.languages.get(PurePath(change.path).suffix, "")


def _expect_reload(session: Session, change: FileChange, now: float) -> None:
    is_new_or_gone = change.kind != ChangeKind.CHANGED
    session.state.readiness.changed_on_disk(change.path, is_new_or_gone=is_new_or_gone, now=now)


def _expect_check(session: Session, change: FileChange) -> None:
    """Remember what an answer that spans files must be preceded by."""
    unchecked, wanted = session.state.unchecked, session.options.settle.checks_changed
    if session.options.settle.includes:
        session.state.changed_includes[change.path] = None
    if change.kind == ChangeKind.DELETED:
        unchecked.pop(change.path, None)
    elif wanted == "all" or (wanted == "created" and change.kind == ChangeKind.CREATED):
        language = session.options.languages.get(PurePath(change.path).suffix)
        if language is not None:
            unchecked[change.path] = language


def _send(session: Session, messages: list[Outgoing]) -> None:
    session.tell(messages)
    for message in messages:
        if message.method == "textDocument/didOpen":
            session.state.readiness.opened_document(session.now())
        elif message.method == "textDocument/didSave" and session.state.save_check is not None:
            session.state.save_check.saved(session.state.documents.clock, session.now())


def save_file(session: Session, uri: str) -> None:
    """Tell that the disk holds this document, which starts a save-triggered check."""
    _send(session, session.state.documents.save(uri))
