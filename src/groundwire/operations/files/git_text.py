"""The text that a server would see of a content that git keeps: as git would write it to disk, but for what it would
run a program for.

Above: ``change_set``. Below: ``git_records``, ``edits.content``.
"""

import os
import re
from collections.abc import Iterable, Mapping

from groundwire.edits.content import decode
from groundwire.errors import NotAFile
from groundwire.operations.files.git_records import GitRecords

_ATTRIBUTES = ("filter", "working-tree-encoding", "text", "crlf", "eol")
_CONVERTED = ("filter", "working-tree-encoding")
_NOTHING_SAID = frozenset({"", "unspecified", "unset"})
_TRUE = frozenset({"true", "yes", "on", "1"})
_LONE_LINE_FEED = re.compile(rb"(?<!\r)\n")
_BINARY_PROBE = 8192


class CheckedOut:
    """How git writes the files of these paths to disk."""

    def __init__(self, records: GitRecords, paths: Iterable[bytes]) -> None:
        self._attributes = records.attributes(paths, _ATTRIBUTES)
        self._settings = {name: records.setting(name) for name in ("core.autocrlf", "core.eol")}

    def text(self, path: bytes, data: bytes) -> str | None:
        """The text of the file. None where there is none, or where only a program would know it."""
        attributes = self._attributes.get(path, {})
        if any(attributes.get(name, "") not in _NOTHING_SAID for name in _CONVERTED):
            return None
        if _gets_carriage_returns(data, attributes, self._settings):
            data = _LONE_LINE_FEED.sub(b"\r\n", data)
        try:
            return decode(data, os.fsdecode(path)).text
        except NotAFile:
            return None


def _gets_carriage_returns(data: bytes, attributes: Mapping[str, str], settings: Mapping[str, str]) -> bool:
    """Whether git ends lines with them on disk though it does not keep them."""
    text, eol = _text_attribute(attributes), attributes.get("eol", "unspecified")
    if text == "unset" or eol == "lf":
        return False
    is_automatic = text == "auto" or (text == "unspecified" and eol == "unspecified")
    if is_automatic and (b"\r" in data or b"\0" in data[:_BINARY_PROBE]):
        return False
    if eol == "crlf" or settings["core.autocrlf"] in _TRUE:
        return True
    if text == "unspecified" or settings["core.autocrlf"] == "input":
        return False
    return settings["core.eol"] == "crlf" or (settings["core.eol"] in ("", "native") and os.linesep == "\r\n")


def _text_attribute(attributes: Mapping[str, str]) -> str:
    """``crlf`` is the old name for it, where ``input`` stood for line feeds."""
    text = attributes.get("text", "unspecified")
    if text != "unspecified":
        return text
    old = attributes.get("crlf", "unspecified")
    return "unset" if old == "input" else old
