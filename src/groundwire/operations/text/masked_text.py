"""A text in which strings and comments cannot be mistaken for code, and its brackets in pairs.

Pure. ``code`` is the text, character for character, with every character of a string or comment replaced by a mark; the
end of the line behind a comment stays. Above: the edits of symbols. Below: ``syntax``.
"""

import re
from bisect import bisect_left
from functools import cached_property

from groundwire.operations.text.syntax import HoledString, Syntax

STRING = "\x01"
COMMENT = "\x02"
BLANK = " \t\r\n\x0b\x0c\x02"
"""What is no code."""

_CLOSING = {")": "(", "]": "[", "}": "{"}
_OPENING = frozenset(_CLOSING.values())
_MOST_NESTED = 50
_PARTNERS = {"{": "}", "(": ")"}
_SIMPLE_HOLES = {"{": re.compile(r"[^{}\"'`\n]*\}"), "(": re.compile(r"[^()\"'`\n]*\)")}


class Masked:
    """A text and what of it is code."""

    def __init__(self, text: str, syntax: Syntax) -> None:
        self.text = text
        self.syntax = syntax
        self.code = _Masking(text, syntax).code()

    @cached_property
    def _brackets(self) -> "_Brackets":
        return _Brackets(self.code)

    @property
    def is_balanced(self) -> bool:
        """Whether every bracket has its partner."""
        return self._brackets.is_balanced

    def partner(self, at: int) -> int | None:
        """The offset of the bracket that closes the one at ``at``, or opens it."""
        return self._brackets.pairs.get(at)

    def round(self, at: int) -> int:
        """The innermost bracket that is open just before ``at``; -1 when none is."""
        return self._brackets.round(at)

    def skip_blank(self, at: int, end: int) -> int:
        """The first code from ``at`` on, or ``end``."""
        while at < end and self.code[at] in BLANK:
            at += 1
        return at

    def skip_blank_back(self, at: int, start: int) -> int:
        """Just behind the last code before ``at``, or ``start``."""
        while at > start and self.code[at - 1] in BLANK:
            at -= 1
        return at

    def line_start(self, at: int) -> int:
        """Where the line begins, as it is written."""
        return self.text.rfind("\n", 0, at) + 1

    def line_end(self, at: int) -> int:
        """Where the line of code ends, its comments and strings over several lines included; before its ending."""
        end = self.code.find("\n", at)
        end = len(self.code) if end < 0 else end
        return end - 1 if end > at and self.text[end - 1] == "\r" else end

    def indentation(self, at: int) -> str:
        """The white space that the line begins with."""
        start = self.line_start(at)
        end = start
        while end < len(self.text) and self.text[end] in " \t":
            end += 1
        return self.text[start:end]

    def holds_statement(self, at: int) -> bool:
        """Whether a statement may stand there: not within brackets, unless they are those of a block."""
        around = self.round(at)
        return around < 0 or (self.code[around] == "{" and self.syntax.block != "indent") or self.is_group(around)

    def is_group(self, opening: int) -> bool:
        """Whether a bracket holds declarations, one a line: ``const ( … )``."""
        pattern, start = self.syntax.grouped, self.line_start(opening)
        return bool(pattern and opening >= 0 and re.search(pattern, self.code[start:opening].rstrip(BLANK)))

    def is_line_of_code(self, start: int, outside: int) -> bool:
        """Whether a statement may begin with the line at ``start``: not within a string, a comment or brackets more
        than the one at ``outside``, nor as the continuation of the line before."""
        if start == 0:
            return True
        is_continued = self.code[max(start - 3, 0) : start - 1].rstrip("\r").endswith("\\")
        return self.code[start - 1] == "\n" and not is_continued and self.round(start) == outside


