"""Members and elements, written as YAML in block style.

Above: ``yaml``. Below: ``data``.
"""

import json
import re
from collections.abc import Mapping, Sequence

from groundwire.surfaces.setup.text.data import as_list, as_mapping

# What every reader, old or new, takes for a string without quotation marks.
_PLAIN = re.compile(r"(?:[A-Za-z_/][A-Za-z0-9_./@+-]*)(?: [A-Za-z0-9_./@+-]+)*")
_NAMED = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})
_UNPRINTABLE = re.compile(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def member_lines(key: str, value: object, indent: str, unit: str) -> list[str]:
    """``key: value``, on as many lines as it takes."""
    return _lines_after(f"{indent}{_string(key)}:", value, indent + unit, unit)


def item_lines(value: object, indent: str, unit: str) -> list[str]:
    """``- value``, with the members of a mapping below each other."""
    mapping = as_mapping(value)
    if not mapping:
        return _lines_after(f"{indent}-", value, indent + "  ", unit)
    lines = _mapping_lines(mapping, indent + "  ", unit)
    return [f"{indent}- {lines[0].lstrip(' ')}", *lines[1:]]


def value_lines(value: object, indent: str, unit: str) -> list[str]:
    """What stands after a colon: the first is the rest of that line, the others are lines of their own."""
    return _lines_after("", value, indent, unit)


def _lines_after(head: str, value: object, indent: str, unit: str) -> list[str]:
    mapping, elements = as_mapping(value), as_list(value)
    if mapping:
        return [head, *_mapping_lines(mapping, indent, unit)]
    if elements:
        return [head, *_list_lines(elements, indent, unit)]
    return [f"{head} {_scalar(value)}"]


def _mapping_lines(mapping: Mapping[str, object], indent: str, unit: str) -> list[str]:
    return [line for key, value in mapping.items() for line in member_lines(key, value, indent, unit)]


def _list_lines(elements: Sequence[object], indent: str, unit: str) -> list[str]:
    return [line for element in elements for line in item_lines(element, indent, unit)]


def _scalar(value: object) -> str:
    if isinstance(value, str):
        return _string(value)
    written = json.dumps(value)
    if isinstance(value, float) and "." not in written:  # without a point it would be a string for some readers
        return written.replace("e", ".0e")
    return written


def _string(text: str) -> str:
    if _PLAIN.fullmatch(text) and text.lower() not in _NAMED:
        return text
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found.group()):04x}", json.dumps(text, ensure_ascii=False))
