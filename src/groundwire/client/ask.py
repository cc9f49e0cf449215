"""Asking a server a question: only once it can answer completely, or with the reason why the answer may not be
complete.

Above: ``operations``. Below: ``session``, ``diagnose``, ``workspace.readiness``.
"""

import asyncio
from collections.abc import Mapping
from itertools import islice
from pathlib import Path, PurePath
from typing import Generic, TypeVar

import msgspec
from msgspec import Raw

from groundwire.client.diagnose import UNMEASURED, diagnose
from groundwire.client.includers import Inclusion, find_includers
from groundwire.client.session import IS_WINDOWS, Session
from groundwire.client.sync import path_of, sync_file
from groundwire.errors import CapabilityMissing, FileNotFound, FileTooLarge, NotAFile, PermissionDenied
from groundwire.protocol.uris import uri_to_path
from groundwire.workspace.documents import Document

_SHARE_FOR_LOADING = 0.75
"""Of the time: the rest is for the question, so that a server that never tells that it has loaded is asked at all."""


_MOST_CHECKED = 100
"""More changed files than this are not opened for one question; the answer says so."""


T = TypeVar("T")
U = TypeVar("U")


class Reply(msgspec.Struct, Generic[T], frozen=True):
    """The result. ``incomplete`` says why there may be more than this; empty when it is complete."""

    result: T
    incomplete: str
    world: int
    """The world of ``Documents`` when it was asked."""

    def having(self, result: U) -> "Reply[U]":
        """What was made of it: known as well as it is, and about the same world."""
        return Reply(result, self.incomplete, self.world)

    def then(self, later: "Reply[U]") -> "Reply[U]":
        """A later answer that builds on this one: no better known, and about this one's world or none."""
        return Reply(later.result, self.incomplete or later.incomplete, self.world)


async def ask_across_files(
    session: Session, method: str, params: object, document: Document, deadline: float
) -> Reply[Raw]:
    """Ask what spans files, such as references: it waits until the workspace is loaded, within the time."""
    require(session, method, document)
    began = session.now()
    loaded_by = began + (deadline - began) * _SHARE_FOR_LOADING
    incomplete = await _check_changed_files(session, loaded_by) or await _find_tangle(session, loaded_by)
    world = session.state.documents.world
    incomplete = incomplete or await _wait_until_loaded(session, document, loaded_by)
    result = await session.request(method, params, timeout=max(deadline - session.now(), 0.001))
    if not incomplete and session.state.documents.world != world:
        incomplete = "files changed while the answer was computed"
    if not incomplete and not session.options.settle.measured:
        incomplete = UNMEASURED
    return Reply(result, incomplete or session.unseen(method), world)


async def ask_in_file(session: Session, method: str, params: object, document: Document, deadline: float) -> Reply[Raw]:
    """Ask what depends on this document alone, such as its symbols: what was told before it is in the answer."""
    require(session, method, document)
    world = session.state.documents.world
    result = await session.request(method, params, timeout=max(deadline - session.now(), 0.001))
    if session.state.documents.world != world:
        return Reply(result, "files changed while the answer was computed", world)
    return Reply(result, "" if session.options.settle.measured else UNMEASURED, world)


def require(session: Session, method: str, document: Document) -> None:
    """Raise CapabilityMissing unless the server offers ``method`` for this document."""
    path = uri_to_path(document.uri, windows=IS_WINDOWS)
    if not session.state.capabilities.supports(method, path=path, language=document.language):
        raise CapabilityMissing(f"{session.options.server} does not offer {method}")


async def _check_changed_files(session: Session, deadline: float) -> str:
    """Have changed files checked, where the server looks at them only then. Says why not all were.

    A file stays listed until it is checked: others may ask meanwhile, and must not go on without it.
    """
    state, asked = session.state, 0
    while state.changed_includes or state.unchecked:
        incomplete = await _list_includers(session, deadline)
        if not incomplete and asked >= _MOST_CHECKED and state.unchecked:
            files = len(state.unchecked)
            incomplete = f"the server has still to look at {files} files that changed, or that include one that did"
        if incomplete:
            return incomplete
        documents = _opened(session, dict(islice(state.unchecked.items(), _MOST_CHECKED)))
        asked += len(documents)
        incomplete = await _check(session, documents, deadline)
        if incomplete:
            return incomplete
    return ""


async def _check(session: Session, documents: Mapping[str, Document], deadline: float) -> str:
    """Have files checked; those that were are not listed any longer."""
    world = session.state.documents.world
    checks = (diagnose(session, document, deadline, save_checks=False) for document in documents.values())
    found = dict(zip(documents, await asyncio.gather(*checks), strict=True))
    if session.state.documents.world != world:  # one of them may have changed again
        return "files kept changing while they were checked" if session.now() >= deadline else ""
    for path, each in found.items():
        if each.proof == "confirmed":
            session.state.unchecked.pop(path, None)
    return next((each.reason for each in found.values() if each.proof != "confirmed"), "")


async def _list_includers(session: Session, deadline: float) -> str:
    """List who includes a changed file among what is to be checked. Says why that is not known.

    Changes stay noted until that is done: others may ask meanwhile, and must not go on without it.
    """
    state, options = session.state, session.options
    while state.changed_includes:
        if session.now() >= deadline:
            return "files kept changing while those that include them were looked for"
        changed, world = tuple(state.changed_includes), state.documents.world
        inclusion = Inclusion(options.root, options.settle.includes, options.languages, options.max_file_size)
        found = await asyncio.to_thread(find_includers, inclusion, changed, state.included)
        if found.files is None:
            return "there are too many files to find those that include what changed"
        if state.documents.world != world:  # one of them may have changed again after it was read
            continue
        for path in changed:
            state.changed_includes.pop(path, None)
        state.included = found.included
        languages = ((path, options.languages.get(PurePath(path).suffix)) for path in found.files)
        state.unchecked.update((path, language) for path, language in languages if language is not None)
    return ""


def _opened(session: Session, unchecked: Mapping[str, str]) -> dict[str, Document]:
    """The files as they are now; one that is gone, or is no text any more, is not listed any longer."""
    documents: dict[str, Document] = {}
    for path, language in unchecked.items():
        try:
            documents[path] = sync_file(session, Path(path), language)
        except (FileNotFound, NotAFile, FileTooLarge, PermissionDenied):
            session.state.unchecked.pop(path, None)
    return documents


async def _find_tangle(session: Session, deadline: float) -> str:
    """Why uses may be hidden: files need each other where the language forbids it, as the server says even now."""
    tangles, state = session.state.tangles, session.state
    if tangles is None:
        return ""
    for key in state.tangled():
        path = path_of(key)
        for document in _opened(session, {path: session.options.languages.get(PurePath(path).suffix, "")}).values():
            found = await diagnose(session, document, deadline, save_checks=False)
            told = next(filter(tangles.is_told_by, (each.message_text for each in found.diagnostics)), found.reason)
            if told:
                return f"{PurePath(path).name}: {told}, which may hide uses"
    return ""


async def _wait_until_loaded(session: Session, document: Document, deadline: float) -> str:
    needs_findings = session.options.readiness.references_need == "first-diagnostics"
    while True:
        gate = session.state.readiness.gate("references", session.now())
        if gate.is_open or session.now() >= deadline:
            return gate.reason
        if needs_findings:
            needs_findings = False
            found = await diagnose(session, document, deadline, save_checks=False)
            if found.proof != "confirmed":
                return f"{gate.reason}: {found.reason}"
            continue
        await session.signal.wait(min(gate.until or deadline, deadline))
        session.raise_if_dead()
