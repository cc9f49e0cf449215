"""One client of ``groundwire lsp``, from ``initialize`` to ``exit``: which message means what.

Above: ``serve``. Below: ``questions``, ``follow_ups``, ``symbols``, ``execution``, ``publishing``, ``pulling``,
``folders``; ``client.connection`` carries the messages, in this direction as in the other.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence

from msgspec import Raw

from groundwire.client.connection import Limits
from groundwire.errors import GroundwireError, ServerError
from groundwire.pool.pool import Pool
from groundwire.protocol import jsonrpc
from groundwire.protocol.correlator import NOISE
from groundwire.protocol.framing import encode_frame
from groundwire.protocol.lsp import decode
from groundwire.surfaces.lsp.capabilities import Features, features_of, initialize_result
from groundwire.surfaces.lsp.documents import AboutDocument, ClientDocuments, DidChange, DidOpen
from groundwire.surfaces.lsp.execution import execute
from groundwire.surfaces.lsp.folders import note_root, take_folder
from groundwire.surfaces.lsp.follow_ups import follow_up, prepare_rename
from groundwire.surfaces.lsp.handles import Handles
from groundwire.surfaces.lsp.json_shapes import Members, inside, items, read_params, text_in
from groundwire.surfaces.lsp.methods import FOLLOW_UPS, METHODS
from groundwire.surfaces.lsp.notes import WARNING, Notes, ServerProgress
from groundwire.surfaces.lsp.outbox import Outbox
from groundwire.surfaces.lsp.publishing import Publisher, watch
from groundwire.surfaces.lsp.pulling import pull
from groundwire.surfaces.lsp.questions import Client, answer
from groundwire.surfaces.lsp.stream import StreamTransport
from groundwire.surfaces.lsp.symbols import WORKSPACE_SYMBOL, workspace_symbols

log = logging.getLogger(__name__)

_LIMITS = Limits(max_answering=256)


class LanguageServer:
    """The peer of one client."""

    def __init__(self, pool: Pool, transport: StreamTransport, notes: Sequence[str] = ()) -> None:
        self._pool = pool
        self._greetings = notes
        self._transport = transport
        self.ended = asyncio.Event()
        self._outbox = Outbox(transport, self, _LIMITS)
        documents = ClientDocuments(pool.workspace, pool.settings.max_file_size)
        self._client = Client(pool, documents, Handles(), Notes(self._outbox.notify), Features())
        self._publisher = Publisher(self._client, self._outbox.notify)
        self._life: str = "new"
        self._told: Mapping[str, Callable[[Raw], None]] = {
            "initialized": self._initialized,
            "textDocument/didOpen": self._did_open,
            "textDocument/didChange": self._did_change,
            "textDocument/didSave": self._did_save,
            "textDocument/didClose": self._did_close,
            "workspace/didChangeWorkspaceFolders": self._did_change_folders,
        }
        self._asked: Mapping[str, Callable[[Members], object]] = {
            "shutdown": self._shut_down,
            "textDocument/prepareRename": lambda params: prepare_rename(self._client, params),
            "textDocument/diagnostic": lambda params: pull(self._client, self._publisher, params),
            "workspace/executeCommand": lambda params: execute(self._client, params, self._outbox.request),
            WORKSPACE_SYMBOL: lambda params: workspace_symbols(self._client, params),
        }

    async def close(self) -> None:
        """Stop what was begun for this client. The pool stays."""
        await self._publisher.stop()
        await self._outbox.close()

    def asked(self, method: str, params: Raw) -> object:
        """Peer: a request of the client."""
        given = read_params(bytes(params))
        if method == "initialize":
            return self._initialize(given)
        if self._life == "new":
            raise ServerError(jsonrpc.SERVER_NOT_INITIALIZED, "initialize comes first")
        if self._life == "shut down":
            raise ServerError(jsonrpc.INVALID_REQUEST, "there was a shutdown")
        if method in METHODS:
            return answer(self._client, method, given)
        if method in FOLLOW_UPS:
            return follow_up(self._client, method, given)
        if method in self._asked:
            return self._asked[method](given)
        raise ServerError(jsonrpc.METHOD_NOT_FOUND, f"there is no {method} here")

    def told(self, method: str, params: Raw) -> None:
        """Peer: a notification of the client. What nobody knows is let pass, as the protocol says."""
        if method == "exit":
            self.ended.set()
        handler = self._told.get(method)
        if handler is None or self._life != "open":
            return
        try:
            handler(params)
        except GroundwireError as error:
            self._client.notes.log(f"{method}: {error.message}", WARNING)

    def heard_noise(self, reason: str, sample: str) -> None:
        """Peer: something that is no message; who meant it as one is told."""
        log.debug("%s: %s", reason, sample)
        if reason != NOISE:
            self._transport.send(encode_frame(jsonrpc.dump_failure(None, jsonrpc.PARSE_ERROR, reason)))

    def closed(self, reason: str) -> None:
        """Peer: nothing more will come."""
        log.debug("the client is gone: %s", reason)
        self.ended.set()

    def _initialize(self, params: Members) -> Members:
        if self._life != "new":
            raise ServerError(jsonrpc.INVALID_REQUEST, "initialize came before")
        if text_in(params, "clientInfo", "name") == "groundwire":  # an entry for another program, read as one for us
            raise ServerError(jsonrpc.REQUEST_FAILED, "groundwire is no language server of its own")
        self._life = "open"
        features = features_of(params)
        known = self._client
        known.documents.encoding = features.encoding
        self._client = Client(known.pool, known.documents, known.handles, known.notes, features)
        self._publisher = Publisher(self._client, self._outbox.notify)
        first, *others = [text_in(each, "uri") for each in items(params.get("workspaceFolders"))] or [""]
        note_root(self._client, first or text_in(params, "rootUri"))
        for uri in others:
            self._outbox.begin(take_folder(self._client, uri))
        return initialize_result(features)

    def _initialized(self, _: Raw) -> None:
        progress = ServerProgress(self._pool, self._outbox.notify, self._outbox.create_progress)
        look = progress.look if self._client.features.progress else _nothing
        self._outbox.begin(watch(self._client, self._news, look))
        for note in self._greetings:
            self._client.notes.log(note, WARNING)

    def _shut_down(self, _: Members) -> None:
        self._life = "shut down"

    def _did_open(self, params: Raw) -> None:
        item = decode(params, DidOpen, "textDocument/didOpen").text_document
        if self._client.documents.open(item) is None:
            self._client.notes.log(f"{item.uri} is no file, and is left alone")
        self._publisher.changed()

    def _did_change(self, params: Raw) -> None:
        self._client.documents.change(decode(params, DidChange, "textDocument/didChange"))
        self._publisher.changed()

    def _did_save(self, params: Raw) -> None:
        self._client.documents.touch(decode(params, AboutDocument, "textDocument/didSave").text_document.uri)
        self._publisher.changed()

    def _did_close(self, params: Raw) -> None:
        closed = self._client.documents.close(decode(params, AboutDocument, "textDocument/didClose").text_document.uri)
        if closed is not None:
            self._publisher.closed(closed)
        self._publisher.changed()

    def _did_change_folders(self, params: Raw) -> None:
        for added in items(inside(read_params(bytes(params)), "event", "added")):
            self._outbox.begin(take_folder(self._client, text_in(added, "uri")))

    def _news(self) -> None:
        if self._publisher.is_pulled and self._client.features.refreshes_diagnostics:
            self._outbox.ask_to_pull()
        self._publisher.changed()


def _nothing() -> None:
    """For a client that shows no progress."""
