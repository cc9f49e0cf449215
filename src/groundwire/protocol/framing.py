"""The byte stream: bodies in, framed bytes out; bytes in, bodies out. Limits are reported, never silence.

A language server's standard output is meant to hold nothing but framed messages, but servers, runtimes and wrapper
scripts print to it too. So whatever is no message is skipped and reported, and the decoder is in step again at the next
header.

Above: ``correlator``. Below: nothing.
"""

import re
from typing import TypeAlias

import msgspec

GLIMPSE_SIZE = 4096
"""How much of each end is kept of a body that was refused."""

_BELIEVABLE_LENGTH = 1 << 32
"""A longer body is not skipped but disbelieved: skipping it would make the connection deaf for good."""

_USUAL_HEADER = re.compile(rb"Content-Length: ([0-9]{1,10})\r\n\r\n")
_LENGTH_AT_END = re.compile(rb"content-length[ \t]{0,16}:[ \t]{0,16}([0-9]{1,10})[ \t]{0,16}\r?\n", re.IGNORECASE)
_TYPE_LINE = re.compile(rb"[ \t]*content-type[ \t]*:", re.IGNORECASE)
_ANY_HEADER_LINE = re.compile(rb"[ \t]*[A-Za-z0-9-]+[ \t]*:")

_LONGEST_LENGTH_HEADER = 80
"""No text that ``_LENGTH_AT_END`` matches is longer, so looking at this much of the end of a line is enough."""


class Body(msgspec.Struct, frozen=True):
    """One whole message body."""

    data: bytes


class Noise(msgspec.Struct, frozen=True):
    """Text that belongs to no message: log lines, broken headers."""

    text: str


class Oversized(msgspec.Struct, frozen=True):
    """A body over the limit, skipped exactly. The two ends may tell whose it was."""

    size: int
    limit: int
    head: bytes
    tail: bytes


class Truncated(msgspec.Struct, frozen=True):
    """The stream ended inside a body."""

    size: int
    received: int
    head: bytes


Frame: TypeAlias = Body | Noise | Oversized | Truncated


def encode_frame(body: bytes) -> bytes:
    """The body with its header, ready to be sent."""
    return b"Content-Length: " + str(len(body)).encode() + b"\r\n\r\n" + body


