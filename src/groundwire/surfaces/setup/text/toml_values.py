"""Keys and values, written as TOML on one line.

Above: ``toml_changes``, ``toml``. Below: ``data``.
"""

import json
import re
from collections.abc import Mapping, Sequence

from groundwire.errors import InvalidArgument
from groundwire.surfaces.setup.text.data import as_list, as_mapping

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_DELETE = "\x7f"


def key_text(path: Sequence[str]) -> str:
    """A dotted key, quoted where it has to be."""
    return ".".join(part if _BARE.fullmatch(part) else _string(part) for part in path)


def pair_text(path: Sequence[str], value: object) -> str:
    """``key = value``"""
    return f"{key_text(path)} = {value_text(value)}"


def value_text(value: object) -> str:
    """Raises InvalidArgument for null, which TOML does not have."""
    mapping = as_mapping(value)
    if mapping is not None:
        return _inline_table(mapping)
    elements = as_list(value)
    if elements is not None:
        return f"[{', '.join(value_text(element) for element in elements)}]"
    if isinstance(value, str):
        return _string(value)
    if value is None:
        raise InvalidArgument("TOML has no null", hint="Leave the key out.")
    return json.dumps(value)


def _inline_table(mapping: Mapping[str, object]) -> str:
    if not mapping:
        return "{}"
    return "{ " + ", ".join(pair_text((key,), value) for key, value in mapping.items()) + " }"


def _string(text: str) -> str:
    """JSON's escapes are TOML's, but for the one control character that JSON lets pass."""
    return json.dumps(text, ensure_ascii=False).replace(_DELETE, "\\u007F")
