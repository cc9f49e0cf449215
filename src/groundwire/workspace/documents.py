"""The documents one server has open, and exactly what it was told about them.

Every method changes the table and returns the messages to send, in order; sending them is the caller's business.
``clock`` counts everything told that may change an answer: a result asked for at clock N is about the world as it was
told by N. ``world`` counts only what is news: not a document that was opened or closed with what the disk holds.
Above: ``client.session``. Below: ``protocol``.
"""

import re
from collections.abc import Iterator, Mapping

import msgspec

from groundwire.protocol.capabilities import ServerCapabilities
from groundwire.protocol.edits import minimal_change
from groundwire.protocol.hashing import content_hash
from groundwire.protocol.lsp import Position, Range
from groundwire.protocol.positions import Lines
from groundwire.protocol.uris import uri_key
from groundwire.workspace.outgoing import Outgoing
from groundwire.workspace.rules import SettleRule
from groundwire.workspace.tangles import Tangles


class Document(msgspec.Struct, kw_only=True):
    """One open document as the server knows it."""

    uri: str
    language: str
    version: int
    text: str
    told_at: int
    """The clock when its content (or the wish for another check) was last told."""
    told_time: float
    read_at: float
    """When the disk was last seen to hold this text."""
    is_told: bool = False
    """Whether the server was told that it is open: one that does not want to know reads the disk."""
    changed_in: int = 0
    """The version under which its present text was told first."""
    is_behind: bool = False
    """Whether its first findings may go by what was before: other things had changed since it was last told when it was
    told of its own change, or that change is of such a kind."""
    is_unsettled: bool = False
    """Whether it was touched because other things had changed, and not once more since."""
    lines_cache: Lines | None = None

    @property
    def hash(self) -> str:
        """By which the text is recognised again."""
        return content_hash(self.text)

    @property
    def lines(self) -> Lines:
        """The text by lines, split when first needed."""
        if self.lines_cache is None:
            self.lines_cache = Lines(self.text)
        return self.lines_cache


