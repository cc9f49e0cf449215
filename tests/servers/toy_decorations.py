"""What ``well_read`` answers about the text: signatures, completions, hints, tokens, ranges, lenses."""

from collections.abc import Callable
from typing import ClassVar

from base import Json
from toy_answers import Answers, touches, units
from toy_language import Declaration, Source, Span, Use


class Decorations:
    """Answers from the same sources."""

    TYPES = ("class", "function", "method", "parameter")
    _OF_KIND: ClassVar = {5: 0, 12: 1, 6: 2}

    def __init__(self, answers: Answers) -> None:
        self._answers = answers

    def table(self) -> dict[str, Callable[[Json], Json]]:
        """Method → answer."""
        return {
            "textDocument/signatureHelp": self._signature_help,
            "textDocument/completion": self._completions,
            "completionItem/resolve": self._resolve_completion,
            "textDocument/inlayHint": self._hints,
            "textDocument/semanticTokens/full": self._tokens,
            "textDocument/semanticTokens/range": self._tokens,
            "textDocument/foldingRange": self._folds,
            "textDocument/selectionRange": self._selections,
            "textDocument/codeLens": self._lenses,
            "codeLens/resolve": self._resolve_lens,
        }

    def _source(self, params: Json) -> Source:
        return self._answers.sources[params["textDocument"]["uri"]]

    def _declared(self, name: str) -> list[Declaration]:
        return [each for each in self._answers.declarations if each.name == name]

    def _signature_help(self, params: Json) -> Json:
        uri, line, column = self._answers.place(params)
        calls = [use for use in self._answers.sources[uri].uses if use.inside and touches(use.inside, line, column)]
        if not calls:
            return None
        before = sum(argument.end < column for argument in calls[0].arguments)
        signatures = [self._signature(each) for each in self._declared(calls[0].name)]
        return {"signatures": signatures, "activeSignature": 0, "activeParameter": before}

    def _signature(self, declaration: Declaration) -> Json:
        label, parameters, at = declaration.signature, list[Json](), len(declaration.name) + 1
        for name, _ in declaration.parameters:
            parameters.append({"label": [units(label[:at]), units(label[: at + len(name)])]})
            at += len(name) + 2
        return {"label": label, "documentation": declaration.comment, "parameters": parameters}

    def _completions(self, params: Json) -> Json:
        uri, line, column = self._answers.place(params)
        text = self._answers.sources[uri].lines[line][:column]
        typed = text.split()[-1] if text.split() and not text.endswith(" ") else ""
        names = sorted({each.name: each for each in self._answers.declarations}.items(), reverse=True)
        items: list[Json] = [
            {
                "label": name,
                "kind": 7 if each.word == "class" else 3,
                "sortText": f"{len(name):02}",
                "data": each.comment,
            }
            for name, each in names
            if name.startswith(typed)
        ]
        return {"isIncomplete": True, "items": items} if "incomplete" in self._answers.habits else items

    def _resolve_completion(self, params: Json) -> Json:
        return {**params, "documentation": {"kind": "markdown", "value": params["data"]}}

    def _hints(self, params: Json) -> Json:
        uri, first, last = params["textDocument"]["uri"], params["range"]["start"], params["range"]["end"]
        uses = [use for use in self._source(params).uses if first["line"] <= use.span.line <= last["line"]]
        return [hint for use in uses for hint in self._hints_of(uri, use)]

    def _hints_of(self, uri: str, use: Use) -> list[Json]:
        declared = self._declared(use.name)
        names = [name for name, _ in declared[0].parameters] if declared else []
        # One in one piece and the next in several: both forms are allowed.
        labels: list[Json] = [f"{names[0]}:"] if names else []
        labels += [[{"value": name}, {"value": ":"}] for name in names[1:]]
        starts = [self._answers.range_of(uri, argument)["start"] for argument in use.arguments]
        return [{"position": start, "label": label, "kind": 2} for start, label in zip(starts, labels, strict=False)]

    def _tokens(self, params: Json) -> Json:
        source, uri = self._source(params), params["textDocument"]["uri"]
        spans: list[tuple[Span, int, int]] = []
        for each in source.declarations:
            spans.append((each.span, self._OF_KIND[each.kind], 1))
            spans += [(span, 3, 1) for _, span in each.parameters if each.word == "def"]
        for use in source.uses:
            spans += [(use.span, self._OF_KIND[each.kind], 0) for each in self._declared(use.name)[:1]]
        data: list[int] = []
        line = character = 0
        for span, kind, modifiers in sorted(spans, key=lambda entry: (entry[0].line, entry[0].start)):
            start, end = (self._answers.range_of(uri, span)[side]["character"] for side in ("start", "end"))
            data += [span.line - line, start - (character if span.line == line else 0), end - start, kind, modifiers]
            line, character = span.line, start
        return {"data": data} if data else None

    def _folds(self, params: Json) -> Json:
        blocks = [each for each in self._source(params).declarations if each.end > each.start]
        return [{"startLine": each.start, "endLine": each.end} for each in blocks]

    def _selections(self, params: Json) -> Json:
        return [self._selection({**params, "position": position}) for position in params["positions"]]

    def _selection(self, params: Json) -> Json:
        uri, line, column = self._answers.place(params)
        source = self._answers.sources[uri]
        last = len(source.lines) - 1
        ranges: list[Json] = [self._whole(source, 0, last)]
        ranges += [self._answers.block_of(each) for each in source.around(line)]
        ranges.append(self._whole(source, line, line))
        names = [each.span for each in (*source.declarations, *source.uses) if touches(each.span, line, column)]
        ranges += [self._answers.range_of(uri, span) for span in names]
        found: Json = None
        for span in ranges:
            found = {"range": span, "parent": found} if found else {"range": span}
        return found

    def _whole(self, source: Source, first: int, last: int) -> Json:
        end = {"line": last, "character": units(source.lines[last])}
        return {"start": {"line": first, "character": 0}, "end": end}

    def _lenses(self, params: Json) -> Json:
        uri = params["textDocument"]["uri"]
        return [
            {"range": self._answers.range_of(uri, each.span), "data": each.name}
            for each in self._source(params).declarations
        ]

    def _resolve_lens(self, params: Json) -> Json:
        uses = len(self._answers.uses_of([params["data"]]))
        return {**params, "command": {"title": f"{uses} uses", "command": "toy.show"}}
