"""Showing a server content that is not on disk, for as long as somebody has it to himself (``interlude``).

Above: ``operations.overlay``, ``surfaces.lsp``. Below: ``session``, ``sync``, ``workspace.documents``.
"""

import contextlib
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from groundwire.client.session import Session
from groundwire.client.sync import close_file, sync_file, uri_of
from groundwire.errors import GroundwireError


class ShownText(msgspec.Struct, frozen=True):
    """What a file is to be taken to hold. ``is_gone``: it is not on disk, and not every server believes in it."""

    file: Path
    text: str
    is_gone: bool = False
    language: str = ""
    """Empty: as the server knows files of that ending; one that it does not know is not shown."""


@contextmanager
def shown(session: Session, texts: Sequence[ShownText]) -> Generator[int]:
    """These texts instead of the disk's, as long as it lasts; what ``Documents.world`` is then.

    To be entered while the session's ``interlude`` is on.
    """
    known = [(each, _language(session, each)) for each in texts]
    known = [(each, language) for each, language in known if language]
    before = {each.file: _text_of(session, each.file) for each, _ in known}
    try:
        for each, language in known:
            _show(session, each, language)
        yield session.state.documents.world
    finally:
        for each, language in known:
            with contextlib.suppress(GroundwireError):  # gone from the disk is closed; a dead server needs nothing
                _put_back(session, each, language, before[each.file])


def _show(session: Session, each: ShownText, language: str) -> None:
    documents = session.state.documents
    world = documents.world
    messages = documents.sync(uri_of(each.file), each.text, language, session.now())
    session.interlude.moved += documents.world - world
    session.tell([message for message in messages if message.method != "textDocument/didSave"])
    document = documents.get(uri_of(each.file))
    if document is not None:
        document.read_at = float("-inf")  # nobody has seen the disk to hold this


def _put_back(session: Session, each: ShownText, language: str, before: str | None) -> None:
    documents = session.state.documents
    world = documents.world
    if before is not None and each.text != before == _text_of(session, each.file):
        session.interlude.moved += 1  # somebody who had asked before has told it what the disk holds
    if each.is_gone:
        close_file(session, uri_of(each.file))
    else:
        sync_file(session, each.file, language)
    if before is None or _text_of(session, each.file) == before:  # else the disk has changed, which is news
        session.interlude.moved += documents.world - world


def _language(session: Session, each: ShownText) -> str:
    return each.language or session.options.languages.get(each.file.suffix, "")


def _text_of(session: Session, file: Path) -> str | None:
    document = session.state.documents.get(uri_of(file))
    return document.text if document is not None else None
