"""What ``well_read`` answers about symbols: where they are, what they are, who uses them. Columns are UTF-16 units."""

from collections.abc import Callable, Iterable, Mapping

from base import Json
from toy_language import Declaration, Source, Span, Use


class Answers:
    """Answers from all sources, by URI, as they are now."""

    def __init__(self, sources: Mapping[str, Source], habits: Mapping[str, str]) -> None:
        self.sources = sources
        self.habits = habits
        self.uris = {id(declaration): uri for uri, source in sources.items() for declaration in source.declarations}
        self.declarations = [declaration for source in sources.values() for declaration in source.declarations]

    def table(self) -> dict[str, Callable[[Json], Json]]:
        """Method → answer."""
        return {
            "textDocument/definition": self._definition,
            "textDocument/declaration": self._definition,
            "textDocument/typeDefinition": self._type_definition,
            "textDocument/implementation": self._implementation,
            "textDocument/references": self._references,
            "textDocument/hover": self._hover,
            "textDocument/documentSymbol": self._document_symbols,
            "textDocument/documentHighlight": self._highlights,
            "workspace/symbol": self._workspace_symbols,
            "workspaceSymbol/resolve": self._resolve_symbol,
            "textDocument/prepareCallHierarchy": lambda params: self._items(params, "def"),
            "callHierarchy/incomingCalls": self._incoming,
            "callHierarchy/outgoingCalls": self._outgoing,
            "textDocument/prepareTypeHierarchy": lambda params: self._items(params, "class"),
            "typeHierarchy/supertypes": self._supertypes,
            "typeHierarchy/subtypes": self._subtypes,
        }

    def range_of(self, uri: str, span: Span) -> Json:
        """On the wire."""
        line = self.sources[uri].lines[span.line]
        return {
            "start": {"line": span.line, "character": units(line[: span.start])},
            "end": {"line": span.line, "character": units(line[: span.end])},
        }

    def block_of(self, declaration: Declaration) -> Json:
        """All of it, on the wire."""
        lines = self.sources[self.uris[id(declaration)]].lines
        return {
            "start": {"line": declaration.start, "character": declaration.indent},
            "end": {"line": declaration.end, "character": units(lines[declaration.end])},
        }

    def place(self, params: Json) -> tuple[str, int, int]:
        """URI, line and Python's column of a request."""
        uri, position = params["textDocument"]["uri"], params["position"]
        line = self.sources[uri].lines[position["line"]]
        column = next((at for at in range(len(line)) if units(line[:at]) >= position["character"]), len(line))
        return uri, position["line"], column

    def meant(self, params: Json) -> list[Declaration]:
        """The declarations of the name at the place: itself, or all of the name that is used there."""
        uri, line, column = self.place(params)
        source = self.sources[uri]
        own = [each for each in source.declarations if touches(each.span, line, column)]
        if own:
            return own
        used = {use.name for use in source.uses if touches(use.span, line, column)}
        return [declaration for declaration in self.declarations if declaration.name in used]

    def uses_of(self, names: Iterable[str]) -> list[tuple[str, Use]]:
        """Every use of the names, with its file."""
        wanted = set(names)
        return [(uri, use) for uri, source in self.sources.items() for use in source.uses if use.name in wanted]

    def _location(self, declaration: Declaration) -> Json:
        uri = self.uris[id(declaration)]
        return {"uri": uri, "range": self.range_of(uri, declaration.span)}

    def _definition(self, params: Json) -> Json:
        return [self._location(declaration) for declaration in self.meant(params)]

    def _type_definition(self, params: Json) -> Json:
        meant = self.meant(params)
        classes = [each if each.word == "class" else each.parent for each in meant]
        return [self._location(each) for each in classes if each is not None and each.word == "class"]

    def _implementation(self, params: Json) -> Json:
        found: list[Declaration] = []
        for meant in self.meant(params):
            owner = meant if meant.word == "class" else meant.parent
            heirs = [each for each in self.declarations if owner is not None and owner.name in each.bases]
            same = [child for heir in heirs for child in heir.children if child.name == meant.name]
            found += heirs if owner is meant else same
        return [self._location(each) for each in found]

    def _references(self, params: Json) -> Json:
        meant = self.meant(params)
        uses = self.uses_of(each.name for each in meant)
        found = [{"uri": uri, "range": self.range_of(uri, use.span)} for uri, use in uses]
        declared = [self._location(each) for each in meant] if params["context"]["includeDeclaration"] else []
        return declared + found

    def _hover(self, params: Json) -> Json:
        meant = self.meant(params)
        if not meant:
            return None
        code, comment = f"{meant[0].word} {meant[0].signature}", meant[0].comment
        marked = {"language": "toy", "value": code}
        forms: dict[str, Json] = {
            "": {"kind": "markdown", "value": f"```toy\n{code}\n```\n{comment}".rstrip()},
            "string": code,
            "marked": marked,
            "list": [marked, comment],
        }
        return {"contents": forms[self.habits.get("hover", "")]}

    def _document_symbols(self, params: Json) -> Json:
        source = self.sources[params["textDocument"]["uri"]]
        if "flat" in self.habits:
            return [self._flat(declaration, whole=True) for declaration in source.declarations]
        return [self._symbol(each) for each in source.declarations if each.parent is None]

    def _symbol(self, declaration: Declaration) -> Json:
        return {
            "name": declaration.name,
            "kind": declaration.kind,
            "detail": declaration.signature,
            "range": self.block_of(declaration),
            "selectionRange": self._location(declaration)["range"],
            "children": [self._symbol(child) for child in declaration.children],
        }

    def _flat(self, declaration: Declaration, *, whole: bool) -> Json:
        location = self._location(declaration)
        if whole:
            location["range"] = self.block_of(declaration)
        above = {"containerName": declaration.parent.path} if declaration.parent else {}
        return {"name": declaration.name, "kind": declaration.kind, "location": location, **above}

    def _workspace_symbols(self, params: Json) -> Json:
        letters = params["query"].lower()
        found = [self._flat(each, whole=False) for each in self.declarations if is_within(letters, each.name.lower())]
        if "locates-late" in self.habits:
            for symbol in found:
                symbol["data"] = symbol["location"].pop("range")
        return found

    def _resolve_symbol(self, params: Json) -> Json:
        return {**params, "location": {**params["location"], "range": params["data"]}}

    def _highlights(self, params: Json) -> Json:
        uri, meant = params["textDocument"]["uri"], self.meant(params)
        read = [use.span for place, use in self.uses_of(each.name for each in meant) if place == uri]
        written = [each.span for each in meant if self.uris[id(each)] == uri]
        kinds = [(span, 2) for span in read] + [(span, 3) for span in written]
        return [{"range": self.range_of(uri, span), "kind": kind} for span, kind in kinds]

    def _items(self, params: Json, word: str) -> Json:
        return [self._item(each) for each in self.meant(params) if each.word == word]

    def _item(self, declaration: Declaration) -> Json:
        uri = self.uris[id(declaration)]
        return {
            "name": declaration.name,
            "kind": declaration.kind,
            "uri": uri,
            "range": self.block_of(declaration),
            "selectionRange": self.range_of(uri, declaration.span),
            "data": {"path": declaration.path},
        }

    def _of_item(self, params: Json) -> Declaration:
        item = params["item"]
        own = self.sources[item["uri"]].declarations
        return next(each for each in own if each.path == item["data"]["path"])

    def _incoming(self, params: Json) -> Json:
        calls: dict[int, tuple[Declaration, list[Json]]] = {}
        for uri, use in self.uses_of([self._of_item(params).name]):
            around = [each for each in self.sources[uri].around(use.span.line) if each.word == "def"]
            if around:
                calls.setdefault(id(around[-1]), (around[-1], []))[1].append(self.range_of(uri, use.span))
        return [{"from": self._item(caller), "fromRanges": ranges} for caller, ranges in calls.values()]

    def _outgoing(self, params: Json) -> Json:
        own = self._of_item(params)
        uri, calls = self.uris[id(own)], dict[int, tuple[Declaration, list[Json]]]()
        for use in self.sources[uri].uses:
            called = [each for each in self.declarations if each.name == use.name and each.word == "def"]
            for each in called if own.start < use.span.line <= own.end else []:
                calls.setdefault(id(each), (each, []))[1].append(self.range_of(uri, use.span))
        return [{"to": self._item(called), "fromRanges": ranges} for called, ranges in calls.values()]

    def _supertypes(self, params: Json) -> Json:
        bases = self._of_item(params).bases
        return [self._item(each) for each in self.declarations if each.name in bases and each.word == "class"]

    def _subtypes(self, params: Json) -> Json:
        name = self._of_item(params).name
        return [self._item(each) for each in self.declarations if name in each.bases]


def units(text: str) -> int:
    """UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


def touches(span: Span, line: int, column: int) -> bool:
    """Whether the cursor is in or at the span."""
    return span.line == line and span.start <= column <= span.end


def is_within(letters: str, name: str) -> bool:
    """Whether the letters are in the name, in their order."""
    rest = iter(name)
    return all(letter in rest for letter in letters)
