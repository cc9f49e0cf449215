"""Entries of JSON objects and lists, written in the style of the file around them.

Above: ``jsonc``. Below: ``json_document``, ``brackets``, ``layout``.
"""

import json

from groundwire.surfaces.setup.text import brackets
from groundwire.surfaces.setup.text.brackets import SPACE, Container, Entry, Style
from groundwire.surfaces.setup.text.json_document import Document
from groundwire.surfaces.setup.text.layout import BOM, Change, begins_its_line, indentation, newline_of

_COMMENT = r"/\*.*?\*/|(//)[^\r\n]*"


def whole_document(text: str, data: object) -> str:
    """A text of nothing but space and comments, with a value after them."""
    newline = newline_of(text)
    before = text if text.strip(SPACE + BOM) else text[: text.startswith(BOM)]
    if before.strip(BOM) and not before.endswith("\n"):
        before += newline
    return before + json.dumps(data, indent=2, ensure_ascii=False).replace("\n", newline) + newline


def addition(document: Document, box: Container, key: str | None, value: object) -> list[Change]:
    """The entry as the last one of its container."""

    def write(indent: str | None) -> str:
        return _written(document, key, value, indent)

    return brackets.addition(_style(document, box), box, write)


def replacement(document: Document, entry: Entry, value: object) -> Change:
    """Another value for an entry; its key, and all around it, stay."""
    spread = begins_its_line(document.text, entry.start) or "\n" in document.text[entry.value : entry.end]
    indent = indentation(document.text, entry.start) if spread else None
    return Change(entry.value, entry.end, _written(document, None, value, indent))


def removal(document: Document, box: Container, entry: Entry) -> list[Change]:
    """The entry taken out, with its comma and the line it had for itself."""
    return brackets.removal(_style(document, box), box, entry)


def _style(document: Document, box: Container) -> Style:
    expands = box.opening == document.root or _is_spread(document)
    gap = "" if _is_minified(document) else " "
    return Style(document.text, document.unit(), _COMMENT, gap=gap, expands_empty=expands)


def _written(document: Document, key: str | None, value: object, indent: str | None) -> str:
    comma, colon = (",", ":") if indent is None and _is_minified(document) else (", ", ": ")
    before = "" if key is None else json.dumps(key, ensure_ascii=False) + colon
    if indent is None:
        return before + json.dumps(value, separators=(comma, colon), ensure_ascii=False)
    written = json.dumps(value, indent=document.unit(), ensure_ascii=False)
    return before + written.replace("\n", newline_of(document.text) + indent)


def _is_spread(document: Document) -> bool:
    return "\n" in document.text.strip(SPACE)


def _is_minified(document: Document) -> bool:
    return not _is_spread(document) and '":' in document.plain and '": ' not in document.plain
