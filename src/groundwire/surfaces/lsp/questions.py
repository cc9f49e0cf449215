"""A client's questions, put to the server that takes care of the file, and its answers in the client's terms.

Answers are the server's own: nothing is read out of them but positions, addresses, and what has to find its way back.
What is said when there is no proven answer is decided by the stance of each method (``methods``).
Above: ``server``. Below: ``operations.question`` (what is on disk), ``unsaved`` (what is not), ``translation``,
``handles``.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from groundwire.client.ask import Reply
from groundwire.client.session import Session
from groundwire.client.sync import uri_of
from groundwire.errors import (
    CapabilityMissing,
    GroundwireError,
    InvalidArgument,
    LanguageNotEnabled,
    NoServerForExtension,
    OutsideWorkspace,
    ServerError,
    ServerUnavailable,
    Untrusted,
)
from groundwire.operations.operation import Call
from groundwire.operations.question import Asking, Heard, ask_server
from groundwire.operations.serving.late_offers import require_offer
from groundwire.pool.pool import Pool
from groundwire.pool.routes import Chosen, Route
from groundwire.protocol.jsonrpc import CONTENT_MODIFIED, REQUEST_FAILED
from groundwire.protocol.uris import is_file_uri
from groundwire.surfaces.lsp.capabilities import Features
from groundwire.surfaces.lsp.documents import ClientDocuments, Unsaved
from groundwire.surfaces.lsp.handles import Handles, Origin
from groundwire.surfaces.lsp.json_shapes import Members, is_nothing, items, text_in
from groundwire.surfaces.lsp.methods import METHODS, Method, Stance
from groundwire.surfaces.lsp.notes import WARNING, Notes
from groundwire.surfaces.lsp.reading import to_client, to_server
from groundwire.surfaces.lsp.shapes_for_client import fitted
from groundwire.surfaces.lsp.translation import uris_in
from groundwire.surfaces.lsp.unsaved import ask_unsaved, texts_for

V = TypeVar("V")
Put = Callable[[Asking], Awaitable[tuple[Reply[V], str]]]

_NOT_OURS = (NoServerForExtension, LanguageNotEnabled, OutsideWorkspace, InvalidArgument)
_FOR_PEOPLE = (ServerUnavailable, Untrusted)


@dataclass(frozen=True)
class Client:
    """One client, as those need it who answer it."""

    pool: Pool
    documents: ClientDocuments
    handles: Handles
    notes: Notes
    features: Features

    def call(self, wait_s: float) -> Call:
        """For a question that may take so long."""
        return Call(self.pool, asyncio.get_running_loop().time() + wait_s)

    def route(self, uri: str) -> tuple[Path, Route]:
        """The file that a URI names, and who takes care of it. Raises typed errors."""
        if not is_file_uri(uri):
            raise InvalidArgument(f"{uri} is no file")
        file = self.documents.file_of(uri)
        if self.pool.folders.holder(file) is None:
            raise OutsideWorkspace(f"{file} is outside the workspace {self.pool.workspace}")
        return file, self.pool.route(file)


def answer(client: Client, method: str, params: Members) -> Awaitable[object]:
    """The answer to a question of ``METHODS``. What is unsaved at this moment is what it is about."""
    unsaved = client.documents.unsaved()
    return with_stance(client, method, METHODS[method].stance, lambda: _answer(client, method, params, unsaved))


async def with_stance(client: Client, method: str, stance: Stance, work: Callable[[], Awaitable[object]]) -> object:
    """What comes of the work, or what this stance says when it fails."""
    try:
        found = await work()
        client.pool.tidy()
        return found
    except ServerError:
        raise  # the server's own words
    except _NOT_OURS as error:
        client.notes.log(f"{method}: {error.message}")
        return None
    except GroundwireError as error:
        words = f"{error.message}. {error.hint}" if error.hint else error.message
        if isinstance(error, _FOR_PEOPLE):
            client.notes.show(words)
        if stance == "decoration" or (stance == "navigation" and isinstance(error, CapabilityMissing)):
            client.notes.log(f"{method}: {words}", WARNING)
            return None
        raise ServerError(REQUEST_FAILED, words) from error


async def _answer(client: Client, method: str, params: Members, unsaved: Sequence[Unsaved]) -> object:
    asked = METHODS[method]
    file, route = client.route(text_in(params, "textDocument", "uri"))
    if not route.chosen:
        raise ServerUnavailable(f"no server takes care of {file.name}")
    put = _question(client, method, asked, params)
    call = client.call(asked.wait_s)
    if asked.asks == "all":
        heard = await _ask_all(call, route, file, unsaved, put)
        return [each for answer in heard for each in items(_said(client, method, asked, answer))]
    return _said(client, method, asked, await _ask_first(call, route, file, unsaved, put))


async def ask(
    call: Call, chosen: Chosen, file: Path, language: str, unsaved: Sequence[Unsaved], put: Put[V]
) -> Heard[V]:
    """Ask one server about what is on disk, or with the unsaved texts in place where it has to do with any."""
    texts = texts_for(call.pool, chosen, unsaved)
    if texts:
        return await ask_unsaved(call, chosen, file, language, texts, put)
    return await ask_server(call, chosen, file, language, put)


async def _ask_first(
    call: Call, route: Route, file: Path, unsaved: Sequence[Unsaved], put: Put[object]
) -> Heard[object]:
    """The first server that offers it. Raises CapabilityMissing of the first one when none does."""
    lacking: CapabilityMissing | None = None
    for chosen in route.chosen:
        try:
            return await ask(call, chosen, file, route.language, unsaved, put)
        except CapabilityMissing as error:
            lacking = lacking or error
    raise lacking or ServerUnavailable(f"no server takes care of {file.name}")


async def _ask_all(
    call: Call, route: Route, file: Path, unsaved: Sequence[Unsaved], put: Put[object]
) -> list[Heard[object]]:
    """All servers that offer it. One that fails hides no other, unless all do."""
    asked = (ask(call, chosen, file, route.language, unsaved, put) for chosen in route.chosen)
    outcomes = await asyncio.gather(*asked, return_exceptions=True)
    heard = [each for each in outcomes if isinstance(each, Heard)]
    failures = [each for each in outcomes if isinstance(each, BaseException)]
    unexpected = next((each for each in failures if not isinstance(each, GroundwireError)), None)
    if unexpected is not None or (failures and not heard):
        raise unexpected or failures[0]
    return heard


def _question(client: Client, method: str, asked: Method, params: Members) -> Put[object]:
    """Puts it in the server's terms, and its answer in the client's: both by the texts that the server has then."""

    async def put(asking: Asking) -> tuple[Reply[object], str]:
        await require_offer(asking, method)
        own = to_server(client.documents, params, asking.session, asking.document.uri)
        question = asking.file_question if asked.scope == "file" else asking.workspace_question
        reply = await question(method, own)
        value = await to_client(client.documents, msgspec.json.decode(reply.result), asking)
        return reply.having(value), ""

    return put


def _said(client: Client, method: str, asked: Method, heard: Heard[object]) -> object:
    """What the client is told of an answer."""
    doubted(client, method, asked.stance, heard, must_be_whole=asked.must_be_whole)
    if asked.is_edit:
        _require_read(client, heard)
    origin = Origin(heard.asking.session, uri_of(heard.asking.file))
    fit = fitted(heard.result, method, client.features, client.documents, origin.uri)
    return client.handles.wrapped(fit, origin, asked.items)


def _require_read(client: Client, heard: Heard[object]) -> None:
    """Raise ServerError for an edit of a text that the client has not read yet: it would apply it to another."""
    for uri in {uri_of(heard.asking.file), *uris_in(heard.result)}:
        if is_file_uri(uri) and client.documents.is_behind(uri):
            raise ServerError(CONTENT_MODIFIED, f"{uri} has changed on disk, and the client has not read that yet")


def doubted(client: Client, method: str, stance: Stance, heard: Heard[object], *, must_be_whole: bool = False) -> None:
    """Say why there may be more than this. Raises ServerError where that must not pass for an answer."""
    if not heard.incomplete:
        return
    words = f"{heard.asking.session.options.server}: {heard.incomplete}"
    if stance != "decoration" and (must_be_whole or is_nothing(heard.result)):
        raise ServerError(REQUEST_FAILED, f"not known: {words}")
    client.notes.log(f"{method}: there may be more: {words}", WARNING)


def same_session(asking: Asking, session: Session) -> None:
    """Raise CapabilityMissing when the item came from a server that has been followed by another."""
    if asking.session is not session:
        raise CapabilityMissing("the language server was started anew since", hint="Ask again.")
