"""One question to one server about a file, brought up to date before and looked at again after: what changed meanwhile
makes it be asked again, and a server that ends while it is asked is followed by its successor, once.

Above: ``targets`` and the operations. Below: ``pool``, ``client.ask``.
"""

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Raw

from groundwire.client.ask import Reply, ask_across_files, ask_in_file
from groundwire.client.session import Session
from groundwire.client.sync import sync_file
from groundwire.errors import RequestTimeout, ServerUnavailable, SessionDead
from groundwire.operations.answer import Answer, Status, T
from groundwire.operations.operation import Call
from groundwire.operations.paths import existing_file
from groundwire.pool.routing import Chosen
from groundwire.workspace.documents import Document

_MOST_ROUNDS = 4
"""How often a question is asked again because files changed while it was answered."""

_KEPT_CHANGING = "files kept changing while the answer was computed"


class Asking(NamedTuple):
    """A server that runs, and the document as it was told."""

    session: Session
    document: Document
    file: Path
    deadline: float

    async def file_question(self, method: str, params: Mapping[str, object]) -> Reply:
        """Ask what depends on this file alone."""
        return await ask_in_file(self.session, method, {**params, **self._identity}, self.document, self.deadline)

    async def workspace_question(self, method: str, params: Mapping[str, object]) -> Reply:
        """Ask what spans files: only once they are loaded, or with the reason why the answer may not be complete."""
        return await ask_across_files(self.session, method, {**params, **self._identity}, self.document, self.deadline)

    @property
    def _identity(self) -> dict[str, object]:
        return {"textDocument": {"uri": self.document.uri}}


class Heard(msgspec.Struct, frozen=True):
    """What was answered, by whom and about which document. ``incomplete``: why there may be more than this."""

    result: Raw
    asking: Asking
    incomplete: str = ""
    note: str = ""
    """What the question was taken to mean, where that was not certain."""


Ask = Callable[[Asking], Awaitable[tuple[Reply, str]]]
"""Puts the question; the reply, and what the question was taken to mean."""


async def ask_about(call: Call, file: Path, ask: Ask, *, is_movable: bool = True) -> Heard:
    """Ask about a file as it is on disk now. Raises typed errors when there is no answer.

    ``is_movable``: what is asked about is found anew in a text that has changed, and does not go by its lines.
    """
    call.pool.refresh()
    file = existing_file(file, call.pool.workspace)
    route = call.pool.route(file)
    if route.primary is None:
        raise ServerUnavailable(f"no server that can navigate takes care of {file.name}")
    try:
        return await _ask_until_current(call, route.primary, file, route.language, ask, is_movable=is_movable)
    except SessionDead:
        return await _ask_until_current(call, route.primary, file, route.language, ask, is_movable=is_movable)


async def _ask_until_current(
    call: Call, chosen: Chosen, file: Path, language: str, ask: Ask, *, is_movable: bool
) -> Heard:
    rounds_left, first_text = _MOST_ROUNDS, None
    while True:
        rounds_left -= 1
        session = await _ready(call, chosen)  # another one, where the last had to be started anew
        asked_at = session.now()
        call.pool.refresh()
        document = sync_file(session, file, language, since=asked_at)
        text = document.text
        first_text = text if first_text is None else first_text
        asking = Asking(session, document, file, call.deadline)
        reply, note = await ask(asking)
        call.pool.refresh()
        is_same = is_movable or document.text == first_text
        is_current = session.state.documents.clock == reply.clock and document.text == text
        if is_same and is_current and not call.pool.is_outdated(session):
            return Heard(reply.result, asking, reply.incomplete, note)
        if not rounds_left or not is_same:
            return Heard(reply.result, asking, _KEPT_CHANGING, note)


async def _ready(call: Call, chosen: Chosen) -> Session:
    try:
        return await call.pool.instance(chosen).ready(call.deadline)
    except TimeoutError:
        raise RequestTimeout(f"{chosen.spec.id} is still starting") from None


def answer_of(heard: Heard, value: T) -> Answer[T]:
    """The answer of one server."""
    return Answer(
        value=value,
        status=Status.PARTIAL if heard.incomplete else Status.CONFIRMED,
        reason=heard.incomplete,
        servers=(heard.asking.session.options.server,),
        note=heard.note,
    )