class _Brackets:
    """All pairs of brackets."""

    def __init__(self, code: str) -> None:
        self.pairs: dict[int, int] = {}
        self.is_balanced = True
        self._offsets: list[int] = []
        self._open_after: list[int] = []
        stack: list[int] = []
        for at, character in enumerate(code):
            if character in _OPENING:
                stack.append(at)
            elif character in _CLOSING:
                self._close(code, at, stack)
            else:
                continue
            self._offsets.append(at)
            self._open_after.append(stack[-1] if stack else -1)
        self.is_balanced = self.is_balanced and not stack

    def _close(self, code: str, at: int, stack: list[int]) -> None:
        if stack and code[stack[-1]] == _CLOSING[code[at]]:
            opening = stack.pop()
            self.pairs[opening], self.pairs[at] = at, opening
        else:
            self.is_balanced = False

    def round(self, at: int) -> int:
        before = bisect_left(self._offsets, at) - 1
        return self._open_after[before] if before >= 0 else -1


class _Masking:
    """One pass over a text."""

    def __init__(self, text: str, syntax: Syntax) -> None:
        self._text = text
        self._syntax = syntax
        self._parts: list[str] = []

    def code(self) -> str:
        self._scan(0, "", 0)
        return "".join(self._parts)

    def _scan(self, at: int, until: str, depth: int) -> int:
        """Read code up to the end, or to the ``until`` that no bracket inside has opened; where it stopped."""
        text, opens, level = self._text, _CLOSING.get(until, ""), 0
        while True:
            found = self._syntax.skipped.search(text, at)
            stop = found.start() if found else len(text)
            if until:
                for place in range(at, stop):
                    level += (text[place] == opens) - (text[place] == until)
                    if level < 0:
                        self._parts.append(text[at:place])
                        return place
            self._parts.append(text[at:stop])
            if found is None:
                return len(text)
            at = self._skip(stop, found.groupdict(), found.end(), depth)

    def _skip(self, start: int, groups: dict[str, str | None], end: int, depth: int) -> int:
        if groups.get("nested") is not None:
            return self._mark(start, self._nested_comment_end(start), COMMENT)
        if groups.get("comment") is not None:
            return self._mark(start, end, COMMENT)
        for number, holed in enumerate(self._syntax.holed):
            if groups.get(f"holed{number}") is not None:
                return self._holed(start, end, holed, depth)
        before = groups.get("before")
        if before:  # what stood before a pattern was only there to tell it from a division
            self._parts.append(before)
            start += len(before)
        return self._mark(start, end, STRING)

    def _mark(self, start: int, end: int, mark: str) -> int:
        self._parts.append(mark * (end - start))
        return end

    def _nested_comment_end(self, start: int) -> int:
        text, at, depth = self._text, start + 2, 1
        while depth and at < len(text):
            opening, closing = text.find("/*", at), text.find("*/", at)
            if closing < 0:
                return len(text)
            is_opening = 0 <= opening < closing
            depth += 1 if is_opening else -1
            at = (opening if is_opening else closing) + 2
        return at

    def _holed(self, start: int, at: int, string: HoledString, depth: int) -> int:
        """A string with holes is a string as a whole; one that does not end is none."""
        marked = len(self._parts)
        end = self._holed_end(at, string, depth)
        del self._parts[marked:]
        if end is None:
            self._parts.append(self._text[start:at])
            return at
        return self._mark(start, end, STRING)

    def _holed_end(self, at: int, string: HoledString, depth: int) -> int | None:
        text = self._text
        while at < len(text):
            if text.startswith(string.close, at):
                return at + len(string.close)
            if string.doubled_hole and text.startswith(string.doubled_hole, at):
                at += len(string.doubled_hole)
            elif text.startswith(string.hole, at) and depth < _MOST_NESTED:
                at = self._hole_end(at + len(string.hole), string.hole[-1], depth)
            elif text[at] == "\\":
                at += 2
            elif text[at] == "\n" and not string.is_multiline:
                return None
            else:
                at += 1
        return None

    def _hole_end(self, at: int, opening: str, depth: int) -> int:
        # What follows a value is a format in some languages, where a # begins no comment.
        simple = _SIMPLE_HOLES[opening].match(self._text, at)
        return simple.end() if simple else self._scan(at, _PARTNERS[opening], depth + 1) + 1
