"""A place in a text, as agents name it: a line and column, a line and a piece of it, or a pattern with ``@@``.

Pure. Lines and columns are 1-based characters. Above: ``targets``. Below: ``protocol.positions``.
"""

import msgspec

from groundwire.errors import InvalidArgument, NoSuchSymbol
from groundwire.operations.arguments import Target
from groundwire.protocol.lsp import Position
from groundwire.protocol.positions import Lines

_MARK = "@@"
_MOST_SHOWN = 60


class TextPlace(msgspec.Struct, frozen=True):
    """1-based characters; ``note`` says what was chosen where the words fit more than one place."""

    line: int
    column: int
    note: str = ""


def find_place(target: Target, lines: Lines) -> TextPlace:
    """The place that ``target`` names in a text, other than by a symbol's name."""
    if target.position_pattern:
        return _by_pattern(target, lines)
    if not target.line:
        raise InvalidArgument(
            "no place is named",
            hint="Give symbol; or file_path with line and column, line and text, or position_pattern.",
        )
    _require_line(target.line, lines, "line")
    if target.text:
        return _by_text(target, lines)
    return TextPlace(target.line, _column(target, lines.line(target.line - 1)))


def _column(target: Target, line: str) -> int:
    """The column given; without one, where the line's text begins."""
    if not target.column:
        return len(line) - len(line.lstrip()) + 1
    if target.column > len(line) + 1:
        hint = f"The line is: {_shown(line)}"
        raise InvalidArgument(f"line {target.line} has only {len(line)} characters, not {target.column}", hint=hint)
    return target.column


def _by_text(target: Target, lines: Lines) -> TextPlace:
    line = lines.line(target.line - 1)
    start = line.find(target.text, max(target.column - 1, 0))
    if start < 0:
        raise NoSuchSymbol(f"{target.text!r} is not on line {target.line}", hint=_where_instead(target, lines, line))
    times = line.count(target.text)
    note = f"the first of {times} times that {target.text!r} stands on the line" if times > 1 else ""
    return TextPlace(target.line, start + 1, note if not target.column else "")


def _where_instead(target: Target, lines: Lines, line: str) -> str:
    elsewhere = [number + 1 for number in range(lines.line_count) if target.text in lines.line(number)]
    if not elsewhere:
        return f"The line is: {_shown(line)}"
    nearest = sorted(elsewhere, key=lambda number: abs(number - target.line))[:3]
    return f"It is on line {', '.join(map(str, sorted(nearest)))}. Line {target.line} is: {_shown(line)}"


def _by_pattern(target: Target, lines: Lines) -> TextPlace:
    before, mark, after = target.position_pattern.partition(_MARK)
    if not mark:
        raise InvalidArgument("the pattern has no @@", hint="Put @@ just before the character that is meant.")
    if not before and not after:
        raise InvalidArgument("the pattern is only @@", hint="Add some of the text round the place.")
    first, last = _scope(target, lines)
    wanted = before + after
    found = lines.text.find(wanted, first, last)
    if found < 0:
        wanted_here = "in the lines named" if target.line_scope_start or target.line_scope_end else "in the file"
        raise NoSuchSymbol(f"{_shown(wanted)!r} is not {wanted_here}", hint="Copy the text exactly, blanks included.")
    again = lines.text.find(wanted, found + 1, last) >= 0
    human = lines.position(found + len(before), "utf-32")
    return TextPlace(human.line + 1, human.character + 1, "the first of several places that fit" if again else "")


def _scope(target: Target, lines: Lines) -> tuple[int, int]:
    start, end = target.line_scope_start or 1, target.line_scope_end or lines.line_count
    _require_line(start, lines, "line_scope_start")
    if end < start:
        raise InvalidArgument(f"line_scope_end {end} is before line_scope_start {start}")
    return lines.offset(Position(start - 1, 0), "utf-32"), lines.offset(Position(end, 0), "utf-32")


def _require_line(line: int, lines: Lines, name: str) -> None:
    if line > lines.line_count:
        raise InvalidArgument(f"{name} is {line}, and the file has {lines.line_count} lines")


def _shown(text: str) -> str:
    stripped = text.strip()
    return stripped if len(stripped) <= _MOST_SHOWN else f"{stripped[:_MOST_SHOWN]}…"
