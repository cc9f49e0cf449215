"""What ``well_read`` offers to change: renames, fixes, forms, commands. Columns are UTF-16 units.

What is ``wrong`` can be made ``right``: by a quick fix, or all of it, one a time, by ``source.fixAll``. Commands:

    toy.append TEXT      asks for an edit of the file that was opened last, and answers with what came of it
    toy.late TEXT        answers first, and asks for the edit then
    toy.twice TEXT       asks for two edits
    toy.outside          asks for an edit of a file outside the root
    toy.echo …           answers with its arguments
"""

import re
from collections.abc import Callable

from base import METHOD_NOT_FOUND, Json, ToyServer
from toy_answers import Answers, units

PROVIDERS: dict[str, Json] = {
    "renameProvider": {"prepareProvider": True},
    "codeActionProvider": {
        "resolveProvider": True,
        "codeActionKinds": ["quickfix", "refactor", "source.fixAll", "source.organizeImports"],
    },
    "documentFormattingProvider": True,
    "documentRangeFormattingProvider": True,
    "executeCommandProvider": {"commands": ["toy.append", "toy.late", "toy.twice", "toy.outside", "toy.echo"]},
}


class Edits:
    """Changes of the sources as they are now."""

    def __init__(self, answers: Answers, server: ToyServer) -> None:
        self._answers = answers
        self._server = server

    def table(self) -> dict[str, Callable[[Json], Json]]:
        """Method → answer."""
        return {
            "textDocument/prepareRename": self._prepare,
            "textDocument/rename": self._rename,
            "textDocument/codeAction": self._actions,
            "codeAction/resolve": self._resolve,
            "textDocument/formatting": self._format,
            "textDocument/rangeFormatting": self._format,
        }

    def _prepare(self, params: Json) -> Json:
        meant = self._answers.meant(params)
        uri, line, column = self._answers.place(params)
        spans = [each.span for each in meant if self._answers.uris[id(each)] == uri]
        spans += [use.span for place, use in self._answers.uses_of(each.name for each in meant) if place == uri]
        here = [span for span in spans if span.line == line and span.start <= column <= span.end]
        return {"range": self._answers.range_of(uri, here[0]), "placeholder": meant[0].name} if here else None

    def _rename(self, params: Json) -> Json:
        meant, changes = self._answers.meant(params), dict[str, list[Json]]()
        places = [(self._answers.uris[id(each)], each.span) for each in meant]
        places += [(uri, use.span) for uri, use in self._answers.uses_of(each.name for each in meant)]
        for uri, span in places:
            edit = {"range": self._answers.range_of(uri, span), "newText": params["newName"]}
            changes.setdefault(uri, []).append(edit)
        return {"documentChanges": [_versioned(self._server, uri, edits) for uri, edits in changes.items()]}

    def _actions(self, params: Json) -> Json:
        uri, context = params["textDocument"]["uri"], params["context"]
        offered = [self._mend(uri, finding) for finding in context["diagnostics"]]
        if context["diagnostics"]:
            offered.append({"title": "Ignore it", "kind": "quickfix", "disabled": {"reason": "nothing is ignored"}})
        offered.append({"title": "Add a comment", "kind": "refactor.rewrite", "data": {"uri": uri}})
        command = {"title": "Shout", "command": "toy.append", "arguments": ["# SHOUT\n"]}
        offered.append({"title": "Shout", "kind": "refactor.rewrite", "command": command})
        offered.append({"title": "Look at it", "command": "editor.look"})
        offered += [*self._fix_first(uri), *self._sort(uri)]
        only = context.get("only")
        return [each for each in offered if not only or any(_is_below(each.get("kind"), kind) for kind in only)]

    def _mend(self, uri: str, finding: Json) -> Json:
        edit = {"changes": {uri: [{"range": finding["range"], "newText": "right"}]}}
        return {
            "title": "Make it right",
            "kind": "quickfix",
            "diagnostics": [finding],
            "isPreferred": True,
            "edit": edit,
        }

    def _fix_first(self, uri: str) -> Json:
        lines = self._answers.sources[uri].lines
        number = next((number for number, line in enumerate(lines) if "wrong" in line), None)
        if number is None:
            return []
        start = units(lines[number][: lines[number].index("wrong")])
        where = {"start": {"line": number, "character": start}, "end": {"line": number, "character": start + 5}}
        edit = {"changes": {uri: [{"range": where, "newText": "right"}]}}
        return [{"title": "Fix all", "kind": "source.fixAll.toy", "edit": edit}]

    def _sort(self, uri: str) -> Json:
        """The imports of this language are the comments on top that say so."""
        lines = self._answers.sources[uri].lines
        count = next((number for number, line in enumerate(lines) if not line.startswith("# import ")), len(lines))
        text = "".join(f"{line}\n" for line in sorted(lines[:count]))
        where = {"start": {"line": 0, "character": 0}, "end": {"line": count, "character": 0}}
        edit = {"changes": {uri: [{"range": where, "newText": text}]}}
        return [{"title": "Sort", "kind": "source.organizeImports", "command": _handed_back(edit)}]

    def _resolve(self, params: Json) -> Json:
        uri = params["data"]["uri"]
        top = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
        return {**params, "edit": {"changes": {uri: [{"range": top, "newText": "# A comment.\n"}]}}}

    def _format(self, params: Json) -> Json:
        lines = self._answers.sources[params["textDocument"]["uri"]].lines
        within = params.get("range", {"start": {"line": 0}, "end": {"line": len(lines) - 1}})
        edits: list[Json] = []
        for number in range(within["start"]["line"], within["end"]["line"] + 1):
            wanted = _formed(lines[number], params["options"])
            if wanted != lines[number]:
                end = {"line": number, "character": units(lines[number])}
                edits.append({"range": {"start": {"line": number, "character": 0}, "end": end}, "newText": wanted})
        return edits


