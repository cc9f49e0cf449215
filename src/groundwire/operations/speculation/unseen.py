"""Findings that may be there only because a server does not believe in a file that is not on disk.

Such a one stands where the new file is named, and nothing on that line leads there; or it is about the new file as a
whole. It may be wrong, so it is not told. Above: ``lease``, ``judged_file``. Below: ``client.ask``.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from groundwire.client.ask import ask_in_file
from groundwire.client.session import Session
from groundwire.client.sync import uri_of
from groundwire.errors import GroundwireError
from groundwire.operations.answer import Finding
from groundwire.protocol.lsp import Position, normalise_locations
from groundwire.protocol.uris import uri_key
from groundwire.workspace.documents import Document

_DEFINITION = "textDocument/definition"
_WORD = re.compile(r"[^\W\d]\w*")
_MOST_LINES = 20
"""Of one file; what is on further ones may be wrong as well as not."""
_LONGEST_LIST = 50
"""Lines: so far above a name the list of imports may begin that it is in."""
_OF_DIRECTORY = frozenset({"__init__", "index", "mod"})
"""Files that are named by their directory."""


async def doubtful(
    session: Session, document: Document, findings: Sequence[Finding], new: Sequence[Path], until: float
) -> frozenset[Finding]:
    """Those of a document that may be wrong. To be asked while the new files are shown."""
    own = uri_key(document.uri)
    if not new or not findings:
        return frozenset()
    is_new = any(uri_key(uri_of(file)) == own for file in new)
    others = [file for file in new if uri_key(uri_of(file)) != own]
    heads = {each.line: _head(document, each.line) for each in findings}
    naming = sorted({head for head in heads.values() if _names(_line(document, head), others)})
    seen = {head for head in naming[:_MOST_LINES] if await _leads_there(session, document, head, others, until)}
    return frozenset(
        each
        for each in findings
        if (is_new and _is_about_the_whole(each)) or (heads[each.line] in naming and heads[each.line] not in seen)
    )


def _head(document: Document, line: int) -> int:
    """The line where the brackets open that a line is in as a whole, such as those round a list of imports."""
    for above in range(line - 1, max(line - _LONGEST_LIST, 0), -1):
        text = _line(document, above).rstrip()
        if text.endswith(("(", "{")):
            return above
        if not text.endswith(","):
            return line
    return line


def _names(line: str, new: Sequence[Path]) -> bool:
    return not set(_WORD.findall(line)).isdisjoint(name for file in new for name in _module_names(file))


def _module_names(file: Path) -> Iterator[str]:
    stem = file.name.partition(".")[0]
    yield stem
    if stem in _OF_DIRECTORY:
        yield file.parent.name


def _is_about_the_whole(finding: Finding) -> bool:
    return (finding.line, finding.column) == (finding.end_line, finding.end_column) == (1, 1)


async def _leads_there(session: Session, document: Document, line: int, new: Sequence[Path], until: float) -> bool:
    """Whether the server finds the definition of anything on the line in one of the new files."""
    places = {uri_key(uri_of(file)) for file in new}
    start = document.lines.offset(Position(line - 1, 0), "utf-32")
    encoding = session.state.capabilities.position_encoding
    for word in _WORD.finditer(_line(document, line)):
        params = {
            "textDocument": {"uri": document.uri},
            "position": document.lines.position(start + word.start(), encoding),
        }
        try:
            reply = await ask_in_file(session, _DEFINITION, params, document, until)
            found = normalise_locations(reply.result, _DEFINITION)
        except GroundwireError:
            return False
        if any(uri_key(each.uri) in places for each in found):
            return True
    return False


def _line(document: Document, line: int) -> str:
    return document.lines.line(line - 1) if 0 < line <= document.lines.line_count else ""