class _Stretch:
    """The noise between two messages, kept up to a limit and counted beyond it."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._room = limit
        self._lines: list[bytes] = []
        self._cut = 0

    @property
    def is_empty(self) -> bool:
        return self._room == self._limit and not self._cut

    def add(self, text: bytes) -> None:
        kept = text[: self._room]
        if kept:
            self._lines.append(kept)
        self._room -= len(kept)
        self._cut += len(text) - len(kept)

    def report(self, frames: list[Frame]) -> None:
        """Hand out what is kept so far. The limit still counts for the whole stretch."""
        if self._lines:
            text = b"".join(self._lines).decode("utf-8", "replace").replace("\r\n", "\n").strip("\r\n")
            self._lines.clear()
            if text:
                frames.append(Noise(text))

    def end(self, frames: list[Frame]) -> None:
        """Report the rest, and how much was cut; the next stretch has the whole limit again."""
        self.report(frames)
        if self._cut:
            frames.append(Noise(f"[{self._cut:,} more bytes were cut]"))
        self._room = self._limit
        self._cut = 0


class FrameDecoder:
    """Takes bytes as they come and gives the frames that are complete. Never raises, whatever the bytes are."""

    def __init__(
        self, max_body: int = 32 * 1024 * 1024, max_noise: int = 64 * 1024, max_header: int = 8 * 1024
    ) -> None:
        self._max_body = max_body
        self._max_header = max_header
        self._noise = _Stretch(max_noise)
        self._line = bytearray()  # a line whose end has not come
        self._header = b""  # complete header lines of a block that has not ended
        self._length: int | None = None  # what that block says
        self._size = 0  # of the body that is being received
        self._missing = 0  # how much of it has not come; 0: between messages
        self._parts: list[bytes] = []
        self._head = b""  # both ends of a body that is being skipped
        self._tail = b""
        self._is_between = True  # nothing is kept of what came before

    def feed(self, data: bytes) -> list[Frame]:
        """The frames that these bytes complete, in the order of the stream."""
        if self._is_between and (whole := self._whole_message(data)) is not None:
            return [whole]
        frames: list[Frame] = []
        position, end = 0, len(data)
        while position < end:
            if self._missing:
                position = self._take_body(data, position, frames)
            else:
                position = self._take_header(data, position, frames)
        self._noise.report(frames)
        self._is_between = not (self._missing or self._line or self._header) and self._noise.is_empty
        return frames

    def close(self) -> list[Frame]:
        """What was left unfinished when the stream ended. The decoder is then as new."""
        frames: list[Frame] = []
        if self._missing:
            received = self._size - self._missing
            head = self._head or b"".join(self._parts)[:GLIMPSE_SIZE]
            frames.append(Truncated(self._size, received, head))
            self._forget_body()
        self._disbelieve_header()
        self._noise.add(bytes(self._line))
        self._line.clear()
        self._noise.end(frames)
        self._is_between = True
        return frames

    def _whole_message(self, data: bytes) -> Body | None:
        """What nearly always comes: one message, all of it.

        Without a pattern, and numbers made text rather than formatted: after a rest it is the first touch of each that
        takes time, as long as all the rest of taking an answer apart.
        """
        header, end, body = data.partition(b"\r\n\r\n")
        size = len(body)
        is_whole = end and size <= self._max_body and header == b"Content-Length: " + str(size).encode()
        return Body(body) if is_whole else None

    def _take_header(self, data: bytes, position: int, frames: list[Frame]) -> int:
        if not self._line and not self._header:
            usual = _USUAL_HEADER.match(data, position)
            if usual and (length := int(usual[1])) <= _BELIEVABLE_LENGTH:
                self._begin_body(length, frames)
                return usual.end()
        newline = data.find(b"\n", position)
        if newline < 0:
            self._keep_unfinished_line(data[position:])
            return len(data)
        line = data[position : newline + 1]
        if self._line:
            line = bytes(self._line) + line
            self._line.clear()
        self._take_line(line, frames)
        return newline + 1

    def _keep_unfinished_line(self, text: bytes) -> None:
        self._line += text
        if len(self._line) > self._max_header:
            self._disbelieve_header()
            self._noise.add(bytes(self._line[:-_LONGEST_LENGTH_HEADER]))
            del self._line[:-_LONGEST_LENGTH_HEADER]

    def _take_line(self, line: bytes, frames: list[Frame]) -> None:
        if not line.strip():
            if self._length is not None:
                self._begin_body(self._length, frames)
            else:
                self._disbelieve_header()
            return
        found = _LENGTH_AT_END.search(line, max(0, len(line) - _LONGEST_LENGTH_HEADER))
        if found and found.end() == len(line) and (length := int(found[1])) <= _BELIEVABLE_LENGTH:
            self._take_length(line, found.start(), length)
        elif self._belongs_to_header(line):
            self._header += line
        else:
            self._disbelieve_header()
            self._noise.add(line)

    def _take_length(self, line: bytes, start: int, length: int) -> None:
        # Of two lengths in a row the first was a log line or a message that broke off: the newest is the one to follow.
        before = line[:start]
        if self._length is not None or before.strip():
            self._disbelieve_header()
            self._noise.add(before)
            line = line[start:]
        self._header += line
        self._length = length

    def _belongs_to_header(self, line: bytes) -> bool:
        # Before a length is known "word: text" is more likely a log line; after it, a header we do not know.
        looks_right = _TYPE_LINE if self._length is None else _ANY_HEADER_LINE
        return looks_right.match(line) is not None and len(self._header) + len(line) <= self._max_header

    def _disbelieve_header(self) -> None:
        if self._header:
            self._noise.add(self._header)
            self._header = b""
            self._length = None

    def _begin_body(self, length: int, frames: list[Frame]) -> None:
        self._header = b""
        self._length = None
        self._noise.end(frames)
        self._size = self._missing = length
        if not length:
            frames.append(Body(b""))

    def _take_body(self, data: bytes, position: int, frames: list[Frame]) -> int:
        end = min(len(data), position + self._missing)
        part = data[position:end]
        self._missing -= end - position
        if self._size > self._max_body:
            self._skip(part)
            if not self._missing:
                frames.append(Oversized(self._size, self._max_body, self._head, self._tail))
                self._forget_body()
        elif self._missing:
            self._parts.append(part)
        elif self._parts:
            frames.append(Body(b"".join((*self._parts, part))))
            self._forget_body()
        else:
            frames.append(Body(part))
        return end

    def _skip(self, part: bytes) -> None:
        if len(self._head) < GLIMPSE_SIZE:
            self._head += part[: GLIMPSE_SIZE - len(self._head)]
        self._tail = (self._tail + part[-GLIMPSE_SIZE:])[-GLIMPSE_SIZE:]

    def _forget_body(self) -> None:
        self._missing = 0
        self._parts.clear()
        self._head = self._tail = b""
