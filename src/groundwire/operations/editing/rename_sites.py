"""The places that an edit changes, each with its line before and after.

Pure. Above: ``rename``. Below: ``protocol.edits``, ``protocol.positions``.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import msgspec

from groundwire.operations.results.fixes import RenameSite
from groundwire.protocol.edits import apply_text_edits
from groundwire.protocol.lsp import Position, Range
from groundwire.protocol.lsp_edits import TextEdit
from groundwire.protocol.positions import Lines, PositionEncoding
from groundwire.protocol.snippets import plain_text


def sites_in(file: str, text: str, edits: Sequence[TextEdit], encoding: PositionEncoding) -> Iterator[RenameSite]:
    """Every edit of a text, in the order of their places. ``file`` is its name as it is shown."""
    lines = Lines(text)
    by_line: dict[int, list[TextEdit]] = defaultdict(list)
    for edit in sorted(edits, key=lambda edit: edit.range):
        by_line[edit.range.start.line].append(edit)
    for number, on_line in by_line.items():
        before = lines.line(number) if number < lines.line_count else ""
        after = _changed(before, on_line, encoding)
        for edit in on_line:
            line, column = lines.to_human(edit.range.start, encoding)
            yield RenameSite(file=file, line=line, column=column, before=before.strip(), after=after.strip())


def _changed(line: str, edits: Sequence[TextEdit], encoding: PositionEncoding) -> str:
    """The line with its edits; one that goes on into other lines takes the rest of it along."""
    return apply_text_edits(line, [_on_first_line(edit) for edit in edits], encoding)


def _on_first_line(edit: TextEdit) -> TextEdit:
    start, end = edit.range.start, edit.range.end
    last = end.character if end.line == start.line else _TO_THE_END
    within = Range(Position(0, start.character), Position(0, last))
    text = plain_text(edit.snippet.value) if edit.snippet is not None else edit.new_text or ""
    return msgspec.structs.replace(edit, range=within, new_text=text, snippet=None)


_TO_THE_END = 2**31 - 1
