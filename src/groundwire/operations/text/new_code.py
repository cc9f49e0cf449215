"""Code that is put into a text: without the indentation it came with, and with the one it needs there.

The inside of strings is never touched, but for texts that stand alone, as documentation does. Pure. Above: the edits of
symbols. Below: ``masked_text``.
"""

import re
from collections.abc import Sequence

from groundwire.operations.text.masked_text import COMMENT, STRING, Masked
from groundwire.operations.text.syntax import Syntax

_INDENTATION = re.compile(r"[ \t]*")
_LAST = re.compile(r"[)\]}]|end\b")


def cleaned(code: str) -> str:
    """With one kind of line ending, and neither blank lines nor white space round it but for its indentation."""
    lines = code.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    while lines and not lines[0].strip():
        del lines[0]
    while lines and not lines[-1].strip():
        del lines[-1]
    return "\n".join(lines).rstrip()


def indented(code: str, indentation: str, unit: str, syntax: Syntax) -> str:
    """The code with its outermost lines at ``indentation``, and ``unit`` for each level within."""
    masked = Masked(code, syntax)
    lines = code.split("\n")
    movable = _movable(masked, lines)
    depth = _outermost(masked, lines, movable)
    own_unit = _unit_of(lines, movable, depth)
    shown: list[str] = []
    for number, line in enumerate(lines):
        if number not in movable:
            shown.append(line)
            continue
        own = _indentation(line)
        inner = own[len(depth) :] if own.startswith(depth) else ""
        shown.append(f"{indentation}{_converted(inner, own_unit, unit)}{line[len(own) :]}" if line.strip() else "")
    return "\n".join(shown)


def indentation_unit(text: str, syntax: Syntax) -> str:
    """One level of indentation as most of the text has it."""
    depths = [_indentation(line) for line in text.split("\n") if line[:1] in (" ", "\t") and line.strip()]
    if not depths:
        return syntax.unit
    if sum(depth.startswith("\t") for depth in depths) * 2 > len(depths):
        return "\t"
    widths = sorted({len(depth) for depth in depths if not depth.startswith("\t")})
    steps = [width for width in widths if width in (2, 3, 4, 8)]
    return " " * steps[0] if steps else syntax.unit


def _movable(masked: Masked, lines: Sequence[str]) -> set[int]:
    """The lines that do not begin within a string whose text it would change, nor speak to a preprocessor."""
    movable: set[int] = set()
    start = 0
    for number, line in enumerate(lines):
        is_inside = start > 0 and masked.code[start - 1] == STRING
        is_directive = line.lstrip().startswith("#") and masked.syntax.not_above == "#"
        if not is_directive and (not is_inside or _stands_alone(masked, start)):
            movable.add(number)
        start += len(line) + 1
    return movable


def _stands_alone(masked: Masked, inside: int) -> bool:
    """Whether the string round a place is a statement of its own, as documentation is."""
    start, end = inside, inside
    while start > 0 and masked.code[start - 1] == STRING:
        start -= 1
    while end < len(masked.code) and masked.code[end] == STRING:
        end += 1
    before = masked.code[masked.code.rfind("\n", 0, start) + 1 : start]
    after = masked.code[end : masked.line_end(end)].replace(COMMENT, "")
    return masked.syntax.colon and not before.strip() and not after.strip() and masked.round(start) < 0


def _outermost(masked: Masked, lines: Sequence[str], movable: set[int]) -> str:
    """The indentation that all lines have in common. The first is often given without the one it had."""
    own = [_indentation(lines[number]) for number in sorted(movable) if lines[number].strip()]
    if not own:
        return ""
    rest = min(own[1:], key=len, default=own[0])
    if len(own[0]) >= len(rest):
        return rest if own[0].startswith(rest) else ""
    if own[0] == "" and rest and _is_first_line_cut(masked, lines, own, rest):
        return rest
    return own[0]


def _is_first_line_cut(masked: Masked, lines: Sequence[str], own: Sequence[str], rest: str) -> bool:
    """Whether only the first line lost its indentation: then the others make no sense below it."""
    last = next(line for line in reversed(lines) if line.strip())
    if _LAST.match(last.lstrip()) and _indentation(last) == rest:
        return True
    if masked.syntax.block != "indent":
        return False
    opens_block = masked.code[: masked.line_end(0)].rstrip(f"{COMMENT} \t").endswith(":")
    return not opens_block or len(own[1]) > len(rest)


def _unit_of(lines: Sequence[str], movable: set[int], depth: str) -> str:
    """The smallest step of the code's own indentation."""
    inner = [_indentation(lines[number])[len(depth) :] for number in movable if lines[number].strip()]
    if any(each.startswith("\t") for each in inner):
        return "\t"
    return min((each for each in inner if each), key=len, default="")


def _converted(inner: str, own: str, unit: str) -> str:
    """Tabs for spaces or spaces for tabs, where the text has the other; else as it is."""
    if not inner or not own or (own[0] == unit[0]):
        return inner
    levels, rest = divmod(len(inner), len(own)) if set(inner) == {own[0]} else (0, len(inner))
    return unit * levels + " " * rest if levels else inner


def _indentation(line: str) -> str:
    found = _INDENTATION.match(line)
    return found[0] if found else ""
