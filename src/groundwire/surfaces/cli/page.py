"""What the stream of a command can show.

Above: ``explain``, ``doctor`` and ``status``. Below: ``render.layout``.
"""

import os
import shutil
from typing import TextIO

from groundwire.render.layout import Page

_FOR_FILES = 100


def page_of(stream: TextIO) -> Page:
    """The width and the colours of a terminal; a file has neither."""
    is_terminal = stream.isatty()
    return Page(
        width=shutil.get_terminal_size().columns if is_terminal else _FOR_FILES,
        has_colour=is_terminal and "NO_COLOR" not in os.environ,
        has_unicode=(stream.encoding or "").lower().startswith("utf"),
    )
