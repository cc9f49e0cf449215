"""Whether something can be renamed, and what: as the server says, or by the word that stands there.

Above: ``rename``. Below: ``question``, ``targets``, ``protocol``.
"""

import re
from typing import NamedTuple

from msgspec import Raw

from groundwire.client.ask import Reply
from groundwire.operations.navigation.targets import DOCUMENT_SYMBOL
from groundwire.operations.question import Asking
from groundwire.operations.serving.late_offers import require_offer
from groundwire.protocol.lsp import Position, Range, Shape, decode_or_none
from groundwire.protocol.positions import Lines, PositionEncoding

RENAME = "textDocument/rename"
_PREPARE = "textDocument/prepareRename"
_WORD = re.compile(r"\w+")


class Prepared(NamedTuple):
    """What would be renamed; ``where`` is None where nothing can be. ``is_known``: the server was asked."""

    where: Range | None
    name: str = ""
    is_known: bool = True


class _Answer(Shape, frozen=True):
    """All forms in one: a range, a range with a name, or the word that stands there."""

    start: Position | None = None
    end: Position | None = None
    range: Range | None = None
    placeholder: str = ""
    default_behavior: bool = False

    def found(self) -> Range | None:
        if self.start is not None and self.end is not None:
            return Range(self.start, self.end)
        return self.range


async def prepared(asking: Asking, position: Position) -> Reply[Prepared]:
    """What is at the position. Raises ServerError with the words of a server that refuses so."""
    await require_offer(asking, RENAME)
    before = await _once_loaded(asking)
    lines, encoding = asking.document.lines, asking.encoding
    if not asking.session.state.capabilities.options(RENAME).get("prepareProvider"):
        word = word_around(lines, position, encoding)
        return before.having(Prepared(word, _text(lines, word, encoding), is_known=False))
    params = {"textDocument": {"uri": asking.document.uri}, "position": position}
    return before.having(_read(await asking.follow_up(_PREPARE, params), lines, position, encoding))


async def _once_loaded(asking: Asking) -> Reply[None]:
    """A server that is still loading knows nothing of a name yet, and would say that it cannot be renamed.

    What spans files is only asked once it has loaded: so something is asked, and its answer not looked at.
    """
    state = asking.session.state
    is_loaded = state.readiness.gate("references", asking.session.now()).is_open
    if is_loaded or not state.capabilities.supports(DOCUMENT_SYMBOL):
        return Reply(None, "", state.documents.world)
    return (await asking.workspace_question(DOCUMENT_SYMBOL, {})).having(None)


def _read(raw: Raw, lines: Lines, position: Position, encoding: PositionEncoding) -> Prepared:
    answer = decode_or_none(raw, _Answer, _PREPARE)
    if answer is None:
        return Prepared(None)
    where = answer.found() or (word_around(lines, position, encoding) if answer.default_behavior else None)
    return Prepared(where, answer.placeholder or _text(lines, where, encoding))


def word_around(lines: Lines, position: Position, encoding: PositionEncoding) -> Range | None:
    """The word that the position is in, or just behind."""
    if position.line >= lines.line_count:
        return None
    at = lines.offset(position, encoding) - lines.offset(Position(position.line, 0), encoding)
    start = lines.offset(Position(position.line, 0), encoding)
    words = _WORD.finditer(lines.line(position.line))
    found = next((word for word in words if word.start() <= at <= word.end()), None)
    return lines.range(start + found.start(), start + found.end(), encoding) if found else None


def _text(lines: Lines, where: Range | None, encoding: PositionEncoding) -> str:
    return "" if where is None else lines.text[lines.offset(where.start, encoding) : lines.offset(where.end, encoding)]
