"""One question to one server about a file, brought up to date before and looked at again after: what changed meanwhile
makes it be asked again, and a server that ends while it is asked is followed by its successor, once.

A question may take several requests: together they are about one world, the one of the first.
Above: ``targets`` and the operations. Below: ``pool``, ``client.ask``, ``alternatives``, ``rounds``, ``waiting``.
"""

import asyncio
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, NamedTuple

import msgspec
from msgspec import Raw

from groundwire.client.ask import Reply, U, ask_across_files, ask_in_file
from groundwire.client.session import Session
from groundwire.client.sync import sync_file
from groundwire.errors import (
    AmbiguousSymbol,
    CapabilityMissing,
    NoSuchSymbol,
    RequestTimeout,
    ServerError,
    ServerUnavailable,
    SessionDead,
)
from groundwire.operations.alternatives import what_else
from groundwire.operations.answer import Answer, Status, T
from groundwire.operations.files.paths import existing_file
from groundwire.operations.operation import Call
from groundwire.operations.rounds import Rounds
from groundwire.operations.waiting import ServerWait, Waiting
from groundwire.pool.routing import Chosen
from groundwire.protocol.positions import PositionEncoding
from groundwire.workspace.documents import Document

_KEPT_CHANGING = "files kept changing while the answer was computed"

_NOTHING = frozenset({b"null", b"[]"})


class Asking(NamedTuple):
    """A server that runs, and the document as it was told."""

    session: Session
    document: Document
    file: Path
    deadline: float
    waiting: ServerWait
    """Is told what is asked for."""
    call: Call | None = None
    """On whose behalf; none where the server is shown something else than what is on disk."""

    @property
    def encoding(self) -> PositionEncoding:
        """The unit of this server's columns."""
        return self.session.state.capabilities.position_encoding

    async def file_question(self, method: str, params: Mapping[str, object]) -> Reply[Raw]:
        """Ask what depends on this file alone."""
        self.waiting.method = method
        with self._alternatives(method):
            about = {**params, **self._identity}
            reply = await ask_in_file(self.session, method, about, self.document, self.deadline)
        if bytes(reply.result) in _NOTHING:  # a server that is still loading may know nothing of a file yet
            return await self.workspace_question(method, params)
        return reply

    async def workspace_question(self, method: str, params: Mapping[str, object]) -> Reply[Raw]:
        """Ask what spans files: only once they are loaded, or with the reason why the answer may not be complete."""
        self.waiting.method = method
        with self._alternatives(method):
            about = {**params, **self._identity}
            return await ask_across_files(self.session, method, about, self.document, self.deadline)

    async def follow_up(self, method: str, params: object) -> Raw:
        """Ask more about what was answered just now."""
        self.waiting.method = method
        return await self.session.request(method, params, timeout=max(self.deadline - self.session.now(), 0.001))

    @contextmanager
    def _alternatives(self, method: str) -> Generator[None]:
        try:
            yield
        except CapabilityMissing as error:
            hint = what_else(method, self.session.state.capabilities)
            raise CapabilityMissing(error.message, hint=hint or None) from None

    @property
    def _identity(self) -> dict[str, object]:
        return {"textDocument": {"uri": self.document.uri}}


class Heard(msgspec.Struct, Generic[T], frozen=True):
    """What was answered, by whom and about which document. ``incomplete``: why there may be more than this."""

    result: T
    asking: Asking
    incomplete: str = ""
    note: str = ""
    """What the question was taken to mean, where that was not certain."""


Ask = Callable[[Asking], Awaitable[tuple[Reply[T], str]]]
"""Puts the question; the reply, and what the question was taken to mean."""


async def ask_about(call: Call, file: Path, ask: Ask[T], *, is_movable: bool = True) -> Heard[T]:
    """Ask about a file as it is on disk now. Raises typed errors when there is no answer.

    ``is_movable``: what is asked about is found anew in a text that has changed, and does not go by its lines.
    """
    asked_at = asyncio.get_running_loop().time()
    call.refresh()
    file = existing_file(file, call.pool.workspace)
    route = call.pool.route(file)
    if route.primary is None:
        raise ServerUnavailable(f"no server that can navigate takes care of {file.name}")
    return await ask_server(
        call, route.primary, file, route.language, ask, is_movable=is_movable, refreshed_since=asked_at
    )


async def ask_server(
    call: Call,
    chosen: Chosen,
    file: Path,
    language: str,
    ask: Ask[T],
    *,
    is_movable: bool = True,
    refreshed_since: float | None = None,
) -> Heard[T]:
    """Ask one server, or the one that follows when it ends meanwhile.

    ``refreshed_since``: the caller has told servers of the disk after that time, and has waited for nothing since.
    """
    rounds = _Rounds(call, chosen, file, language, is_movable=is_movable, refreshed_since=refreshed_since)
    with Waiting(call, rounds.waiting.words):
        try:
            return await rounds.ask_until_current(ask)
        except SessionDead:
            return await rounds.ask_until_current(ask)


class _Rounds:
    """The same question again and again, until nothing changes while it is answered."""

    def __init__(
        self, call: Call, chosen: Chosen, file: Path, language: str, *, is_movable: bool, refreshed_since: float | None
    ) -> None:
        self._call = call
        self._chosen = chosen
        self._file = file
        self._language = language
        self._is_movable = is_movable
        self._refreshed_since = refreshed_since
        self.waiting = ServerWait(chosen.spec.id)

    async def ask_until_current(self, ask: Ask[T]) -> Heard[T]:
        rounds, first_text = Rounds(self._call.deadline), None
        while True:
            asking = await self._up_to_date()
            text, world = asking.document.text, asking.session.state.documents.world
            first_text = text if first_text is None else first_text
            try:
                reply, note = await ask(asking)
            except (NoSuchSymbol, AmbiguousSymbol, ServerError):
                if self._is_current(asking, text, world) or not await rounds.another():
                    raise
                continue
            is_current = self._is_current(asking, text, reply.world)
            is_same = self._is_movable or asking.document.text == first_text
            if is_same and is_current:
                return Heard(reply.result, asking, reply.incomplete, note)
            if not is_same or not await rounds.another():
                return Heard(reply.result, asking, _KEPT_CHANGING, note)

    async def _up_to_date(self) -> Asking:
        session = await self._ready()  # another one, where the last had to be started anew
        since, self._refreshed_since = self._refreshed_since, None
        if since is None:
            since = session.now()
            self._call.refresh()
        document = sync_file(session, self._file, self._language, since=since)
        return Asking(session, document, self._file, self._call.deadline, self.waiting, self._call)

    async def _ready(self) -> Session:
        try:
            instance = self.waiting.instance = self._call.pool.instance(self._chosen)
            if not instance.may_be_asked:
                self._refreshed_since = None
            return await instance.ready(self._call.deadline)
        except TimeoutError:
            raise RequestTimeout(f"{self._chosen.spec.id} is still starting") from None

    def _is_current(self, asking: Asking, text: str, world: int) -> bool:
        self._call.refresh()
        is_same_world = asking.session.state.documents.world == world and asking.document.text == text
        if asking.session.interlude.is_on:
            return False
        return is_same_world and not self._call.pool.is_outdated(asking.session)


def answer_of(heard: Heard[U], value: T) -> Answer[T]:
    """The answer of one server."""
    return Answer(
        value=value,
        status=Status.PARTIAL if heard.incomplete else Status.CONFIRMED,
        reason=heard.incomplete,
        servers=(heard.asking.session.options.server,),
        note=heard.note,
    )
