"""How a file is indented: as ``.editorconfig`` says, else as its text is.

Pure. Above: ``formatting``. Below: nothing.
"""

import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

_INDENT = re.compile(r"^([ \t]+)\S", re.MULTILINE)
_WIDTHS = (2, 3, 4, 8)
_MOST_LINES = 5_000
_DEFAULT_WIDTH = 4
_WIDEST = 64


class Indentation(NamedTuple):
    """``width`` is that of a level of spaces, or of a tab."""

    width: int
    is_spaces: bool


def configured(properties: Mapping[str, str], else_: Indentation) -> Indentation:
    """By the properties of ``.editorconfig``; what they do not say is as in ``else_``."""
    style = properties.get("indent_style")
    is_spaces = else_.is_spaces if style not in ("tab", "space") else style == "space"
    tab_width, size = _number(properties.get("tab_width")), properties.get("indent_size")
    width = tab_width if size == "tab" else _number(size)
    if not is_spaces:
        width = tab_width or width
    return Indentation(width or tab_width or else_.width, is_spaces)


def detected(text: str) -> Indentation:
    """By the lines of the text; four spaces where it has none that are indented."""
    indents = [found[1] for found, _ in zip(_INDENT.finditer(text), range(_MOST_LINES), strict=False)]
    tabs = sum(indent.startswith("\t") for indent in indents)
    if tabs * 2 > len(indents):
        return Indentation(_DEFAULT_WIDTH, is_spaces=False)
    steps = Counter(_steps([len(indent) for indent in indents if "\t" not in indent]))
    return Indentation(steps.most_common(1)[0][0] if steps else _DEFAULT_WIDTH, is_spaces=True)


def _steps(widths: list[int]) -> list[int]:
    """By how much each line is indented more than the indented line before it, or than nothing."""
    differences = [after - before for before, after in zip([0, *widths], widths, strict=False)]
    return [difference for difference in differences if difference in _WIDTHS]


def _number(written: str | None) -> int:
    is_one = written is not None and written.isascii() and written.isdecimal() and len(written) <= 3
    return int(written) if written is not None and is_one and 0 < int(written) <= _WIDEST else 0
