"""The content of a file: bytes ↔ text, with all that an edit must keep: byte order mark, encoding, line endings.

The text is the one that servers are told (``client.disk``): without a byte order mark, and where the bytes are no
UTF-8, one character for each byte. Above: ``plan``, ``report``. Below: ``errors``.
"""

import codecs
import re
from dataclasses import dataclass
from functools import cached_property

from groundwire.errors import EditConflict, NotAFile

_BINARY_PROBE = 8192
_DECLARED_WITHIN = 400
# The longer marks first: that of UTF-32 begins like that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARATION = re.compile(rb"coding\s*[:=]\s*[\"']?([\w.-]+)")
_ENDING = re.compile(r"\r\n|\r|\n")
_NOT_ASCII = re.compile(r"[^\0-\x7f]+")


@dataclass(frozen=True)
class FileContent:
    """A text and how it is written as bytes. ``is_guessed``: nobody knows what its bytes over 127 stand for."""

    text: str
    encoding: str = "utf-8"
    mark: bytes = b""
    is_guessed: bool = False

    @cached_property
    def endings(self) -> dict[str, int]:
        """How often each line ending occurs, the most frequent first."""
        crlf = self.text.count("\r\n")
        counts = {"\n": self.text.count("\n") - crlf, "\r\n": crlf, "\r": self.text.count("\r") - crlf}
        return {ending: count for ending, count in sorted(counts.items(), key=lambda item: -item[1]) if count}

    def with_our_endings(self, inserted: str) -> str:
        """Text to be inserted, with the line endings of the file: servers send ``\\n`` whatever the file has.

        In a file with several kinds only ``\\n`` becomes the most frequent one: others were meant as they are.
        """
        if not self.endings:
            return inserted
        ours = next(iter(self.endings))
        if len(self.endings) == 1:
            return _ENDING.sub(ours, inserted)
        return inserted if ours == "\n" else re.sub(r"(?<!\r)\n", ours, inserted)

    def encode(self, text: str, name: object) -> bytes:
        """The bytes of ``text`` written the way this content is. Raises EditConflict, never replaces a character."""
        if self.is_guessed:
            self._require_known_characters(text, name)
        try:
            return self.mark + text.encode(self.encoding)
        except UnicodeEncodeError as problem:
            character = text[problem.start].encode("unicode_escape").decode()
            raise EditConflict(
                f"{name} is written in {self.encoding}, which has no {character}",
                hint="Use other characters, or convert the file to UTF-8 first.",
            ) from problem

    def _require_known_characters(self, text: str, name: object) -> None:
        """What was there before is right in whatever encoding it is; of anything new the bytes are unknown."""
        known = set(_NOT_ASCII.findall(self.text))
        new = next((run for run in _NOT_ASCII.findall(text) if run not in known), None)
        if new is not None:
            raise EditConflict(
                f"{name} is neither UTF-8 nor says what else, so {new[:20]!r} cannot be written into it",
                hint="Use ASCII characters only, or convert the file to UTF-8 first.",
            )


def decode(data: bytes, name: object) -> FileContent:
    """The text of a file. Raises NotAFile for what is no text."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _marked(data, mark, encoding, name)
    _require_text(data, name)
    try:
        return FileContent(data.decode("utf-8"))
    except UnicodeDecodeError:
        return FileContent(data.decode("latin-1"), "latin-1", is_guessed=not _declares_latin_1(data))


def _marked(data: bytes, mark: bytes, encoding: str, name: object) -> FileContent:
    try:
        content = FileContent(data[len(mark) :].decode(encoding), encoding, mark)
    except UnicodeDecodeError as problem:
        if encoding == "utf-8":
            # As servers are told it: without the mark, one character for each byte.
            return FileContent(data[len(mark) :].decode("latin-1"), "latin-1", mark, is_guessed=True)
        raise NotAFile(f"{name} begins like {encoding}, but is not: {problem.reason}") from problem
    _require_text(data[len(mark) :] if encoding == "utf-8" else b"", name)
    return content


def _require_text(data: bytes, name: object) -> None:
    if b"\0" in data[:_BINARY_PROBE]:
        raise NotAFile(f"{name} is a binary file")


def _declares_latin_1(data: bytes) -> bool:
    found = _DECLARATION.search(data[:_DECLARED_WITHIN])
    try:
        return found is not None and codecs.lookup(found[1].decode("ascii")).name == "iso8859-1"
    except (LookupError, UnicodeDecodeError):
        return False
