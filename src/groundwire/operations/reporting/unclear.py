"""Why the text of a Python file does not tell what others have of it: indented as nothing allows, servers guess what
belongs to what; named as a module that others had so far, it stands before that.

Pure but for a look at what is beside the file. Above: ``dependents``. Below: ``declared_names``,
``touched``.
"""

import io
import sys
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path

from groundwire.operations.reporting.touched import shifts
from groundwire.operations.text.declared_names import DeclaringText, indent_of

_ENDINGS = frozenset({".py", ".pyi"})
_OPEN = (",", "(", "[", "{", "\\")
_NO_CODE = frozenset({tokenize.COMMENT, tokenize.NL, tokenize.DEDENT})


def why_unclear(file: Path, before: str | None, after: str | None) -> str:
    """Empty where nothing speaks against the text."""
    if file.suffix not in _ENDINGS or before is None or before == after:
        return ""
    if (not before or after is None) and _hides_another(file):
        return f"{file.stem} is a module of the language too: who means which is not known"
    if not before or not after:
        return ""
    gaps = list(shifts(before, after).gaps())
    if _is_misindented(before, [gap[:2] for gap in gaps]) or _is_misindented(after, [gap[2:] for gap in gaps]):
        return f"the lines of {file.name} are indented as nothing allows: what others have of it is not known"
    return ""


def _hides_another(file: Path) -> bool:
    """Those of a package are named by it."""
    return file.stem in sys.stdlib_module_names and not (file.parent / "__init__.py").exists()


def _is_misindented(text: str, places: Iterable[tuple[int, int]]) -> bool:
    """Looked at as a whole only where it seems so from the lines about these places: that takes its time."""
    lines = DeclaringText(text)
    return any(_seems_odd(lines, each) for place in places for each in _about(lines, *place)) and not _is_sound(text)


def _about(text: DeclaringText, start: int, end: int) -> Iterator[int]:
    """Those from ``start`` on, as far as what stands above them may hold them."""
    above = next((each for each in range(start - 1, -1, -1) if text.is_code(each)), None)
    indent = indent_of(text.lines[above]) if above is not None else 0
    for number in filter(text.is_code, range(start, len(text.lines))):
        yield number
        if number >= end and indent_of(text.lines[number]) <= indent:
            return


def _seems_odd(text: DeclaringText, number: int) -> bool:
    above = next((each for each in range(number - 1, -1, -1) if text.is_code(each)), None)
    if above is None or not text.is_code(number):
        return False
    line = text.lines[above].split(" #")[0].rstrip()
    indent, was = indent_of(text.lines[number]), indent_of(text.lines[above])
    if indent > was:
        return not line.endswith((":", *_OPEN))
    return line.endswith(":") or (indent < was and not _returns(text, above, indent))


def _returns(text: DeclaringText, above: int, indent: int) -> bool:
    """Whether what is above began as far to the left at some place."""
    levels = (indent_of(text.lines[each]) for each in range(above, -1, -1) if text.is_code(each))
    return next((level == indent for level in levels if level <= indent), False)


def _is_sound(text: str) -> bool:
    """Whether blocks begin behind a colon, and only there. By its tokens: the grammar may be newer than ours."""
    ends_open = False
    last = ""
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type in _NO_CODE:
                continue
            if (token.type == tokenize.INDENT) != ends_open:
                return False
            ends_open = token.type == tokenize.NEWLINE and last == ":"
            last = token.string
    except (tokenize.TokenError, SyntaxError):
        return False
    return True
