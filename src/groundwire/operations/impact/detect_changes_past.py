"""What symbols files had with their old content: the servers that know them are shown it for a moment.

The disk is not touched, and nobody else asks meanwhile. Above: ``detect_changes``. Below: ``client.shown``.
"""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from groundwire.client.ask import ask_in_file
from groundwire.client.session import Session
from groundwire.client.shown import ShownText, shown
from groundwire.client.sync import uri_of
from groundwire.errors import GroundwireError
from groundwire.operations.impact.users import AT_ONCE, declared_for_others
from groundwire.operations.navigation.targets import DOCUMENT_SYMBOL
from groundwire.operations.operation import Call
from groundwire.operations.reporting.dependents import Edited
from groundwire.operations.text.exported import Exports
from groundwire.operations.text.quoted_lines import statement_at
from groundwire.protocol.lsp_answers import decode_document_symbols
from groundwire.protocol.positions import Lines
from groundwire.protocol.symbol_tree import Symbol, symbol_tree

_MOST_SHOWN = 200
_VALUES = frozenset({7, 8, 13, 14})
"""Properties, fields, variables and constants, by LSP's numbers."""


class OldSymbol(msgspec.Struct, frozen=True, kw_only=True):
    """A symbol of the old content."""

    symbol: Symbol
    header: str
    exported: bool
    around: tuple[Symbol, ...] = ()


class OldFile(msgspec.Struct, frozen=True, kw_only=True):
    """By path, of which overloads share one. ``languages``: ending → language, of the server that told."""

    symbols: Mapping[str, Sequence[OldSymbol]]
    languages: Mapping[str, str]


async def old_symbols(call: Call, edits: Sequence[Edited]) -> dict[Path, OldFile]:
    """Those of each file that had any; a file of which they are not known is left out."""
    by_session: dict[Session, list[Edited]] = {}
    for edit in edits[:_MOST_SHOWN]:
        session = await _session(call, edit.file) if edit.before else None
        if session is not None:
            by_session.setdefault(session, []).append(edit)
    found: dict[Path, OldFile] = {}
    for session, own in by_session.items():
        found.update(await _ask(call, session, own))
    return found


async def _session(call: Call, file: Path) -> Session | None:
    try:
        primary = call.pool.route(file).primary
        return await call.pool.instance(primary).ready(call.deadline) if primary is not None else None
    except (GroundwireError, TimeoutError):  # it is asked again for the uses, and what is wrong is told then
        return None


async def _ask(call: Call, session: Session, edits: Sequence[Edited]) -> dict[Path, OldFile]:
    texts = [ShownText(edit.file, edit.before or "", is_gone=not edit.file.is_file()) for edit in edits]
    limit = asyncio.Semaphore(AT_ONCE)

    async def ask(text: ShownText) -> OldFile | None:
        async with limit:
            return await _symbols(session, text, call.deadline)

    try:
        async with asyncio.timeout_at(call.deadline), session.interlude.on():
            with shown(session, texts) as world:
                found = await asyncio.gather(*map(ask, texts))
                is_undisturbed = session.state.documents.world == world
    except (GroundwireError, TimeoutError):  # nothing is known of the past then
        return {}
    if not is_undisturbed:
        return {}
    return {text.file: each for text, each in zip(texts, found, strict=True) if each is not None}


async def _symbols(session: Session, text: ShownText, deadline: float) -> OldFile | None:
    document = session.state.documents.get(uri_of(text.file))
    if document is None:  # a file of an ending that this server knows by more than that
        return None
    try:
        params = {"textDocument": {"uri": document.uri}}
        reply = await ask_in_file(session, DOCUMENT_SYMBOL, params, document, deadline)
        tree = symbol_tree(decode_document_symbols(reply.result))
    except GroundwireError:
        return None
    lines, encoding = Lines(text.text), session.state.capabilities.position_encoding
    exports = Exports(lines, document.language, encoding)
    by_path: dict[str, list[OldSymbol]] = {}
    for way in declared_for_others(tree):
        old = OldSymbol(
            symbol=way[-1],
            header=header_of(lines, way[-1]),
            exported=exports.is_exported(way[-1], way[:-1]),
            around=way[:-1],
        )
        by_path.setdefault(way[-1].dotted, []).append(old)
    return OldFile(symbols=by_path, languages=session.options.languages)


def header_of(lines: Lines, symbol: Symbol) -> str:
    """The declaration without its body, and without regard to white space."""
    text = " ".join(" ".join(statement_at(lines, symbol.selection.start.line)).split())
    if symbol.kind in _VALUES:
        return text.partition("=")[0]
    return text.partition("{")[0].rstrip()
