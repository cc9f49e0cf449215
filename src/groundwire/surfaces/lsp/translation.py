"""Positions and addresses between a client and a server: each counts columns in units of its own.

Every position is found by its shape, wherever it stands in a message, and belongs to the file that the objects round it
name. Pure: the texts are given. Above: ``questions``, ``findings``. Below: ``protocol.positions``.
"""

from collections.abc import Callable, Mapping
from typing import cast

import msgspec

from groundwire.protocol.lsp import Position
from groundwire.protocol.positions import Lines, PositionEncoding
from groundwire.surfaces.lsp.json_shapes import Members, inside, items, members

_OPAQUE = frozenset({"data", "arguments"})
"""Handed back as they came, and understood by nobody in between."""

_TARGET = frozenset({"targetRange", "targetSelectionRange"})


class Translation(msgspec.Struct, frozen=True):
    """``lines_of`` gives the text of a file by its URI, or None: then its positions stay as they are."""

    source: PositionEncoding
    target: PositionEncoding
    lines_of: Callable[[str], Lines | None]
    spelled: Callable[[str], str]
    """How the reader spells a URI."""

    def translate(self, value: object, uri: str) -> object:
        """The same message with other units; ``uri`` is the file it is about where it names none."""
        if isinstance(value, list):
            return [self.translate(each, uri) for each in cast("list[object]", value)]
        if not isinstance(value, dict):
            return value
        found = members(cast("object", value))
        if _is_position(found):
            return self._position(found, uri)
        if "startLine" in found and "endLine" in found:
            return self._folding(found, uri)
        return {name: self._member(found, name, each, _own_uri(found) or uri, uri) for name, each in found.items()}

    def _member(self, owner: Members, name: str, value: object, own: str, outer: str) -> object:
        if name in _OPAQUE:
            return value
        if name in ("uri", "targetUri") and isinstance(value, str):
            return self.spelled(value)
        if name == "changes" and isinstance(value, dict):
            edits = members(cast("object", value))
            return {self.spelled(uri): self.translate(each, uri) for uri, each in edits.items()}
        if name in _TARGET:
            return self.translate(value, str(owner.get("targetUri", own)))
        if name == "originSelectionRange":
            return self.translate(value, outer)
        return self.translate(value, own)

    def _position(self, found: Members, uri: str) -> Members:
        lines = self.lines_of(uri) if self.source != self.target else None
        if lines is None:
            return found
        line, character = cast("int", found["line"]), cast("int", found["character"])
        if line >= lines.line_count or (line >= 0 and lines.line(line).isascii()):
            return found  # past the end stays past the end, in any unit
        at = lines.position(lines.offset(Position(line, character), self.source), self.target)
        return {**found, "line": at.line, "character": at.character}

    def _folding(self, found: Members, uri: str) -> Members:
        folded = dict(found)
        for line, character in (("startLine", "startCharacter"), ("endLine", "endCharacter")):
            if isinstance(found.get(line), int) and isinstance(found.get(character), int):
                at = self._position({"line": found[line], "character": found[character]}, uri)
                folded[character] = at["character"]
        return folded


def uris_in(value: object) -> set[str]:
    """The files that a message names."""
    if isinstance(value, list):
        return {uri for each in cast("list[object]", value) for uri in uris_in(each)}
    if not isinstance(value, dict):
        return set()
    found = members(cast("object", value))
    own = {each for name, each in found.items() if name in ("uri", "targetUri") and isinstance(each, str)}
    changed = set(members(found.get("changes")))
    return own | changed | {uri for name, each in found.items() if name not in _OPAQUE for uri in uris_in(each)}


def range_members(lines: Lines, places: Mapping[str, tuple[int, int]], encoding: PositionEncoding) -> Members:
    """A range from places as people count them."""
    found = {name: lines.to_wire(line, column, encoding) for name, (line, column) in places.items()}
    return {name: {"line": at.line, "character": at.character} for name, at in found.items()}


def _is_position(found: Members) -> bool:
    return len(found) == 2 and isinstance(found.get("line"), int) and isinstance(found.get("character"), int)


def _own_uri(found: Members) -> str:
    """The file that the other members of an object are about."""
    for named in (found.get("uri"), inside(found, "textDocument", "uri"), inside(found, "from", "uri")):
        if isinstance(named, str):
            return named
    return ""


def flat_symbols(symbols: object, uri: str, container: str = "") -> list[object]:
    """A tree of symbols as the list that older clients understand."""
    flat: list[object] = []
    for symbol in map(members, items(symbols)):
        if "location" in symbol:
            flat.append(symbol)
            continue
        kept = {name: symbol[name] for name in ("name", "kind", "tags", "deprecated") if name in symbol}
        within: Members = {"containerName": container} if container else {}
        flat.append({**kept, "location": {"uri": uri, "range": symbol.get("range")}, **within})
        flat += flat_symbols(symbol.get("children"), uri, str(symbol.get("name", "")))
    return flat