class Commands:
    """Commands that are being carried out: the edit that was asked for → the request that led to it."""

    def __init__(self, server: ToyServer) -> None:
        self._server = server
        self._waiting: dict[int, Json] = {}

    def execute(self, request: Json, params: Json) -> None:
        """Carry one out."""
        name, given = params["command"], params.get("arguments", [])
        if name == "toy.echo":
            self._server.send(id=request, result=given)
        elif name == "toy.late":
            self._server.send(id=request, result=None)
            self._append(given[0])
        elif name == "toy.append":
            self._waiting[self._append(given[0])] = request
        elif name == "toy.twice":
            self._append(given[0])
            self._waiting[self._append(given[0])] = request
        elif name == "toy.outside":
            self._waiting[self._ask((self._server.root.parent / "outside.toy").as_uri(), "# outside\n")] = request
        else:
            self._server.send(id=request, error={"code": METHOD_NOT_FOUND, "message": f"no {name} here"})

    def answered(self, request: Json, message: Json) -> None:
        """The client said what came of an edit."""
        waiting = self._waiting.pop(request, None)
        if waiting is not None:
            self._server.send(id=waiting, result=message.get("result"))

    def _append(self, text: str) -> int:
        return self._ask(list(self._server.texts)[-1], text)

    def _ask(self, uri: str, text: str) -> int:
        top = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
        edit = {"changes": {uri: [{"range": top, "newText": text}]}}
        return self._server.ask("workspace/applyEdit", {"edit": edit, "label": "toy"})


def _versioned(server: ToyServer, uri: str, edits: Json) -> Json:
    return {"textDocument": {"uri": uri, "version": server.versions.get(uri)}, "edits": edits}


def _handed_back(edit: Json) -> Json:
    return {"title": "Sort", "command": "editor.applyEdit", "arguments": [edit]}


def _is_below(kind: Json, wanted: str) -> bool:
    return f"{kind}.".startswith(f"{wanted}.")


def _formed(line: str, options: Json) -> str:
    """Without space at its end, and indented as wanted."""
    bare = line.rstrip()
    depth = re.match(r"\t*", bare)
    tabs = len(depth[0]) if depth else 0
    return " " * (tabs * options["tabSize"]) + bare[tabs:] if options["insertSpaces"] else bare
