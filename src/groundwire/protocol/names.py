r"""Names that are no text: a file may be called by bytes that are no UTF-8, which Python keeps as lone surrogates.

Within groundwire they stay that, for only so do they lead to their file. In a URI they are the bytes, percent-encoded
(see ``uris``). Whatever leaves for people, models and programs shows them as ``bad\xff.py``, and what is given back in
that spelling is understood again. Above: every surface, ``operations``, ``pool``, ``client``. Below: nothing.
"""

import re
from typing import cast

RENAME_IT = "Rename it: most language servers know files only by names that are UTF-8."
"""What helps where a server cannot take a name."""

_HALF = re.compile("[\ud800-\udfff]")
_BYTES = range(0xDC80, 0xDD00)
_SHOWN_BYTE = re.compile(r"\\x([89a-f][0-9a-f])")


def is_text(name: str) -> bool:
    """Whether UTF-8, and with it JSON, can write it."""
    return name.isascii() or _HALF.search(name) is None


def shown(text: str) -> str:
    """The text with a spelling in the place of whatever is no character."""
    return text if text.isascii() else _HALF.sub(_spelled, text)


def shown_within(value: object) -> object:
    """The same of every text in what is about to be JSON."""
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, dict):
        return {
            shown(name) if isinstance(name, str) else name: shown_within(each)
            for name, each in cast("dict[object, object]", value).items()
        }
    if isinstance(value, list | tuple):
        return [shown_within(each) for each in cast("list[object]", value)]
    return value


def meant(name: str) -> str:
    """The name that is shown like this; a file may as well be called so itself, which only a look at the disk tells."""
    if "\\x" not in name:
        return name
    spelled = _SHOWN_BYTE.sub(lambda byte: chr(0xDC00 + int(byte[1], 16)), name)
    try:  # bytes that are characters together are read as those
        return spelled.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half a character that is no byte: no file is called that
        return name


def _spelled(half: re.Match[str]) -> str:
    code = ord(half[0])
    return f"\\x{code - 0xDC00:02x}" if code in _BYTES else f"\\u{code:04x}"