class Documents:
    """The table of open documents, keyed by the canonical spelling of their URI."""

    def __init__(
        self,
        capabilities: ServerCapabilities,
        rule: SettleRule | None = None,
        tangles: Tangles | None = None,
    ) -> None:
        rule = rule or SettleRule()
        # The least recently used stands first.
        self._open: dict[str, Document] = {}
        # Versions never start again: a late publish for an earlier opening must not look like proof for this one.
        self._last_versions: dict[str, int] = {}
        self._capabilities = capabilities
        self._change_extra = rule.change_extra
        self._recheck_extra: Mapping[str, object] = {**rule.change_extra, **rule.touch_extra}
        self._unsettling = re.compile(rule.unsettled_by, re.MULTILINE) if rule.unsettled_by else None
        self._tangles = tangles
        self.clock = 0
        self.world = 0

    def __len__(self) -> int:
        return len(self._open)

    def __iter__(self) -> Iterator[Document]:
        return iter(tuple(self._open.values()))

    def get(self, uri: str) -> Document | None:
        """The open document, if it is open."""
        return self._open.get(uri_key(uri))

    def tick(self) -> int:
        """Note that something was told that may change answers: of watched files, of configuration."""
        self.world += 1
        self.clock += 1
        return self.clock

    def _tick_quietly(self) -> int:
        self.clock += 1
        return self.clock

    def sync(self, uri: str, text: str, language: str, now: float) -> list[Outgoing]:
        """Bring the server to ``text``, which is what the disk holds: open, or change and save, or nothing."""
        key = uri_key(uri)
        document = self._open.pop(key, None)
        if document is None:
            return self._open_document(uri, text, language, now)
        self._open[key] = document
        document.read_at = now
        if text != document.text:
            return [*self._change(document, text, now), *self._save(document)]
        if not document.is_told and self._capabilities.wants_open_close:
            # It asked for open documents only after this one was opened.
            self._tick_quietly()
            return self._tell(document, None, now)
        return []

    def touch(self, uri: str, now: float) -> list[Outgoing]:
        """Ask for another check of unchanged content: a change that changes nothing, under a new version."""
        document = self._open[uri_key(uri)]
        start = Position(0, 0)
        change = self._content_change(document.text, Range(start, start), "")
        document.is_unsettled = document.is_behind or document.told_at < self.clock
        document.is_behind = False
        changed_in = document.changed_in
        messages = self._tell(document, {"contentChanges": [change], **self._recheck_extra}, now)
        document.changed_in = changed_in
        return messages

    def save(self, uri: str) -> list[Outgoing]:
        """Tell that the disk holds this document, if the server wants to know."""
        document = self._open.get(uri_key(uri))
        return self._save(document) if document is not None else []

    def _save(self, document: Document) -> list[Outgoing]:
        wanted = self._capabilities.save
        if wanted == "none":
            return []
        params: dict[str, object] = {"textDocument": {"uri": document.uri}}
        if wanted == "with-text":
            params["text"] = document.text
        return [Outgoing("textDocument/didSave", params)]

    def close(self, uri: str, *, is_news: bool = True) -> list[Outgoing]:
        """Close the document; a later ``sync`` opens it anew. It is no news where the file is still the same."""
        document = self._open.pop(uri_key(uri), None)
        if document is None:
            return []
        self._last_versions[uri_key(uri)] = document.version
        self._tick_quietly()
        self.world += is_news
        notices = _notices(self._tangles, 0, document.text, "") if self._tangles and is_news else ()
        return [*([_did_close(document)] if document.is_told else []), *notices]

    def least_used(self, keep: int) -> list[str]:
        """The URIs to close so that at most ``keep`` stay open, least recently used first."""
        surplus = max(len(self._open) - keep, 0)
        return [document.uri for document in tuple(self._open.values())[:surplus]]

    def _open_document(self, uri: str, text: str, language: str, now: float) -> list[Outgoing]:
        document = Document(
            uri=uri,
            language=language,
            version=self._last_versions.get(uri_key(uri), 0),
            text=text,
            told_at=self._tick_quietly(),
            told_time=now,
            read_at=now,
        )
        self._open[uri_key(uri)] = document
        return self._tell(document, None, now)

    def _change(self, document: Document, text: str, now: float) -> list[Outgoing]:
        before, kept = document.text, self._unsettling
        where, replacement = minimal_change(before, text, self._capabilities.position_encoding)
        change = self._content_change(text, where, replacement)
        line = where.start.line
        is_unsettling = kept is not None and (_is_from(line, before, kept) or _is_from(line, text, kept))
        notices = _notices(self._tangles, line, before, text) if self._tangles else ()
        document.text = text
        document.lines_cache = None
        is_behind = is_unsettling or document.is_unsettled or document.told_at < self.clock
        document.is_behind = document.is_behind or is_behind
        document.is_unsettled = False
        self.tick()
        return [*self._tell(document, {"contentChanges": [change], **self._change_extra}, now), *notices]

    def _content_change(self, text: str, where: Range, replacement: str) -> dict[str, object]:
        # A change without a range makes one server crash, so ranges are sent wherever they are understood.
        if self._capabilities.sync_kind == "incremental":
            return {"range": where, "text": replacement}
        return {"text": text}

    def _tell(self, document: Document, change: Mapping[str, object] | None, now: float) -> list[Outgoing]:
        """The document under a new version: as a change where that is understood, else by opening it (anew)."""
        document.version += 1
        document.changed_in = document.version
        document.told_at = self.clock
        document.told_time = now
        if change is not None and document.is_told and self._capabilities.sync_kind != "none":
            identifier = {"uri": document.uri, "version": document.version}
            return [Outgoing("textDocument/didChange", {"textDocument": identifier, **change})]
        if not self._capabilities.wants_open_close:
            return []
        closing = [_did_close(document)] if document.is_told else []
        document.is_told = True
        return [*closing, _did_open(document)]


def _notices(tangles: Tangles, first_line: int, before: str, after: str) -> tuple[Outgoing, ...]:
    """What follows a change that may have ended a tangle."""
    return (tangles.notice,) if tangles.may_end(first_line, before, after) else ()


def _is_from(line: int, text: str, kind: re.Pattern[str]) -> bool:
    """Whether a line of the kind that the server keeps from before is behind this one, or is that."""
    lines = text.split("\n", line + 1)
    while 0 < line < len(lines) and lines[line - 1].rstrip("\r").endswith("\\"):  # one that goes on
        line -= 1
    return any(kind.search(each) for each in lines[line:] or [text])


def _did_open(document: Document) -> Outgoing:
    item = {
        "uri": document.uri,
        "languageId": document.language,
        "version": document.version,
        "text": document.text,
    }
    return Outgoing("textDocument/didOpen", {"textDocument": item})


def _did_close(document: Document) -> Outgoing:
    return Outgoing("textDocument/didClose", {"textDocument": {"uri": document.uri}})
