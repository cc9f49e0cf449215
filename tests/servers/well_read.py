"""Knows everything about the language of ``toy_language``: it answers every question about ``*.toy`` files that there
is. ``WELL_READ`` holds words that change how:

    flat          symbols without a tree          null           null for what is nothing
    hover=FORM    string, marked or list          incomplete     completions are not all
    lacks=METHOD  does not offer it               full, range    only that request for semantic tokens
    locates-late  the range of a workspace symbol must be asked for
    edits=METHOD  after answering it for the first time, writes late.toy, which uses ``shout``
    withholds=METHOD  offers it and never answers
"""

import os
from collections.abc import Callable
from pathlib import Path

from base import METHOD_NOT_FOUND, Json, ToyServer
from toy_answers import Answers
from toy_decorations import Decorations
from toy_edits import PROVIDERS as EDIT_PROVIDERS
from toy_edits import Commands, Edits
from toy_language import Source

LATE = "def late(what)\n    use shout(what)\n"

_PROVIDERS = {
    "textDocument/definition": "definitionProvider",
    "textDocument/declaration": "declarationProvider",
    "textDocument/typeDefinition": "typeDefinitionProvider",
    "textDocument/implementation": "implementationProvider",
    "textDocument/references": "referencesProvider",
    "textDocument/hover": "hoverProvider",
    "textDocument/documentSymbol": "documentSymbolProvider",
    "textDocument/documentHighlight": "documentHighlightProvider",
    "textDocument/prepareCallHierarchy": "callHierarchyProvider",
    "textDocument/prepareTypeHierarchy": "typeHierarchyProvider",
    "textDocument/inlayHint": "inlayHintProvider",
    "textDocument/foldingRange": "foldingRangeProvider",
    "textDocument/selectionRange": "selectionRangeProvider",
    "textDocument/signatureHelp": "signatureHelpProvider",
    "textDocument/completion": "completionProvider",
    "textDocument/codeLens": "codeLensProvider",
    "textDocument/semanticTokens": "semanticTokensProvider",
    "workspace/symbol": "workspaceSymbolProvider",
    "textDocument/rename": "renameProvider",
    "textDocument/codeAction": "codeActionProvider",
    "textDocument/formatting": "documentFormattingProvider",
    "textDocument/rangeFormatting": "documentRangeFormattingProvider",
    "workspace/executeCommand": "executeCommandProvider",
}


class WellRead(ToyServer):
    def __init__(self) -> None:
        super().__init__()
        words = (word.partition("=") for word in os.environ.get("WELL_READ", "").split())
        self.habits = {name: value for name, _, value in words}
        self.commands = Commands(self)

    def capabilities(self) -> Json:
        legend = {"tokenTypes": list(Decorations.TYPES), "tokenModifiers": ["declaration"]}
        tokens = {"legend": legend, "full": "range" not in self.habits, "range": "full" not in self.habits}
        options: dict[str, Json] = {
            "signatureHelpProvider": {"triggerCharacters": ["("]},
            "completionProvider": {"resolveProvider": True},
            "codeLensProvider": {"resolveProvider": True},
            "semanticTokensProvider": tokens,
            "workspaceSymbolProvider": {"resolveProvider": "locates-late" in self.habits},
            **EDIT_PROVIDERS,
        }
        offered = {name: options.get(name, True) for method, name in _PROVIDERS.items() if not self._lacks(method)}
        own = {name: value for name, value in super().capabilities().items() if name != "referencesProvider"}
        return {**own, **offered}

    def asked(self, request: Json, method: str, params: Json) -> None:
        if method in ("initialize", "shutdown", "textDocument/diagnostic"):
            super().asked(request, method, params)
            return
        if method == "workspace/executeCommand" and not self._lacks(method):
            self.commands.execute(request, params)
            return
        answers = Answers(self._sources(), self.habits)
        edits = Edits(answers, self).table()
        table: dict[str, Callable[[Json], Json]] = {**answers.table(), **Decorations(answers).table(), **edits}
        if method not in table or self._lacks(method):
            self.send(id=request, error={"code": METHOD_NOT_FOUND, "message": f"no {method} here"})
            return
        if self.habits.get("withholds") == method:
            return
        result = table[method](params)
        if self.habits.get("edits") == method and not (self.root / "late.toy").exists():
            (self.root / "late.toy").write_text(LATE, "utf-8")
        self.send(id=request, result=None if "null" in self.habits and not result else result)

    def answered(self, request: Json, message: Json) -> None:
        self.commands.answered(request, message)

    def _lacks(self, method: str) -> bool:
        return self.habits.get("lacks") == method

    def _sources(self) -> dict[str, Source]:
        """Every file, by its URI: as it is open, else as it is on disk."""
        on_disk = {file.as_uri(): file for file in sorted(self.root.rglob("*.toy"))}
        texts = {uri: _read(file) for uri, file in on_disk.items() if uri not in self.texts}
        return {uri: Source(on_disk.get(uri, Path()), text) for uri, text in sorted({**texts, **self.texts}.items())}


def _read(file: Path) -> str:
    return file.read_bytes().decode()


if __name__ == "__main__":
    WellRead().run()
